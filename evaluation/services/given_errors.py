"""Errors of a file, to be given to the annotators of a project."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.common.transactions import writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.placed_errors import letters, placed_spans
from annotation.formats.problems import raise_problems
from annotation.formats.span_notation import Span, parse_spans
from annotation.kinds import kind_of
from annotation.models import GivenOrigin, Project
from annotation.projects.annotator_names import account_names
from annotation.projects.given_errors import check_takes_errors, store_given_errors
from annotation.selectors.given_errors import (
    TranslatedText,
    submitted_errors,
    translated_texts,
)
from annotation.uploads.imports import path_of_upload
from evaluation.formats.given_errors import MarkedText, read_given_errors


@dataclass(frozen=True)
class GivenFile:
    """What was stored: `texts` with a list, `errors` in them, and what was left out.

    `unplaced` errors have no known place, and further `lists` are of texts that have one already,
    because several systems produced the same.
    """

    origin: GivenOrigin
    texts: int
    errors: int
    unplaced: int
    lists: int


def import_given_errors(
    *, project: Project, path: Path, name: str, by: str, marker: str = ""
) -> GivenFile:
    """Store the errors of a file as those of a new origin, by system and line or by their texts.

    `marker` is the annotator of the file whose errors are taken; "" where it names one of a text
    at most. Raises InputError with all problems and their places, and NotPossible; then nothing is
    stored.
    """
    check_takes_errors(project)
    answer = kind_of(project).answer
    problems: list[InputError] = []
    texts = _Texts.of(project)
    details: dict[int, str] = {}
    markers: dict[tuple[str, int], str] = {}
    errors = unplaced = lists = 0
    for one in read_given_errors(path, on_error=problems.append):
        if marker and one.marker != marker:
            continue
        try:
            for found in texts.find(one):
                first = markers.setdefault((one.system, found.candidate), one.marker)
                if first != one.marker:
                    raise InputError(
                        _(
                            "%(first)s and %(second)s marked errors in the same translation: "
                            "choose one of them."
                        ),
                        one.where,
                        first=first,
                        second=one.marker,
                    )
                detail = answer.given_detail(list(_spans(one, found)), candidate=found.text)
                if found.candidate in details:
                    lists += 1
                    continue
                details[found.candidate] = detail
                errors += detail.count(",") + bool(detail)
                unplaced += one.unplaced
        except InputError as problem:
            problems.append(problem if problem.where else problem.at(one.where))
    raise_problems(problems)
    if marker and not details:
        raise InputError(_("the file has no errors by %(name)s."), str(path), name=marker)
    origin = store_given_errors(project=project, name=name, by=by, details=details)
    return GivenFile(origin, len(details), errors, unplaced, lists)


def import_uploaded_given_errors(
    *, project: Project, file: TemporaryUploadedFile, name: str, by: str, marker: str = ""
) -> GivenFile:
    """Do what `import_given_errors` does. Raise InputError with the name of the uploaded file.

    Raises Refused if it is too large when it is unpacked.
    """
    with path_of_upload(file) as path:
        return import_given_errors(project=project, path=path, name=name, by=by, marker=marker)


def give_errors_of_annotators(
    *, project: Project, judged_in: Project, annotator: str = ""
) -> list[GivenOrigin]:
    """Store what annotators marked in a project as errors given in another one, or the same.

    That is a second pass over these judgements: each annotator is an origin, called "annotator 1"
    by the order of their accounts, so that no name is stored. `annotator` is the name of the only
    one to take; "" for all. Translations are found by system, source and text. Raises InputError
    where nothing is found, and NotPossible; then nothing is stored.
    """
    check_takes_errors(project)
    check_takes_errors(judged_in)
    answer = kind_of(project).answer
    names = account_names(judged_in)
    if annotator and annotator not in names.values():
        raise InputError(
            _("There is no annotator “%(name)s” in the project “%(project)s”."),
            name=annotator,
            project=judged_in.name,
        )
    here = _candidates_here(project, judged_in)
    details: dict[int, dict[int, str]] = {}
    for one in submitted_errors(judged_in):
        # The last judgement counts.
        of_annotator = details.setdefault(one.annotator, {})
        of_annotator |= {
            text.candidate: answer.given_detail(parse_spans(one.detail), candidate=text.text)
            for text in here.get(one.candidate, ())
        }
    judges = [pk for pk in names if pk in details]
    # After those of an earlier pass.
    named = set(GivenOrigin.objects.filter(project=project).values_list("name", flat=True))
    free = (name for number in count(1) if (name := f"annotator {number}") not in named)
    numbered = dict(zip(judges, free, strict=False))
    with writing():
        origins = [
            store_given_errors(
                project=project,
                name=name,
                by=GivenOrigin.By.ANNOTATOR,
                details=details[pk],
            )
            for pk, name in numbered.items()
            if details[pk] and annotator in ("", names[pk])
        ]
    if not origins:
        raise InputError(
            _("Nothing was judged in “%(project)s” that this project has too."),
            project=judged_in.name,
        )
    return origins


def _candidates_here(project: Project, judged_in: Project) -> dict[int, list[TranslatedText]]:
    """Return by candidate of the judged project the same translations of this one."""
    texts = _Texts.of(project)
    found: dict[int, list[TranslatedText]] = {}
    for one in translated_texts(judged_in):
        same = texts.by_texts.get((one.system, letters(one.source), letters(one.text)), [])
        found.setdefault(one.candidate, []).extend(each for each in same if each.text == one.text)
    return found


@dataclass
class _Texts:
    """The translations of a project by system, and by line or texts."""

    systems: set[str] = field(default_factory=set)
    by_line: dict[tuple[str, int], list[TranslatedText]] = field(
        default_factory=lambda: defaultdict(list)
    )
    by_texts: dict[tuple[str, str, str], list[TranslatedText]] = field(
        default_factory=lambda: defaultdict(list)
    )

    @classmethod
    def of(cls, project: Project) -> "_Texts":
        texts = cls()
        for one in translated_texts(project):
            texts.systems.add(one.system)
            texts.by_line[one.system, one.line].append(one)
            key = one.system, letters(one.source), letters(one.text)
            texts.by_texts[key].append(one)
        return texts

    def find(self, marked: MarkedText) -> list[TranslatedText]:
        """Return the translations that are meant. Raise InputError if there is none."""
        if marked.system not in self.systems:
            raise InputError(
                _("there is no system “%(name)s” in the project."),
                marked.where,
                name=marked.system[:60],
            )
        if marked.line is not None:
            found = self.by_line.get((marked.system, marked.line))
            if not found:
                raise InputError(
                    _("the project has no translation of line %(line)d by %(name)s."),
                    marked.where,
                    line=marked.line,
                    name=marked.system[:60],
                )
            return found
        key = marked.system, letters(marked.source or ""), letters(marked.text or "")
        found = self.by_texts.get(key)
        if not found:
            raise InputError(
                _("%(name)s has no such translation of this source in the project: “%(text)s”."),
                marked.where,
                name=marked.system[:60],
                text=(marked.text or "")[:60],
            )
        return found


def _spans(marked: MarkedText, found: TranslatedText) -> Iterator[Span]:
    """Yield the errors at their places in the project's texts. Raise InputError."""
    text = found.text if marked.text is None else marked.text
    source = found.source if marked.source is None else marked.source
    for number, error in enumerate(marked.errors):
        quoted = marked.quoted[number] if marked.quoted else ""
        yield from placed_spans(error, (text, found.text), (source, found.source), quoted)
