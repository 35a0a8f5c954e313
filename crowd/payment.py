"""Working time and pay of the annotators of a project."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from django.db.models import Count, Max, Min, Q

from annotation.formats.csv_escaping import csv_line
from annotation.judging.control_items import control_outcomes
from annotation.models import Assignment, Project, Submission
from annotation.projects.annotator_names import account_names
from annotation.selectors.submitted_work import SubmittedWork, submitted_work
from crowd.models import Participant, Pay
from crowd.start_links import pay_of_members

CENT: Final = Decimal("0.01")
SECONDS_OF_AN_HOUR: Final = 3600
# Seconds that count at most for one sentence: how long an annotator looked cannot be verified.
MAX_SECONDS: Final = 600.0
PAYMENT_COLUMNS = (
    "annotator",
    "platform",
    "participant_id",
    "visit_id",
    "sentences",
    "assignments",
    "judgements",
    "repeats",
    "controls",
    "controls_passed",
    "practised",
    "skipped",
    "active_seconds",
    "active_hours",
    "pay_per_hour",
    "pay_cap",
    "currency",
    "pay",
    "started",
    "finished",
    "completed",
    "completion_code",
)
_NOTHING: dict[str, Any] = {"practised": 0, "skipped": 0}


# When a sentence was shown and submitted, and the active seconds reported by the browser, if any.
Sitting = tuple[datetime | None, datetime, float | None]


@dataclass(frozen=True)
class Worked:
    """What one annotator did in a project.

    `controls` are among the assignments of `submitted`. `seconds` is None if unknown; `pay` is None
    then, too, and without a rate.
    """

    user_id: int
    name: str
    participant: Participant | None
    submitted: SubmittedWork
    controls: int
    controls_passed: int
    practised: int
    skipped: int
    seconds: int | None
    terms: Pay
    started: datetime | None
    finished: datetime | None

    def is_called(self, wanted: str) -> bool:
        """Tell whether the name or the participant's id contains the text, in any case."""
        ids = [self.name, self.participant.participant_id if self.participant else ""]
        return any(wanted.lower() in one.lower() for one in ids)

    @property
    def hours(self) -> Decimal | None:
        return None if self.seconds is None else hours(self.seconds)

    @property
    def pay(self) -> Decimal | None:
        if self.seconds is None:
            return None
        return earned(self.seconds, per_hour=self.terms.pay_per_hour, cap=self.terms.pay_cap)


def payment(project: Project) -> list[Worked]:
    """Return everyone who was assigned a sentence or came by a start link, by id. Ten queries."""
    work = submitted_work(project)
    given = {row["annotator"]: row for row in _given(project)}
    seconds = working_times(project)
    judged, passed = _controls(project)
    participants = _participants(project)
    names = account_names(project)
    others = pay_of_members(project)
    rows = []
    for pk in sorted({*given, *participants}):
        row = given.get(pk, _NOTHING)
        participant = participants.get(pk)
        rows.append(
            Worked(
                user_id=pk,
                # A participant who did nothing may have left the project.
                name=names[pk] if pk in names else participants[pk].user.shown_name,
                participant=participant,
                submitted=work.of(pk),
                controls=judged[pk],
                controls_passed=passed[pk],
                practised=row["practised"],
                skipped=row["skipped"],
                seconds=_whole(seconds.get(pk, 0.0)),
                terms=participant.link if participant else others,
                started=participant.started if participant else row["started"],
                finished=row.get("finished"),
            )
        )
    return rows


def payment_csv(rows: list[Worked]) -> Iterator[str]:
    """Yield the lines of a CSV file with times in UTC.

    Texts that a spreadsheet would take for a formula begin with an apostrophe.
    """
    yield csv_line(PAYMENT_COLUMNS)
    for row in rows:
        came, terms = row.participant, row.terms
        yield csv_line(
            (
                row.name,
                came.link.platform if came else "",
                came.participant_id if came else "",
                came.visit if came else "",
                row.submitted.sentences,
                row.submitted.assignments,
                row.submitted.judgements,
                row.submitted.repeats,
                row.controls,
                row.controls_passed,
                row.practised,
                row.skipped,
                row.seconds,
                row.hours,
                terms.pay_per_hour,
                terms.pay_cap,
                terms.currency,
                row.pay,
                _time(row.started),
                _time(row.finished),
                _time(came.completed) if came else "",
                came.code if came else "",
            )
        )


def hours(seconds: int) -> Decimal:
    """Return seconds / 3600 with four decimals, half rounded up."""
    return (Decimal(seconds) / SECONDS_OF_AN_HOUR).quantize(Decimal("0.0001"), ROUND_HALF_UP)


def earned(seconds: int, *, per_hour: Decimal | None, cap: Decimal | None) -> Decimal | None:
    """Return seconds × per_hour / 3600, at most the cap, in cents, half a cent rounded up.

    None without a rate. The arithmetic is exact and rounds once.
    """
    if per_hour is None:
        return None
    exact = seconds * per_hour / SECONDS_OF_AN_HOUR
    return (exact if cap is None else min(exact, cap)).quantize(CENT, ROUND_HALF_UP)


def working_times(project: Project) -> dict[int, float | None]:
    """Return the seconds that each annotator worked, by id. One query.

    For each submitted sentence, practice too, it is the time in which its page was visible and in
    use, as the browser reports; without a report, the time from showing to submission. It is never
    more than that time, nor than MAX_SECONDS. All sentences of an annotator together count no more
    than the time in which at least one of them was open, so no minute is paid twice. Revisions add
    nothing. None if unknown, as for imported judgements.
    """
    rows = (
        Submission.objects.filter(assignment__project=project, number=1)
        .order_by("assignment__annotator", "assignment__shown")
        .values_list("assignment__annotator", "assignment__shown", "created", "active_seconds")
    )
    by_annotator = groupby(rows.iterator(), key=itemgetter(0))
    return {annotator: _seconds(row[1:] for row in mine) for annotator, mine in by_annotator}


def _seconds(sittings: Iterable[Sitting]) -> float | None:
    """Return the seconds of one annotator; the sittings are in the order in which they began."""
    known, reported, present = False, 0.0, 0.0
    until: datetime | None = None
    for shown, submitted, active in sittings:
        if shown is None:
            continue
        known = True
        # Not negative, even if the clock was set back in between.
        seconds = max((submitted - shown).total_seconds(), 0.0)
        reported += min(seconds if active is None else active, seconds, MAX_SECONDS)
        begin = shown if until is None else max(shown, until)
        present += max((submitted - begin).total_seconds(), 0.0)
        until = max(submitted, begin)
    return min(reported, present) if known else None


def _given(project: Project) -> Any:
    submitted = Q(state=Assignment.State.SUBMITTED)
    practice = Q(kind=Assignment.Kind.PRACTICE)
    return (
        Assignment.objects.filter(project=project)
        .order_by()
        .values("annotator")
        .annotate(
            practised=Count("pk", filter=submitted & practice),
            skipped=Count("pk", filter=Q(state=Assignment.State.SKIPPED)),
            started=Min("created"),
            finished=Max("submitted"),
        )
    )


def _controls(project: Project) -> tuple[Counter[int], Counter[int]]:
    """Return how many control sentences each annotator judged, and how many they passed."""
    judged: Counter[int] = Counter()
    passed: Counter[int] = Counter()
    for outcome in control_outcomes(project):
        judged[outcome.annotator] += 1
        passed[outcome.annotator] += outcome.passed
    return judged, passed


def _participants(project: Project) -> dict[int, Participant]:
    rows = Participant.objects.filter(link__project=project).select_related("link", "user")
    return {row.user_id: row for row in rows}


def _whole(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    return int(Decimal(seconds).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def _time(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
