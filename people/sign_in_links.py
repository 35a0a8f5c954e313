"""Letting people in: accounts, their role in a project, and links that sign in once."""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.models import Assignment, Membership, Project, SignInLink, User

LINK_LIFETIME = timedelta(days=7)
# Through what somebody is signed in who has shown otherwise who he is, and what the session says of
# a link: who came by one need not know his password to change it.
BACKEND = "people.backends.PasswordBackend"
BY_LINK = "signed-in-by-link"


class UnknownLink(Exception):
    """There is no such sign-in link."""


class SpentLink(Exception):
    """The sign-in link was used before, is too old, or its account may not sign in."""


@transaction.atomic
def add_user(*, name: str, project: Project, role: str, existing: bool = False) -> tuple[User, str]:
    """Make `name` a member of the project with this role and return the user and the path of a
    fresh one-time sign-in link.

    A new account is made for a new name, without a password; of a member only the role changes.
    Where people register by themselves, an account that is no member yet is let in only where it is
    meant, by `existing`. Raises InputError where the name or the role cannot be used.
    """
    if role not in Membership.Role.values:
        raise InputError(f"There is no role {role!r}: use {' or '.join(Membership.Role.values)}.")
    user = _find(name, project, existing) or _new_user(name)
    Membership.objects.update_or_create(user=user, project=project, defaults={"role": role})
    return user, sign_in_path(user)


def sign_in_path(user: User) -> str:
    """Return the path of a new link that signs the user in once within the next seven days.

    It takes the place of all earlier ones.
    """
    user.void_links()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user, token_hash=hash_token(token), expires=timezone.now() + LINK_LIFETIME
    )
    return reverse("sign-in-link", args=[token])


def accounts_of_project_alone(project: Project) -> QuerySet[User]:
    """Return the accounts that are nobody's own: those who run the project answer for them.

    They have no password, belong to no other project and did nothing in any, and do not run the
    installation. Whether they belong to this one is for the caller to ask.
    """
    mine = Q(user=OuterRef("pk")) & ~Q(project=project)
    worked = Assignment.objects.filter(annotator=OuterRef("pk")).exclude(project=project)
    return User.objects.filter(
        Q(password="") | Q(password__startswith=UNUSABLE_PASSWORD_PREFIX),
        Q(came_with=None) | Q(came_with=project),
        ~Exists(Membership.objects.filter(mine)),
        ~Exists(worked),
        is_staff=False,
        is_superuser=False,
    )


def link_owner(token: str) -> User:
    """Return whom the link would sign in, without using it. Raises UnknownLink, SpentLink."""
    return _usable_link(token).user


@transaction.atomic
def use_link(token: str) -> User:
    """Use the link up, and the user's others, and return whom it signs in.

    Raises UnknownLink, SpentLink.
    """
    link = _usable_link(token)
    # Of two requests at once the one that changes the row is the one that is let in.
    if not SignInLink.objects.filter(pk=link.pk, used=None).update(used=timezone.now()):
        raise SpentLink
    link.user.void_links()
    return link.user


def _find(name: str, project: Project, existing: bool) -> User | None:
    user = User.objects.filter(username=name).first()
    if user is None:
        return None
    if user.came_with_id is not None:
        raise InputError(
            f"The account {name!r} came with an import and belongs to it: choose another name."
        )
    if not user.is_active:
        raise InputError(
            f"The account {name!r} is switched off: switch it on in the administration first, "
            "or choose another name."
        )
    known = existing or user.memberships.filter(project=project).exists()
    if settings.SELF_REGISTRATION and not known:
        # Anyone may have made the account, under the name of somebody else.
        raise InputError(
            f"There is already an account {name!r} (since {user.date_joined:%Y-%m-%d}): add "
            "--existing to give it this role, or choose another name."
        )
    return user


def _new_user(name: str) -> User:
    user = User(username=name)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as problem:
        raise InputError(f"{name!r} cannot be a user name: {' '.join(problem.messages)}") from None
    user.save()
    return user


def _usable_link(token: str) -> SignInLink:
    link = SignInLink.objects.select_related("user").filter(token_hash=hash_token(token)).first()
    if link is None:
        raise UnknownLink
    if link.used or link.expires <= timezone.now() or not link.user.is_active:
        raise SpentLink
    return link


def hash_token(token: str) -> str:
    """Return what is kept of a token that only its owner knows."""
    # The token has 256 random bits, so a plain fast hash is enough to keep it secret.
    return hashlib.sha256(token.encode()).hexdigest()
