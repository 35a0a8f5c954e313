"""Drafts: placements that the page saves every few seconds before they are submitted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from annotation.common.transactions import in_turn, retried, writing
from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.assignment import lease_of
from annotation.judging.errors import (
    TAKEN_OVER,
    AlreadySubmitted,
    InvalidJudgement,
    NotAvailable,
)
from annotation.judging.queue import can_reopen
from annotation.judging.sheet import layout_of, segment_sizes
from annotation.judging.submission import check_comments, check_sizes, locked_assignment
from annotation.kinds import kind_of
from annotation.models import Assignment, Project, User
from annotation.process import clock

# Seconds in a day: a page that reports more is mistaken.
MAX_ACTIVITY: Final = 86_400.0
MAX_RANK: Final = 10_000

# By card key: a rank from 1, or "garbage".
DraftChoices = Mapping[str, int | str]
# By the number of the segment.
Comments = Mapping[str, str]
# By card key, in the notation of the project's kind.
Details = Mapping[str, str]
# Seconds and starts, by the id of the medium.
Plays = Mapping[int, tuple[float, int]]


@dataclass(frozen=True)
class SavedDraft:
    """What is stored; version 0 means nothing yet."""

    version: int
    choices: DraftChoices
    active_seconds: float
    comments: Comments = field(default_factory=dict)
    details: Details = field(default_factory=dict)


class Conflict(Exception):
    """The page edited an older version than the stored one, which is `current` and stays."""

    def __init__(self, current: SavedDraft) -> None:
        super().__init__(_("A newer version was saved in another window or on another device."))
        self.current = current


def draft_of(assignment: Assignment) -> SavedDraft:
    return SavedDraft(
        assignment.draft_version,
        assignment.draft_choices,
        assignment.draft_active_seconds,
        assignment.draft_comments,
        assignment.draft_details,
    )


@retried
def save_draft(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    base: int,
    choices: DraftChoices,
    comments: Comments | None = None,
    details: Details | None = None,
    media: Plays | None = None,
    active_seconds: float = 0.0,
) -> int:
    """Store what the page has as the version after `base`, and renew the annotator's lease.

    Returns the version that is stored now; repeating a save whose answer was lost changes nothing.
    A returned assignment keeps its draft, and raises NotAvailable if its sentence is no longer free
    for the annotator. Raises NotAssigned, InvalidJudgement, AlreadySubmitted and Conflict; then
    nothing is stored.
    """
    layout = layout_of(assignment_id)
    is_valid = layout is not None and all(
        key in layout.cards and _is_place(place) for key, place in choices.items()
    )
    if layout is not None:
        check_comments(comments or {}, len(segment_sizes(layout.cards)))
        check_sizes(kind_of(layout).answer, layout.cards, details or {})
    now = clock.now()
    draft: dict[str, Any] = {
        "draft_version": base + 1,
        "draft_choices": dict(choices),
        "draft_comments": dict(comments or {}),
        "draft_details": dict(details or {}),
        "draft_media": {str(pk): list(played) for pk, played in (media or {}).items()},
        "draft_active_seconds": Greatest(
            "draft_active_seconds", min(max(active_seconds, 0.0), MAX_ACTIVITY)
        ),
        "draft_saved": now,
    }
    if layout is not None and is_valid:
        # The usual case in one statement. It does not look at the membership: members who leave
        # return what they have open, and a submission checks it.
        own = Assignment.objects.filter(
            pk=assignment_id,
            annotator=annotator.pk,
            project=project,
            state=Assignment.State.OPEN,
            draft_version=base,
        )
        with in_turn():
            if own.update(**draft, lease_until=now + layout.lease):
                return base + 1
    with writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.state in Assignment.SUBMITTED_STATES:
            raise AlreadySubmitted(_("You have submitted this before."))
        if not is_valid:
            raise InvalidJudgement(
                _("Some of the placed candidates are not on this page: reload the page.")
            )
        stored = draft_of(assignment)
        if stored.version != base:
            sent = choices, comments or {}, details or {}
            if (stored.choices, stored.comments, stored.details) != sent:
                raise Conflict(stored)
            return stored.version
        if assignment.state == Assignment.State.OPEN:
            draft["lease_until"] = now + lease_of(assignment.project)
        Assignment.objects.filter(pk=assignment.pk).update(**draft)
        returned = assignment.state == Assignment.State.RETURNED
        is_lost = returned and not can_reopen(assignment, assignment.project)
    if is_lost:
        raise NotAvailable(TAKEN_OVER)
    return base + 1


def _is_place(place: object) -> bool:
    return place == GARBAGE or (isinstance(place, int) and 1 <= place <= MAX_RANK)
