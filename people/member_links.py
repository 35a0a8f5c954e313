"""A new link to sign in, for members who have no other way to."""

from logging import getLogger
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project, User
from annotation.projects.permissions import LARGEST_ID
from people import mail
from people.sign_in_links import accounts_of_project_alone, sign_in_path
from people.site_address import site_address

log = getLogger(__name__)

# Who gets such a link can be stood in for by whoever made it: no use where there is more to gain.
ROLES: Final = (Membership.Role.ANNOTATOR, Membership.Role.OBSERVER)


def members_to_help(project: Project) -> QuerySet[User]:
    """Return members, by name, for whom the project's administrators may make a new link.

    Annotators and observers who never chose a password, to whom no mail can be sent, and whose
    account is for this project alone. Whoever has a password has an account of his own, which an
    administrator of any project could get at that he makes him a member of. Those of a crowd come
    by their start link.
    """
    members = accounts_of_project_alone(project).filter(
        memberships__project=project,
        memberships__role__in=ROLES,
        participant=None,
        is_active=True,
    )
    if mail.is_configured():
        members = members.filter(email="")
    return members.order_by("username")


def new_link(*, project: Project, by: User, user_id: int) -> tuple[User, str]:
    """Return the member and the address that signs him in once, in place of all earlier ones.

    Raises NotPossible where `members_to_help` does not have him.
    """
    with transaction.atomic():
        helped = members_to_help(project)
        member = helped.filter(pk=user_id).first() if user_id <= LARGEST_ID else None
        if member is None:
            raise NotPossible(
                _("You cannot make a link for this person: whoever runs SegRanks here can.")
            )
        address = site_address().rstrip("/") + sign_in_path(member)
    log.warning("User %s made a link to sign in for user %s.", by.pk, member.pk)
    return member, address
