"""From the files of one request to a project, or its preview: the steps of pages, all at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.core.files.uploadedfile import UploadedFile as SentFile
from django.utils.translation import gettext as _

from annotation.common.error_messages import (
    LocalizedMessage,
    localize,
    localize_error,
    with_location,
)
from annotation.formats.errors import InputError
from annotation.formats.problems import Problem as FileProblem
from annotation.models import Project, Upload, UploadedFile, User
from annotation.uploads import create_project, folders, storage
from annotation.uploads import preview as previewing
from annotation.uploads.file_detection import guess, shown_name
from annotation.uploads.preview import Preview
from annotation.web.forms.new_project import DetailsForm, LengthsForm
from api.exceptions import Conflict, Problem, bad_body

Role = UploadedFile.Role
# Of each field with files, what they are; those of `files` are guessed from their names.
ROLES = {
    "source": Role.SOURCE,
    "reference": Role.REFERENCE,
    "systems": Role.SYSTEM,
    "trees": Role.TREES,
    "links": Role.LINKS,
    "segments": Role.GIVEN,
    "ready_segments": Role.SEGMENTS,
    "ready_systems": Role.SYSTEMS,
    "files": None,
}
# What guesses the name of a system from the name of its file.
KINDS = {Role.SYSTEM: "text", Role.LINKS: "links"}
# Settings that are as somebody filled them in.
AS_GIVEN = ("name", "description", "source_language", "target_language", "tokens")


@dataclass(frozen=True)
class Previewed:
    """What a project would be like: the settings that it would have (None = of no use), what is
    worth knowing of its files, how many sentences it has, and some of them.
    """

    settings: dict[str, Any]
    notes: list[str]
    total: int
    preview: Preview


def make_project(*, user: User, sent: Mapping[str, Any]) -> Project:
    """Make a project of what `NewProject` has read; raises Problem, and nothing of it is kept."""
    with _taken(user, sent) as upload:
        return create_project.make_project(upload)


def preview_project(*, user: User, sent: Mapping[str, Any]) -> Previewed:
    """Return what `make_project` would make of the same, and keep nothing; raises Problem.

    Takes no longer than a preview in the browser may, reading the files included.
    """
    began = monotonic()
    with _taken(user, sent) as upload:
        found = storage.findings(upload)
        left = previewing.PATIENCE - (monotonic() - began)
        return Previewed(
            settings=_settings(upload),
            notes=[with_location(localize(note)) for note in found.notes],
            total=found.sentences,
            preview=previewing.preview(upload, *create_project.lengths(upload), patience=left),
        )


@contextmanager
def _taken(user: User, sent: Mapping[str, Any]) -> Iterator[Upload]:
    """Have an upload of all that was sent, while nothing is wrong with it, and remove it then."""
    values = _checked(sent)
    try:
        upload = storage.new_upload(user)
    except storage.TooMany:
        told = _(
            "You are making %(most)d projects already: finish one of them, or remove its files."
        )
        raise Conflict(told % {"most": storage.MOST_UPLOADS}) from None
    try:
        _take(upload, sent, values)
        if not create_project.is_ready(upload):
            raise _problem_of(storage.findings(upload).problems)
        yield upload
    except previewing.Failed:
        # Told as any mistake of ours.
        raise
    except InputError as problem:
        raise _problem([localize_error(problem)]) from None
    finally:
        folders.remove(upload)


def _settings(upload: Upload) -> dict[str, Any]:
    given, filled = storage.uploaded_texts(upload), upload.settings
    options = create_project.options(upload, given)
    shortest, longest = create_project.lengths(upload)
    cut = {
        "min_length": shortest,
        "max_length": longest,
        "parser": options.parser,
        "coverage": options.coverage,
    }
    aligned = {"aligner": options.aligner, "effort": options.effort}
    return {
        **{name: filled[name] for name in AS_GIVEN},
        **(dict.fromkeys(cut) if given.has_segments else cut),
        **(dict.fromkeys(aligned) if given.is_ready_made else aligned),
        # What came ready-made is open at once, whatever was chosen.
        "open_at_once": given.is_ready_made or options.open_at_once,
    }


def _checked(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the forms of the pages make of it."""
    details, lengths = DetailsForm(dict(sent)), LengthsForm(dict(sent))
    errors = {**details.errors, **lengths.errors}
    if errors:
        raise bad_body(errors)
    return details.to_store() | lengths.cleaned_data | {"open_at_once": sent["open_at_once"]}


def _take(upload: Upload, sent: Mapping[str, Any], values: dict[str, Any]) -> None:
    _refuse_equal_names(sent)
    roles: dict[int, tuple[str, str]] = {}
    known: set[int] = set()
    for field, file in _files(sent):
        if refused := storage.take(upload, [(str(file.name), file)]):
            raise _problem_of(refused)
        role = ROLES[field]
        for taken in upload.files.exclude(pk__in=known):
            known.add(taken.pk)
            if role is not None:
                roles[taken.pk] = (role, _system(role, taken.name))
    storage.change(upload, roles=roles, values=values)


def _system(role: Role, name: str) -> str:
    kind = KINDS.get(role)
    return guess(f"systems/{name}", kind).system if kind else ""


def _files(sent: Mapping[str, Any]) -> Iterator[tuple[str, SentFile]]:
    for field in ROLES:
        given = sent.get(field) or []
        for file in given if isinstance(given, list) else [given]:
            yield field, file


def _refuse_equal_names(sent: Mapping[str, Any]) -> None:
    """A file takes the place of one of the same name: here nobody would see which."""
    names = Counter(shown_name(str(file.name)) for _field, file in _files(sent))
    for field, file in _files(sent):
        if names[shown_name(str(file.name))] > 1:
            told = _("Two files are called %(name)s: give each a name of its own.")
            raise bad_body({field: [told % {"name": shown_name(str(file.name))}]})


def _problem_of(found: list[FileProblem]) -> Problem:
    return _problem([localize(problem) for problem in found])


def _problem(said: list[LocalizedMessage]) -> Problem:
    sentences = [with_location(one) for one in said]
    return Problem(sentences[0], [{"pointer": "#", "detail": text} for text in sentences])
