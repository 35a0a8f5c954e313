"""The images, audio and video beside the lines of a project's source.

A file is stored in the project's folder under its checksum before its row, and stays there for at
least a day after that, with or without a row: no row is ever without its file, whenever a process
ends.
"""

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, NamedTuple

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.common import stored_files
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
from annotation.models.stored_files import DatabaseStorage

# How long a file stays after it was last stored if no row has it.
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


def file_of(medium: Media) -> "File[bytes]":
    """Open the file of a medium. Raise FileNotFoundError."""
    return default_storage.open(file_name(medium.project_id, medium.sha256))


def file_name(project_id: int, sha256: str) -> str:
    """Return the name of the file in the storage."""
    return f"{_folder_of(project_id)}/{sha256}"


def _folder_of(project_id: int) -> str:
    return f"{stored_files.MEDIA}/{project_id}"


# --- adding and removing -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Received:
    """A file on this host that is not stored yet."""

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
    """Write files (name, content) to a folder of this host, from where `store_media` takes them.

    Those that are not taken are deleted in the end. Raises InputError if the project's annotators
    do not see the source, or there is no file.
    """
    refuse_unseen(project)
    with TemporaryDirectory(dir=stored_files.incoming(), prefix="media-") as folder:
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
    for sha256, one in sorted({one.sha256: one for one in received.files}.items()):
        # Also if it is there: its time says that it is in use.
        stored_files.keep(one.path, file_name(project.pk, sha256))
    for row in rows:
        row.save()
    _count(locked)
    project.media_count = locked.media_count
    return rows


def remove_medium(*, project: Project, pk: int) -> Media | None:
    """Remove a medium; return what it was, None if nothing. `remove_unused_files` has its file."""
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


def store_files(folder: Path | None) -> int:
    """Store the files of all media that another storage has; return how many were not there yet.

    The other storage is a folder, or the database, from which they are then removed. Files of
    projects that are not there are left out.
    """
    other = FileSystemStorage(folder) if folder else DatabaseStorage()
    stored = 0
    for project in Project.objects.filter(media__isnull=False).distinct():
        for name in sorted(_used(project.pk)):
            if not default_storage.exists(name) and other.exists(name):
                with other.open(name) as content, writing():
                    default_storage.save(name, content)
                stored += 1
            if not folder and not isinstance(default_storage, DatabaseStorage):
                other.delete(name)
    return stored


# --- copying and deleting files ----------------------------------------------------------------


def copy_media(original: Project, made: Project) -> None:
    """Give the new project, which has the same lines, the media of the other one.

    The files are not written again where the disk can give one file two names; in the database,
    they are copied there. The caller is in a transaction, and can call it again.
    """
    rows = list(original.media.order_by("pk"))
    if not rows:
        return
    # Until the rows are stored, no other process takes the files for unused ones.
    Project.with_hidden.select_for_update(no_key=True).get(pk=made.pk)
    # In one order everywhere, because the storage locks the rows of files.
    there = {
        sha256: _copy_file(file_name(original.pk, sha256), file_name(made.pk, sha256))
        for sha256 in sorted({row.sha256 for row in rows})
    }
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


def _copy_file(name: str, new: str) -> bool:
    """Copy a file unless it is there already; return False if the source is not there."""
    if isinstance(default_storage, DatabaseStorage):
        return default_storage.copy(name, new)
    source, target = stored_files.path_of(name), stored_files.path_of(new)
    stored_files.own_folder(new.rpartition("/")[0])
    try:
        os.link(source, target)
    except FileExistsError:
        pass
    except FileNotFoundError:
        return False
    except OSError:
        shutil.copyfile(source, target)
    return True


def delete_files(project_id: int, *, most: int | None = None) -> bool:
    """Delete the files of a project, `most` at a time; return whether none is left.

    May be called again.
    """
    return stored_files.delete_folder(_folder_of(project_id), most=most)


def remove_unused_files() -> None:
    """Remove files without a row, and folders of deleted projects, a day after they were stored."""
    for name in stored_files.folders_in(stored_files.MEDIA):
        if name.isdecimal():
            _remove_unused_files(int(name))


def _remove_unused_files(pk: int) -> None:
    there = set(stored_files.files_in(_folder_of(pk)))
    unused = [name for name in there - _used(pk) if _is_old(name)]
    if unused:
        with writing():
            # What is being added or copied meanwhile is stored before, or after.
            Project.with_hidden.select_for_update(no_key=True).filter(pk=pk).first()
            for name in sorted({*unused} - _used(pk)):
                if _is_old(name):
                    stored_files.delete(name)
    if there <= {*unused} and not Project.with_hidden.filter(pk=pk).exists():
        delete_files(pk)


def _used(project_id: int) -> set[str]:
    rows = Media.objects.filter(project=project_id)
    return {file_name(project_id, sha256) for sha256 in rows.values_list("sha256", flat=True)}


def _is_old(name: str) -> bool:
    return stored_files.is_older(name, UNUSED_KEPT)
