"""The images, audio and video beside the lines of a project's source.

A file is written to the project's folder under its checksum before its row is stored, and stays
there for a day after its last row is gone: no row is ever without its file, whenever a process
ends.
"""

import hashlib
import os
import shutil
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, NamedTuple

from django.conf import settings
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.common.media_folder import folder_of_project, media_folder
from annotation.common.transactions import writing
from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.media_files import (
    HEAD,
    LONGEST_NAME,
    NO_MEDIUM,
    TOO_LARGE,
    check_lines_of_media,
    lines_of_media,
    media_type,
)
from annotation.formats.names import plain_name
from annotation.formats.problems import ErrorList
from annotation.kinds import kind_of
from annotation.models import Assignment, Media, Project, Sentence

# How long a file stays that no row has any more.
UNUSED_KEPT: Final = timedelta(days=1)
UNSEEN: Final = _(
    "Annotators of this kind of judgement do not see the source, so nothing can be shown beside it."
)
_CHUNK: Final = 1024 * 1024
# The line of a row, or of the row that a copy is of: as `Sentence.source_number` in the database.
_LINE_OF_ROW: Final = Coalesce("copy_of__source_line", "copy_of__number", "source_line", "number")


# --- reading -----------------------------------------------------------------------------------


class ShownMedium(NamedTuple):
    """A medium beside a source; annotators do not see its name."""

    pk: int
    media_type: str
    name: str
    sha256: str

    @property
    def kind(self) -> str:
        """What it is: "image", "audio" or "video"."""
        return self.media_type.partition("/")[0]


def shown_media(project: Project, sentences: Collection[int]) -> dict[int, list[ShownMedium]]:
    """Return the media by the ids of sentences, in the order in which they were added.

    Rows with further translations and copies have those of their line. One query; none if the
    project has no media, or annotators of its kind do not see the source.
    """
    if not project.media_count or not kind_of(project).shown.source:
        return {}
    return _beside(Sentence.objects.filter(project=project, pk__in=sentences))


def media_of_assignment(assignment: int) -> dict[int, ShownMedium]:
    """Return the media of all rows of the sheet of an assignment (id) by their ids. One query."""
    head = Assignment.objects.filter(pk=assignment).values("sentence")
    found = _beside(Sentence.objects.filter(Q(pk__in=head) | Q(sheet__in=head)))
    return {medium.pk: medium for of_row in found.values() for medium in of_row}


def _beside(rows: QuerySet[Sentence]) -> dict[int, list[ShownMedium]]:
    """Return by the ids of rows the media of their lines that have files. One query."""
    beside = (
        rows.exclude(Sentence.OF_NO_LINE)
        .annotate(line=_LINE_OF_ROW)
        .filter(project__media__line=F("line"), project__media__is_missing=False)
    )
    found: dict[int, list[ShownMedium]] = {}
    columns = [f"project__media__{name}" for name in ShownMedium._fields]
    for row, *medium in beside.order_by("project__media").values_list("pk", *columns):
        found.setdefault(row, []).append(ShownMedium(*medium))
    return found


@dataclass(frozen=True)
class Sizes:
    """How many bytes the files of a project have, and how many of its media await their files."""

    bytes: int
    missing: int


def sizes_of(project: Project) -> Sizes:
    """Return the sizes of the project's media; a file beside several lines counts once.

    Two queries.
    """
    files = project.media.filter(is_missing=False).values("sha256", "size").distinct()
    stored = files.aggregate(bytes=Sum("size", default=0))
    return Sizes(stored["bytes"], project.media.filter(is_missing=True).count())


def file_of(medium: Media) -> Path:
    return folder_of_project(medium.project_id) / medium.sha256


# --- adding and removing -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Received:
    """A file that lies in a folder of the project under no name yet."""

    name: str
    path: Path
    media_type: str
    size: int
    sha256: str


@dataclass(frozen=True)
class ReceivedMedia:
    """Files on their way into a project: all `names`, the `files` that can be used, the errors."""

    names: list[str] = field(default_factory=list)
    files: list[_Received] = field(default_factory=list)
    errors: ErrorList = field(default_factory=ErrorList)


def refuse_unseen(project: Project) -> None:
    """Raise InputError if annotators of the project's kind never see the source."""
    if not kind_of(project).shown.source:
        raise InputError(UNSEEN)


def add_media(
    *,
    project: Project,
    files: Iterable[tuple[str, IO[bytes]]],
    table: Mapping[str, Collection[int]] | None = None,
) -> list[Media]:
    """Store files (name, content) beside lines of the source; return their rows.

    `table` has the lines by the name of a file, and names exactly these files; without it, a name
    begins with its line. A file of the same name replaces that of its line. One whose content an
    archive named is beside the lines that the archive names. Raises InputError for all problems of
    the files, and OSError if the disk is full; then nothing is stored.
    """
    with received_media(project=project, files=files) as received, writing():
        return store_media(project=project, received=received, table=table)


@contextmanager
def received_media(
    *, project: Project, files: Iterable[tuple[str, IO[bytes]]]
) -> Iterator[ReceivedMedia]:
    """Write files (name, content) to the project's folder, from where `store_media` takes them.

    Those that are not taken are deleted in the end. Raises InputError if the project's annotators
    do not see the source, or there is no file.
    """
    refuse_unseen(project)
    own = folder_of_project(project.pk)
    own.mkdir(mode=0o700, exist_ok=True)
    with TemporaryDirectory(dir=own, prefix="incoming-") as folder:
        received = ReceivedMedia()
        left = _bytes_left(project)
        for name, file in files:
            received.names.append(plain_name(name))
            try:
                one = _receive(name, file, Path(folder) / str(len(received.names)), left)
            except InputError as problem:
                received.errors.add(problem)
                continue
            left -= one.size
            received.files.append(one)
        if not received.names:
            raise InputError(_("There is no file: give images, audio or video."))
        yield received


def opened_files(files: Iterable[tuple[str, Path]]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield files as `add_media` takes them, each opened until the next one."""
    for name, path in files:
        with path.open("rb") as content:
            yield name, content


def store_media(
    *,
    project: Project,
    received: ReceivedMedia,
    table: Mapping[str, Collection[int]] | None = None,
) -> list[Media]:
    """Store what was received as `add_media` does. The caller is in a transaction."""
    locked = Project.objects.select_for_update(no_key=True).filter(pk=project.pk).first()
    if locked is None:
        raise InputError(_("The project was deleted meanwhile."))
    errors = received.errors
    rows = _rows(locked, received, table, errors.add)
    _check_lines(locked, rows, errors.add)
    # Again: another request may have added some since.
    if sum(one.size for one in received.files) > _bytes_left(locked):
        errors.add(_too_much(received.files[-1].name))
    errors.raise_all()
    own = folder_of_project(project.pk)
    for one in received.files:
        # Also if it is there: its time says that it is in use.
        one.path.replace(own / one.sha256)
    for row in rows:
        row.save()
    _count(locked)
    project.media_count = locked.media_count
    return rows


def remove_medium(*, project: Project, pk: int) -> Media | None:
    """Remove a medium at once, and its file a day later; return what it was, None if nothing."""
    with writing():
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        row = locked.media.filter(pk=pk).first()
        if row:
            locked.media.filter(pk=pk).delete()
            _count(locked)
    return row


def _count(project: Project) -> None:
    project.media_count = project.media.filter(is_missing=False).count()
    project.save(update_fields=["media_count"])


def _receive(given: str, file: IO[bytes], path: Path, left: int) -> _Received:
    name = plain_name(given)
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InputError(
            _("the name of the file cannot be used: give 1 to %(most)d printable characters."),
            given[:LONGEST_NAME],
            most=LONGEST_NAME,
        )
    found, size, digest = None, 0, hashlib.sha256()
    with path.open("xb") as out:
        while chunk := file.read(_CHUNK):
            if not size:
                found = media_type(chunk[:HEAD])
                if found is None:
                    break
            size += len(chunk)
            if size > settings.MAX_MEDIUM_BYTES:
                raise InputError(TOO_LARGE, name, limit=int(settings.MAX_MEDIUM_BYTES) // 1_000_000)
            if size > left:
                raise _too_much(name)
            digest.update(chunk)
            out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    if found is None:
        raise InputError(NO_MEDIUM, name)
    return _Received(name, path, found, size, digest.hexdigest())


def _too_much(name: str) -> InputError:
    return InputError(
        _("with this file, the media of the project would have more than %(limit)d MB."),
        name,
        limit=int(settings.MAX_MEDIA_BYTES) // 1_000_000,
    )


def _bytes_left(project: Project) -> int:
    """Return how many bytes further media of the project may have."""
    return max(0, int(settings.MAX_MEDIA_BYTES) - sizes_of(project).bytes)


def _rows(
    project: Project,
    received: ReceivedMedia,
    table: Mapping[str, Collection[int]] | None,
    on_error: OnError,
) -> list[Media]:
    """Return a row for each file and line: a new one, or that which it replaces."""
    stored = {(row.line, row.name): row for row in project.media.all()}
    missing: dict[str, list[Media]] = {}
    for row in stored.values():
        if row.is_missing:
            missing.setdefault(row.sha256, []).append(row)
    rows: dict[tuple[int, str], Media] = {}
    restored = [one for one in received.files if one.sha256 in missing]
    for one in restored:
        for row in missing[one.sha256]:
            row.is_missing = False
            rows[row.line, row.name] = row
    known = Counter(one.name for one in restored)
    names = [*(Counter(received.names) - known).elements()]
    lines = lines_of_media(names, table, on_error, also_given=known)
    for one in received.files:
        if one.sha256 in missing:
            continue
        for line in lines[one.name]:
            row = stored.get((line, one.name)) or Media(project=project, line=line, name=one.name)
            if row.is_missing:
                on_error(
                    InputError(
                        _(
                            "this is not the file that the archive names for line %(line)d, which "
                            "has the SHA-256 %(sha256)s: give that one, or remove it from the "
                            "media first."
                        ),
                        one.name,
                        line=line,
                        sha256=row.sha256,
                    )
                )
            row.media_type, row.size, row.sha256 = one.media_type, one.size, one.sha256
            rows[line, one.name] = row
    return list(rows.values())


def _check_lines(project: Project, rows: list[Media], on_error: OnError) -> None:
    """Report a line that has no text in the source, or has too many media."""
    numbers = {row.line for row in rows}
    sentences = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    with_text = sentences.filter(number__in=numbers).exclude(text="")
    known = set(with_text.values_list("number", flat=True))
    others = project.media.filter(line__in=numbers).exclude(pk__in=[row.pk for row in rows])
    stored = Counter(others.values_list("line", flat=True))
    check_lines_of_media([(row.name, row.line) for row in rows], known, on_error, stored)


# --- copying and deleting files ----------------------------------------------------------------


def copy_media(original: Project, made: Project) -> None:
    """Give the new project, which has the same lines, the media of the other one.

    The files are not written again where the disk can give one file two names. The caller is in a
    transaction, and can call it again.
    """
    rows = list(original.media.order_by("pk"))
    if not rows:
        return
    # Until the rows are stored, no other process takes the files for unused ones.
    Project.with_hidden.select_for_update(no_key=True).get(pk=made.pk)
    theirs, own = folder_of_project(original.pk), folder_of_project(made.pk)
    own.mkdir(mode=0o700, exist_ok=True)
    there = {row.sha256: _copy_file(theirs / row.sha256, own / row.sha256) for row in rows}
    Media.objects.filter(project=made).delete()
    Media.objects.bulk_create(
        Media(
            project=made,
            line=row.line,
            name=row.name,
            media_type=row.media_type,
            size=row.size,
            sha256=row.sha256,
            is_missing=not there[row.sha256],
        )
        for row in rows
    )
    _count(made)


def _copy_file(source: Path, target: Path) -> bool:
    """Copy a file unless it is there already; return False if the source is not there."""
    try:
        os.link(source, target)
    except FileExistsError:
        pass
    except FileNotFoundError:
        return False
    except OSError:
        shutil.copyfile(source, target)
    return True


def delete_files(project_id: int) -> None:
    """Delete the files of a project that is being deleted; may be called again."""
    shutil.rmtree(folder_of_project(project_id), ignore_errors=True)


def remove_unused_files() -> None:
    """Remove files that have belonged to no row for a day, and the folders of deleted projects."""
    for folder in media_folder().iterdir():
        if not folder.name.isdecimal() or not folder.is_dir():
            continue
        pk = int(folder.name)
        if any(map(_is_old, folder.iterdir())):
            with writing():
                # What is being added or copied meanwhile is stored before, or after.
                project = Project.with_hidden.select_for_update(no_key=True).filter(pk=pk).first()
                used = set(project.media.values_list("sha256", flat=True)) if project else set()
                for path in folder.iterdir():
                    if path.name in used or not _is_old(path):
                        continue
                    if path.is_dir():
                        shutil.rmtree(path)
                    else:
                        path.unlink()
        if not Project.with_hidden.filter(pk=pk).exists():
            with suppress(OSError):
                folder.rmdir()


def _is_old(path: Path) -> bool:
    return path.lstat().st_mtime < time.time() - UNUSED_KEPT.total_seconds()
