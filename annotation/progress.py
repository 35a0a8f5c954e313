"""How far the judging of projects is."""

from dataclasses import dataclass
from math import ceil
from statistics import median

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from annotation.access import projects_to_judge
from annotation.models import (
    Assignment,
    Candidate,
    Membership,
    Project,
    Sentence,
    Submission,
    User,
)
from annotation.queue import free_sentences

# The pace is that of so many sentences, and unknown before so few.
LATEST = 50
FEWEST = 3

_OPEN_FIRST = Case(When(state=Project.State.OPEN, then=0), default=1)


@dataclass(frozen=True)
class Progress:
    """One user's view of one project, counted in sentences that have something to judge."""

    project: Project
    may_judge: bool
    may_administer: bool
    total: int
    judged_by_me: int
    judged_by_anyone: int

    @property
    def may_judge_now(self) -> bool:
        return self.may_judge and self.project.state == Project.State.OPEN

    @property
    def may_have_more(self) -> bool:
        """Whether something is left for the user, as far as these counts can tell."""
        one_judge = self.project.judges_per_sentence == 1
        others_did_all = one_judge and self.judged_by_anyone >= self.total
        return self.judged_by_me < self.total and not others_did_all


def progress_of(user: User, pk: int | None = None) -> list[Progress]:
    """Return the progress of each of the user's projects, open ones first, then by name.

    Those are the projects that he is a member of; for whoever runs the installation, all. Only
    the one project where `pk` is given. One query, whatever the number of projects.
    """
    projects = Project.objects.all() if user.is_superuser else projects_to_judge(user)
    if pk is not None:
        projects = projects.filter(pk=pk)
    submitted = Assignment.objects.filter(
        project=OuterRef("pk"), state=Assignment.State.SUBMITTED
    ).order_by()
    candidates = Candidate.objects.filter(segment__sentence=OuterRef("pk"))
    to_judge = Sentence.objects.filter(Exists(candidates), project=OuterRef("pk")).order_by()
    memberships = Membership.objects.filter(user=user, project=OuterRef("pk"))
    rows = projects.order_by(_OPEN_FIRST, "name").annotate(
        role=Subquery(memberships.values("role")[:1]),
        total=_count(to_judge, "pk"),
        mine=_count(submitted.filter(annotator=user), "sentence"),
        anyones=_count(submitted, "sentence"),
    )
    return [
        Progress(
            project=row,
            may_judge=row.role is not None,
            may_administer=user.is_superuser or row.role == Membership.Role.ADMINISTRATOR,
            total=row.total,
            judged_by_me=row.mine,
            judged_by_anyone=row.anyones,
        )
        for row in rows
    ]


def _count(rows: QuerySet[Assignment] | QuerySet[Sentence], field: str) -> Coalesce:
    counted = rows.values("project").annotate(count=Count(field, distinct=True)).values("count")
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
    left = free_sentences(annotator, project).count() + open_ones
    latest = Submission.objects.filter(
        assignment__annotator=annotator,
        assignment__project=project,
        number=1,
        active_seconds__gt=0,
    ).order_by("-pk")
    seconds = [s for s in latest.values_list("active_seconds", flat=True)[:LATEST] if s]
    if len(seconds) < FEWEST:
        return Outlook(left, None)
    return Outlook(left, ceil(left * median(seconds) / 60))
