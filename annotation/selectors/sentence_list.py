"""The sentences of a project as a list: filtered, sorted and paged by the database.

What is sorted and filtered by judgements is read from the summaries of sentences; the rows that a
page shows are counted anew.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import singledispatch
from typing import Any, Final

from django.db.models import (
    Count,
    Exists,
    Expression,
    F,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.expressions import Combinable, OrderBy
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from annotation.judging.queue import with_something_to_judge
from annotation.kinds import kind_of
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Project,
    Projection,
    Reservation,
    Segment,
    Sentence,
    SentenceSummary,
)
from annotation.models.names import contains
from annotation.projects.annotator_names import account_names
from annotation.selectors.stuck_sentences import stuck_sentences

# Two judgements that order fewer comparisons alike than this dispute the sentence.
DISPUTED_BELOW: Final = 0.5
# Digits: no sentence has a longer number.
LONGEST_NUMBER: Final = 9
NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
NO_AGREEMENT: Final = 2.0


@dataclass(frozen=True)
class Sort:
    """An order of sentences: a value that is never null, and sentences of equal ones by number."""

    value: Expression | F
    descending: bool = False


SORTS: Final[dict[str, Sort]] = {
    "number": Sort(F("number")),
    "agreement": Sort(
        Coalesce("summary__agreement", Value(NO_AGREEMENT), output_field=FloatField())
    ),
    "most-judges": Sort(Coalesce("summary__judges", Value(0)), descending=True),
    "fewest-judges": Sort(Coalesce("summary__judges", Value(0))),
    "skips": Sort(Coalesce("summary__skips", Value(0)), descending=True),
    "last-judged": Sort(Coalesce("summary__last_judged", Value(NEVER)), descending=True),
}
STATES: Final = {
    "unjudged": _("not judged"),
    "progress": _("in progress"),
    "complete": _("complete"),
    "nothing": _("nothing to judge"),
    "practice": _("practice"),
    "excluded": _("excluded"),
}


@dataclass(frozen=True)
class SentenceFilters:
    """Which sentences are listed, and in which order; empty fields leave nothing out.

    `words` are in the source, or they are the number of the sentence. `state` is one of STATES, or
    "judged": in progress or complete. `stuck` sentences need a judge, and no annotator is left.
    `system` has a candidate that no other system has, or with `differs_from` another candidate than
    that system, in a segment.
    """

    words: str = ""
    in_translations: bool = False
    state: str = ""
    annotator: int | None = None
    disputed: bool = False
    skipped: bool = False
    commented: bool = False
    is_open: bool = False
    stuck: bool = False
    system: int | None = None
    differs_from: int | None = None
    sort: str = "number"

    def __bool__(self) -> bool:
        """Return whether a sentence may be left out."""
        return self != SentenceFilters(sort=self.sort)


@dataclass
class SentenceRow:
    """A sentence of a page of the list."""

    sentence: Sentence
    state: str
    segments: int = 0
    # All that the row is about is excluded.
    is_excluded: bool = False
    # Where translations are judged one at a time, the one of this sentence, and its systems.
    translation: str = ""
    systems: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    # Judges of the project's number of judges per sentence who have submitted.
    done: int = 0
    open_by: list[str] = field(default_factory=list)
    reserved_for: list[str] = field(default_factory=list)
    skips: int = 0
    comments: int = 0
    last_judged: datetime | None = None
    agreement: float | None = None

    @property
    def disputed(self) -> bool:
        return self.agreement is not None and self.agreement < DISPUTED_BELOW


def has_number(words: str) -> Q:
    """Return the condition that the words are the number of a sentence."""
    if words.isascii() and words.isdigit() and len(words) <= LONGEST_NUMBER:
        return Q(source_line=int(words)) | Q(source_line=None, number=int(words))
    return Q()


def has_in_source(words: str, *, sentence: str = "") -> Q:
    """Return the condition that a source has these words; `sentence` is the path to its row."""
    return contains(f"{sentence}text", words)


def listed_sentences(project: Project, filters: SentenceFilters) -> QuerySet[Sentence]:
    """Return the sentences that the filters leave, in their order."""
    sort = _sort(project, filters)
    # No alias: counting the rows would join the summaries for nothing.
    return _filtered(project, filters).order_by(
        OrderBy(sort.value, descending=sort.descending), "number"
    )


def neighbours(
    project: Project, filters: SentenceFilters, number: int
) -> tuple[int | None, int | None]:
    """Return the numbers of the sentences before and after this one in the list.

    The sentence itself need not be in it: it may have been changed since. Three queries.
    """
    sort = _sort(project, filters)
    here = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE, number=number)
    value = here.annotate(key=sort.value).values_list("key", flat=True).first()
    rows = _filtered(project, filters)
    before, after = Q(number__lt=number), Q(number__gt=number)
    by_number = sort == SORTS["number"]
    if not by_number:
        rows = rows.alias(key=sort.value)
        lower, higher = Q(key__lt=value), Q(key__gt=value)
        before = (higher if sort.descending else lower) | Q(key=value) & before
        after = (lower if sort.descending else higher) | Q(key=value) & after
    order = ["number"]
    if not by_number:
        order.insert(0, "-key" if sort.descending else "key")
    numbers = rows.values_list("number", flat=True)
    return (
        numbers.filter(before).order_by(*order).reverse().first(),
        numbers.filter(after).order_by(*order).first(),
    )


def _sort(project: Project, filters: SentenceFilters) -> Sort:
    if filters.sort == "number":
        return order_by_number(kind_of(project).unit)
    return SORTS[filters.sort]


@singledispatch
def order_by_number(unit: Unit) -> Sort:
    """Return the order by number, in which the translations of one line follow each other."""
    raise NotImplementedError(unit)


@order_by_number.register(SegmentsOfSentence)
@order_by_number.register(SentenceWithTranslations)
def _by_number(unit: Unit) -> Sort:
    return SORTS["number"]


@order_by_number.register
def _by_line(unit: OneTranslation) -> Sort:
    return Sort(Sentence.LINE)


def _filtered(project: Project, filters: SentenceFilters) -> QuerySet[Sentence]:
    unit = kind_of(project).unit
    rows = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE)
    if filters.words:
        found: Q | Combinable = has_in_source(filters.words) | has_number(filters.words)
        if filters.in_translations:
            found |= Exists(
                Candidate.objects.filter(
                    contains("text", filters.words),
                    segment__sentence=OuterRef("pk"),
                    segment__of_document=False,
                )
            )
        rows = rows.filter(found)
    if filters.state:
        rows = _in_state(project, rows, filters.state)
    if filters.annotator:
        judged = Assignment.objects.filter(
            project=project,
            annotator=filters.annotator,
            state=Assignment.State.SUBMITTED,
            kind__in=Assignment.COUNTED,
        )
        rows = rows.filter(on_sheets(unit, judged.values("sentence")))
    if filters.disputed:
        rows = rows.filter(summary__agreement__lt=DISPUTED_BELOW)
    if filters.skipped:
        rows = rows.filter(summary__skips__gt=0)
    if filters.commented:
        commented = Judgement.objects.filter(
            submission__current=True, submission__assignment__project=project, comment__gt=""
        )
        rows = rows.filter(pk__in=commented.values("segment__sentence"))
    if filters.is_open:
        open_ones = Assignment.objects.filter(project=project, state=Assignment.State.OPEN)
        rows = rows.filter(on_sheets(unit, open_ones.values("sentence")))
    if filters.stuck:
        rows = rows.filter(on_sheets(unit, stuck_sentences(project).values("pk")))
    if filters.system:
        rows = rows.filter(Exists(_different(filters.system, filters.differs_from)))
    return rows


def _in_state(project: Project, rows: QuerySet[Sentence], state: str) -> QuerySet[Sentence]:
    unit = kind_of(project).unit
    excluded = is_excluded(unit)
    if state == "excluded":
        return rows.filter(excluded)
    practice = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.PRACTICE, copy_of__isnull=False
    )
    if state == "practice":
        return rows.filter(~excluded, pk__in=practice.values("copy_of"))
    rows = rows.filter(~excluded).exclude(pk__in=practice.values("copy_of"))
    judged = Q(summary__judges__gt=0)
    complete = Q(
        summary__done__gte=project.judges_per_sentence + F("further_judges")
        if project.has_further_judges
        else project.judges_per_sentence,
        summary__candidate_version__gte=F("candidate_version"),
    )
    if state == "judged":
        return rows.filter(judged)
    if state == "complete":
        return rows.filter(judged & complete)
    if state == "progress":
        return rows.filter(judged).exclude(complete)
    # No join: SQLite would look for something to judge in every sentence before it.
    rows = rows.filter(
        ~Exists(SentenceSummary.objects.filter(sentence=OuterRef("pk"), judges__gt=0))
    )
    return rows_to_judge(unit, project, rows, to_judge=state != "nothing")


@singledispatch
def rows_to_judge(
    unit: Unit, project: Project, rows: QuerySet[Sentence], *, to_judge: bool
) -> QuerySet[Sentence]:
    """Return the rows that have something to judge, or else the others."""
    heads = with_something_to_judge(rows, [project])
    return heads if to_judge else rows.exclude(pk__in=heads.values("pk"))


@rows_to_judge.register
def _of_documents_to_judge(
    unit: DocumentOfSystem, project: Project, rows: QuerySet[Sentence], *, to_judge: bool
) -> QuerySet[Sentence]:
    heads = with_something_to_judge(project.sentences.all(), [project])
    found = on_sheets(unit, heads.values("pk"))
    return rows.filter(found if to_judge else ~found)


@singledispatch
def on_sheets(unit: Unit, heads: QuerySet[Any, Any]) -> Q:
    """Return the condition that a sentence is on one of the sheets with these heads, by ids."""
    return Q(pk__in=heads)


@on_sheets.register
def _rows_of_documents(unit: DocumentOfSystem, heads: QuerySet[Any, Any]) -> Q:
    return Q(pk__in=heads) | Q(sheet__isnull=False, sheet__in=heads)


@singledispatch
def is_excluded(unit: Unit) -> Q:
    """Return the condition that a sentence is excluded, or all that its row is about."""
    return Q(excluded=True)


@is_excluded.register
def _paragraph_is_excluded(unit: DocumentOfSystem) -> Q:
    paragraphs = Segment.objects.filter(sentence=OuterRef("pk"), excluded=True, of_document=False)
    return Q(excluded=True) | Q(Exists(paragraphs))


def _different(system: int, other: int | None) -> QuerySet[Projection]:
    """Return the projections of the outer sentence whose candidate the other system, or any, lacks.

    A system without a candidate does not differ: annotators compare nothing of it.
    """
    of_system = Projection.objects.filter(
        system=system,
        candidate__isnull=False,
        segment__sentence=OuterRef("pk"),
        segment__excluded=False,
        segment__of_document=False,
    )
    if other:
        others = Projection.objects.filter(
            segment=OuterRef("segment"), system=other, candidate__isnull=False
        )
        return of_system.filter(Exists(others.exclude(candidate=OuterRef("candidate"))))
    same = Projection.objects.filter(candidate=OuterRef("candidate"))
    return of_system.exclude(Exists(same.exclude(system=system)))


def sentence_rows(project: Project, ids: Sequence[int]) -> list[SentenceRow]:
    """Return the rows of the sentences with these ids, in their order.

    Eight queries, and one more where translations are judged one at a time.
    """
    unit = kind_of(project).unit
    with_exclusion = Sentence.objects.annotate(counts_nowhere=is_excluded(unit))
    found: dict[int, Any] = with_exclusion.select_related("summary").defer("tree").in_bulk(ids)
    sentences = [found[pk] for pk in ids if pk in found]
    names = account_names(project)
    segments = dict(
        Segment.objects.filter(sentence__in=ids, excluded=False, of_document=False)
        .order_by()
        .values_list("sentence")
        .annotate(Count("pk"))
    )
    practice = set(
        Sentence.objects.filter(purpose=Sentence.Purpose.PRACTICE, copy_of__in=ids).values_list(
            "copy_of", flat=True
        )
    )
    heads = {sentence.pk: sentence.sheet_id or sentence.pk for sentence in sentences}
    something = set(
        with_something_to_judge(
            Sentence.objects.filter(pk__in=set(heads.values())), [project]
        ).values_list("pk", flat=True)
    )
    further: dict[int, int] = {}
    if project.has_further_judges:
        judged_more = Sentence.objects.filter(pk__in=set(heads.values()), further_judges__gt=0)
        further = dict(judged_more.values_list("pk", "further_judges"))
    reserved: defaultdict[int, list[str]] = defaultdict(list)
    for pk, user in (
        Reservation.objects.filter(sentence__in=set(heads.values()))
        .order_by("pk")
        .values_list("sentence", "annotator")
    ):
        reserved[pk].append(names[user])
    rows = {
        sentence.pk: SentenceRow(
            sentence,
            state="",
            segments=segments.get(sentence.pk, 0),
            is_excluded=sentence.counts_nowhere,
            reserved_for=reserved[heads[sentence.pk]],
        )
        for sentence in sentences
    }
    add_translations(unit, rows)
    _add_assignments(rows, heads, names)
    commented = Judgement.objects.filter(
        submission__current=True, segment__sentence__in=ids, comment__gt=""
    )
    for pk in commented.values_list("segment__sentence", flat=True):
        if pk in rows:
            rows[pk].comments += 1
    for pk, row in rows.items():
        row.state = _state(
            row,
            needed=project.judges_per_sentence + further.get(heads[pk], 0),
            is_practice=pk in practice,
            to_judge=heads[pk] in something,
        )
    return list(rows.values())


@singledispatch
def add_translations(unit: Unit, rows: dict[int, SentenceRow]) -> None:
    """Add the translation that is judged where a row is about one."""
    raise NotImplementedError(unit)


@add_translations.register(SegmentsOfSentence)
@add_translations.register(SentenceWithTranslations)
def _no_translations(unit: Unit, rows: dict[int, SentenceRow]) -> None:
    """A row is about all translations."""


@add_translations.register
def _one_each(unit: OneTranslation, rows: dict[int, SentenceRow]) -> None:
    for pk, text, system in _projected(rows):
        rows[pk].translation = text
        rows[pk].systems.append(system)


@add_translations.register
def _systems_side_by_side(unit: DocumentOfSystems, rows: dict[int, SentenceRow]) -> None:
    for pk, _text, system in _projected(rows):
        rows[pk].systems.append(system)


def _projected(rows: dict[int, SentenceRow]) -> QuerySet[Projection, Any]:
    """Return id of the sentence, text and system of what systems have for these rows."""
    projections = Projection.objects.filter(
        segment__sentence__in=rows, segment__of_document=False, candidate__isnull=False
    )
    return projections.order_by("system__name").values_list(
        "segment__sentence", "candidate__text", "system__name"
    )


def _add_assignments(
    rows: dict[int, SentenceRow], heads: dict[int, int], names: dict[int, str]
) -> None:
    """Add what was assigned with the heads of the rows' sheets, given by their ids."""
    of_heads: defaultdict[int, list[SentenceRow]] = defaultdict(list)
    for pk, head in heads.items():
        of_heads[head].append(rows[pk])
    assignments = Assignment.objects.filter(
        sentence__in=of_heads, kind__in=Assignment.COUNTED
    ).order_by("submitted", "pk")
    fields = ("sentence", "annotator", "kind", "state", "candidate_version", "submitted")
    for pk, user, kind, state, version, submitted in assignments.values_list(*fields):
        for row in of_heads[pk]:
            if state == Assignment.State.OPEN:
                row.open_by.append(names[user])
            elif state == Assignment.State.SKIPPED:
                row.skips += 1
            elif state == Assignment.State.SUBMITTED:
                row.last_judged = submitted
                is_current = version >= row.sentence.candidate_version
                row.done += kind == Assignment.Kind.FIRST and is_current
                if names[user] not in row.judges:
                    row.judges.append(names[user])
    for row in rows.values():
        summary: Any = getattr(row.sentence, "summary", None)
        if row.judges and summary is not None:
            row.agreement = summary.agreement


def _state(row: SentenceRow, *, needed: int, is_practice: bool, to_judge: bool) -> str:
    if row.is_excluded:
        return "excluded"
    if is_practice:
        return "practice"
    if row.judges:
        return "complete" if row.done >= needed else "progress"
    return "unjudged" if to_judge else "nothing"
