"""Judgements of a project, and whole projects, from uploaded files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import Fingerprint, fingerprint
from annotation.formats.plain_text import open_binary
from annotation.formats.problems import Refused
from annotation.import_export.archive_import import import_project
from annotation.import_export.judgements_import import ImportedJudgements, import_judgements
from annotation.models import Project, User
from annotation.uploads.file_detection import shown_name

_CHUNK = 64 * 1024


def import_uploaded_judgements(
    *, project: Project, file: TemporaryUploadedFile, revised: bool
) -> ImportedJudgements:
    """Do what `import_judgements` does. Raise InputError with the name of the uploaded file.

    Raises Refused if it is too large when it is unpacked.
    """
    with _path_of(file) as path:
        original = Fingerprint(_name(file), fingerprint(path).sha256)
        return import_judgements(
            project=project, path=path, revised=revised, originals={path: original}
        )


def restore_uploaded_project(
    *, owner: User, file: TemporaryUploadedFile, name: str | None
) -> Project:
    """Restore the project of an uploaded archive for its new owner.

    Raises InputError with the name of the uploaded file, and Refused if it is too large when it is
    unpacked.
    """
    with _path_of(file) as path:
        return import_project(path=path, name=name, owner=owner)


@contextmanager
def _path_of(file: TemporaryUploadedFile) -> Iterator[Path]:
    path = Path(file.temporary_file_path())
    try:
        _check_size(path, _name(file))
        yield path
    except InputError as problem:
        raise problem.with_names({str(path): _name(file)}) from problem


def _check_size(path: Path, name: str) -> None:
    """Raise Refused if the file, unpacked, is larger than an upload may be."""
    size = 0
    with open_binary(path) as plain:
        while chunk := plain.read(_CHUNK):
            size += len(chunk)
            if size > settings.MAX_UPLOAD_BYTES:
                raise Refused("too-large-unpacked", name)


def _name(file: TemporaryUploadedFile) -> str:
    return shown_name(str(file.name)) or "?"
