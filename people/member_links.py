"""New sign-in links for members who have no other way to sign in."""

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

# The administrator who makes a link could use it, so it must not give more rights than their own.
ROLES: Final = (Membership.Role.ANNOTATOR, Membership.Role.OBSERVER)


def members_to_help(project: Project) -> QuerySet[User]:
    """Return members, by name, for whom the project's administrators may create a sign-in link.

    These are annotators and observers whose accounts were created for this project, who never chose
    a password, cannot get an email, and belong to this project alone. Otherwise, an administrator
    could take over the account of any person by adding them to a project. Participants of a crowd
    have their start link.
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
    """Return the member and a URL that signs them in once; it replaces all earlier ones.

    Raises NotPossible unless `members_to_help` has the member.
    """
    with transaction.atomic():
        helped = members_to_help(project)
        member = helped.filter(pk=user_id).first() if user_id <= LARGEST_ID else None
        if member is None:
            raise NotPossible(
                _("You cannot create a link for this person. Ask the site administrator.")
            )
        address = site_address().rstrip("/") + sign_in_path(member)
    log.warning("User %s created a sign-in link for user %s.", by.pk, member.pk)
    return member, address
