"""How far the judging of projects is."""

import functools
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import median
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.judging.queue import free_at
from annotation.models import (
    Assignment,
    Membership,
    Project,
    Sentence,
    Submission,
    User,
)
from annotation.projects.permissions import LARGEST_ID, Rights, projects_of
from annotation.selectors import counts

# The pace is that of so many sentences, and unknown before so few.
LATEST = 50
FEWEST = 3

# What is counted of the sentences of one annotator.
COUNTED = ("judged", "counted", "handed_in", "practised")
# What an annotator will not be given again.
DONE = (Assignment.State.SUBMITTED, Assignment.State.SKIPPED)

_OPEN_FIRST = Case(When(state=Project.State.OPEN, then=0), default=1)


@dataclass(frozen=True)
class Standing:
    """How far one user is in one project, counted in sentences that have something to judge.

    A sentence counts once, whether it came itself or as a copy for control: so a control sentence
    moves the figures as the sentence would that it is a copy of, and nobody can tell. Those for
    practice are in the last two alone: what was practised, or skipped, and what is left to
    practise, the open one included.

    For whoever is given so many sentences at most, those are the total, and each that he handed in
    counts, repeats and those for control too. `sentences` are the project's in any case.
    """

    project: Project
    rights: Rights
    sentences: int
    total: int
    judged_by_me: int
    practised: int
    practice_left: int
    most_left: int | None

    @property
    def may_judge_now(self) -> bool:
        return self.rights.may_judge and self.project.state == Project.State.OPEN

    @property
    def must_practise(self) -> bool:
        return self.project.practice_required and self.practice_left > 0

    @property
    def practice_number(self) -> int:
        """Which one in the round the next sentence for practice is, from 1."""
        return self.practised + 1

    @property
    def practice_total(self) -> int:
        # One more where the open one was taken out meanwhile.
        return self.practised + max(self.practice_left, 1)


@dataclass(frozen=True)
class Progress(Standing):
    """And how far everybody is."""

    judged_by_anyone: int
    may_have_more: bool


def standing_of(user: User, pk: int) -> Standing | None:
    """Return the user's standing in the project, None where he is no member.

    Two queries where there is no practice.
    """
    if pk > LARGEST_ID:
        return None
    membership: Any = _membership.first(user, pk)
    if membership is None:
        return None
    project, rights = membership.project, Rights(membership.role, user.is_superuser)
    practice_left = _practice_left(user, project) if membership.has_practice else 0
    mine = _by_name(_mine_in(user, project))
    size = counts.to_judge(project)
    most = membership.most_sentences
    return Standing(**_standing(project, rights, practice_left, mine, size, most))


@ReadyMadeRead
def _membership(user: User, project: int) -> QuerySet[Membership]:
    mine = Membership.objects.filter(user=user, project=project).select_related("project")
    return mine.annotate(has_practice=Exists(_practice("project")))


@ReadyMadeRead
def _mine_in(user: User, project: Project) -> QuerySet[Assignment, Any]:
    return _counted(Assignment.objects.filter(annotator=user, project=project))


def _practice_left(user: User, project: Project) -> int:
    done = Assignment.objects.filter(sentence=OuterRef("pk"), annotator=user, state__in=DONE)
    practice = project.sentences.filter(purpose=Sentence.Purpose.PRACTICE, retired=False)
    return practice.filter(~Exists(done)).count()


def projects_in_order(user: User) -> QuerySet[Project]:
    """Return the projects that the user is a member of, open ones first, then by name.

    For whoever runs the installation, all.
    """
    projects = Project.objects.all() if user.is_superuser else projects_of(user)
    return projects.order_by(_OPEN_FIRST, "name")


def progress_of(user: User, pks: Collection[int] | None = None) -> list[Progress]:
    """Return the progress of the user's projects, or of those of them, in their order.

    Four queries at most, whatever the number of projects.
    """
    projects = projects_in_order(user)
    if pks is not None:
        projects = projects.filter(pk__in=pks)
    memberships = Membership.objects.filter(user=user, project=OuterRef("pk"))
    done = Assignment.objects.filter(annotator=user, state__in=DONE, sentence=OuterRef("pk"))
    left = _practice("pk").filter(~Exists(done)).values("project").annotate(rows=Count("pk"))
    rows = list(
        projects.annotate(
            role=Subquery(memberships.values("role")[:1]),
            most=Subquery(memberships.values("most_sentences")[:1]),
            practice_left=Coalesce(Subquery(left.values("rows")), 0),
        )
    )
    to_judge = counts.to_judge_of(rows)
    judged = counts.judged_of(rows, to_judge)
    of_mine = Assignment.objects.filter(annotator=user, project__in=[row.pk for row in rows])
    mine = _by_name(_counted(of_mine))
    return [_progress(row, user, mine, to_judge[row.pk], judged[row.pk]) for row in rows]


def _counted(assignments: QuerySet[Assignment]) -> QuerySet[Assignment, Any]:
    """Return by project how many of their sentences were judged, in the order of COUNTED."""
    return (
        assignments.order_by()
        .values("project")
        .annotate(
            judged=Count(counts.SOURCE, distinct=True, filter=counts.JUDGED),
            counted=Count(
                "sentence",
                distinct=True,
                filter=counts.JUDGED & Q(kind__in=Assignment.COUNTED),
            ),
            # What counts towards the most sentences that a member is given.
            handed_in=Count(
                "pk",
                filter=Q(state=Assignment.State.SUBMITTED) & ~Q(kind=Assignment.Kind.PRACTICE),
            ),
            practised=Count("pk", filter=Q(kind=Assignment.Kind.PRACTICE, state__in=DONE)),
        )
        .values_list("project", *COUNTED)
    )


def _by_name(rows: Iterable[tuple[int, ...]]) -> Counter[tuple[int, str]]:
    """Return what was counted by project and name."""
    return Counter(
        {
            (project, name): count
            for project, *counted in rows
            for name, count in zip(COUNTED, counted, strict=True)
        }
    )


def _practice(project: str) -> QuerySet[Sentence]:
    """Return the sentences for practice, of the outer row's project, that people are given."""
    return Sentence.objects.filter(
        project=OuterRef(project), purpose=Sentence.Purpose.PRACTICE, retired=False
    ).order_by()


def _standing(
    project: Project,
    rights: Rights,
    practice_left: int,
    mine: Counter[tuple[int, str]],
    size: int,
    most: int | None,
) -> dict[str, Any]:
    judged, handed_in = mine[project.pk, "judged"], mine[project.pk, "handed_in"]
    # More where what was judged serves for practice now.
    total = max(size, judged)
    return {
        "project": project,
        "rights": rights,
        "sentences": size,
        "total": total if most is None else min(max(total, handed_in), most),
        "judged_by_me": judged if most is None else min(handed_in, most),
        "practised": mine[project.pk, "practised"],
        "practice_left": practice_left,
        "most_left": None if most is None else max(most - handed_in, 0),
    }


def _progress(
    row: Any, user: User, mine: Counter[tuple[int, str]], size: int, judged: counts.Judged
) -> Progress:
    rights = Rights(row.role, user.is_superuser)
    standing = _standing(row, rights, row.practice_left, mine, size, row.most)
    others_did_all = row.judges_per_sentence == 1 and judged.counted >= size
    # As far as these counts can tell.
    may_have_more = mine[row.pk, "counted"] < size and not others_did_all
    return Progress(
        **standing,
        judged_by_anyone=judged.all,
        may_have_more=may_have_more and standing["most_left"] != 0,
    )


@dataclass(frozen=True)
class Outlook:
    """What one annotator still has to do; `minutes` is None where his pace is not known yet."""

    left: int
    minutes: int | None


def outlook(
    annotator: User, project: Project, *, open_ones: int, size: int, most: int | None = None
) -> Outlook:
    """Return what is left for the annotator, those he has open included; not more than `most`.

    `size` is how many sentences the project has. Of a large one it takes one query mostly: what
    the annotator does is counted at once, what others do within some minutes. The time is the
    median of the active seconds of his latest sentences, times those left.
    """
    had = _sources.first(annotator, project) or 0

    def with_those_had() -> int:
        free = counts.free(project, size)
        were_free = _were_free(project.judges_per_sentence)
        return free.count - len(were_free(annotator, project, free.when)) + had

    mine = functools.partial(counts.of_large, project=project, size=size, waiting=True)
    all_of_them = mine(f"left-{annotator.pk}", count=with_those_had)
    left = max(all_of_them - had, 0) + open_ones
    left = left if most is None else min(left, most)
    pace = mine(f"pace-{annotator.pk}", count=lambda: _pace(annotator, project))
    seconds = median(filter(None, pace)) if len(pace) >= FEWEST else None
    return Outlook(left, None if seconds is None else ceil(left * seconds / 60))


def _had(annotator: User, project: Project) -> QuerySet[Assignment]:
    """Return those of the sentences that the annotator has, or has had, practice apart."""
    direct = Q(sentence__copy_of=None, round__gte=F("sentence__round"))
    # A sentence that came as a copy for control counts as one that comes again.
    as_copy = Q(sentence__copy_of__isnull=False, state__in=Assignment.ACTIVE_STATES)
    return Assignment.objects.filter(
        direct & ~Q(state=Assignment.State.RETURNED) | as_copy,
        annotator=annotator,
        project=project,
    ).exclude(kind=Assignment.Kind.PRACTICE)


@ReadyMadeRead
def _sources(annotator: User, project: Project) -> QuerySet[Assignment, int]:
    """How many sentences those are; no row where there are none."""
    had = _had(annotator, project).order_by().values("project")
    return had.annotate(sources=Count(counts.SOURCE, distinct=True)).values_list(
        "sources", flat=True
    )


@functools.cache
def _were_free(judges: int) -> ReadyMadeRead[int]:
    """Return what finds those that were free once; how many judges they need is in the SQL."""

    def were_free(annotator: User, project: Project, when: datetime) -> QuerySet[Sentence, int]:
        project.judges_per_sentence = judges
        those_had = _had(annotator, project).values(source=counts.SOURCE)
        free = free_at(project, when).filter(pk__in=those_had)
        return free.order_by().values_list("pk", flat=True)

    return ReadyMadeRead(were_free)


@ReadyMadeRead
def _pace(annotator: User, project: Project) -> QuerySet[Submission, float | None]:
    """The active seconds of the annotator's latest sentences."""
    latest = Submission.objects.filter(
        assignment__annotator=annotator,
        assignment__project=project,
        number=1,
        active_seconds__gt=0,
    ).exclude(assignment__kind=Assignment.Kind.PRACTICE)
    return latest.order_by("-pk").values_list("active_seconds", flat=True)[:LATEST]
