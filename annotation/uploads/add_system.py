"""A system or a reference from uploaded files, added to a project."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile as SentFile

from annotation.common import stored_files
from annotation.common.transactions import writing
from annotation.formats.encodings import UTF_8
from annotation.formats.errors import InputError
from annotation.formats.file_roles import REFERENCE, SYSTEM, find_column
from annotation.formats.fingerprints import Fingerprint
from annotation.formats.problems import Refused
from annotation.models import Project
from annotation.pipeline import jobs
from annotation.pipeline.system_outputs import (
    StoredReference,
    read_system,
    set_reference,
    store_system,
)
from annotation.uploads.file_detection import shown_name
from annotation.uploads.unpacking import Stored, store


def add_system(
    *,
    project: Project,
    name: str,
    text: SentFile,
    links: SentFile | None,
    tokenized: bool,
    judge: int | None = None,
    encoding: str = UTF_8,
) -> None:
    """Store the system's uploaded outputs, and queue their preparation.

    All in one transaction, which begins after reading; the uploaded files are not kept. `encoding`
    is that of texts which are not UTF-8, and of a table the column of this name is read. Raises
    jobs.JobInProgress, Refused for a file that is no text, and InputError with the names of the
    uploaded files.
    """
    if jobs.is_at_work(project):
        raise jobs.JobInProgress
    with (
        _unpacked_files([text, links] if links else [text], encoding, SYSTEM, name) as stored,
        _with_uploaded_names(stored),
        read_system(
            project=project,
            name=name,
            path=stored[0].path,
            links=stored[1].path if links else None,
            tokenized=tokenized,
            judge=judge,
            originals={file.path: Fingerprint(file.name, file.sha256) for file in stored},
        ) as read,
        writing(),
    ):
        jobs.queue_system(project, read.name)
        store_system(read)


def add_reference(
    *, project: Project, text: SentFile, tokenized: bool, encoding: str = UTF_8
) -> StoredReference:
    """Store an uploaded reference of a project; return its number and how many lines have text.

    Of a table, the column of the reference is read. Raises what `add_system` does.
    """
    if jobs.is_at_work(project):
        raise jobs.JobInProgress
    with (
        _unpacked_files([text], encoding, REFERENCE) as stored,
        _with_uploaded_names(stored),
    ):
        return set_reference(
            project=project,
            path=stored[0].path,
            tokenized=tokenized,
            originals={file.path: Fingerprint(file.name, file.sha256) for file in stored},
        )


@contextmanager
def _unpacked_files(
    sent: list[SentFile], encoding: str, role: str, system: str = ""
) -> Iterator[list[Stored]]:
    """Unpack the files into a temporary folder."""
    with TemporaryDirectory(dir=stored_files.incoming(), prefix="system-") as folder:
        left, stored = int(settings.MAX_UPLOAD_BYTES), []
        for file in sent:
            one = _unpack(file, Path(folder), left, encoding, role, system)
            left -= one.size
            stored.append(one)
        yield stored


def _unpack(
    file: SentFile, folder: Path, limit: int, encoding: str, role: str, system: str
) -> Stored:
    name = shown_name(str(file.name)) or "?"
    with file.open() as content:
        found = list(store(name, content, lambda: folder / secrets.token_hex(16), limit, encoding))
    columns = {one.heading: one for one in found if isinstance(one, Stored) and one.table}
    if columns and len(columns) == len(found):
        heading = find_column(columns, role, system)
        if heading is None:
            raise Refused("no-column", name, name=system or role, headings=", ".join(columns))
        return columns[heading]
    # A zip with several files does not say which one is meant.
    if len(found) != 1:
        raise Refused("one-file", name)
    if isinstance(found[0], Refused):
        raise found[0]
    return found[0]


@contextmanager
def _with_uploaded_names(stored: list[Stored]) -> Iterator[None]:
    try:
        yield
    except InputError as problem:
        raise problem.with_names({str(file.path): file.name for file in stored}) from problem
