"""Sentences that an administrator assigns to an annotator, who gets them before all others.

A reservation takes the sentence from no other annotator. Where it has enough judges, the annotator
is one more. Reservations stay when the sentence is judged.
"""

from collections.abc import Sequence
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried, writing
from annotation.judging.queue import sentences_to_judge
from annotation.models import Membership, Project, Reservation, User

MOST_AT_ONCE: Final = 10_000


class CannotBeJudged(NotPossible):
    """A number is of no sentence of the project that can be judged; `number` says which."""

    def __init__(self, number: int) -> None:
        super().__init__(
            _(
                "Sentence %(number)d cannot be assigned: there is no such sentence, it is excluded "
                "or used for practice, or it has nothing to compare."
            )
            % {"number": number}
        )
        self.number = number


@retried
def assign_sentences(*, project: Project, by: User, annotator: User, numbers: Sequence[int]) -> int:
    """Reserve the sentences with these numbers for the annotator; return how many are new.

    Raises NotPossible if the user does not judge in the project, or for too many at once, and
    CannotBeJudged; then nothing is stored.
    """
    if len(numbers) > MOST_AT_ONCE:
        raise NotPossible(
            _("At most %(most)d sentences can be assigned at once.") % {"most": MOST_AT_ONCE}
        )
    with writing():
        of_project = Membership.objects.select_for_update(no_key=True).filter(project=project)
        if not of_project.filter(user=annotator, role__in=Membership.JUDGING).first():
            raise NotPossible(_("This person does not judge in the project."))
        found = sentences_to_judge(project).filter(number__in=set(numbers))
        ids = dict(found.values_list("number", "pk"))
        if unknown := set(numbers) - ids.keys():
            raise CannotBeJudged(min(unknown))
        own = Reservation.objects.filter(annotator=annotator, sentence__in=found)
        known = set(own.values_list("sentence", flat=True))
        now = timezone.now()
        new = [
            Reservation(sentence_id=pk, annotator=annotator, created=now, by=by)
            for _number, pk in sorted(ids.items())
            if pk not in known
        ]
        Reservation.objects.bulk_create(new)
    return len(new)


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
