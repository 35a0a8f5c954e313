"""Adding people to projects, and links that sign in once."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.models import Assignment, Membership, Project, SignInLink, User
from annotation.models.secret_links import EndedLink, new_token
from annotation.process import clock
from annotation.projects.administration import assign_role

LINK_LIFETIME = timedelta(days=7)
# The backend of users who sign in by a link, and the session key that marks such a session: in it,
# the user can set a password without the old one.
BACKEND = "django.contrib.auth.backends.ModelBackend"
BY_LINK = "signed-in-by-link"


@transaction.atomic
def add_user(
    *,
    name: str,
    project: Project,
    others: Sequence[Project] = (),
    role: str | None = None,
    existing: bool = False,
) -> tuple[User, str]:
    """Give `name` this role in the project and the others; return the user and a sign-in path.

    Without a role, a member keeps theirs, and another user becomes an annotator. A new name gets an
    account without a password. If the site has self-registration, an existing account that is not a
    member of all the projects is added only with `existing`. Links that the user got before stay
    valid until one of them is used. Raises InputError if the name or the role cannot be used, and
    if a project would lose its only owner.
    """
    if role is not None and role not in Membership.Role.values:
        raise InputError(f"There is no role {role!r}: use {' or '.join(Membership.Role.values)}.")
    name = User.normalize_username(name)
    projects = (project, *others)
    user = _find_account(name, projects, existing) or _new_user(name, project)
    for one in projects:
        is_member = user.memberships.filter(project=one).exists()
        if role is not None or not is_member:
            try:
                assign_role(project=one, user=user, role=role or Membership.Role.ANNOTATOR)
            except NotPossible as problem:
                raise InputError(str(problem)) from None
    return user, _new_path(user)


def sign_in_path(user: User) -> str:
    """Return the path of a new link that signs the user in once, within LINK_LIFETIME.

    It replaces all earlier ones.
    """
    user.sign_in_links.end()
    return _new_path(user)


def _new_path(user: User) -> str:
    token, token_hash = new_token()
    SignInLink.objects.create(user=user, token_hash=token_hash, expires=clock.now() + LINK_LIFETIME)
    return reverse("sign-in-link", args=[token])


def accounts_of_project_alone(project: Project) -> QuerySet[User]:
    """Return the accounts that the project's owners may manage for their users.

    They were created for this project or imported with it, have no password, belong to no other
    project, did nothing in any, and are no staff. The caller checks that they belong to this
    project.
    """
    mine = Q(user=OuterRef("pk")) & ~Q(project=project)
    worked = Assignment.objects.filter(annotator=OuterRef("pk")).exclude(project=project)
    return User.objects.filter(
        Q(password="") | Q(password__startswith=UNUSABLE_PASSWORD_PREFIX),
        Q(created_for=project) | Q(imported_with=project),
        ~Exists(Membership.objects.filter(mine)),
        ~Exists(worked),
        is_staff=False,
        is_superuser=False,
    )


def link_owner(token: str) -> User:
    """Return whom the link signs in, without using it. Raises UnknownLink, EndedLink."""
    return SignInLink.objects.select_related("user").find(token).user


@transaction.atomic
def use_link(token: str) -> User:
    """Use up all links of the user, and return whom the link signs in.

    Raises UnknownLink, EndedLink.
    """
    link = SignInLink.objects.select_related("user").find(token)
    # Of two requests at once, the one that ends the link signs in.
    if not SignInLink.objects.filter(pk=link.pk).end():
        raise EndedLink
    link.user.sign_in_links.end()
    return link.user


def _find_account(name: str, projects: Sequence[Project], existing: bool) -> User | None:
    user = User.objects.filter(username=name).first()
    if user is None:
        return None
    if user.imported_with_id is not None:
        raise InputError(
            f"The account {name!r} belongs to an imported project: choose another name."
        )
    if not user.is_active:
        raise InputError(
            f"The account {name!r} is deactivated: activate it at /admin/, or choose another name."
        )
    known = existing or user.memberships.filter(project__in=projects).count() == len(set(projects))
    if settings.SELF_REGISTRATION and not known:
        # Anyone could have registered this name, to be mistaken for the invited person.
        raise InputError(
            f"There is already an account {name!r} (since {user.date_joined:%Y-%m-%d}): add "
            "--existing to give it this role, or choose another name."
        )
    return user


def _new_user(name: str, project: Project) -> User:
    user = User(username=name, created_for=project)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as problem:
        raise InputError(f"{name!r} cannot be a user name: {' '.join(problem.messages)}") from None
    user.save()
    return user
