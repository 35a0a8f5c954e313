"""Judgements of a project, and whole projects, from uploaded files."""

from collections.abc import Iterator, Mapping
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
from annotation.models import Membership, Project, User
from annotation.pipeline import jobs
from annotation.projects.pearmut_campaigns import new_campaign
from annotation.uploads.file_detection import shown_name

_CHUNK = 64 * 1024
# Judgements of a file are stored in one transaction, for which SQLite lets others wait: those of
# about 12,000 segments take it some ten seconds. The command has no limit.
LARGEST_JUDGEMENTS = 5_000_000


def import_uploaded_judgements(
    *, project: Project, file: TemporaryUploadedFile, revised: bool
) -> ImportedJudgements:
    """Do what `import_judgements` does. Raise InputError with the name of the uploaded file.

    Raises Refused if it is too large when it is unpacked.
    """
    with path_of_upload(file) as path:
        if not _is_at_most(path, LARGEST_JUDGEMENTS):
            limit = LARGEST_JUDGEMENTS // 1_000_000
            raise Refused("judgements-too-large", _name(file), limit=limit)
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
    with path_of_upload(file) as path:
        return import_project(path=path, name=name, owner=owner)


def create_uploaded_campaign(
    *, owner: User, file: TemporaryUploadedFile, name: str, languages: str, campaign_id: str
) -> tuple[Project, Mapping[str, int]]:
    """Store a campaign of Pearmut as a project of its owner, and enqueue its preparation.

    The second value is what was left out. Raises InputError with the name of the uploaded file, and
    Refused if it is too large when it is unpacked.
    """
    with path_of_upload(file) as path:
        original = Fingerprint(_name(file), fingerprint(path).sha256)
        with new_campaign(
            path=path,
            name=name,
            languages=languages,
            campaign_id=campaign_id,
            originals={path: original},
        ) as (job, left_out):
            project = job.project
            Membership.objects.create(user=owner, project=project, role=Membership.Role.OWNER)
            jobs.enqueue(job.pk)
        return project, left_out


@contextmanager
def path_of_upload(file: TemporaryUploadedFile) -> Iterator[Path]:
    """Yield where the file is. Errors of readers get the name that it was uploaded with.

    Raises Refused if it is too large when it is unpacked.
    """
    path = Path(file.temporary_file_path())
    try:
        if not _is_at_most(path, settings.MAX_UPLOAD_BYTES):
            raise Refused("too-large-unpacked", _name(file))
        yield path
    except InputError as problem:
        raise problem.with_names({str(path): _name(file)}) from problem


def _is_at_most(path: Path, limit: int) -> bool:
    """Return whether the file, unpacked, has at most so many bytes."""
    size = 0
    with open_binary(path) as plain:
        while chunk := plain.read(_CHUNK):
            size += len(chunk)
            if size > limit:
                return False
    return True


def _name(file: TemporaryUploadedFile) -> str:
    return shown_name(str(file.name)) or "?"
