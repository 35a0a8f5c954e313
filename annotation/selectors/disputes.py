"""Sheets whose answers differ, and their answers beside each other, for a curator.

Annotators and translations have numbers instead of names, so that the curator judges the texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random

from annotation.formats.span_notation import MISSING, SOURCE, parse_spans
from annotation.judging.disputes import SheetAnswers, answers_to, details_of
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer
from annotation.kinds.marked_errors import Marking
from annotation.models import Candidate, Project, Sentence, SettledPlacement, Settlement
from annotation.models.texts import rows_of_sheet


@dataclass(frozen=True)
class DisputedRow:
    """A sheet whose answers differ by more than the project allows; `number` is its head's."""

    number: int
    document: str
    line: int
    answers: int
    difference: float
    is_settled: bool


@dataclass(frozen=True)
class Mark:
    """An error as the page lists it; `text` is "" for one of the whole translation."""

    severity: str
    category: str
    text: str
    side: str

    @property
    def is_missing(self) -> bool:
        return self.side == MISSING


@dataclass(frozen=True)
class Given:
    """What an annotator, or the curator, answered to a translation; rank None is garbage."""

    rank: int | None
    marks: Sequence[Mark] = ()


@dataclass(frozen=True)
class JudgedText:
    """A translation of a paragraph, which several systems may have made; `columns` are from 1.

    `place` is its number on the page, from 1. `answers` are in the order of the annotators, None
    where one has none.
    """

    candidate: int
    place: int
    text: str
    columns: Sequence[int]
    answers: Sequence[Given | None]
    settled: Given | None
    # The curator's own score as the page shows it: what was typed, or stored before.
    own: str = ""


@dataclass(frozen=True)
class JudgedParagraph:
    """A paragraph of the source with its different translations."""

    line: int
    source: str
    texts: Sequence[JudgedText]


@dataclass(frozen=True)
class DisputedSheet:
    """A sheet with all answers; `annotators` are ids, in the order in which they submitted.

    `means` has a row for each column: the number of it and the mean of each annotator's answers.
    """

    number: int
    document: str
    annotators: Sequence[int]
    paragraphs: Sequence[JudgedParagraph]
    means: Sequence[tuple[int, Sequence[float | None]]]
    difference: float
    settlement: Settlement | None

    @property
    def numbers(self) -> range:
        """The numbers of the annotators."""
        return range(1, len(self.annotators) + 1)

    @property
    def settled_by_answer(self) -> int | None:
        """The number of the annotator whose answer was taken over, if any."""
        taken = self.settlement and self.settlement.answer_of_id
        return self.annotators.index(taken) + 1 if taken in self.annotators else None

    @property
    def candidates(self) -> list[int]:
        return [text.candidate for paragraph in self.paragraphs for text in paragraph.texts]


def disputed_sheets(project: Project) -> list[DisputedRow]:
    """Return the disputed sheets, those that are not settled first, by difference. Four queries.

    None where the project does not say which difference is disputed.
    """
    if project.disputed_from is None:
        return []
    answer = kind_of(project).answer
    differences = {
        head: (answers, answers.largest_difference(answer))
        for head, answers in answers_to(project).items()
    }
    disputed = {
        head: found for head, found in differences.items() if found[1] > project.disputed_from
    }
    settled = set(Settlement.objects.filter(sheet__project=project).values_list("sheet", flat=True))
    heads = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, sheet=None, excluded=False)
    rows = [
        DisputedRow(number, document, line or number, len(answers.ranks), difference, pk in settled)
        for pk, number, document, line in heads.values_list(
            "pk", "number", "document", "source_line"
        )
        if pk in disputed
        for answers, difference in [disputed[pk]]
    ]
    return sorted(rows, key=lambda row: (row.is_settled, -row.difference, row.number))


def disputed_sheet(
    project: Project, number: int, typed: Mapping[str, str] | None = None
) -> DisputedSheet | None:
    """Return the sheet with this number; None unless several annotators have judged it.

    `typed` are scores that the curator has typed, by "score-" and the place of the translation.
    """
    heads = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, sheet=None, number=number)
    head = heads.first()
    answers = answers_to(project, [head.pk]).get(head.pk) if head else None
    if head is None or answers is None:
        return None
    answer = kind_of(project).answer
    annotators = list(answers.ranks)
    settlement = Settlement.objects.filter(sheet=head).first()
    columns = _columns(answers, number)
    details = {one: details_of(answer, head, one) for one in annotators}
    settled = {
        one.candidate_id: one for one in SettledPlacement.objects.filter(settlement=settlement)
    }
    rows = list(Sentence.objects.filter(pk__in=rows_of_sheet(head.pk)).order_by("number"))
    texts: dict[int, list[tuple[list[int], int, str]]] = {row.pk: [] for row in rows}
    candidates = Candidate.objects.filter(pk__in=answers.offered).order_by("pk")
    for pk, sentence, text in candidates.values_list("pk", "segment__sentence", "text"):
        of_text = sorted(columns[system] for system in answers.systems.get(pk, ()))
        texts[sentence].append((of_text, pk, text))
    places = count(1)

    def judged(row: Sentence, of_text: list[int], pk: int, text: str) -> JudgedText:
        words, decided, place = (text, row.text), settled.get(pk), next(places)
        own = (typed or {}).get(f"score-{place}", "")
        if not typed and decided and settlement and settlement.answer_of_id is None:
            own = str(answer.score_of(decided.rank))
        return JudgedText(
            candidate=pk,
            place=place,
            own=own,
            text=text,
            columns=of_text,
            answers=[
                Given(answers.ranks[who][pk], _marks(answer, details[who].get(pk, ""), *words))
                if pk in answers.ranks[who]
                else None
                for who in annotators
            ],
            settled=Given(decided.rank, _marks(answer, decided.detail, *words))
            if decided
            else None,
        )

    return DisputedSheet(
        number=number,
        document=head.document,
        annotators=annotators,
        paragraphs=[
            JudgedParagraph(
                row.source_line or row.number,
                row.text,
                [judged(row, *of_text) for of_text in sorted(texts[row.pk])],
            )
            for row in rows
        ],
        means=_means(answers, columns, answer),
        difference=answers.largest_difference(answer),
        settlement=settlement,
    )


def _columns(answers: SheetAnswers, number: int) -> dict[int, int]:
    """Return the number of each system's column, in an order that tells nothing."""
    systems = sorted({system for of in answers.systems.values() for system in of})
    Random(number).shuffle(systems)  # noqa: S311
    return {system: column for column, system in enumerate(systems, start=1)}


def _means(
    answers: SheetAnswers, columns: Mapping[int, int], answer: Answer
) -> list[tuple[int, list[float | None]]]:
    means = [answers.means(answer, annotator) for annotator in answers.ranks]
    ordered = sorted(columns, key=lambda system: columns[system])
    return [(columns[system], [one.get(system) for one in means]) for system in ordered]


def _marks(answer: Answer, detail: str, text: str, source: str) -> list[Mark]:
    """Return the errors of a detail; none of answers whose details say something else."""
    if not detail or not isinstance(answer, Marking):
        return []
    found = []
    for span in parse_spans(detail):
        of = source if span.side == SOURCE else text
        words = "" if span.start is None else of[span.start : span.end]
        found.append(Mark(span.severity, span.category, words, span.side))
    return found
