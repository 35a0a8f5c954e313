"""Judgements of a project, and whole projects, from uploaded files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import Fingerprint, fingerprint
from annotation.import_export.archive_import import import_project
from annotation.import_export.judgements_import import ImportedJudgements, import_judgements
from annotation.models import Project, User
from annotation.uploads.file_detection import shown_name


def import_uploaded_judgements(
    *, project: Project, file: TemporaryUploadedFile, revised: bool
) -> ImportedJudgements:
    """Do what `import_judgements` does. Raise InputError with the name of the uploaded file."""
    with _path_of(file) as path:
        original = Fingerprint(_name(file), fingerprint(path).sha256)
        return import_judgements(
            project=project, path=path, revised=revised, originals={path: original}
        )


def restore_uploaded_project(
    *, owner: User, file: TemporaryUploadedFile, name: str | None
) -> Project:
    """Restore the project of an uploaded archive for its new owner.

    Raises InputError with the name of the uploaded file.
    """
    with _path_of(file) as path:
        return import_project(path=path, name=name, owner=owner)


@contextmanager
def _path_of(file: TemporaryUploadedFile) -> Iterator[Path]:
    path = Path(file.temporary_file_path())
    try:
        yield path
    except InputError as problem:
        raise problem.with_names({str(path): _name(file)}) from problem


def _name(file: TemporaryUploadedFile) -> str:
    return shown_name(str(file.name)) or "?"
