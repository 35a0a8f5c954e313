"""How much of a project is judged, by which annotators, and at what pace."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Least, TruncDate

from annotation.common.caching import cached_if_large
from annotation.judging.project_counts import counted_sentences
from annotation.models import Assignment, Membership, Project, Sentence, Submission
from annotation.projects.annotator_names import account_names
from annotation.selectors import counts
from annotation.selectors.submitted_work import COUNTED

# An annotator who opened, placed or submitted something within this time is working now.
NOW: Final = timedelta(minutes=5)
# The pace is measured over this time. The same time before tells a break from a beginning.
WINDOW: Final = timedelta(days=7)
# Latest submissions, of all projects, that are searched for recent revisions.
LATEST: Final = 100
# In a project of so many sentences, the progress is cached for so many seconds.
VERY_LARGE: Final = 10_000
PROGRESS_CACHE_SECONDS: Final = 10
# Days whose submissions are counted one by one.
DAYS: Final = 30


@dataclass(frozen=True)
class AnnotatorActivity:
    """One annotator: the assignments submitted today, of those that `submitted_work` counts.

    `active` is the time of their last known activity; None for a member who has not begun.
    """

    id: int
    name: str
    today: int
    active: datetime | None
    is_active: bool


@dataclass(frozen=True)
class Pace:
    """The number of first assignments submitted from `since` until now."""

    submitted: int
    since: datetime | None


@dataclass(frozen=True)
class ProjectProgress:
    """How much of a project is judged: its first assignments, without repeats.

    `wanted` is `sentences` times the judges of each; `submitted` of them are. `missing_judges` is
    the largest number of judges that a sentence still needs; `judges` members can judge now.
    """

    sentences: int
    wanted: int
    submitted: int
    missing_judges: int
    judges: int
    pace: Pace
    workers: list[AnnotatorActivity]

    @property
    def left(self) -> int:
        return self.wanted - self.submitted

    @property
    def today(self) -> int:
        return sum(worker.today for worker in self.workers)


def progress_of(project: Project, *, now: datetime, midnight: datetime) -> ProjectProgress:
    """Return the progress in a fixed number of queries; today begins at `midnight`.

    In a very large project it may be some seconds old.
    """
    sentences = counts.to_judge(project)
    return cached_if_large(
        f"work-{midnight.timestamp()}",
        project,
        lambda: _work(project, sentences, now, midnight),
        sentences=sentences,
        large=VERY_LARGE,
        seconds=PROGRESS_CACHE_SECONDS,
    )


def submitted_by_day(
    project: Project, *, sentences: int, now: datetime, zone: ZoneInfo
) -> dict[date, int]:
    """Return the assignments submitted on each of the last DAYS days of the zone, oldest first.

    They are those that `submitted_work` counts. One query; cached as the progress is.
    """
    today = now.astimezone(zone).date()
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    begin = datetime(days[0].year, days[0].month, days[0].day, tzinfo=zone)

    def count() -> dict[date, int]:
        rows = Assignment.objects.filter(COUNTED, project=project, submitted__gte=begin)
        by_day = rows.order_by().annotate(day=TruncDate("submitted", tzinfo=zone)).values("day")
        found = dict(by_day.annotate(Count("pk")).values_list("day", "pk__count"))
        return {day: found.get(day, 0) for day in days}

    return cached_if_large(
        f"days-{zone.key}-{today}",
        project,
        count,
        sentences=sentences,
        large=VERY_LARGE,
        seconds=PROGRESS_CACHE_SECONDS,
    )


def _work(project: Project, sentences: int, now: datetime, midnight: datetime) -> ProjectProgress:
    each = project.judges_per_sentence
    submitted, begun, most_missing = _submitted(project)
    further, most_further = _further_judges(project)
    # Fewer than were judged where a sentence lost its candidates meanwhile.
    submitted = min(submitted, sentences * each + further)
    missing = each + most_further if begun < sentences else max(0, most_missing or 0)
    rows = list(_by_annotator(project, now, midnight))
    members = _members(project)
    return ProjectProgress(
        sentences=sentences,
        wanted=sentences * each + further,
        submitted=submitted,
        missing_judges=missing if sentences else 0,
        judges=sum(not paused for _role, paused in members.values()),
        pace=_pace(rows, now),
        workers=_workers(project, rows, members, now),
    )


def last_activity(project: Project, *, now: datetime) -> dict[int, datetime]:
    """Return the time of the last known activity of each annotator who has begun. Three queries."""
    submitted = Assignment.objects.filter(project=project, state=Assignment.State.SUBMITTED)
    rows = submitted.order_by().values_list("annotator").annotate(Max("submitted"))
    return _activity(project, now, dict(rows))


def submitted_of(project: Project) -> tuple[int, int]:
    """Return only `submitted` and `wanted` of the progress. Two queries.

    One more where sheets have further judges.
    """
    further, _most = _further_judges(project)
    wanted = counts.to_judge(project) * project.judges_per_sentence + further
    return min(_submitted(project)[0], wanted), wanted


def _further_judges(project: Project) -> tuple[int, int]:
    """Return how many judges sheets have beyond the setting in all, and the most of one.

    One query, none where sheets have no further judges.
    """
    if not project.has_further_judges:
        return 0, 0
    with_further = counted_sentences([project]).filter(further_judges__gt=0)
    found = with_further.aggregate(sum=Sum("further_judges"), most=Max("further_judges"))
    return found["sum"] or 0, found["most"] or 0


def _submitted(project: Project) -> tuple[int, int, int | None]:
    """Return first assignments, the sentences that have any, and the most that one of these lacks.

    At most as many as its judges count for a sentence. As in the queue, those from before a system
    added candidates do not count, nor those of sentences that are now used for practice.
    """
    practised = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.PRACTICE, copy_of__isnull=False
    )
    judges = (
        Assignment.objects.filter(
            project=project,
            kind=Assignment.Kind.FIRST,
            state=Assignment.State.SUBMITTED,
            candidate_version__gte=F("sentence__candidate_version"),
            sentence__in=counted_sentences([project]).order_by().values("pk"),
        )
        .exclude(sentence__in=practised.values("copy_of"))
        .order_by()
        .values(*("sentence", "sentence__further_judges")[: 1 + project.has_further_judges])
        .annotate(judges=Count("pk"))
    )
    wanted: Any = Value(project.judges_per_sentence)
    if project.has_further_judges:
        wanted = F("sentence__further_judges") + project.judges_per_sentence
    found = judges.aggregate(
        all=Sum(Least("judges", wanted)),
        begun=Count("sentence"),
        missing=Max(wanted - F("judges")),
    )
    return found["all"] or 0, found["begun"], found["missing"]


def _by_annotator(project: Project, now: datetime, midnight: datetime) -> QuerySet[Any, Any]:
    first = Q(kind=Assignment.Kind.FIRST)
    lately = first & Q(submitted__gte=now - WINDOW)
    before = first & Q(submitted__gte=now - 2 * WINDOW, submitted__lt=now - WINDOW)
    return (
        Assignment.objects.filter(project=project, state=Assignment.State.SUBMITTED)
        .order_by()
        .values("annotator")
        .annotate(
            today=Count("pk", filter=COUNTED & Q(submitted__gte=midnight)),
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


def _members(project: Project) -> dict[int, tuple[str, bool]]:
    """Return by id the role of the members with an active account, and whether they are paused."""
    members = Membership.objects.filter(project=project, user__is_active=True)
    return {
        pk: (role, paused) for pk, role, paused in members.values_list("user", "role", "paused")
    }


def _workers(
    project: Project,
    rows: Iterable[dict[str, Any]],
    members: dict[int, tuple[str, bool]],
    now: datetime,
) -> list[AnnotatorActivity]:
    """Return members with the role annotator and all others who have judged."""
    given = {row["annotator"]: row for row in rows}
    active = _activity(project, now, {pk: row["active"] for pk, row in given.items()})
    annotator = Membership.Role.ANNOTATOR
    annotators = {pk for pk, (role, _paused) in members.items() if role == annotator}
    names = account_names(project)
    workers = []
    for pk in {*active, *annotators}:
        latest = active.get(pk)
        workers.append(
            AnnotatorActivity(
                id=pk,
                name=names[pk],
                today=given[pk]["today"] if pk in given else 0,
                active=latest,
                is_active=latest is not None and latest > now - NOW,
            )
        )
    return workers


def _activity(
    project: Project, now: datetime, submitted: dict[int, datetime]
) -> dict[int, datetime]:
    """Return when annotators last submitted, worked on an open sentence or revised one.

    `submitted` has the times when they last submitted. Two queries.
    """
    open_ones = Assignment.objects.filter(project=project, state=Assignment.State.OPEN)
    times: list[tuple[int, datetime | None]] = []
    for annotator, created, shown, lease_until, saved in open_ones.values_list(
        "annotator", "created", "shown", "lease_until", "draft_saved"
    ):
        # Opening the page again renews the lease.
        lease = timedelta(minutes=project.lease_minutes)
        renewed = lease_until - lease if lease_until else None
        times += [(annotator, time) for time in (created, shown, renewed, saved)]
    latest = Submission.objects.order_by("-pk").values_list(
        "assignment__project", "assignment__annotator", "created"
    )
    times += [(who, time) for where, who, time in latest[:LATEST] if where == project.pk]
    found = dict(submitted)
    for annotator, time in times:
        # In the future where leases were made shorter.
        if time is not None and time <= now:
            found[annotator] = max(time, found.get(annotator, time))
    return found
