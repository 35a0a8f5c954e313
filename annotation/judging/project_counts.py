"""How many sentences of a project are judged and left, for pages that annotators open.

A small project is counted when a page asks. The counts of a large one are in a row that a worker
writes: then no request reads all sentences, and all processes show the same counts. Processes whose
pages show the counts enqueue the task about once a minute. As the worker looks at all sentences, it
also stores which of them the queue passes over.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.core.cache import cache
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.common.caching import CACHE_SECONDS, LARGE_PROJECT, project_key
from annotation.common.task_queue import EXPIRES, send_task
from annotation.common.transactions import let_others_write, writing
from annotation.judging.batches import free_batches
from annotation.judging.queue import (
    begun_blocks,
    needing_a_judge,
    with_something_to_judge,
)
from annotation.judging.repeats import last_numbers
from annotation.judging.sheet_choice import mean_ranks
from annotation.models import Assignment, Project, ProjectCounts, Sentence
from annotation.models.project_counts import stored_counts
from annotation.models.results import assignment_counts
from annotation.process import clock
from annotation.projects.document_sheets import design_of
from annotation.projects.undecided_systems import decision_in_force

# By name, since the module of the task imports this one.
TASK: Final = "annotation.tasks.count_sentences"
# What is counted is not counted again so soon, for example for another process.
NOT_BEFORE: Final = timedelta(seconds=CACHE_SECONDS / 2)
# Nor before so many times as long as the count took.
REST: Final = 4
# After this time without a heartbeat, a worker that has begun to count is taken to have stopped.
LONGEST: Final = timedelta(minutes=2)
# Numbers of sentences that are counted at once.
WINDOW: Final = 5000

# The fields that are counted.
STORED: Final = (
    "to_judge",
    "free",
    "judged",
    "left",
    "current",
    "new_block",
    "free_batch",
    "mean_ranks",
)

IN_RESULTS: Final = assignment_counts()


@dataclass(frozen=True)
class JudgedSentences:
    """How many sentences are judged, and how many others have something to judge.

    `current` of them are judged with all candidates that they have now.
    """

    judged: int = 0
    left: int = 0
    current: int = 0

    @property
    def all(self) -> int:
        """The sentences that a page says are to be judged: those judged and those left."""
        return self.judged + self.left


def counts_of_large(projects: Collection[Project]) -> dict[int, ProjectCounts]:
    """Return the counts of those that are large by project id, and request new ones.

    Where none are stored yet, nothing is judged and all sentences are left. One query at most for
    projects that were selected with `stored_counts`.
    """
    last = last_numbers(projects)
    found: dict[int, ProjectCounts] = {}
    for project in projects:
        if (every := last[project.pk]) < LARGE_PROJECT:
            continue
        request_count(project)
        found[project.pk] = stored_counts(project) or ProjectCounts(
            project_id=project.pk, to_judge=every, free=every, left=every
        )
    return found


def request_count(project: Project) -> None:
    """Let a worker count the project; one request in CACHE_SECONDS and process."""
    if cache.add(project_key("count-requested", project), True, CACHE_SECONDS):
        # Annotators do not wait for a broker that does not answer: the next request asks again.
        send_task(TASK, project.pk, expires=EXPIRES, retry=False)


def count_project(project_id: int) -> None:
    """Count a large project and store its counts, unless a worker does so or has just done so."""
    project = Project.objects.filter(pk=project_id).first()
    heartbeat = _begin(project) if project else None
    if project is None or heartbeat is None:
        return
    started = monotonic()
    counts = ProjectCounts(project=project)
    needed, begun = set[int](), set[int]()
    # The rows of sentences to judge have numbers from 1.
    last = last_numbers([project])[project.pk]
    for first in range(1, last + 1, WINDOW):
        numbers = range(first, min(first + WINDOW, last + 1))
        heartbeat = _renew(project, heartbeat)
        if heartbeat is None:
            return
        free = _pass_over_others(project, numbers)
        counts.free += len(free)
        counts.to_judge += _within(counted_sentences([project]), numbers).count()
        judged = count_judged([project], numbers)[project.pk]
        counts.judged += judged.judged
        counts.left += judged.left
        counts.current += judged.current
        if project.queue_order == Project.QueueOrder.BLOCKS:
            needed |= set(free)
            begun |= begun_blocks(project, numbers)
    in_new = (number for number in needed if (number - 1) // project.block_size not in begun)
    counts.new_block = min(in_new, default=None)
    first_batch = free_batches(project).order_by("number")
    counts.free_batch = first_batch.values_list("number", flat=True).first()
    if design_of(project).is_dynamic:
        counts.mean_ranks = mean_ranks(project)
    with writing():
        ProjectCounts.objects.filter(project=project, begun=heartbeat).update(
            counted=clock.now(),
            seconds=monotonic() - started,
            **{name: getattr(counts, name) for name in STORED},
        )


def _begin(project: Project) -> datetime | None:
    """Return the heartbeat of this worker; None if another does so, or has just done so."""
    now = clock.now()
    with writing():
        if not Project.objects.select_for_update(no_key=True).filter(pk=project.pk).exists():
            # It was deleted meanwhile.
            return None
        row, is_new = ProjectCounts.objects.get_or_create(project=project, defaults={"begun": now})
        if is_new:
            return now
        if row.counted and row.counted >= row.begun:
            due = row.counted + max(NOT_BEFORE, REST * timedelta(seconds=row.seconds))
        else:
            due = row.begun + LONGEST
        return _renew(project, row.begun) if now >= due else None


def _renew(project: Project, heartbeat: datetime) -> datetime | None:
    """Store and return a new heartbeat; None if another worker counts since the last one."""
    now = clock.now()
    last = ProjectCounts.objects.filter(project=project, begun=heartbeat)
    with writing():
        return now if last.update(begun=now) else None


def _pass_over_others(project: Project, numbers: range) -> list[int]:
    """Return the numbers of those that need a judge; store that the queue passes the others over.

    A sentence that is returned at this moment may be passed over until the next count.
    """
    free = dict(_within(needing_a_judge(project), numbers).values_list("pk", "number"))
    heads = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE, sheet=None)
    stored = _within(heads, numbers).values_list("pk", "passed_over")
    wrong: dict[bool, list[int]] = {True: [], False: []}
    for pk, passed_over in stored:
        if passed_over != (pk not in free):
            wrong[pk not in free].append(pk)
    for passed_over, pks in wrong.items():
        if pks:
            with writing():
                Sentence.objects.filter(pk__in=pks).update(passed_over=passed_over)
            let_others_write()
    return list(free.values())


def counted_sentences(projects: Collection[Project]) -> QuerySet[Sentence]:
    """Return the sentences with something to judge, and those that had it before a decision."""
    every = Sentence.objects.filter(project__in=projects)
    to_judge = with_something_to_judge(every, projects)
    if not any(decision_in_force(project) for project in projects):
        return to_judge
    assigned = Assignment.objects.filter(
        sentence=OuterRef("pk"),
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
        candidate_version__gte=OuterRef("candidate_version"),
    )
    return to_judge | with_something_to_judge(every, ()).filter(Exists(assigned))


def count_judged(
    projects: Collection[Project], numbers: range | None = None
) -> dict[int, JudgedSentences]:
    """Return the sentences by project id, of all or with these numbers, in two queries."""
    in_results = Assignment.objects.filter(IN_RESULTS, project__in=projects).order_by()
    sentences = Sentence.objects.filter(project__in=projects)
    if numbers is not None:
        in_results = in_results.filter(sentence__number__range=(numbers[0], numbers[-1]))
        sentences = _within(sentences, numbers)
    is_current = Q(candidate_version__gte=F("sentence__candidate_version"))
    judged = in_results.values("project").annotate(
        judged=Count("sentence", distinct=True),
        current=Count("sentence", distinct=True, filter=is_current),
    )
    # A subquery that does not depend on the row: SQLite would read all judgements for each one.
    left = with_something_to_judge(
        sentences.exclude(pk__in=in_results.values("sentence")), projects
    )
    left_by_project = dict(
        left.order_by().values("project").annotate(Count("pk")).values_list("project", "pk__count")
    )
    by_project = {row.pop("project"): row for row in judged}
    return {
        project.pk: JudgedSentences(
            **by_project.get(project.pk, {}), left=left_by_project.get(project.pk, 0)
        )
        for project in projects
    }


def _within(sentences: QuerySet[Sentence], numbers: range) -> QuerySet[Sentence]:
    return sentences.filter(number__range=(numbers[0], numbers[-1]))
