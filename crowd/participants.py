"""Coming by a start link: finding the account of a participant, or making it."""

import re
import secrets

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.transactions import writing
from annotation.models import Membership, Project, User
from crowd.models import PARTICIPANT_ID, Participant, StartLink

# Another name is drawn where two were the same, which is rare.
ATTEMPTS = 5


class NotPossible(Exception):
    """Nobody can start like this; the message is for the person who came."""


class Closed(NotPossible):
    """Nothing is wrong with how the person came, but nobody is let in."""


def checked_id(value: str) -> str:
    """Return the id of a participant. Raises NotPossible where it is none."""
    if not value:
        raise NotPossible(
            _(
                "The address does not say who you are. Please start from the page of the platform "
                "again, where the study is described."
            )
        )
    if not re.fullmatch(PARTICIPANT_ID, value):
        raise NotPossible(
            _(
                "The address has something where your id should be that is none. Please start from "
                "the page of the platform again, where the study is described."
            )
        )
    return value


def checked_visit(value: str) -> str:
    """Return the id of a visit, or "" where there is none: nobody is turned away for it."""
    return value if re.fullmatch(PARTICIPANT_ID, value) else ""


def arrive(*, link: StartLink, participant_id: str, visit: str) -> Participant:
    """Return whoever has this id, checked already; his account is made when he first comes.

    However often and in whatever order he comes, it is one. Raises NotPossible where the link is
    off or full, or the project not open, for those who have not come before (Closed); and where the
    account is not one of the crowd or of the project any more (Closed).
    """
    for _attempt in range(ATTEMPTS):
        known = find(link, participant_id)
        if known is not None:
            return _checked(known)
        try:
            return _make(link, participant_id, visit)
        except IntegrityError:
            # The same person in another window was faster; or the name is taken.
            continue
    raise RuntimeError(f"No account could be made in {ATTEMPTS} attempts.")


def find(link: StartLink, participant_id: str) -> Participant | None:
    """Return whoever came by this link with this id before, or None. One query."""
    of_link = link.participants.select_related("user")
    return of_link.filter(participant_id=participant_id).first()


def closed() -> Closed:
    return Closed(_("Nobody can begin with this study at the moment: perhaps it is over."))


def is_open(link: StartLink) -> bool:
    """Tell whether somebody new may begin, of whom there are not too many yet. One query."""
    is_on = link.is_on and link.project.state == Project.State.OPEN
    return is_on and link.participants.count() < link.most_participants


def _checked(known: Participant) -> Participant:
    user = known.user
    is_of_crowd = not (user.is_staff or user.is_superuser or user.has_usable_password())
    judges = Membership.objects.filter(
        user=user, project=known.link.project_id, role__in=Membership.JUDGING
    )
    if not (is_of_crowd and user.is_active and judges.exists()):
        raise Closed(_("What you did here is kept, and this account is not used any more."))
    return known


def _make(link: StartLink, participant_id: str, visit: str) -> Participant:
    user = User(username=f"participant-{secrets.token_hex(5)}")
    user.set_unusable_password()
    with writing():
        # Others who come by it for the first time wait until this ends.
        locked = StartLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
        if not is_open(locked):
            raise closed()
        user.save(force_insert=True)
        Membership.objects.create(
            user=user,
            project=link.project,
            role=Membership.Role.ANNOTATOR,
            most_sentences=link.sentences,
        )
        return Participant.objects.create(
            link=link,
            user=user,
            participant_id=participant_id,
            visit=visit,
            started=timezone.now(),
        )
