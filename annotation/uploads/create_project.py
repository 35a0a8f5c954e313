"""A project from an upload, to be prepared or with ready-made segments."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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
from annotation.projects.options import CHOICES, CHOICES_OF_UNITS, PrepareOptions, Texts
from annotation.projects.tutorials import check_shipped
from annotation.uploads import folders, storage
from annotation.uploads.settings import UploadSettings, settings_of
from annotation.uploads.uploaded_texts import UploadedTexts


class NotReady(Exception):
    """The files have problems, or required settings are missing."""


def is_ready(upload: Upload) -> bool:
    """Return whether all required settings are filled in and the files have no known problems."""
    return settings_of(upload).is_complete and not storage.findings(upload).problems


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
            filled = settings_of(upload)
            change_settings(project=project, values=filled.judging)
            if filled.instructions:
                write_instructions(project=project, author=upload.owner, text=filled.instructions)
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
    filled = settings_of(upload)
    common: dict[str, Any] = {
        "name": filled.name,
        "description": filled.description,
        "languages": pair_name(filled.source_language, filled.target_language),
        "kind": given.kind,
        "scale": kind_of(given).answer.own_options,
    }
    # The provenance has the uploaded files, not our copies.
    originals = storage.originals(upload)
    # Paths by role, of the last file of each.
    paths = {file.role: file.path for file in given.files}
    if given.is_ready_made:
        if filled.tutorial:
            check_shipped(Project(kind=given.kind))
        with new_import(
            segments=paths[SEGMENTS],
            systems=paths.get(SYSTEMS),
            documents=paths.get(DOCUMENTS),
            open_at_once=filled.open_at_once,
            originals=originals,
            **common,
        ) as job:
            jobs.enqueue(job.pk)
            # The worker reads the files, and they go with the project.
            upload.project = job.project
            upload.save(update_fields=["project"])
            yield job.project
        return
    storage.fetch(given.readable(), with_media=True)
    shortest, longest = filled.lengths if given.cuts_segments else UploadSettings().lengths
    with new_project(
        texts=Texts(
            source=paths[SOURCE],
            systems={file.system: file.path for file in given.of(SYSTEM)},
            references=[file.path for file in given.references.values()],
            trees=paths.get(TREES),
            segments=paths.get(GIVEN),
            alignments={name: file.path for name, file in given.links.items()},
            documents=paths.get(DOCUMENTS),
            media=given.media,
            media_lines=given.media_lines,
            originals=originals,
        ),
        min_length=shortest,
        max_length=longest,
        options=options(upload, given),
        **common,
    ) as job:
        jobs.enqueue(job.pk)
        yield job.project


def options(upload: Upload, given: UploadedTexts) -> PrepareOptions:
    """Return how to prepare the texts; uploaded trees, segments and links are used as they are."""
    filled = settings_of(upload)
    # Whole sentences are not parsed, and aligned only to mark words.
    chosen = {} if given.whole_sentences else {name: getattr(filled, name) for name in CHOICES}
    if trees := given.one(TREES):
        chosen["parser"] = "conllu" if trees.kind == "conllu" else "brackets"
    if given.one(GIVEN):
        # Segments that came as a file need no parser; create_project sets this.
        chosen |= {"parser": PrepareOptions.parser, "coverage": PrepareOptions.coverage}
    if given.links:
        chosen["aligner"] = "pharaoh"
    chosen |= {name: getattr(filled, name) for name in CHOICES_OF_UNITS}
    return PrepareOptions(
        open_at_once=filled.open_at_once,
        tutorial=filled.tutorial,
        **chosen,
        highlights=bool(filled.judging.get("highlights")),
        tokenized=given.tokens == "all",
        source_tokenized=given.tokens == "source",
    )
