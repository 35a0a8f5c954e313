"""Sentences that come again: to the same annotator, to another, or as a copy for control."""

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.common.stale_cache import LARGE, REMEMBERED, key_of, recall
from annotation.judging.sampling import draw, last_number
from annotation.models import Assignment, Project, Sentence, User

# An intra repeat comes after at least so many other sentences, when it can be helped.
INTRA_DISTANCE = 20
# Sentences that are drawn, of which the least judged one comes again.
DRAWN: Final = 60


@dataclass(frozen=True)
class History:
    """What an annotator was given in a project, practice apart, the latest first.

    Each is its kind and the sentence, or for control the sentence that it is a copy of.
    """

    annotator: User
    project: Project
    given: list[tuple[str, int]]

    @classmethod
    def of(cls, annotator: User, project: Project) -> "History":
        """Read it by one query."""
        return cls(annotator, project, _held(annotator, project))

    def is_due(self, kind: Assignment.Kind) -> bool:
        """Draw whether the next sentence is to be of this kind."""
        rate = {
            Assignment.Kind.CONTROL: self.project.control_rate,
            Assignment.Kind.INTRA: self.project.intra_rate,
            Assignment.Kind.INTER: self.project.inter_rate,
        }[kind]
        had = sum(of_kind == kind for of_kind, _source in self.given)
        if kind != Assignment.Kind.CONTROL:
            return _is_due(had, len(self.given), rate)
        # One directly after another would stand out, as would a row of them where the rate was
        # set after judging began.
        after_another = self.given[:1] and self.given[0][0] == kind
        return not after_another and _is_due(had, len(self.given), rate, catch_up=2 * rate)

    @property
    def recent(self) -> list[int]:
        """The sources of the latest sentences, which are remembered still."""
        return [source for _kind, source in self.given[:INTRA_DISTANCE]]

    @property
    def recent_controls(self) -> list[int]:
        return [
            source
            for kind, source in self.given[:INTRA_DISTANCE]
            if kind == Assignment.Kind.CONTROL
        ]


@ReadyMadeRead
def _held(annotator: User, project: Project) -> QuerySet[Assignment, tuple[str, int]]:
    held = Assignment.objects.filter(
        annotator=annotator, project=project, state__in=Assignment.ACTIVE_STATES
    )
    return (
        held.exclude(kind=Assignment.Kind.PRACTICE)
        .annotate(source=Coalesce("sentence__copy_of", "sentence"))
        .order_by("-created", "-pk")
        .values_list("kind", "source")
    )


def _is_due(repeats: int, total: int, rate: float, *, catch_up: float = 1.0) -> bool:
    """Draw whether to give a repeat to an annotator who had `repeats` among `total` sentences.

    Each block of 1/rate sentences has one, at any place with the same probability: nobody can
    tell which sentence it is, and the share is the rate after every block. What is late comes
    with the probability `catch_up`.
    """
    if not rate:
        return False
    block = int(total * rate) + 1
    if repeats >= block:
        return False
    if repeats < block - 1:
        return random.random() < catch_up  # noqa: S311
    left_in_block = max(math.ceil(block / rate - total), 1)
    return random.random() * left_in_block < 1  # noqa: S311


def not_had(annotator: User, project: Project, purpose: Sentence.Purpose) -> QuerySet[Sentence]:
    """Return the copies for this purpose that the annotator has neither judged nor skipped."""
    had = Assignment.objects.filter(sentence=OuterRef("pk"), annotator=annotator).exclude(
        state=Assignment.State.RETURNED
    )
    return project.sentences.filter(~Exists(had), purpose=purpose, retired=False)


def not_told(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Leave out the copies of sentences that serve for practice: their answers are told there."""
    told = Sentence.objects.filter(copy_of=OuterRef("copy_of"), purpose=Sentence.Purpose.PRACTICE)
    return sentences.filter(~Exists(told))


def sentence_for_control(history: History) -> Sentence | None:
    """Return a control sentence that is new to the annotator.

    If it can be helped, one whose original does not lie just behind him: he would remember.
    """
    unseen = not_had(history.annotator, history.project, Sentence.Purpose.CONTROL)
    controls = not_told(unseen).order_by("?")
    return controls.exclude(copy_of__in=history.recent).first() or controls.first()


def sentence_judged_before(history: History) -> Sentence | None:
    """Return one that lies as far back as the rule asks, the least repeated of them."""
    judged = [source for kind, source in history.given if kind in Assignment.COUNTED]
    recent = {
        *judged[: min(INTRA_DISTANCE, (len(judged) + 1) // 2)],
        *history.recent_controls,
    }
    times = Counter(judged)
    eligible = [sentence_id for sentence_id in times if sentence_id not in recent]
    if not eligible:
        return None
    fewest = min(times[sentence_id] for sentence_id in eligible)
    chosen = random.choice([s for s in eligible if times[s] == fewest])  # noqa: S311
    return Sentence.objects.get(pk=chosen)


def sentence_judged_by_others(history: History) -> Sentence | None:
    """Return a sentence that has all its judges, none of them this annotator.

    The least repeated of some that are drawn, or of all where none of these will do.
    """
    project, judges = history.project, history.project.judges_per_sentence
    if not _any_last_judge(project, judges):
        return None
    last = last_number(project)
    chosen = _of_those_drawn.first(history.annotator, project, judges, *draw(last, DRAWN))
    if chosen is None and last > DRAWN:
        chosen = _one_of_all(history.annotator, project, judges, last)
    return Sentence.objects.get(pk=chosen) if chosen else None


def _one_of_all(annotator: User, project: Project, judges: int, last: int) -> int | None:
    """Look at all of them; where that was in vain and there are many, not again for a minute.

    It is as long as all who judge have judged the same.
    """

    def find() -> int:
        return _of_all.first(annotator, project, judges) or 0

    if last < LARGE:
        return find() or None
    key = key_of(f"none-to-repeat-{annotator.pk}", project)
    return recall(key, find, REMEMBERED, worth=lambda found: not found, waiting=True) or None


@ReadyMadeRead
def _any_last_judge(project: Project, judges: int) -> QuerySet[Assignment, int]:
    """Find one row where there is any."""
    # In this order, PostgreSQL asks the index instead of reading rows until one will do.
    last_judges = _last_judges(project, judges).order_by("-slot")
    return last_judges.values_list("pk", flat=True)[:1]


def _last_judges(project: Project, judges: int) -> QuerySet[Assignment]:
    """Return assignments in slots that are taken last: a sentence with all its judges has one."""
    return Assignment.objects.filter(
        project=project,
        kind=Assignment.Kind.FIRST,
        state=Assignment.State.SUBMITTED,
        slot__gte=judges,
    ).order_by()


def _of_those_drawn_by(
    annotator: User, project: Project, judges: int, *numbers: int
) -> QuerySet[Assignment, int]:
    drawn = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.JUDGE, number__in=numbers
    )
    return _judged_by_others(annotator, judges, drawn)


_of_those_drawn = ReadyMadeRead(_of_those_drawn_by, many=DRAWN)


@ReadyMadeRead
def _of_all(annotator: User, project: Project, judges: int) -> QuerySet[Assignment, int]:
    return _judged_by_others(annotator, judges, _last_judges(project, judges).values("sentence"))


def _judged_by_others(
    annotator: User, judges: int, sentences: QuerySet[Any, Any]
) -> QuerySet[Assignment, int]:
    """Return the least repeated of these sentences with all their judges, none this annotator."""
    had = Assignment.objects.filter(annotator=annotator, sentence=OuterRef("sentence"))
    firsts = Q(kind=Assignment.Kind.FIRST, round__gte=F("sentence__round"))
    return (
        Assignment.objects.filter(
            ~Exists(had),
            sentence__in=sentences,
            state=Assignment.State.SUBMITTED,
            kind__in=Assignment.COUNTED,
        )
        .values("sentence")
        .annotate(times=Count("pk"), firsts=Count("pk", filter=firsts))
        .filter(firsts__gte=judges)
        .order_by("times", "?")
        .values_list("sentence", flat=True)[:1]
    )
