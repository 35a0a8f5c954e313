"""The texts of a project by document: outputs beside each other, with the answers that count.

Members and readers of published pages see the same; `Words` says what a page calls systems and
annotators. What is excluded or discarded is left out, and so are practice, control and comments.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import ceil, inf
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    Candidate,
    ErrorSpan,
    Judgement,
    Placement,
    Project,
    Projection,
    Sentence,
    SettledPlacement,
    Translation,
)
from annotation.models.names import contains
from annotation.models.results import candidate_counts, judgement_counts
from annotation.projects.references import ReferenceText
from annotation.selectors.answer_details import MarkedError, details_of
from annotation.selectors.judged_sentences import GARBAGE_PLACE
from annotation.selectors.sentence_list import has_in_source, has_number

# On the page of a document.
LINES_PER_PAGE: Final = 20
# In the list of documents, and of lines that are found.
ROWS_PER_PAGE: Final = 50
LARGEST_LINE: Final = 2**31 - 1
# Severities that look like minor errors; all others look like major ones.
SLIGHT: Final = ("minor", "neutral")


@dataclass(frozen=True)
class Words:
    """What a page calls systems and annotators, and how it writes means.

    `systems` are the names by id, in the order in which they are shown. `annotators` returns those
    of users by their ids, in the order of their answers. `mean` writes the mean of stored ranks, ""
    where there is none.
    """

    systems: Mapping[int, str]
    annotators: Callable[[Collection[int]], Mapping[int, str]]
    mean: Callable[[Sequence[int | None]], str]


@dataclass(frozen=True)
class DocumentRow:
    """A document of the list, or `lines` of a project that has none: then `name` is "".

    `first` and `last` are numbers of lines, and `begins` is the first of its texts.
    """

    name: str
    first: int
    last: int
    lines: int
    judgements: int
    begins: str


@dataclass(frozen=True)
class FoundLine:
    """A line in which words were found."""

    number: int
    document: str
    text: str


@dataclass(frozen=True)
class Mark:
    """An error that an annotator marked in `text`, which is "" where something is missing."""

    annotator: str
    side: str
    severity: str
    category: str
    text: str

    @property
    def is_minor(self) -> bool:
        return self.severity in SLIGHT


@dataclass(frozen=True)
class GivenAnswer:
    """An annotator's answer about an output: a stored rank, and what they added to it."""

    annotator: str
    rank: int | None
    repeat: bool
    edit: str = ""
    marks: Sequence[Mark] = ()


class Piece(NamedTuple):
    """A piece of an output, and the marks that cover it."""

    text: str
    marks: tuple[Mark, ...]

    @property
    def is_minor(self) -> bool:
        """Return whether no annotator marked a worse error in it."""
        return all(mark.is_minor for mark in self.marks)


@dataclass(frozen=True)
class Output:
    """A text and the answers about it.

    `systems` are those that have the same text, in a column without the one of the column.
    """

    text: str
    pieces: Sequence[Piece]
    systems: Sequence[str] = ()
    # Of the candidates of a segment, None for a judgement that does not place this one.
    answers: Sequence[GivenAnswer | None] = ()
    # As it is shown; "" without one.
    mean: str = ""
    # Whether a curator settled its sheet, and the rank that they decided on; None is garbage.
    is_settled: bool = False
    settled: int | None = None


@dataclass(frozen=True)
class Column:
    """What a system made of a line; edits of its output are several."""

    system: str
    outputs: Sequence[Output]


@dataclass(frozen=True)
class SegmentRow:
    """A segment of a line: its source in pieces (True = inside), and its candidates.

    `judgements` are (annotator, whether it is a repeat), in the order of the candidates' answers.
    """

    pieces: Sequence[tuple[str, bool]]
    judgements: Sequence[tuple[str, bool]]
    candidates: Sequence[Output]


@dataclass(frozen=True)
class Line:
    """A line of the source with what the chosen systems made of it."""

    number: int
    source: Sequence[tuple[str, bool]]
    references: Sequence[ReferenceText]
    columns: Sequence[Column]
    segments: Sequence[SegmentRow]


@dataclass(frozen=True)
class DocumentPage:
    """Up to LINES_PER_PAGE lines of a document, whose name is "" if they are of none.

    `first` is the place of the first line among `count` lines of the document, from 1. `before` and
    `after` are lines on the pages before and after.
    """

    document: str
    first: int
    count: int
    lines: Sequence[Line]
    before: int | None
    after: int | None

    @property
    def last(self) -> int:
        return min(self.first + LINES_PER_PAGE - 1, self.count)


# --- the list -------------------------------------------------------------------------------------


def documents_page(
    project: Project, number: str | int | None
) -> tuple[Page[Any], list[DocumentRow]]:
    """Return a page of the list of documents, and its rows.

    A project without documents has rows of LINES_PER_PAGE lines. At most five queries.
    """
    lines = _lines(project)
    page: Page[Any]
    if lines.filter(document__gt="").exists():
        documents = (
            lines.order_by()
            .values("document")
            .annotate(first=Min("number"), last=Max("number"), lines=Count("pk"))
            .order_by("first")
        )
        page = Paginator(documents, ROWS_PER_PAGE).get_page(number)
        found = [
            DocumentRow(row["document"], row["first"], row["last"], row["lines"], 0, "")
            for row in page.object_list
        ]
        names = [row.name for row in found]
        by_document = _judgements(project).filter(segment__sentence__document__in=names)
        if found:
            # No index has documents, but these are of few lines, or of neighbours.
            span = (min(row.first for row in found), max(row.last for row in found))
            by_document = by_document.filter(_of_lines(span))
        judgements = _counted(by_document, "segment__sentence__document")
        rows = [replace(row, judgements=judgements.get(row.name, 0)) for row in found]
    else:
        page = Paginator(range(ceil(lines.count() / LINES_PER_PAGE)), ROWS_PER_PAGE).get_page(
            number
        )
        start = (page.number - 1) * ROWS_PER_PAGE * LINES_PER_PAGE
        numbers = list(
            lines.values_list("number", flat=True)[start:][: ROWS_PER_PAGE * LINES_PER_PAGE]
        )
        judged = _counted_by_line(project, numbers)
        parts = [numbers[at : at + LINES_PER_PAGE] for at in range(0, len(numbers), LINES_PER_PAGE)]
        rows = [
            DocumentRow("", part[0], part[-1], len(part), sum(judged[one] for one in part), "")
            for part in parts
        ]
    texts = dict(
        _heads(project).filter(number__in=[row.first for row in rows]).values_list("number", "text")
    )
    return page, [replace(row, begins=texts[row.first]) for row in rows]


def _counted_by_line(project: Project, numbers: Sequence[int]) -> defaultdict[int, int]:
    found: defaultdict[int, int] = defaultdict(int)
    if numbers:
        span = (numbers[0], numbers[-1])
        line = Coalesce("segment__sentence__source_line", "segment__sentence__number")
        rows = _judgements(project).filter(_of_lines(span)).annotate(line=line)
        found.update(_counted(rows, "line"))
    return found


def _of_lines(span: tuple[int, int]) -> Q:
    """Return the condition that a judgement is of these lines."""
    first = Q(segment__sentence__source_line=None, segment__sentence__number__range=span)
    return first | Q(segment__sentence__source_line__range=span)


def _counted(rows: QuerySet[Judgement], by: str) -> dict[Any, int]:
    counted = rows.order_by().values(by).annotate(rows=Count("pk"))
    return dict(counted.values_list(by, "rows"))


def _judgements(project: Project) -> QuerySet[Judgement]:
    return Judgement.objects.filter(judgement_counts(), submission__assignment__project=project)


def found_page(
    project: Project, words: str, number: str | int | None
) -> tuple[Page[Any], list[FoundLine]]:
    """Return a page of the lines that have these words in a text, or this number. Three queries."""
    outputs = Translation.objects.filter(contains("text", words), sentence=OuterRef("pk"))
    candidates = Candidate.objects.filter(
        contains("text", words),
        excluded=False,
        segment__of_document=False,
        segment__sentence=OuterRef("pk"),
    )
    rows = Sentence.objects.filter(
        has_in_source(words) | has_number(words) | Exists(outputs) | Exists(candidates),
        project=project,
        purpose=Sentence.Purpose.JUDGE,
        excluded=False,
    )
    lines = rows.annotate(line=Sentence.LINE).values_list("line", flat=True).distinct()
    page = Paginator(lines.order_by("line"), ROWS_PER_PAGE).get_page(number)
    heads = _heads(project).filter(number__in=list(page.object_list)).order_by("number")
    fields = ("number", "document", "text")
    return page, [FoundLine(*row) for row in heads.values_list(*fields)]


def _heads(project: Project) -> QuerySet[Sentence]:
    """Return the row of each line that has its number and the texts of all systems."""
    return Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.JUDGE, source_line=None
    )


def _lines(project: Project) -> QuerySet[Sentence]:
    """Return the heads of the lines that have a row which is not excluded, in their order."""
    # Only of the few heads that are excluded the further rows are looked up.
    further = Sentence.objects.filter(
        project=project, source_line=OuterRef("number"), excluded=False
    )
    return _heads(project).filter(Q(excluded=False) | Exists(further)).order_by("number")


# --- a document -----------------------------------------------------------------------------------


def document_page(
    project: Project, line: int, *, systems: Collection[int], words: Words
) -> DocumentPage | None:
    """Return the page of the document that has this line; None if there is no such line.

    `systems` are the ids of those that are shown, in the order of `words`. At most eight queries,
    that of `words.annotators`, and one more of documents, which curators can settle.
    """
    lines = _lines(project)
    at_line = lines.filter(number=min(line, LARGEST_LINE)).order_by().values("document")[:1]
    of_document = lines.filter(document=Subquery(at_line))
    found = of_document.order_by().aggregate(
        document=Max("document"), before=Count("pk", filter=Q(number__lt=line)), count=Count("pk")
    )
    if not found["count"]:
        return None
    start = found["before"] - found["before"] % LINES_PER_PAGE
    earlier = min(start, LINES_PER_PAGE)
    numbers = list(
        of_document.values_list("number", flat=True)[start - earlier : start + LINES_PER_PAGE + 1]
    )
    shown = numbers[earlier:][:LINES_PER_PAGE]
    after = numbers[earlier + LINES_PER_PAGE :]
    return DocumentPage(
        document=found["document"],
        first=start + 1,
        count=found["count"],
        lines=_Texts.read(project, shown, words).lines(systems),
        before=numbers[0] if earlier else None,
        after=after[0] if after else None,
    )


@dataclass
class _CandidateRow:
    """A candidate that counts, with the ids of its systems and the answers about it."""

    text: str
    sentence: int
    segment: int
    indices: str
    systems: list[int] = field(default_factory=list)
    answers: dict[int, GivenAnswer] = field(default_factory=dict)
    is_settled: bool = False
    settled: int | None = None
    # The characters that marks cover.
    spans: list[tuple[int, int, Mark]] = field(default_factory=list)

    @property
    def positions(self) -> list[int]:
        return [int(index) for index in self.indices.split()]


@dataclass
class _Texts:
    """What some lines have, by the ids of rows; `rows` has the sentences of each line."""

    project: Project
    words: Words
    rows: dict[int, list[Sentence]]
    translations: dict[tuple[int, int], str]
    references: dict[int, list[ReferenceText]]
    # In the order of sentences and segments.
    candidates: dict[int, _CandidateRow]
    # (name of the annotator, whether it is a repeat) by judgement, in their order, by segment.
    judgements: dict[int, dict[int, tuple[str, bool]]]

    @classmethod
    def read(cls, project: Project, numbers: Sequence[int], words: Words) -> "_Texts":
        rows: dict[int, list[Sentence]] = {number: [] for number in numbers}
        of_lines = Q(source_line=None, number__in=numbers) | Q(source_line__in=numbers)
        sentences = Sentence.objects.filter(
            of_lines, project=project, purpose=Sentence.Purpose.JUDGE
        ).defer("tree")
        for sentence in sentences.order_by("number"):
            rows[sentence.source_line or sentence.number].append(sentence)
        texts = cls(project, words, rows, {}, {}, {}, {})
        texts._read_translations()
        texts._read_candidates(
            [one.pk for of_line in rows.values() for one in of_line if not one.excluded]
        )
        return texts

    @cached_property
    def sources(self) -> dict[int, str]:
        return {one.pk: one.text for of_line in self.rows.values() for one in of_line}

    def _read_translations(self) -> None:
        heads = [of_line[0].pk for of_line in self.rows.values()]
        found = Translation.objects.filter(sentence__in=heads).order_by("reference", "pk")
        for sentence, system, reference, text in found.values_list(
            "sentence", "system", "reference", "text"
        ):
            if system is None:
                of_line = self.references.setdefault(sentence, [])
                of_line.append(ReferenceText(reference or 1, text))
            else:
                self.translations[sentence, system] = text

    def _read_candidates(self, sentences: Collection[int]) -> None:
        counting = Candidate.objects.filter(
            segment__sentence__in=sentences,
            segment__of_document=False,
            segment__excluded=False,
            excluded=False,
        ).order_by("segment__sentence__number", "segment", "pk")
        for pk, text, sentence, segment, indices in counting.values_list(
            "pk", "text", "segment__sentence", "segment", "segment__token_indices"
        ):
            self.candidates[pk] = _CandidateRow(text, sentence, segment, indices)
        projections = Projection.objects.filter(
            segment__sentence__in=sentences, candidate__isnull=False
        )
        for candidate, system in projections.values_list("candidate", "system"):
            if candidate in self.candidates:
                self.candidates[candidate].systems.append(system)
        self._read_answers(sentences)
        if kind_of(self.project).unit.is_document:
            settled = SettledPlacement.objects.filter(candidate__segment__sentence__in=sentences)
            for candidate, rank in settled.values_list("candidate", "rank"):
                if candidate in self.candidates:
                    row = self.candidates[candidate]
                    row.is_settled, row.settled = True, rank

    def _read_answers(self, sentences: Collection[int]) -> None:
        placements = Placement.objects.filter(
            judgement_counts("judgement"),
            candidate_counts(),
            judgement__segment__sentence__in=sentences,
        ).order_by("judgement", "pk")
        stored = list(
            placements.values_list(
                "pk",
                "candidate",
                "rank",
                "judgement",
                "judgement__segment",
                "judgement__submission__assignment__annotator",
                "judgement__submission__assignment__kind",
            )
        )
        # A system may have been added since the candidates were read.
        stored = [row for row in stored if row[1] in self.candidates]
        called = self.words.annotators({row[5] for row in stored}) if stored else {}
        # Not in the order of time, by which annotators might be recognised.
        place = {annotator: place for place, annotator in enumerate(called)}
        stored.sort(key=lambda row: (place[row[5]], row[3]))
        details = details_of(kind_of(self.project).answer, [row[0] for row in stored])
        for pk, candidate, rank, judgement, segment, annotator, kind in stored:
            row, name = self.candidates[candidate], called[annotator]
            repeat = kind != Assignment.Kind.FIRST
            self.judgements.setdefault(segment, {})[judgement] = (name, repeat)
            given = GivenAnswer(name, rank, repeat)
            if pk in details:
                marks = [self._mark(error, row, name) for error in details[pk].errors]
                given = replace(given, edit=details[pk].edit, marks=marks)
            row.answers[judgement] = given

    def _mark(self, error: MarkedError, row: _CandidateRow, annotator: str) -> Mark:
        """Return the mark, and add it to the candidate if it covers words of it."""
        in_source = error.side == ErrorSpan.Side.SOURCE
        text = self.sources[row.sentence] if in_source else row.text
        words = "" if error.start is None else text[error.start : error.end]
        mark = Mark(annotator, error.side, error.severity, error.category, words)
        if error.start is not None and error.end is not None and not in_source:
            row.spans.append((error.start, error.end, mark))
        return mark

    def lines(self, systems: Collection[int]) -> list[Line]:
        of_sentence: defaultdict[int, list[_CandidateRow]] = defaultdict(list)
        for row in self.candidates.values():
            of_sentence[row.sentence].append(row)
        return [
            self._line(
                number, of_line[0], [c for one in of_line for c in of_sentence[one.pk]], systems
            )
            for number, of_line in self.rows.items()
        ]

    def _line(
        self,
        number: int,
        head: Sentence,
        candidates: Sequence[_CandidateRow],
        systems: Collection[int],
    ) -> Line:
        """Return the line; candidates of segments stand below it, all others in the columns."""
        is_segmented = kind_of(self.project).unit.is_segmented
        below: dict[int, list[_CandidateRow]] = {}
        for row in candidates if is_segmented else ():
            below.setdefault(row.segment, []).append(row)
        owners = {
            position: segment for segment, rows in below.items() for position in rows[0].positions
        }
        columns = []
        for system, name in self.words.systems.items():
            if system not in systems:
                continue
            if is_segmented:
                text = self.translations.get((head.pk, system), "")
                outputs = [Output(text, [Piece(text, ())])] if text else []
            else:
                # Not the stored translation: it may be excluded.
                rows = [row for row in candidates if system in row.systems]
                outputs = [self._output(row, of=system) for row in rows]
            columns.append(Column(name, outputs))
        return Line(
            number=number,
            source=[(text, owner is not None) for text, owner in head.tokenized.divide(owners)],
            references=self.references.get(head.pk, ()),
            columns=columns,
            segments=[self._segment(head, rows) for rows in below.values()],
        )

    def _output(self, row: _CandidateRow, of: int | None = None) -> Output:
        called = self.words.systems
        return Output(
            text=row.text,
            pieces=_pieces(row.text, row.spans),
            systems=[called[one] for one in called if one in row.systems and one != of],
            answers=list(row.answers.values()),
            mean=self.words.mean([one.rank for one in row.answers.values()]),
            is_settled=row.is_settled,
            settled=row.settled,
        )

    def _segment(self, sentence: Sentence, rows: Sequence[_CandidateRow]) -> SegmentRow:
        judgements = self.judgements.get(rows[0].segment, {})
        return SegmentRow(
            pieces=sentence.tokenized.highlight(rows[0].positions),
            judgements=list(judgements.values()),
            candidates=[
                replace(self._output(row), answers=[row.answers.get(one) for one in judgements])
                for row in sorted(rows, key=_place)
            ],
        )


def _place(row: _CandidateRow) -> tuple[float, str]:
    """Return the mean rank, the garbage bin being worse than every rank, and the text.

    The order in which systems came would tell which is which where their names are not shown.
    """
    ranks = [one.rank or GARBAGE_PLACE for one in row.answers.values()]
    return (sum(ranks) / len(ranks) if ranks else inf), row.text


def _pieces(text: str, spans: Iterable[tuple[int, int, Mark]]) -> list[Piece]:
    """Return the text in pieces, each with the marks that cover it."""
    spans = list(spans)
    cuts = sorted({0, len(text), *(cut for start, end, _mark in spans for cut in (start, end))})
    return [
        Piece(
            text[start:end],
            tuple(mark for begin, stop, mark in spans if begin <= start and end <= stop),
        )
        for start, end in pairwise(cuts)
    ]
