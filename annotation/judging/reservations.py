"""Sentences that an administrator assigns to an annotator, who gets them before all others.

A reservation takes the sentence from no other annotator. Where it has enough judges, the annotator
is one more. Reservations stay when the sentence is judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import F
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried, writing
from annotation.judging.assignment import has_reached_limit
from annotation.judging.queue import sentences_to_judge
from annotation.models import Assignment, Membership, Project, Reservation, User
from annotation.process import clock

MOST_AT_ONCE: Final = 10_000


class CannotBeJudged(NotPossible):
    """A number is of no sentence of the project that can be judged; `number` says which."""

    def __init__(self, number: int) -> None:
        super().__init__(
            _(
                "Line %(number)d cannot be assigned: there is no such line, it is excluded "
                "or used for practice, or it has nothing to compare."
            )
            % {"number": number}
        )
        self.number = number


@dataclass(frozen=True)
class AssignedSentences:
    """What assigning did: how many sentences are new, come again after a skip, or are left out.

    The annotator has the latter open or has judged them. One who is `paused` or has `reached_limit`
    gets none for now.
    """

    new: int
    again: int
    judged: int
    paused: bool
    reached_limit: bool


@retried
def assign_sentences(
    *, project: Project, by: User | None, annotator: User, numbers: Sequence[int]
) -> AssignedSentences:
    """Reserve the sentences with these numbers for the annotator, also those that they skipped.

    Those that they have open or have judged are left out and counted. Raises NotPossible if the
    user does not judge in the project, or for too many at once, and CannotBeJudged; then nothing is
    stored.
    """
    if len(numbers) > MOST_AT_ONCE:
        raise NotPossible(_("At most %(most)d can be assigned at once.") % {"most": MOST_AT_ONCE})
    with writing():
        of_project = Membership.objects.select_for_update(no_key=True).filter(project=project)
        member = of_project.filter(user=annotator, role__in=Membership.JUDGING).first()
        if member is None:
            raise NotPossible(_("This person does not judge in the project."))
        found = sentences_to_judge(project).filter(number__in=set(numbers))
        ids = dict(found.values_list("number", "pk"))
        if unknown := set(numbers) - ids.keys():
            raise CannotBeJudged(min(unknown))
        assigned = Assignment.objects.filter(
            annotator=annotator,
            sentence__in=found,
            candidate_version__gte=F("sentence__candidate_version"),
        )
        judged = set(
            assigned.filter(state__in=Assignment.ACTIVE_STATES).values_list("sentence", flat=True)
        )
        skipped = assigned.filter(state=Assignment.State.SKIPPED).exclude(sentence__in=judged)
        again = set(skipped.values_list("sentence", flat=True))
        # The reason for skipping stays.
        skipped.update(state=Assignment.State.RETURNED)
        own = Reservation.objects.filter(annotator=annotator, sentence__in=found)
        known = judged | set(own.values_list("sentence", flat=True))
        now = clock.now()
        new = [
            Reservation(sentence_id=pk, annotator=annotator, created=now, by=by)
            for _number, pk in sorted(ids.items())
            if pk not in known
        ]
        Reservation.objects.bulk_create(new)
    fresh = sum(one.sentence_id not in again for one in new)
    full = has_reached_limit(member)
    return AssignedSentences(fresh, len(again), len(judged), member.paused, full)


@retried
def withdraw_sentences(
    *, project: Project, by: User, annotator: User, numbers: Sequence[int]
) -> int:
    """Withdraw reservations of these sentences; return how many. What is assigned stays so."""
    with writing():
        return Reservation.objects.filter(
            annotator=annotator,
            sentence__project=project,
            sentence__number__in=set(numbers),
        ).delete()[0]
