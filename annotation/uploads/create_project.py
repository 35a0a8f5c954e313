"""A project from an upload, to be prepared or with ready-made segments."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from annotation.formats.errors import InputError
from annotation.formats.file_roles import (
    DOCUMENTS,
    GIVEN,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)
from annotation.formats.languages import pair_name
from annotation.kinds import kind_of
from annotation.models import Membership, Project, Upload
from annotation.pipeline import jobs
from annotation.pipeline.ready_made_segments import new_import
from annotation.projects.administration import change_settings
from annotation.projects.creation import new_project
from annotation.projects.instructions import write_instructions
from annotation.projects.options import PrepareOptions, Texts
from annotation.uploads import folders, storage
from annotation.uploads.uploaded_texts import UploadedTexts

LENGTHS = (3, 6)


class NotReady(Exception):
    """The files have problems, or required settings are missing."""


def lengths(upload: Upload) -> tuple[int, int]:
    """Return the chosen shortest and longest length of segments."""
    filled = upload.settings
    return filled.get("min_length", LENGTHS[0]), filled.get("max_length", LENGTHS[1])


def is_ready(upload: Upload) -> bool:
    """Return whether all required settings are filled in and the files have no known problems."""
    filled = all(
        upload.settings.get(name) for name in ("name", "source_language", "target_language")
    )
    return filled and not storage.findings(upload).problems


def make_project(upload: Upload) -> Project:
    """Store the project with its owner, send its job, and remove the upload if it is read.

    Raises NotReady, and InputError if the name has been taken meanwhile.
    """
    if not is_ready(upload):
        raise NotReady
    given = storage.uploaded_texts(upload)
    try:
        with _new_project(upload, given) as project:
            Membership.objects.create(
                user=upload.owner, project=project, role=Membership.Role.OWNER
            )
            change_settings(project=project, values=upload.settings.get("judging", {}))
            if text := upload.settings.get("instructions"):
                write_instructions(project=project, author=upload.owner, text=text)
            if upload.project is None:
                transaction.on_commit(lambda: folders.remove(upload))
    except InputError as problem:
        raise problem.with_names(given.names) from problem
    return project


@contextmanager
def _new_project(upload: Upload, given: UploadedTexts) -> Iterator[Project]:
    """Store the project, and send the job that prepares it or imports its segments.

    Yields the project in the transaction that makes it visible.
    """
    filled = upload.settings
    common = {
        "name": filled["name"],
        "description": filled.get("description", ""),
        "languages": pair_name(filled["source_language"], filled["target_language"]),
        "kind": given.kind,
    }
    # The provenance has the uploaded files, not our copies.
    originals = storage.originals(upload)
    # Paths by role, of the last file of each.
    paths = {file.role: file.path for file in given.files}
    if given.is_ready_made:
        with new_import(
            segments=paths[SEGMENTS],
            systems=paths.get(SYSTEMS),
            documents=paths.get(DOCUMENTS),
            open_at_once=filled.get("open_at_once", False),
            originals=originals,
            **common,
        ) as job:
            jobs.enqueue(job.pk)
            # The worker reads the files, and they go with the project.
            upload.project = job.project
            upload.save(update_fields=["project"])
            yield job.project
        return
    is_cut = not (given.has_segments or given.whole_sentences)
    shortest, longest = lengths(upload) if is_cut else LENGTHS
    with new_project(
        texts=Texts(
            source=paths[SOURCE],
            systems={file.system: file.path for file in given.of(SYSTEM)},
            references=[file.path for file in given.references.values()],
            trees=paths.get(TREES),
            segments=paths.get(GIVEN),
            alignments={name: file.path for name, file in given.links.items()},
            documents=paths.get(DOCUMENTS),
            originals=originals,
        ),
        min_length=shortest,
        max_length=longest,
        options=options(upload, given),
        scale=kind_of(given).scale if kind_of(given).own_scale else (),
        **common,
    ) as job:
        jobs.enqueue(job.pk)
        yield job.project


def options(upload: Upload, given: UploadedTexts) -> PrepareOptions:
    """Return how to prepare the texts; uploaded trees, segments and links are used as they are."""
    chosen = {} if given.whole_sentences else dict(upload.settings.get("options", {}))
    if trees := given.one(TREES):
        chosen["parser"] = "conllu" if trees.kind == "conllu" else "brackets"
    if given.one(GIVEN):
        # Segments that came as a file need no parser; create_project sets this.
        chosen = {name: chosen[name] for name in chosen.keys() - {"parser", "coverage"}}
    if given.links:
        chosen["aligner"] = "pharaoh"
    return PrepareOptions(
        **chosen,
        open_at_once=upload.settings.get("open_at_once", False),
        batches=upload.settings.get("batches", False),
        seed=upload.settings.get("seed", 0),
        tokenized=given.tokens == "all",
        source_tokenized=given.tokens == "source",
    )
