"""Participants who come by a start link, and their accounts."""

import re
import secrets

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.common.transactions import retried, writing
from annotation.formats.names import plain_name
from annotation.models import Membership, Project, User
from annotation.process import clock
from crowd.models import PARTICIPANT_ID, Participant, StartLink

# In the rare case that a random user name is taken, another is tried.
NAME_ATTEMPTS = 5


class CannotStart(Exception):
    """The person cannot start; the message is for them."""


class Closed(CannotStart):
    """The link is right, but this person cannot start now."""


def checked_id(value: str) -> str:
    """Return the participant's id. Raises CannotStart if it is missing or invalid."""
    value = plain_name(value)
    if not value:
        raise CannotStart(
            _("Your participant ID is missing. Please open the study from your platform again.")
        )
    if not re.fullmatch(PARTICIPANT_ID, value):
        raise CannotStart(
            _("Your participant ID is invalid. Please open the study from your platform again.")
        )
    return value


def checked_visit(value: str) -> str:
    """Return the id of the visit, or "" if it is missing or invalid."""
    value = plain_name(value)
    return value if re.fullmatch(PARTICIPANT_ID, value) else ""


def arrive(*, link: StartLink, participant_id: str, visit: str) -> Participant:
    """Return the participant with this valid id; the first time, create their account.

    There is one account for each id, also under concurrent requests. Raises Closed for a new
    participant if the link is off or full or the project is not open; and for a known one whose
    account has left the project or has become an ordinary account.
    """
    for _attempt in range(NAME_ATTEMPTS):
        known = find(link, participant_id)
        if known is not None:
            return _checked(known)
        try:
            return _make(link, participant_id, visit)
        except IntegrityError:
            # A concurrent request of the same person created it; or the user name is taken.
            continue
    raise RuntimeError(f"No account could be made in {NAME_ATTEMPTS} attempts.")


def find(link: StartLink, participant_id: str) -> Participant | None:
    """Return the participant with this id, or None. One query."""
    of_link = link.participants.select_related("user")
    return of_link.filter(participant_id=participant_id).first()


def closed() -> Closed:
    return Closed(_("This study is not open at the moment."))


def is_open(link: StartLink) -> bool:
    """Tell whether a new participant may start. One query."""
    is_on = link.is_on and link.project.state == Project.State.OPEN
    return is_on and link.participants.count() < link.most_participants


def _checked(known: Participant) -> Participant:
    user = known.user
    is_of_crowd = not (user.is_staff or user.is_superuser or user.has_usable_password())
    judges = Membership.objects.filter(
        user=user, project=known.link.project_id, role__in=Membership.JUDGING
    )
    if not (is_of_crowd and user.is_active and judges.exists()):
        raise Closed(_("This account is no longer in use. Your work has been kept."))
    return known


@retried
def _make(link: StartLink, participant_id: str, visit: str) -> Participant:
    user = User(username=f"participant-{secrets.token_hex(5)}", created_for=link.project)
    user.set_unusable_password()
    with writing():
        # One new participant of a link at a time: there are at most `most_participants`.
        this = StartLink.objects.filter(pk=link.pk, project__delete_after=None)
        locked = this.select_for_update(of=("self",), no_key=True).first()
        if locked is None or not is_open(locked):
            raise closed()
        user.save(force_insert=True)
        Membership.objects.create(
            user=user,
            project=link.project,
            role=Membership.Role.ANNOTATOR,
            # Of the locked row: the limit may have changed since the link was read.
            sentence_limit=locked.sentences,
        )
        return Participant.objects.create(
            link=link,
            user=user,
            participant_id=participant_id,
            visit=visit,
            started=clock.now(),
        )
