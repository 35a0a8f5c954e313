"""The images, audio and video beside the lines of a project's source.

A file is written to the project's folder under its checksum before its row is stored, and stays
there for a day after its last row is gone: no row is ever without its file, whenever a process
ends.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, NamedTuple

from django.conf import settings
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.common.media_folder import folder_of_project, media_folder
from annotation.common.transactions import writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.media_files import (
    HEAD,
    LONGEST_NAME,
    NO_LINE,
    line_in_name,
    media_type,
)
from annotation.formats.names import plain_name
from annotation.kinds import kind_of
from annotation.models import Assignment, Media, Project, Sentence

# Media beside one line: more would hide the text.
MOST_OF_LINE: Final = 8
# How long a file stays that no row has any more.
UNUSED_KEPT: Final = timedelta(days=1)
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
    beside = rows.annotate(line=_LINE_OF_ROW).filter(
        project__media__line=F("line"), project__media__is_missing=False
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


def refuse_unseen(project: Project) -> None:
    """Raise InputError if annotators of the project's kind never see the source."""
    if not kind_of(project).shown.source:
        raise InputError(
            _(
                "Annotators of this kind of judgement do not see the source, so nothing can be "
                "shown beside it."
            )
        )


def add_media(
    *,
    project: Project,
    files: Iterable[tuple[str, IO[bytes]]],
    table: Mapping[str, Collection[int]] | None = None,
) -> list[Media]:
    """Store files (name, content) beside lines of the source; return their rows.

    `table` has the lines by the name of a file, and names exactly these files; without it, a name
    begins with its line. A file of the same name replaces that of its line. One whose content an
    archive named is beside the lines that the archive names. Raises InputError, with the name of
    the file, and OSError if the disk is full; then nothing is stored.
    """
    refuse_unseen(project)
    own = folder_of_project(project.pk)
    own.mkdir(mode=0o700, exist_ok=True)
    with TemporaryDirectory(dir=own, prefix="incoming-") as folder:
        received = _receive_all(files, Path(folder), _bytes_left(project))
        with writing():
            locked = Project.objects.select_for_update(no_key=True).filter(pk=project.pk).first()
            if locked is None:
                raise InputError(_("The project was deleted meanwhile."))
            rows = _rows(locked, received, table)
            # Again: another request may have added some since.
            if sum(one.size for one in received) > _bytes_left(locked):
                raise _too_much(received[-1].name)
            for one in received:
                # Also if it is there: its time says that it is in use.
                one.path.replace(own / one.sha256)
            for row in rows:
                row.save()
            _check_lines(locked, rows)
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


def _receive_all(
    files: Iterable[tuple[str, IO[bytes]]], folder: Path, left: int
) -> list[_Received]:
    """Write the files to a folder, at most `left` bytes of all together. Raise InputError."""
    received: list[_Received] = []
    for name, file in files:
        one = _receive(name, file, folder / str(len(received)), left)
        left -= one.size
        received.append(one)
    if not received:
        raise InputError(_("There is no file: give images, audio or video."))
    return received


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
                raise InputError(
                    _("the file has more than %(limit)d MB: give a smaller one."),
                    name,
                    limit=int(settings.MAX_MEDIUM_BYTES) // 1_000_000,
                )
            if size > left:
                raise _too_much(name)
            digest.update(chunk)
            out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    if found is None:
        raise InputError(
            _(
                "the content is of none of the types that can be used: give PNG, JPEG, WebP, GIF, "
                "MP3, WAV, OGG, M4A, MP4 or WebM."
            ),
            name,
        )
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
    project: Project, received: list[_Received], table: Mapping[str, Collection[int]] | None
) -> list[Media]:
    """Return a row for each file and line: a new one, or that which it replaces."""
    stored = {(row.line, row.name): row for row in project.media.all()}
    missing: dict[str, list[Media]] = {}
    for row in stored.values():
        if row.is_missing:
            missing.setdefault(row.sha256, []).append(row)
    rows: dict[tuple[int, str], Media] = {}
    for one in received:
        if one.sha256 in missing:
            for row in missing[one.sha256]:
                row.is_missing = False
                rows[row.line, row.name] = row
            continue
        for line in _lines_of(one.name, table):
            if (line, one.name) in rows:
                raise InputError(_("two files have this name: rename one of them."), one.name)
            row = stored.get((line, one.name)) or Media(project=project, line=line, name=one.name)
            if row.is_missing:
                raise InputError(
                    _(
                        "this is not the file that the archive names for line %(line)d, which has "
                        "the SHA-256 %(sha256)s: give that one, or remove it from the media first."
                    ),
                    one.name,
                    line=line,
                    sha256=row.sha256,
                )
            row.media_type, row.size, row.sha256 = one.media_type, one.size, one.sha256
            rows[line, one.name] = row
    for name in table or ():
        if name not in {one.name for one in received}:
            raise InputError(
                _("the table names this file, which was not given: add it, or leave out its line."),
                name,
            )
    return list(rows.values())


def _lines_of(name: str, table: Mapping[str, Collection[int]] | None) -> Collection[int]:
    if table is None:
        line = line_in_name(name)
        if line is None:
            raise InputError(NO_LINE, name)
        return (line,)
    if name not in table:
        raise InputError(_("the table does not name this file: add a line for it."), name)
    return table[name]


def _check_lines(project: Project, rows: list[Media]) -> None:
    """Raise InputError for a line that the source does not have, or that has too many media."""
    numbers = {row.line for row in rows}
    sentences = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    known = set(sentences.filter(number__in=numbers).values_list("number", flat=True))
    stored = list(project.media.filter(line__in=numbers).values_list("line", flat=True))
    for row in rows:
        if row.line not in known:
            raise InputError(_("the source has no text in line %(line)d."), row.name, line=row.line)
        if stored.count(row.line) > MOST_OF_LINE:
            raise InputError(
                _("with this file, line %(line)d would have more than %(most)d media."),
                row.name,
                line=row.line,
                most=MOST_OF_LINE,
            )


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
