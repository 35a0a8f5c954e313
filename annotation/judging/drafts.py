"""Placements that are not submitted yet, kept on the server from second to second."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.compiled_queries import ReadyMadeChange, ReadyMadeInsert, ReadyMadeRead
from annotation.common.transactions import in_turn, writing
from annotation.judging.assignment import renew, renew_lease
from annotation.judging.sheet import keys_by_place
from annotation.judging.submission import AlreadySubmitted, Invalid, locked_assignment
from annotation.models import Assignment, Draft, Membership, Project, ShownCandidate, User

GARBAGE = "garbage"
# A day: what is more is a mistake of the page.
LONGEST_ACTIVITY = 86_400.0

_new_drafts = ReadyMadeInsert(Draft, "assignment", "version", "choices", "active_seconds", "saved")

# By the keys of cards: a rank from 1, or "garbage".
DraftChoices = dict[str, int | str]


@dataclass(frozen=True)
class SavedDraft:
    """What the server has; version 0 is nothing yet."""

    version: int
    choices: DraftChoices
    active_seconds: float


class Conflict(Exception):
    """The page knew an older draft than the server has: `current`, which stays."""

    def __init__(self, current: SavedDraft) -> None:
        super().__init__(_("A newer version was saved meanwhile, in another window or device."))
        self.current = current


def load_draft(assignment: Assignment) -> SavedDraft:
    draft = _draft.first(assignment)
    if draft is None:
        return SavedDraft(0, {}, 0.0)
    return SavedDraft(draft.version, draft.choices, draft.active_seconds)


def save_draft(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    base: int,
    choices: Mapping[str, object],
    active_seconds: float = 0.0,
) -> int:
    """Store the placements as the version after `base`, and note that the annotator is active.

    Returns which version the server has now: saving what is saved already is no conflict. A
    sentence that went back to the others keeps its draft. Raises NotYours, Invalid,
    AlreadySubmitted and Conflict; then nothing is stored.
    """
    seconds = min(max(active_seconds, 0.0), LONGEST_ACTIVITY)
    held = _Held.by(annotator, project, assignment_id)
    if base and held and held.state == Assignment.State.OPEN:
        checked = _checked(choices, held.keys)
        with in_turn():
            if _next_version(assignment_id, base, checked, seconds, timezone.now()):
                renew_lease(assignment_id, held.lease_until, held.lease_minutes)
                return base + 1
    with writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.state == Assignment.State.SUBMITTED:
            raise AlreadySubmitted(_("You have submitted this sentence before."))
        checked = _checked(choices, held.keys if held else set())
        current = load_draft(assignment)
        if current.version != base and current.choices != checked:
            raise Conflict(current)
        if assignment.state == Assignment.State.OPEN:
            renew(assignment)
        if current.version and current.choices == checked:
            return current.version
        saved = SavedDraft(current.version + 1, checked, max(seconds, current.active_seconds))
        fields = vars(saved) | {"saved": timezone.now()}
        # The assignment is locked: nobody makes a draft of it meanwhile.
        if current.version:
            Draft.objects.filter(assignment=assignment).update(**fields)
        else:
            _new_drafts.store(Draft(assignment=assignment, **fields))
        return saved.version


@dataclass(frozen=True)
class _Held:
    """What has to be known of an annotator's assignment to save a draft of it."""

    state: str
    lease_until: datetime | None
    lease_minutes: int
    keys: set[str]

    @classmethod
    def by(cls, annotator: User, project: Project, assignment_id: int) -> "_Held | None":
        """Read it by one query; None where it is unknown, somebody else's, or shows nothing."""
        rows = _shown(annotator, project, assignment_id)
        if not rows:
            return None
        state, lease_until, lease_minutes, *_place = rows[0]
        return cls(state, lease_until, lease_minutes, keys_by_place(row[3:] for row in rows))


def _checked(choices: Mapping[str, object], keys: set[str]) -> DraftChoices:
    checked: DraftChoices = {}
    # In one order, by which databases can compare them that keep them as text.
    for key, place in sorted(choices.items()):
        if key not in keys:
            raise Invalid(
                _("Some of the placed candidates are not part of this sentence: reload the page.")
            )
        is_rank = isinstance(place, int) and not isinstance(place, bool) and 1 <= place <= 10_000
        if not is_rank and place != GARBAGE:
            raise Invalid(_("A placement cannot be read: please reload the page."))
        checked[key] = place  # type: ignore[assignment]
    return checked


@ReadyMadeRead
def _draft(assignment: Assignment) -> QuerySet[Draft]:
    return Draft.objects.filter(assignment=assignment)


@ReadyMadeRead
def _shown(annotator: User, project: Project, assignment_id: int) -> QuerySet[Any, Any]:
    mine = ShownCandidate.objects.filter(
        assignment=assignment_id,
        assignment__annotator=annotator,
        assignment__project=project,
        assignment__project__memberships__user=annotator,
        assignment__project__memberships__role__in=Membership.JUDGING,
    )
    return mine.order_by("candidate__segment", "position").values_list(
        "assignment__state",
        "assignment__lease_until",
        "assignment__project__lease_minutes",
        "candidate__segment",
        "position",
    )


@ReadyMadeChange
def _next_version(
    assignment_id: int,
    base: int,
    choices: dict,  # type: ignore[type-arg]
    seconds: float,
    now: datetime,
) -> tuple[QuerySet[Draft], dict[str, Any]]:
    """Only where the server has `base` and something else: whatever else is the case, it is asked.

    Whoever hands in takes the draft away, so that none is saved after that.
    """
    drafts = Draft.objects.filter(assignment=assignment_id, version=base).exclude(choices=choices)
    return drafts, {
        "version": F("version") + 1,
        "choices": choices,
        "active_seconds": Greatest("active_seconds", seconds),
        "saved": now,
    }
