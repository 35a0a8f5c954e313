"""Drafts: placements that the page saves every few seconds before they are submitted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.db import IntegrityError
from django.db.models import Exists
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.transactions import in_turn, writing
from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.assignment import renew_lease
from annotation.judging.errors import AlreadySubmitted, InvalidJudgement
from annotation.judging.sheet import Layout, cache_layout, cards_of, layout_of
from annotation.judging.submission import locked_assignment
from annotation.models import Assignment, Draft, Membership, Project, User

# Seconds in a day: a page that reports more is mistaken.
MAX_ACTIVITY: Final = 86_400.0
MAX_RANK: Final = 10_000

# By card key: a rank from 1, or "garbage".
DraftChoices = dict[str, int | str]


@dataclass(frozen=True)
class SavedDraft:
    """What is stored; version 0 means nothing yet."""

    version: int
    choices: DraftChoices
    active_seconds: float


class Conflict(Exception):
    """The page edited an older version than the stored one, which is `current` and stays."""

    def __init__(self, current: SavedDraft) -> None:
        super().__init__(_("A newer version was saved in another window or on another device."))
        self.current = current


def load_draft(assignment: Assignment) -> SavedDraft:
    draft = Draft.objects.filter(assignment=assignment).first()
    if draft is None:
        return SavedDraft(0, {}, 0.0)
    return SavedDraft(draft.version, draft.choices, draft.active_seconds)


def save_draft(
    *,
    annotator: User,
    project: Project,
    assignment_id: int,
    base: int,
    choices: Mapping[str, int | str],
    active_seconds: float = 0.0,
) -> int:
    """Store the placements as the version after `base`, and renew the annotator's lease.

    Returns the version that is stored now; saving the stored placements again changes nothing. A
    returned assignment keeps its draft. Raises NotAssigned, InvalidJudgement, AlreadySubmitted and
    Conflict; then nothing is stored.
    """
    seconds = min(max(active_seconds, 0.0), MAX_ACTIVITY)
    layout = layout_of(assignment_id)
    checked = _checked(choices, layout)
    is_current = _is_current(layout, annotator, project)
    if base and is_current and checked is not None:
        # The usual case in one statement, with no transaction around it.
        with in_turn():
            if _save_next(annotator, project, assignment_id, base, checked, seconds):
                return base + 1
    save = partial(
        _save_locked, annotator, project, assignment_id, base, checked, seconds, is_current
    )
    if base == 0:
        # Mostly there is no draft yet, so do not look for one.
        try:
            return save(Draft())
        except IntegrityError:
            pass
    return save(None)


def _save_locked(
    annotator: User,
    project: Project,
    assignment_id: int,
    base: int,
    choices: DraftChoices | None,
    seconds: float,
    is_current: bool,
    new: Draft | None,
) -> int:
    """Save under a lock on the assignment, which keeps others from changing its draft.

    With `new` it is inserted, and IntegrityError raised if the assignment has a draft.
    """
    with writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.state == Assignment.State.SUBMITTED:
            raise AlreadySubmitted(_("You have submitted this sentence before."))
        if choices is None:
            raise InvalidJudgement(
                _("Some of the placed candidates are not part of this sentence: reload the page.")
            )
        draft = new or Draft.objects.filter(assignment=assignment).first() or Draft()
        if draft.version != base and draft.choices != choices:
            raise Conflict(SavedDraft(draft.version, draft.choices, draft.active_seconds))
        if assignment.state == Assignment.State.OPEN and not is_current:
            renew_lease(assignment)
            cache_layout(assignment, cards_of(assignment_id))
        if draft.version == 0 or draft.choices != choices:
            draft.assignment = assignment
            draft.version += 1
            draft.choices = choices
            draft.active_seconds = max(seconds, draft.active_seconds)
            draft.saved = timezone.now()
            draft.save()
        return draft.version


def _checked(choices: Mapping[str, int | str], layout: Layout | None) -> DraftChoices | None:
    """Return the choices sorted by key, None if one is not for a card or is not a place."""
    checked: DraftChoices = {}
    # Sorted, because SQLite compares JSON as text.
    for key, place in sorted(choices.items()):
        is_rank = isinstance(place, int) and 1 <= place <= MAX_RANK
        if layout is None or key not in layout.cards or not (is_rank or place == GARBAGE):
            return None
        checked[key] = place
    return checked


def _is_current(layout: Layout | None, annotator: User, project: Project) -> bool:
    """Return True for the annotator's own assignment whose lease need not be renewed yet."""
    return (
        layout is not None
        and (layout.annotator_id, layout.project_id) == (annotator.pk, project.pk)
        and layout.lease_until is not None
        and layout.lease_until - timezone.now() >= layout.lease / 2
    )


def _save_next(
    annotator: User,
    project: Project,
    assignment_id: int,
    base: int,
    choices: DraftChoices,
    seconds: float,
) -> bool:
    """Replace version `base` by other choices if the annotator is still a member.

    A submission deletes the draft, so none is saved after it.
    """
    member = Membership.objects.filter(user=annotator, project=project, role__in=Membership.JUDGING)
    saved = (
        Draft.objects.filter(Exists(member), assignment=assignment_id, version=base)
        .exclude(choices=choices)
        .update(
            version=base + 1,
            choices=choices,
            active_seconds=Greatest("active_seconds", seconds),
            saved=timezone.now(),
        )
    )
    return saved > 0
