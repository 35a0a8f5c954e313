"""Tutorials: practice with texts of their own, which annotators do before the first sheet.

A tutorial is stored as practice sentences that copy none of the project: they are assigned,
judged, explained and counted as practice. SegRanks has tutorials for some pairs of languages, and a
project can have its own.
"""

from collections.abc import Iterator
from logging import getLogger
from pathlib import Path
from typing import Final

from django.db.models import Max

from annotation.common.transactions import retried, writing
from annotation.formats.archive_records import AnswerPart, SegmentPart, SentenceRecord
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import pair_name, parse_language_pair, primary_language
from annotation.formats.tutorial_files import (
    Tutorial,
    TutorialParagraph,
    TutorialTranslation,
    by_language,
    read_tutorial,
    spans_of,
)
from annotation.kinds import kind_of
from annotation.kinds.marked_errors import ErrorsAlone, MarkedErrors
from annotation.models import Project, Sentence
from annotation.preparation.tokens import tokenizer
from annotation.projects.texts import store_sentences

log = getLogger(__name__)

SHIPPED: Final = Path(__file__).parent / "tutorial_texts"


def takes_tutorial(project: Project) -> bool:
    """Tell whether annotators of the project's kind mark errors, which is what tutorials teach."""
    return kind_of(project).answer.takes_given_errors


def shipped_pairs() -> list[str]:
    """Return the pairs of languages for which SegRanks has a tutorial, such as "en-cs"."""
    return sorted(path.stem for path in SHIPPED.glob("*.json"))


def shipped_file(project: Project) -> Path | None:
    """Return the tutorial that SegRanks has for the project's languages, without regions."""
    if not (project.source_language and project.target_language):
        return None
    path = SHIPPED / f"{_pair(project.source_language, project.target_language)}.json"
    return path if path.is_file() else None


def check_shipped(project: Project) -> Tutorial:
    """Return SegRanks' tutorial for the project. Raise InputError if none fits."""
    _check_kind(project)
    path = shipped_file(project)
    if path is None:
        raise InputError(
            _(
                "SegRanks has no tutorial for %(pair)s, only for %(known)s. Write your own, in "
                "the format of docs/tutorials.md, and add it to the prepared project."
            ),
            pair=pair_name(project.source_language, project.target_language),
            known=", ".join(shipped_pairs()),
        )
    tutorial = read_tutorial(path.read_bytes(), path.name)
    _check_fits(tutorial, project)
    return tutorial


def offers_tutorial(project: Project) -> bool:
    """Tell whether SegRanks has a tutorial for the project, which need not be stored."""
    try:
        check_shipped(project)
    except InputError:
        return False
    return True


def has_tutorial(project: Project) -> bool:
    """Return whether annotators of the project get a tutorial. One query."""
    return project.sentences.filter(Sentence.OF_NO_LINE, retired=False).exists()


@retried
def add_tutorial(*, project: Project, own: Tutorial | None = None) -> int:
    """Store the project's own tutorial, or SegRanks' one, and require practice; return its sheets.

    It replaces a former one, which is retired. Raises InputError for a tutorial that does not fit
    the languages or the kind, and for a project that is not prepared; then nothing is stored.
    """
    _check_kind(project)
    tutorial = own or check_shipped(project)
    _check_fits(tutorial, project)
    with writing():
        # Locked, so that numbers stay unique.
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if locked.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise InputError(
                _("The project %(project)r is not prepared: wait until it is."),
                project=project.name,
            )
        of_practice = project.sentences.filter(purpose=Sentence.Purpose.PRACTICE)
        of_practice.filter(Sentence.OF_NO_LINE).update(retired=True)
        last = of_practice.aggregate(last=Max("number"))["last"] or 0
        records = list(_records(tutorial, project, last + 1))
        store_sentences(project, records, {})
        Project.objects.filter(pk=project.pk).update(practice_required=True)
    log.info("Project %s has a tutorial of %s sentences.", project.pk, len(records))
    return sum(record.sheet is None for record in records)


def _check_kind(project: Project) -> None:
    if not takes_tutorial(project):
        raise InputError(_("A tutorial is for kinds of judgement in which errors are marked."))


def _check_fits(tutorial: Tutorial, project: Project) -> None:
    given = _pair(*parse_language_pair(tutorial.languages))
    wanted = _pair(project.source_language, project.target_language)
    if given != wanted:
        raise InputError(
            _("This tutorial is for %(given)s, and the project for %(wanted)s."),
            given=given,
            wanted=wanted,
        )
    unit = kind_of(project).unit
    if unit.is_document and unit.compares_candidates:
        for document in tutorial.documents:
            if len(document.paragraphs[0].translations) < 2:
                raise InputError(
                    _(
                        "Systems stand side by side in this project: give at least two "
                        "translations of each paragraph of “%(name)s”."
                    ),
                    name=document.name,
                )
    for _record in _records(tutorial, project, 1):
        pass


def _pair(source: str, target: str) -> str:
    return pair_name(primary_language(source), primary_language(target))


def _records(tutorial: Tutorial, project: Project, first: int) -> Iterator[SentenceRecord]:
    """Yield the rows of all sheets, numbered from `first`. Raise InputError for marks of no answer.

    A sheet is a document with all translations, or with the first ones, or one paragraph with its
    first translation, as the unit of the project is.
    """
    unit = kind_of(project).unit
    number = first
    for document in tutorial.documents:
        head = number
        for paragraph in document.paragraphs:
            shown = paragraph.translations
            if not (unit.is_document and unit.compares_candidates):
                shown = shown[:1]
            try:
                segment = _segment(project, paragraph, shown)
            except InputError as problem:
                raise problem.at(f"document “{document.name}”") from None
            source = tokenizer(project.source_language)(paragraph.source)
            yield SentenceRecord(
                purpose="practice",
                number=number,
                copy_of=None,
                retired=False,
                candidate_version=1,
                text=source.text,
                tokens=source.places,
                tree="",
                translations=[],
                segments=[segment],
                sheet=head if unit.is_document and number > head else None,
            )
            number += 1


def _segment(
    project: Project, paragraph: TutorialParagraph, shown: list[TutorialTranslation]
) -> SegmentPart:
    answer = kind_of(project).answer
    if not isinstance(answer, ErrorsAlone | MarkedErrors):
        raise NotImplementedError(answer)
    gold = AnswerPart("", [], {}, {}, {})
    for place, one in enumerate(shown):
        # Without a score, there is nothing to say of a translation but that it has no error.
        reasons = [by_language(one.why) if answer.asks_score or not one.marks else {}]
        kept = []
        for span, mark in spans_of(one, paragraph.source):
            # A neutral error is none where errors are minor or major.
            if answer.given_detail([span], candidate=one.text):
                kept.append(span)
                reasons.append(by_language(mark.why))
        detail = answer.given_detail(kept, candidate=one.text)
        if isinstance(answer, ErrorsAlone):
            gold.ranks.append(answer.rank_of_detail(detail))
        else:
            lowest, highest = one.score
            gold.ranks.append(answer.rank_of(highest))
            gold.last_ranks[place] = answer.rank_of(lowest)
        if detail:
            gold.details[place] = detail
        gold.reasons[place] = reasons
    tokens = tokenizer(project.source_language)(paragraph.source)
    return SegmentPart(
        indices=list(range(len(tokens))),
        candidate_version=1,
        candidates=[one.text for one in shown],
        duplicates=[],
        projections=[],
        answer=gold,
        control=None,
    )
