"""From the files of one request to a project: what pages ask for step by step, all at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile as SentFile
from django.utils.translation import gettext as _

from annotation.formats.errors import InputError
from annotation.forms_upload import DetailsForm, LengthsForm
from annotation.models import Project, Upload, UploadedFile, User
from annotation.uploads import creating, folders, storing
from annotation.uploads.names import guess, shown_name
from annotation.uploads.problems import Problem as FileProblem
from annotation.uploads.words import Said, in_one_line, say, say_error
from api.problems import Conflict, Problem, bad_body

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


def make_project(*, user: User, sent: Mapping[str, Any]) -> Project:
    """Make a project of what `NewProject` has read; raises Problem, and nothing of it is kept."""
    values = _checked(sent)
    try:
        upload = storing.new_upload(user)
    except storing.TooMany:
        told = _(
            "You are making %(most)d projects already: finish one of them, or remove its files."
        )
        raise Conflict(told % {"most": storing.MOST_UPLOADS}) from None
    try:
        _take(upload, sent, values)
        return creating.make_project(upload)
    except creating.NotReady:
        raise _problem_of(storing.findings(upload).problems) from None
    except InputError as problem:
        raise _problem([say_error(problem)]) from None
    finally:
        folders.remove(upload)


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
        if refused := storing.take(upload, [(str(file.name), file)]):
            raise _problem_of(refused)
        role = ROLES[field]
        for taken in upload.files.exclude(pk__in=known):
            known.add(taken.pk)
            if role is not None:
                roles[taken.pk] = (role, _system(role, taken.name))
    storing.change(upload, roles=roles, values=values)


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
    return _problem([say(problem) for problem in found])


def _problem(said: list[Said]) -> Problem:
    sentences = [in_one_line(one) for one in said]
    return Problem(sentences[0], [{"pointer": "#", "detail": text} for text in sentences])
