"""What an annotator has done in a project, and what is left to do."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import median
from typing import Any, Final, NamedTuple

from django.db.models import (
    Case,
    Count,
    Exists,
    OuterRef,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from annotation.common.caching import cached_if_large
from annotation.judging import queue
from annotation.judging.annotator import (
    History,
    ProjectAnnotator,
    load_annotator,
    load_histories,
)
from annotation.judging.batches import batch_progress
from annotation.judging.project_counts import JudgedSentences
from annotation.judging.queue import BatchProgress
from annotation.models import Assignment, Membership, Project, Submission, User
from annotation.models.names import contains
from annotation.projects.permissions import Rights, projects_of
from annotation.selectors import counts
from annotation.selectors.submitted_work import recent_judged_sentences

# The pace is the median of the latest sentences, and unknown before there are a few.
PACE_SENTENCES = 50
FEWEST_FOR_PACE = 3


@dataclass(frozen=True)
class AnnotatorStatus:
    """How much of one project a user has judged; `sentences` have something to judge.

    `assignments` are those of `submitted_work`: each submission counts, repeats and control items
    too, so that the figure gives no control item away. `limit` is their largest number, or None;
    the `discarded` ones count for it too. A `paused` annotator gets no new sentence.
    Practice sentences are only in `practised` (submitted or skipped) and `practice_left`, which
    includes an open one.
    """

    project: Project
    rights: Rights
    sentences: int
    assignments: int
    limit: int | None
    practised: int
    practice_left: int
    discarded: int
    paused: bool

    @property
    def most_left(self) -> int | None:
        """How many more assignments the limit allows, None without a limit."""
        if self.limit is None:
            return None
        return max(self.limit - self.assignments - self.discarded, 0)

    @property
    def may_judge_now(self) -> bool:
        is_open = self.project.state == Project.State.OPEN
        return self.rights.may_judge and is_open and not self.paused

    @property
    def must_practise(self) -> bool:
        return self.project.practice_required and self.practice_left > 0

    @property
    def practice_number(self) -> int:
        """The place of the next practice sentence in the round, from 1."""
        return self.practised + 1

    @property
    def practice_total(self) -> int:
        # The open sentence may have been retired meanwhile.
        return self.practised + max(self.practice_left, 1)


@dataclass(frozen=True)
class ProjectStatus(AnnotatorStatus):
    """The same with the sentences that all annotators have judged.

    `may_have_more` is False where the user gets no other sentence, as far as counts can tell.
    `never_open` is that of the project, without its query.
    """

    together: JudgedSentences
    may_have_more: bool
    never_open: bool


def status_of(annotator: ProjectAnnotator, *, count_practice: bool = True) -> AnnotatorStatus:
    """Return the status of an annotator who was loaded. At most one query in a large project.

    Without `count_practice`, `practice_left` is 0, which saves the query.
    """
    project = annotator.project
    practice_left = 0
    if count_practice:
        practice_left = queue.practice_left(annotator.user).filter(project=project).count()
    return AnnotatorStatus(
        project=project,
        rights=annotator.rights,
        sentences=counts.to_judge(project),
        assignments=annotator.history.submitted,
        limit=annotator.membership.sentence_limit,
        practised=annotator.history.practised,
        practice_left=practice_left,
        discarded=annotator.history.limited - annotator.history.submitted,
        paused=annotator.membership.paused,
    )


def load_status(user: User, project_id: int) -> AnnotatorStatus | None:
    """Return the user's status in the project, None if the user is no member."""
    annotator = load_annotator(user, project_id)
    return status_of(annotator) if annotator else None


class LatestSubmission(NamedTuple):
    """The assignment that an annotator has submitted last, and when."""

    pk: int
    submitted: datetime


def latest_submission(annotator: ProjectAnnotator) -> LatestSubmission | None:
    """Return the annotator's latest submission in the project, without practice. One query."""
    submitted = Assignment.objects.filter(
        annotator=annotator.user.pk, project=annotator.project, state=Assignment.State.SUBMITTED
    ).exclude(kind=Assignment.Kind.PRACTICE)
    rows = submitted.order_by("-submitted", "-pk").values_list("pk", "submitted")
    return next((LatestSubmission(pk, when) for pk, when in rows[:1] if when), None)


# The orders of the list of projects; the first one is the default.
PROJECT_ORDERS: Final[dict[str, tuple[Any, ...]]] = {
    "open": (Case(When(state=Project.State.OPEN, then=0), default=1), "name"),
    "name": ("name",),
    "newest": ("-created", "name"),
}


def projects_in_order(user: User, order: str = "open", words: str = "") -> QuerySet[Project]:
    """Return the user's projects, all projects for a superuser, in one of PROJECT_ORDERS.

    With `words`, only those that have them in the name or the description.
    """
    projects = Project.objects.all() if user.is_superuser else projects_of(user)
    if words:
        projects = projects.filter(contains("name", words) | contains("description", words))
    return projects.order_by(*PROJECT_ORDERS[order])


def statuses_of(
    user: User, pks: Collection[int] | None = None, order: str = "open"
) -> list[ProjectStatus]:
    """Return the status of the user's projects, or of some of them, in one of PROJECT_ORDERS.

    Six queries at most, for any number of projects.
    """
    projects = projects_in_order(user, order)
    if pks is not None:
        projects = projects.filter(pk__in=pks)
    memberships = Membership.objects.filter(user=user, project=OuterRef("pk"))
    left = queue.practice_left(user).filter(project=OuterRef("pk")).order_by().values("project")
    reserved = queue.reserved_by_project(user)
    rows: list[Any] = list(
        projects.select_related("stored_counts").annotate(
            role=Subquery(memberships.values("role")[:1]),
            limit=Subquery(memberships.values("sentence_limit")[:1]),
            paused=Coalesce(Subquery(memberships.values("paused")[:1]), False),
            has_reserved=Exists(reserved.filter(project=OuterRef("pk"))),
            is_begun=Exists(Assignment.objects.filter(project=OuterRef("pk"))),
            practice_left=Coalesce(Subquery(left.annotate(rows=Count("pk")).values("rows")), 0),
        )
    )
    sizes = counts.to_judge_of(rows)
    judged = recent_judged_sentences(rows)
    histories = load_histories(user, [row.pk for row in rows])
    return [
        _project_status(row, user, histories[row.pk], sizes[row.pk], judged[row.pk]) for row in rows
    ]


def _project_status(
    row: Any, user: User, history: History, size: int, judged: JudgedSentences
) -> ProjectStatus:
    has_one_judge = row.judges_per_sentence == 1 and not row.has_further_judges
    others_did_all = has_one_judge and judged.current >= size
    # A reserved sentence may have enough judges.
    is_left = len(history.judged_directly) < size and not others_did_all
    has_reached_limit = row.limit is not None and history.limited >= row.limit
    return ProjectStatus(
        project=row,
        rights=Rights(row.role, user.is_superuser),
        sentences=size,
        assignments=history.submitted,
        limit=row.limit,
        practised=history.practised,
        practice_left=row.practice_left,
        discarded=history.limited - history.submitted,
        paused=row.paused,
        together=judged,
        may_have_more=(is_left or row.has_reserved) and not has_reached_limit,
        never_open=row.state == Project.State.CLOSED and not row.is_begun,
    )


# --- remaining work ---------------------------------------------------------------------------


@dataclass(frozen=True)
class RemainingWork:
    """What is left for one annotator; `minutes` is None while the pace is not known.

    With a `batch`, it is what is left of that batch.
    """

    left: int
    minutes: int | None
    batch: BatchProgress | None = None

    @property
    def hours(self) -> int | None:
        """The same in hours where minutes would be a large number."""
        return round(self.minutes / 60) if self.minutes and self.minutes > 100 else None


def remaining_work(
    annotator: ProjectAnnotator, current: Assignment, status: AnnotatorStatus
) -> RemainingWork:
    """Return what is left for an annotator whose open assignment is `current`, which counts.

    In a batch it is what is left of the batch. In a large project the work of others may be a
    minute old; that of the annotator never is.
    """
    batch = batch_progress(annotator, current)
    left = batch.left if batch else remaining_sentences(annotator, current, status.sentences)
    if status.most_left is not None:
        left = min(left, status.most_left)
    seconds = seconds_per_sentence(annotator, status.sentences)
    return RemainingWork(left, None if seconds is None else ceil(left * seconds / 60), batch)


def remaining_sentences(annotator: ProjectAnnotator, current: Assignment, sentences: int) -> int:
    """Return how many sentences the annotator can still get, the current one included.

    A current one that repeats another counts only where nothing else is left.
    """
    source = current.sentence.copy_of_id or current.sentence_id
    finished = annotator.history.taken - {source}

    def free_and_finished() -> int:
        project = annotator.project
        needing = queue.needing_a_judge(project)
        # Those of the annotator may need another judge, but not this one.
        mine = needing.filter(pk__in=finished | {source}).count()
        reserved = 0
        if annotator.has_reserved:
            # These may have enough judges.
            of_them = queue.reserved_sentences(annotator.user, project).order_by()
            ids = set(of_them.values_list("pk", flat=True)) - finished - {source}
            reserved = len(ids) - needing.filter(pk__in=ids).count()
        return counts.free(project) - mine + reserved + len(finished)

    total = cached_if_large(
        f"left-{annotator.user.pk}", annotator.project, free_and_finished, sentences=sentences
    )
    # One that was assigned in this request is not in the history.
    earlier = [row for row in annotator.history.rows if row.pk != current.pk]
    is_new = len(earlier) == len(annotator.history.rows)
    repeats = source in (annotator.history if is_new else History(earlier)).taken
    return max(total - len(finished) + (not repeats), 1)


def seconds_per_sentence(annotator: ProjectAnnotator, sentences: int) -> float | None:
    """Return the median active time of the annotator's latest sentences, if there are a few."""

    def read() -> list[float | None]:
        latest = Submission.objects.filter(
            assignment__in=annotator.history.latest_submitted(PACE_SENTENCES),
            number=1,
            active_seconds__gt=0,
        )
        return list(latest.values_list("active_seconds", flat=True))

    pace = cached_if_large(
        f"pace-{annotator.user.pk}", annotator.project, read, sentences=sentences
    )
    return median(filter(None, pace)) if len(pace) >= FEWEST_FOR_PACE else None
