"""Judgements that were made elsewhere, into a project that has their segments."""

from dataclasses import asdict, dataclass
from pathlib import Path

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import Fingerprint, fingerprint
from annotation.formats.thesis import is_thesis_json
from annotation.import_export.imports.accounts import ImportedAccounts
from annotation.import_export.imports.judgement_lines import import_lines
from annotation.import_export.imports.thesis import import_thesis
from annotation.models import Project

ATTEMPTS = 3


@dataclass(frozen=True)
class ImportedJudgements:
    """What an import brought; `format` is "JSON lines" or "thesis JSON"."""

    format: str
    judgements: int
    annotators: int


def import_judgements(*, project: Project, path: Path) -> ImportedJudgements:
    """Store the judgements of a file of JSON lines or of the thesis' JSON, told apart by content.

    Their annotators become inactive accounts that belong to the project; an account that came
    with an earlier import serves again. All in one transaction; raises InputError.
    """
    of_file = fingerprint(path)
    for attempt in range(ATTEMPTS):
        try:
            return _import(project, path, of_file)
        except IntegrityError as problem:
            # Somebody was given a sentence in the moment in which it was stored as judged.
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"{path} could not be stored, because sentences of {project.name!r} are being "
                    "given out all the time: pause judging, and try again."
                ) from problem
    raise AssertionError("unreachable")


def _import(project: Project, path: Path, of_file: Fingerprint) -> ImportedJudgements:
    with transaction.atomic():
        # One import at a time; on SQLite, the transaction alone sees to that.
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        _check_project(project, of_file, path)
        accounts = ImportedAccounts(project)
        if is_thesis_json(path):
            kind = "thesis JSON"
            judgements, annotators = import_thesis(project, path, accounts, timezone.now())
        else:
            kind = "JSON lines"
            judgements, annotators = import_lines(project, path, accounts)
        if not judgements:
            raise InputError(f"{path}: there is no judgement in it.")
        imported = ImportedJudgements(kind, judgements, len(annotators))
        project.provenance.setdefault("imports", []).append(asdict(of_file) | asdict(imported))
        project.save(update_fields=["provenance"])
    return imported


def _check_project(project: Project, of_file: Fingerprint, path: Path) -> None:
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise InputError(
            f"The project {project.name!r} is not prepared, so it has nothing that could have "
            "been judged."
        )
    for earlier in project.provenance.get("imports", []):
        if earlier["sha256"] == of_file.sha256:
            raise InputError(
                f"{path} has been imported into {project.name!r} already, as {earlier['name']!r}."
            )
