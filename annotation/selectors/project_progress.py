"""What was judged of a project so far, by whom, who is at it now, and at what pace."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Least

from annotation.common.caching import cached_if_large
from annotation.models import Assignment, Membership, Project, Sentence, Submission
from annotation.projects.annotator_names import account_names
from annotation.selectors import counts

# Who opened, placed or handed in something so lately is working now.
NOW: Final = timedelta(minutes=5)
# The pace is that of so long; whether the one before was idle tells a break from a beginning.
WINDOW: Final = timedelta(days=7)
# Submissions, of all projects, among which revisions of these minutes are looked for.
LATEST: Final = 100
# Of a project of so many sentences all of it is counted anew after so many seconds.
VERY_MANY: Final = 10_000
RESTS: Final = 10


@dataclass(frozen=True)
class Worker:
    """An annotator: sentences handed in, repeats too; practice and control are not counted.

    `active` is when he was last known to do anything; None for a member who has not begun.
    """

    id: int
    name: str
    judged: int
    repeats: int
    today: int
    active: datetime | None
    works_now: bool


@dataclass(frozen=True)
class Pace:
    """How often a sentence was judged that was still to be judged, from `since` until now."""

    judged: int
    since: datetime | None


@dataclass(frozen=True)
class Work:
    """How far a project is; a sentence counts as often as it is to be judged, repeats apart.

    `judged` of `wanted`, which is `sentences` times the judges of each. Some sentence lacks
    `lacking` judges, and none more; `judges` people may judge now.
    """

    sentences: int
    wanted: int
    judged: int
    lacking: int
    judges: int
    pace: Pace
    workers: list[Worker]

    @property
    def left(self) -> int:
        return self.wanted - self.judged

    @property
    def repeats(self) -> int:
        return sum(worker.repeats for worker in self.workers)

    @property
    def today(self) -> int:
        return sum(worker.today for worker in self.workers)


def work_of(project: Project, *, now: datetime, midnight: datetime) -> Work:
    """Return how far the project is, by a fixed number of queries; today begins at `midnight`.

    Of a project of very many sentences it is as of some seconds ago.
    """
    sentences = counts.to_judge(project)
    return cached_if_large(
        f"work-{midnight.timestamp()}",
        project,
        lambda: _work(project, sentences, now, midnight),
        sentences=sentences,
        large=VERY_MANY,
        seconds=RESTS,
    )


def _work(project: Project, sentences: int, now: datetime, midnight: datetime) -> Work:
    each = project.judges_per_sentence
    judged, begun, fewest = _judged(project)
    # Fewer than were judged where a sentence lost its candidates meanwhile.
    judged = min(judged, sentences * each)
    lacking = each if begun < sentences else max(0, each - (fewest or 0))
    rows = list(_by_annotator(project, now, midnight))
    members = _members(project)
    return Work(
        sentences=sentences,
        wanted=sentences * each,
        judged=judged,
        lacking=lacking if sentences else 0,
        judges=len(members),
        pace=_pace(rows, now),
        workers=_workers(project, rows, members, now),
    )


def judged_of(project: Project) -> tuple[int, int]:
    """Return `judged` and `wanted` of the project's `Work` alone, by two queries."""
    wanted = counts.to_judge(project) * project.judges_per_sentence
    return min(_judged(project)[0], wanted), wanted


def _judged(project: Project) -> tuple[int, int, int | None]:
    """Return judges that sentences have had, on how many of them, and the fewest of one.

    No more of a sentence than it is to have, and as in `queue`: those since a system was added
    that brought something new to it, and of no sentence that serves for practice now.
    """
    practised = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.PRACTICE, copy_of__isnull=False
    )
    judges = (
        Assignment.objects.filter(
            project=project,
            kind=Assignment.Kind.FIRST,
            state=Assignment.State.SUBMITTED,
            round__gte=F("sentence__round"),
        )
        .exclude(sentence__in=practised.values("copy_of"))
        .order_by()
        .values("sentence")
        .annotate(judges=Count("pk"))
    )
    found = judges.aggregate(
        all=Sum(Least("judges", Value(project.judges_per_sentence))),
        begun=Count("sentence"),
        fewest=Min("judges"),
    )
    return found["all"] or 0, found["begun"], found["fewest"]


def _by_annotator(project: Project, now: datetime, midnight: datetime) -> QuerySet[Any, Any]:
    counted = Q(kind__in=Assignment.COUNTED)
    first = Q(kind=Assignment.Kind.FIRST)
    lately = first & Q(submitted__gte=now - WINDOW)
    before = first & Q(submitted__gte=now - 2 * WINDOW, submitted__lt=now - WINDOW)
    return (
        Assignment.objects.filter(project=project, state=Assignment.State.SUBMITTED)
        .order_by()
        .values("annotator")
        .annotate(
            judged=Count("pk", filter=counted),
            repeats=Count("pk", filter=counted & ~first),
            today=Count("pk", filter=counted & Q(submitted__gte=midnight)),
            active=Max("submitted"),
            lately=Count("pk", filter=lately),
            since=Min("submitted", filter=lately),
            before=Count("pk", filter=before),
        )
    )


def _pace(rows: Iterable[dict[str, Any]], now: datetime) -> Pace:
    lately = [row for row in rows if row["lately"]]
    if any(row["before"] for row in rows):
        return Pace(sum(row["lately"] for row in lately), now - WINDOW)
    since = min((row["since"] for row in lately), default=None)
    return Pace(sum(row["lately"] for row in lately), since)


def _members(project: Project) -> dict[int, str]:
    members = Membership.objects.filter(project=project, user__is_active=True)
    return dict(members.values_list("user", "role"))


def _workers(
    project: Project, rows: Iterable[dict[str, Any]], members: dict[int, str], now: datetime
) -> list[Worker]:
    """Return whoever judged, has a sentence or is there to judge, by id."""
    given = {row["annotator"]: row for row in rows}
    active = _activity(project, now)
    annotators = {pk for pk, role in members.items() if role == Membership.Role.ANNOTATOR}
    names = account_names(project)
    workers = []
    for pk in sorted({*given, *active, *annotators}):
        row = given.get(pk, {"judged": 0, "repeats": 0, "today": 0, "active": None})
        known = [time for time in (row["active"], active.get(pk)) if time is not None]
        latest = max(known, default=None)
        workers.append(
            Worker(
                id=pk,
                name=names[pk],
                judged=row["judged"],
                repeats=row["repeats"],
                today=row["today"],
                active=latest,
                works_now=latest is not None and latest > now - NOW,
            )
        )
    return workers


def _activity(project: Project, now: datetime) -> dict[int, datetime]:
    """Return when annotators last did something with what they have in hand, or revised."""
    open_ones = Assignment.objects.filter(project=project, state=Assignment.State.OPEN)
    times: list[tuple[int, datetime | None]] = []
    for annotator, created, shown, lease_until, saved in open_ones.values_list(
        "annotator", "created", "shown", "lease_until", "draft__saved"
    ):
        # Opening the page again renews the lease, and nothing else.
        lease = timedelta(minutes=project.lease_minutes)
        renewed = lease_until - lease if lease_until else None
        times += [(annotator, time) for time in (created, shown, renewed, saved)]
    latest = Submission.objects.order_by("-pk").values_list(
        "assignment__project", "assignment__annotator", "created"
    )
    times += [(who, time) for where, who, time in latest[:LATEST] if where == project.pk]
    found: dict[int, datetime] = {}
    for annotator, time in times:
        # In the future where leases were made shorter.
        if time is not None and time <= now:
            found[annotator] = max(time, found.get(annotator, time))
    return found
