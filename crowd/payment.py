"""The table of who worked how long in a project, and what that is worth."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, Max, Min, Q

from annotation.formats.csv_escaping import without_formulas
from annotation.judging.control_items import control_outcomes
from annotation.models import Assignment, Project
from annotation.projects.annotator_names import account_names
from crowd import pay_rates as pay
from crowd.models import Participant, Pay
from crowd.start_links import pay_of_members
from crowd.working_time import working_times

COLUMNS = (
    "annotator",
    "platform",
    "participant_id",
    "visit_id",
    "sentences",
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
_NOTHING: dict[str, Any] = {"sentences": 0, "repeats": 0, "practised": 0, "skipped": 0}


@dataclass(frozen=True)
class Worked:
    """What one annotator did in a project; `sentences` is what counts towards a quota.

    Of those are the `repeats`, and those for control; practice and skipped ones are beside them.
    `seconds` is None where nobody knows, `pay` None then too, and where nothing is paid.
    """

    user_id: int
    name: str
    participant: Participant | None
    sentences: int
    repeats: int
    controls: int
    controls_passed: int
    practised: int
    skipped: int
    seconds: int | None
    terms: Pay
    started: datetime | None
    finished: datetime | None

    def is_called(self, wanted: str) -> bool:
        """Tell whether it is a part of the name, or of the participant's id, in any case."""
        ids = [self.name, self.participant.participant_id if self.participant else ""]
        return any(wanted.lower() in one.lower() for one in ids)

    @property
    def hours(self) -> Decimal | None:
        return None if self.seconds is None else pay.hours(self.seconds)

    @property
    def pay(self) -> Decimal | None:
        if self.seconds is None:
            return None
        return pay.earned(self.seconds, per_hour=self.terms.pay_per_hour, cap=self.terms.pay_cap)


def payment(project: Project) -> list[Worked]:
    """Return whoever was given a sentence or came by a start link, by id. Seven queries."""
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
                # Who came and did nothing may be no member any more.
                name=names[pk] if pk in names else participants[pk].user.shown_name,
                participant=participant,
                sentences=row["sentences"],
                repeats=row["repeats"],
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
    """Yield the lines of the table, the names of columns first; times are in UTC.

    Texts in which a program of tables would see a formula get an apostrophe before it.
    """
    yield _line(COLUMNS)
    for row in rows:
        came, terms = row.participant, row.terms
        yield _line(
            (
                row.name,
                came.link.platform if came else "",
                came.participant_id if came else "",
                came.visit if came else "",
                row.sentences,
                row.repeats,
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


def _given(project: Project) -> Any:
    submitted = Q(state=Assignment.State.SUBMITTED)
    practice = Q(kind=Assignment.Kind.PRACTICE)
    repeat = Q(kind__in=(Assignment.Kind.INTRA, Assignment.Kind.INTER))
    return (
        Assignment.objects.filter(project=project)
        .order_by()
        .values("annotator")
        .annotate(
            sentences=Count("pk", filter=submitted & ~practice),
            repeats=Count("pk", filter=submitted & repeat),
            practised=Count("pk", filter=submitted & practice),
            skipped=Count("pk", filter=Q(state=Assignment.State.SKIPPED)),
            started=Min("created"),
            finished=Max("submitted"),
        )
    )


def _controls(project: Project) -> tuple[Counter[int], Counter[int]]:
    """Return how many control sentences each annotator judged, and how many of them passed."""
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


def _line(cells: tuple[object, ...]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(
        without_formulas(cell) if isinstance(cell, str) else cell for cell in cells
    )
    return text.getvalue()
