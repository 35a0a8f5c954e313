"""Placements that are not submitted yet, kept on the server from second to second."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.assignment import renew
from annotation.judging import AlreadySubmitted, Invalid, locked_assignment
from annotation.models import Assignment, Draft, Project, User
from annotation.showing import keys_of
from annotation.writing import writing

GARBAGE = "garbage"
# A day: what is more is a mistake of the page.
LONGEST_ACTIVITY = 86_400.0

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
    choices: Mapping[str, object],
    active_seconds: float = 0.0,
) -> SavedDraft:
    """Store the placements as the version after `base`, and note that the annotator is active.

    Saving what is saved already is no conflict. A sentence that went back to the others keeps its
    draft. Raises NotYours, Invalid, AlreadySubmitted and Conflict; then nothing is stored.
    """
    with writing():
        assignment = locked_assignment(annotator, project, assignment_id)
        if assignment.state == Assignment.State.SUBMITTED:
            raise AlreadySubmitted(_("You have submitted this sentence before."))
        checked = _checked(assignment, choices)
        current = load_draft(assignment)
        if current.version != base and current.choices != checked:
            raise Conflict(current)
        if assignment.state == Assignment.State.OPEN:
            renew(assignment)
        if current.version and current.choices == checked:
            return current
        saved = SavedDraft(
            version=current.version + 1,
            choices=checked,
            active_seconds=min(max(active_seconds, current.active_seconds), LONGEST_ACTIVITY),
        )
        fields = vars(saved) | {"saved": timezone.now()}
        # The assignment is locked: nobody makes a draft of it meanwhile.
        if current.version:
            Draft.objects.filter(assignment=assignment).update(**fields)
        else:
            Draft.objects.create(assignment=assignment, **fields)
        return saved


def _checked(assignment: Assignment, choices: Mapping[str, object]) -> DraftChoices:
    keys = keys_of(assignment)
    checked: DraftChoices = {}
    for key, place in choices.items():
        if key not in keys:
            raise Invalid(
                _("Some of the placed candidates are not part of this sentence: reload the page.")
            )
        is_rank = isinstance(place, int) and not isinstance(place, bool) and 1 <= place <= 10_000
        if not is_rank and place != GARBAGE:
            raise Invalid(_("A placement cannot be read: please reload the page."))
        checked[key] = place  # type: ignore[assignment]
    return checked
