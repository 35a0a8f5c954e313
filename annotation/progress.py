"""How far the judging of projects is."""

from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from annotation.access import projects_to_judge
from annotation.models import (
    Assignment,
    Membership,
    Project,
    Sentence,
    Submission,
    User,
)
from annotation.queue import free_sentences, with_something_to_judge
from annotation.repeats import HOLDING

# The pace is that of so many sentences, and unknown before so few.
LATEST = 50
FEWEST = 3

# What an annotator will not be given again.
DONE = (Assignment.State.SUBMITTED, Assignment.State.SKIPPED)

SOURCE = Coalesce("sentence__copy_of", "sentence")

_OPEN_FIRST = Case(When(state=Project.State.OPEN, then=0), default=1)


@dataclass(frozen=True)
class Progress:
    """One user's view of one project, counted in sentences that have something to judge.

    A sentence counts once, whether it came itself or as a copy for control: so a control sentence
    moves the figures as the sentence would that it is a copy of, and nobody can tell. Those for
    practice are in the last two alone: what was practised, or skipped, and what is left to
    practise, the open one included.
    """

    project: Project
    may_judge: bool
    may_administer: bool
    total: int
    judged_by_me: int
    judged_by_anyone: int
    may_have_more: bool
    practised: int
    practice_left: int

    @property
    def may_judge_now(self) -> bool:
        return self.may_judge and self.project.state == Project.State.OPEN

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


def progress_of(user: User, pk: int | None = None) -> list[Progress]:
    """Return the progress of each of the user's projects, open ones first, then by name.

    Those are the projects that he is a member of; for whoever runs the installation, all. Only
    the one project where `pk` is given. One query, whatever the number of projects.
    """
    projects = Project.objects.all() if user.is_superuser else projects_to_judge(user)
    if pk is not None:
        projects = projects.filter(pk=pk)
    submitted = (
        # What a system has brought something new to is to be judged again.
        Assignment.objects.filter(
            project=OuterRef("pk"),
            state=Assignment.State.SUBMITTED,
            round__gte=F("sentence__round"),
        )
        .exclude(kind=Assignment.Kind.PRACTICE)
        .order_by()
    )
    counted = submitted.filter(kind__in=Assignment.COUNTED)
    to_judge = with_something_to_judge(Sentence.objects.filter(project=OuterRef("pk"))).order_by()
    memberships = Membership.objects.filter(user=user, project=OuterRef("pk"))
    done = Assignment.objects.filter(annotator=user, state__in=DONE)
    rows = projects.order_by(_OPEN_FIRST, "name").annotate(
        role=Subquery(memberships.values("role")[:1]),
        to_judge=_count(to_judge, "pk"),
        mine=_count(submitted.filter(annotator=user), SOURCE),
        my_counted=_count(counted.filter(annotator=user), "sentence"),
        anyones=_count(submitted, SOURCE),
        anyones_counted=_count(counted, "sentence"),
        practised=_count(
            done.filter(project=OuterRef("pk"), kind=Assignment.Kind.PRACTICE).order_by(), "pk"
        ),
        practice_left=_count(
            _copies(Sentence.Purpose.PRACTICE).filter(
                ~Exists(done.filter(sentence=OuterRef("pk")))
            ),
            "pk",
        ),
    )
    return [_progress(row, user) for row in rows]


def _progress(row: Any, user: User) -> Progress:
    others_did_all = row.judges_per_sentence == 1 and row.anyones_counted >= row.to_judge
    return Progress(
        project=row,
        may_judge=row.role is not None,
        may_administer=user.is_superuser or row.role == Membership.Role.ADMINISTRATOR,
        # More where what was judged serves for practice now.
        total=max(row.to_judge, row.mine),
        judged_by_me=row.mine,
        judged_by_anyone=row.anyones,
        # As far as these counts can tell.
        may_have_more=row.my_counted < row.to_judge and not others_did_all,
        practised=row.practised,
        practice_left=row.practice_left,
    )


def _copies(purpose: Sentence.Purpose) -> QuerySet[Sentence]:
    """Return the copies of the outer project that can be given to somebody."""
    return Sentence.objects.filter(
        project=OuterRef("pk"), purpose=purpose, retired=False
    ).order_by()


def _count(rows: QuerySet[Assignment] | QuerySet[Sentence], what: str | Coalesce) -> Coalesce:
    counted = rows.values("project").annotate(count=Count(what, distinct=True)).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


@dataclass(frozen=True)
class Outlook:
    """What one annotator still has to do; `minutes` is None where his pace is not known yet."""

    left: int
    minutes: int | None


def outlook(annotator: User, project: Project, *, open_ones: int) -> Outlook:
    """Return what is left for the annotator, those he has open included. Two queries.

    The time is the median of the active seconds of his latest sentences, times those left.
    """
    # A sentence that came as a copy for control counts as one that comes again.
    seen = Assignment.objects.filter(
        annotator=annotator, sentence__copy_of=OuterRef("pk"), state__in=HOLDING
    )
    left = free_sentences(annotator, project).filter(~Exists(seen)).count() + open_ones
    latest = (
        Submission.objects.filter(
            assignment__annotator=annotator,
            assignment__project=project,
            number=1,
            active_seconds__gt=0,
        )
        .exclude(assignment__kind=Assignment.Kind.PRACTICE)
        .order_by("-pk")
    )
    seconds = [s for s in latest.values_list("active_seconds", flat=True)[:LATEST] if s]
    if len(seconds) < FEWEST:
        return Outlook(left, None)
    return Outlook(left, ceil(left * median(seconds) / 60))
