"""From the files of one request to a project or its preview."""

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any

from django.core.files.uploadedfile import UploadedFile as SentFile
from django.db import DatabaseError
from django.utils.translation import gettext as _

from annotation.common.error_messages import (
    LocalizedMessage,
    localize,
    localize_error,
    localized_errors,
    with_location,
)
from annotation.formats.errors import InputError
from annotation.formats.problems import Findings
from annotation.formats.problems import Problem as FileProblem
from annotation.models import Project, StoredPreview, Upload, UploadedFile, User
from annotation.projects.options import CHOICES_OF_UNITS
from annotation.uploads import create_project, folders, preview_queue, storage
from annotation.uploads import preview as previewing
from annotation.uploads.file_detection import guess, shown_name
from annotation.uploads.settings import settings_of
from annotation.web.forms.new_project import DetailsForm, LengthsForm
from api.exceptions import Conflict, Problem, bad_body
from api.project_serializers import sheet_json

Role = UploadedFile.Role
# The role of the files in each field; those in `files` are guessed from their names.
ROLES = {
    "source": Role.SOURCE,
    "references": Role.REFERENCE,
    "systems": Role.SYSTEM,
    "trees": Role.TREES,
    "links": Role.LINKS,
    "documents": Role.DOCUMENTS,
    "segments": Role.GIVEN,
    "ready_segments": Role.SEGMENTS,
    "ready_systems": Role.SYSTEMS,
    "media": Role.MEDIA,
    "media_table": Role.MEDIA_LINES,
    "files": None,
}
# Roles whose files are named after a system, and the kind of file to guess the name by.
KINDS = {Role.SYSTEM: "text", Role.LINKS: "links"}
DETAILS = ("name", "description", "kind", "source_language", "target_language", "tokens")


def create(*, user: User, values: Mapping[str, Any]) -> Project:
    """Create a project from the fields of `NewProject`. Raises Problem; then nothing is kept."""
    with _upload(user, values) as upload:
        return create_project.make_project(upload)


def request_preview(*, user: User, values: Mapping[str, Any]) -> StoredPreview:
    """Queue the preview of what `create` would create from the same fields.

    It replaces the former preview of this person. Raises Problem; then nothing is kept.
    """
    with _upload(user, values, is_temporary=True) as upload:
        return preview_queue.request(upload)


def preview_of(user: User, pk: int) -> StoredPreview | None:
    """Return the person's preview if it was requested by the API."""
    own = StoredPreview.objects.filter(owner=user, upload__is_temporary=True)
    return own.select_related("upload").filter(pk=pk).first()


def preview_result(stored: StoredPreview) -> tuple[list[str], dict[str, Any] | None]:
    """Return why the preview failed, and its contents if it is made and has not failed.

    It also fails by mistakes that a worker has found in the files, and by settings that contradict
    each other.
    """
    try:
        if stored.error:
            raise InputError.from_json(stored.error)
        if stored.data is None:
            return [], None
        found = Findings.from_json(stored.data["findings"])
        if found.problems:
            return [with_location(localize(problem)) for problem in found.problems], None
        return [], _preview_json(stored, found)
    except InputError as problem:
        return [with_location(localize_error(problem))], None


def _preview_json(stored: StoredPreview, found: Findings) -> dict[str, Any]:
    """Return the contents of a preview that is made. Raise InputError."""
    upload = stored.upload
    made = previewing.preview(stored, *settings_of(upload).lengths)
    figures = ("parser", "aligner", "aligned", "segments", "candidates")
    return {
        "settings": _settings(upload),
        "notes": [with_location(localize(note)) for note in found.notes],
        "total": found.sentences,
        "media": made.media,
        "expected": made.expected,
        **{name: getattr(made, name) for name in figures},
        "sentences": [
            {"number": sentence.number} | sheet_json(sentence.sheet) for sentence in made.sentences
        ],
    }


@contextmanager
def _upload(
    user: User, values: Mapping[str, Any], *, is_temporary: bool = False
) -> Iterator[Upload]:
    """Store the files as a complete and correct upload.

    It is deleted at the end, unless a worker is still to read it.
    """
    # The form has the labels as text.
    typed = {**values, "answer_options": "\n".join(values.get("answer_options", []))}
    details, lengths = DetailsForm(typed), LengthsForm(typed)
    if errors := {**details.errors, **lengths.errors}:
        raise bad_body(errors)
    settings = details.to_store() | lengths.cleaned_data
    settings |= {name: values[name] for name in ("open_at_once", "tutorial", *CHOICES_OF_UNITS)}
    settings["judging"] = {"highlights": values["highlights"]}
    try:
        upload = storage.new_upload(user, is_temporary=is_temporary)
    except storage.TooMany:
        message = _(
            "You have %(most)d unfinished projects. Finish one of them, or delete its files."
        )
        raise Conflict(message % {"most": storage.MOST_UPLOADS}) from None
    is_kept = False
    try:
        _store_files(upload, values, settings)
        if not create_project.is_ready(upload):
            raise _file_problems(storage.findings(upload).problems)
        yield upload
        # A worker is still to read the files.
        is_kept = is_temporary or upload.project_id is not None
    except InputError as problem:
        raise _problems(localized_errors(problem)) from None
    except (Upload.DoesNotExist, DatabaseError, OSError):
        if Upload.objects.filter(pk=upload.pk).exists():
            raise
        # Another request of the same person has removed it as the former one.
        message = _("You have asked for another preview meanwhile, and only one is made at a time.")
        raise Conflict(message) from None
    finally:
        if not is_kept:
            folders.remove(upload)


def _settings(upload: Upload) -> dict[str, Any]:
    given, filled = storage.uploaded_texts(upload), settings_of(upload)
    options = create_project.options(upload, given)
    segmentation = {
        "min_length": filled.min_length,
        "max_length": filled.max_length,
        "parser": options.parser,
        "coverage": options.coverage,
    }
    alignment = {"aligner": options.aligner, "effort": options.effort}
    whole = given.whole_sentences
    return {
        **{name: getattr(filled, name) for name in DETAILS},
        "answer_options": filled.answer_options.splitlines(),
        **(segmentation if given.cuts_segments else dict.fromkeys(segmentation)),
        **(dict.fromkeys(alignment) if given.is_ready_made or whole else alignment),
        "open_at_once": options.open_at_once,
    }


def _store_files(upload: Upload, values: Mapping[str, Any], settings: dict[str, Any]) -> None:
    _refuse_equal_names(values)
    roles: dict[int, tuple[str, str]] = {}
    known: set[int] = set()
    for field, file in _sent_files(values):
        if refused := storage.take(upload, [(str(file.name), file)], values["encoding"]):
            raise _file_problems(refused)
        role = ROLES[field]
        for stored in upload.files.exclude(pk__in=known):
            known.add(stored.pk)
            if role is not None and stored.table:
                message = _("%(name)s is a table of several texts: send it in the field “files”.")
                raise bad_body({field: [message % {"name": stored.table}]})
            if role is not None:
                kind = KINDS.get(role)
                system = guess(f"systems/{stored.name}", kind).system if kind else ""
                roles[stored.pk] = (role, system)
    storage.change(upload, roles=roles, values=settings)


def _sent_files(values: Mapping[str, Any]) -> Iterator[tuple[str, SentFile]]:
    for field in ROLES:
        given = values.get(field) or []
        for file in given if isinstance(given, list) else [given]:
            yield field, file


def _refuse_equal_names(values: Mapping[str, Any]) -> None:
    # A file replaces an earlier one of the same name; the caller would not notice.
    names = Counter(shown_name(str(file.name)) for _field, file in _sent_files(values))
    for field, file in _sent_files(values):
        name = shown_name(str(file.name))
        if names[name] > 1:
            message = _("Two files are named %(name)s. Give each file its own name.")
            raise bad_body({field: [message % {"name": name}]})


def _file_problems(found: list[FileProblem]) -> Problem:
    return _problems(
        [localize(problem) for problem in found],
        encodings={str(problem.values.get("encoding", "")) for problem in found},
    )


def _problems(said: list[LocalizedMessage], encodings: Set[str] = frozenset()) -> Problem:
    sentences = [with_location(one) for one in said]
    sentences += [
        _("To read such texts as %(encoding)s, send it in the field “encoding”.")
        % {"encoding": encoding}
        for encoding in sorted(encodings - {""})
    ]
    return Problem(sentences[0], [{"pointer": "#", "detail": text} for text in sentences])
