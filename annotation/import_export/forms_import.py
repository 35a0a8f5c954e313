"""Forms of WMT07 to WMT09 as judgements of a project of the kind that asks the same.

Forms say who judged an item, and not when: new judgements have the time of the import.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import JudgementLine, annotator_name
from annotation.formats.plain_text import open_binary
from annotation.formats.shared_task_files import WmtForm
from annotation.formats.wmt import NOT_JUDGED
from annotation.formats.wmt_forms import (
    ANSWERS,
    ChoiceScreen,
    EditScreen,
    GradeScreen,
    RankingScreen,
    Screen,
    read_screens,
    recognised,
)
from annotation.import_export.kinds_in_files import files_of
from annotation.import_export.sentence_pages import LoadedSegment, LoadedSentence, sentence_pages
from annotation.kinds import kind_of
from annotation.kinds.units import Unit
from annotation.models import Judgement, Project, Projection, Sentence
from annotation.process import clock
from annotation.projects.annotator_names import account_names

# Judgements of one annotator and item that are this far from each other are several.
APART: Final = timedelta(seconds=10)
LONGEST_HEADING: Final = 1 << 14
# Answers by system, as they are written in forms.
Written = Mapping[str, str]


def is_form(path: Path) -> bool:
    """Return whether the first line is the heading of forms. Raise InputError if unreadable."""
    with open_binary(path) as file:
        return recognised(file.readline(LONGEST_HEADING).decode(errors="replace"))


def judgements_of_forms(
    project: Project, path: Path, on_error: OnError
) -> tuple[list[JudgementLine], Mapping[str, int]]:
    """Return a judgement for each screen that asks what the project asks.

    The second value counts what is left out, in the words of `left_out.LEFT_OUT`. Items are lines
    of the source, or of kinds with segments their numbers among all of the project, as in exports.
    Calls `on_error` for each screen that does not fit the project.
    """
    kind = kind_of(project)
    left_out: Counter[str] = Counter()
    if kind.wmt_form is None:
        raise InputError("forms of WMT do not ask what annotators of this project answer.")
    screens: dict[int, list[tuple[Screen, dict[str, int]]]] = {}
    for read in read_screens(path, on_error=on_error):
        written = _written(read, kind.wmt_form)
        if read.kind != kind.wmt_form.type or not written:
            left_out["forms"] += 1
        else:
            screens.setdefault(read.item, []).append((read, _steps(written, kind.wmt_form)))
    times = _times(project)
    now = clock.now()
    judgements: list[JudgementLine] = []
    for item, sentence, segment in _items(project, kind.unit):
        known: Counter[str] = Counter()
        texts = _texts(segment) if item in screens else {}
        for screen, answers in screens.pop(item, ()):
            try:
                ranks = _ranks(answers, texts, left_out)
                annotator = annotator_name(screen.annotator)
            except InputError as problem:
                on_error(problem.at(screen.where))
                continue
            if len(ranks) < kind.answer.fewest_cards:
                left_out["single"] += 1
                continue
            earlier = times.get((annotator, sentence.number, segment.indices), [])
            repeat = known[annotator]
            known[annotator] += 1
            judgements.append(
                JudgementLine(
                    where=screen.where,
                    line=len(judgements) + 1,
                    sentence=sentence.number,
                    segment=segment.words,
                    indices=tuple(map(int, segment.indices.split())),
                    annotator=annotator,
                    created=earlier[repeat] if repeat < len(earlier) else now + repeat * APART,
                    seconds=screen.seconds,
                    ranks=_dense(ranks) if not kind.wmt_form.answers else dict(ranks),
                    some=True,
                )
            )
    for screen, _answers in (one for of_item in screens.values() for one in of_item):
        on_error(InputError(f"the project has no item {screen.item}.", screen.where))
    return judgements, left_out


def _written(screen: Screen, form: WmtForm) -> Written:
    """Return what is written for each system that was judged."""
    if isinstance(screen, RankingScreen):
        return {
            system: str(one.rank)
            for one in screen.ranked
            if one.rank != NOT_JUDGED
            for system in one.systems
        }
    if isinstance(screen, GradeScreen):
        grades = {
            one.system: one.adequacy if form.column == "A" else one.fluency for one in screen.graded
        }
        return {system: str(grade) for system, grade in grades.items() if grade is not None}
    if isinstance(screen, ChoiceScreen) and screen.kind in ANSWERS:
        codes = {answer: code for code, answer in ANSWERS[screen.kind].items()}
        return {one.system: codes[one.answer] for one in screen.chosen if one.answer is not None}
    assert isinstance(screen, (ChoiceScreen, EditScreen))
    return {}


def _steps(written: Written, form: WmtForm) -> dict[str, int]:
    """Return the ranks, or the steps as which answers are stored, by system."""
    if not form.answers:
        return {system: int(rank) for system, rank in written.items()}
    return {
        system: form.answers.index(answer) + 1
        for system, answer in written.items()
        if answer in form.answers
    }


def _ranks(
    answers: Mapping[str, int], texts: Mapping[str, str], left_out: Counter[str]
) -> dict[str, int]:
    """Return the ranks by text. Raise InputError for a system without a text."""
    ranks: dict[str, int] = {}
    for system, rank in answers.items():
        if system not in texts:
            raise InputError(f"the project has no translation of this item by {system!r}.")
        if ranks.setdefault(texts[system], rank) != rank:
            left_out["equal"] += 1
    return ranks


def _dense(ranks: Mapping[str, int]) -> dict[str, int | None]:
    """Return the same order with ranks from 1 without gaps."""
    order = sorted(set(ranks.values()))
    return {text: order.index(rank) + 1 for text, rank in ranks.items()}


def _texts(segment: LoadedSegment) -> dict[str, str]:
    """Return the candidates by system. One query."""
    rows = Projection.objects.filter(segment=segment.id, candidate__isnull=False)
    return dict(rows.values_list("system__name", "candidate__text"))


def _times(project: Project) -> dict[tuple[str, int, str], list[datetime]]:
    """Return when each annotator judged each segment, by name, sentence and indices."""
    names = account_names(project)
    rows = Judgement.objects.filter(
        submission__assignment__project=project,
        submission__current=True,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
    ).order_by("created")
    found: dict[tuple[str, int, str], list[datetime]] = {}
    for annotator, number, indices, created in rows.values_list(
        "submission__assignment__annotator",
        "segment__sentence__number",
        "segment__token_indices",
        "created",
    ):
        found.setdefault((names[annotator], number, indices), []).append(created)
    return found


def _items(project: Project, unit: Unit) -> Iterator[tuple[int, LoadedSentence, LoadedSegment]]:
    """Yield the numbers of items with their sentences and segments."""
    counted, files = 0, files_of(unit)
    for page in sentence_pages(project):
        for sentence in page:
            for segment in sentence.segments:
                counted += 1
                yield files.item(sentence, counted), sentence, segment
