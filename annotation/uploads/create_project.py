"""From an upload to a project that waits to be prepared, or that came ready-made."""

from typing import Any

from django.db import transaction

from annotation.formats.errors import InputError
from annotation.formats.file_roles import (
    GIVEN,
    LINKS,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)
from annotation.import_export.segments_import import import_segments
from annotation.models import Membership, Project, Upload
from annotation.pipeline import jobs
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from annotation.uploads import folders, storage
from annotation.uploads.text_files import Given, GivenFile

LENGTHS = (3, 6)


class NotReady(Exception):
    """There are problems with the files, or something is not filled in yet."""


def lengths(upload: Upload) -> tuple[int, int]:
    """Return the shortest and the longest segment that were chosen."""
    filled = upload.settings
    return filled.get("min_length", LENGTHS[0]), filled.get("max_length", LENGTHS[1])


def is_ready(upload: Upload) -> bool:
    """Say whether all is filled in and nothing is wrong with the files."""
    filled = all(
        upload.settings.get(name) for name in ("name", "source_language", "target_language")
    )
    return filled and not storage.findings(upload).problems


def make_project(upload: Upload) -> Project:
    """Store the project with its owner as administrator, send its job, and remove the upload.

    All in one transaction. Raises NotReady, and InputError where the name was taken meanwhile.
    """
    if not is_ready(upload):
        raise NotReady
    given = storage.given(upload)
    try:
        with transaction.atomic():
            make = _ready_made if given.is_ready_made else _to_prepare
            project = make(upload, given)
            _name_files(project, given)
            Membership.objects.create(
                user=upload.owner, project=project, role=Membership.Role.OWNER
            )
            transaction.on_commit(lambda: folders.remove(upload))
    except InputError as problem:
        raise problem.calling({str(file.path): file.name for file in given.files}) from problem
    return project


def _common(upload: Upload) -> dict[str, Any]:
    filled = upload.settings
    codes = (filled["source_language"], filled["target_language"])
    return {
        "name": filled["name"],
        "description": filled.get("description", ""),
        "languages": "-".join(code.replace("-", "_") for code in codes),
    }


def _ready_made(upload: Upload, given: Given) -> Project:
    segments, systems = given.one(SEGMENTS), given.one(SYSTEMS)
    assert segments
    return import_segments(
        segments=segments.path, systems=systems.path if systems else None, **_common(upload)
    )


def _to_prepare(upload: Upload, given: Given) -> Project:
    shortest, longest = LENGTHS if given.has_segments else lengths(upload)
    job = create_project(
        texts=_texts(given),
        min_length=shortest,
        max_length=longest,
        options=options(upload, given),
        **_common(upload),
    )
    jobs.send(job.pk)
    return job.project


def _texts(given: Given) -> Texts:
    reference, trees, segments = given.one(REFERENCE), given.one(TREES), given.one(GIVEN)
    return Texts(
        source=given.of(SOURCE)[0].path,
        systems={file.system: file.path for file in given.of(SYSTEM)},
        reference=reference.path if reference else None,
        trees=trees.path if trees else None,
        segments=segments.path if segments else None,
        alignments={name: file.path for name, file in given.links.items()},
    )


def options(upload: Upload, given: Given) -> PrepareOptions:
    """Return how the texts are to be prepared: what came as a file is not made anew."""
    chosen = dict(upload.settings.get("options", {}))
    if trees := given.one(TREES):
        chosen["parser"] = "conllu" if trees.kind == "conllu" else "brackets"
    if given.one(GIVEN):
        # Nothing is parsed or cut then: create_project sets this.
        chosen = {name: chosen[name] for name in chosen.keys() - {"parser", "coverage"}}
    if given.links:
        chosen["aligner"] = "pharaoh"
    return PrepareOptions(
        **chosen,
        open_at_once=upload.settings.get("open_at_once", True),
        tokenized=given.tokens == "all",
        source_tokenized=given.tokens == "source",
    )


def _name_files(project: Project, given: Given) -> None:
    """Keep what the files were called, not what we called them."""
    columns = {_column(file): file.name for file in given.files}
    for label, file in project.provenance["files"].items():
        file["name"] = columns.get(label, file["name"])
    project.save(update_fields=["provenance"])


def _column(file: GivenFile) -> str:
    if file.role == SYSTEM:
        return f"system {file.system}"
    if file.role == GIVEN:
        return "segments"
    return f"links {file.system}" if file.role == LINKS else file.role
