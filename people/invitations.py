"""Inviting people into a project by a link, and coming by it."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.signals import post_delete, post_save
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project, User
from annotation.projects.permissions import LARGEST_ID, Rights, rights
from people import mail
from people.models import Arrival, Invitation
from people.sign_in_links import hash_token
from people.site_address import site_address

LIFETIME: Final = 7
LONGEST_LIFETIME: Final = 90
MOST_USES: Final = 1000


class UnknownInvitation(Exception):
    """There is no such invitation."""


class EndedInvitation(Exception):
    """It was revoked, is too old or used up, its maker may not invite any more, or this person
    came by it before and was given another role since, or none.
    """


@dataclass(frozen=True)
class Joined:
    """What became of somebody who came by an invitation; `changed` where his role is new."""

    project: Project
    role: str
    changed: bool


def invite(
    *,
    project: Project,
    by: User,
    role: str,
    days: int = LIFETIME,
    most_uses: int = 1,
    note: str = "",
) -> str:
    """Make an invitation for `days` days, and return the address that is never known again.

    Raises NotPossible for owners where `by` is none.
    """
    fields: dict[str, Any] = {"most_uses": most_uses, "note": note}
    return make(project=project, by=by, role=role, days=days, **fields)[1]


def make(
    *, project: Project, by: User, role: str, days: int = LIFETIME, **fields: Any
) -> tuple[Invitation, str]:
    """Store an invitation and return it with its address. Raises NotPossible as `invite`.

    `fields` are `most_uses`, `note` and `email`; nothing is mailed.
    """
    _refuse_owners(project, by, role)
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        project=project,
        made_by=by,
        role=Membership.Role(role),
        token_hash=hash_token(token),
        expires=timezone.now() + timedelta(days=days),
        **{"most_uses": 1} | fields,
    )
    return invitation, site_address().rstrip("/") + reverse("invitation", args=[token])


def invite_by_mail(
    *, project: Project, by: User, role: str, email: str, days: int = LIFETIME, note: str = ""
) -> Invitation:
    """Make an invitation for one person and mail it. Raises NotPossible; NotSent, with none made.

    The invitation is stored first, so that nobody gets a link that leads nowhere, and no
    transaction waits for a mail server.
    """
    invitation, address = make(project=project, by=by, role=role, days=days, note=note, email=email)
    try:
        subject = _("Invitation to %(project)s") % {"project": project.name}
        mail.send("invitation", email, subject=subject, invitation=invitation, address=address)
    except mail.NotSent:
        invitation.delete()
        raise
    return invitation


def open_invitations(project: Project) -> QuerySet[Invitation]:
    """Return those that somebody can still come by, the newest first."""
    return _usable().filter(project=project).select_related("made_by").order_by("-created", "-pk")


def revoke(*, project: Project, by: User, pk: int) -> None:
    """Let nobody more in by this invitation. Raises UnknownInvitation; NotPossible as `invite`."""
    of_project = Invitation.objects.filter(project=project)
    invitation = of_project.filter(pk=pk).first() if pk <= LARGEST_ID else None
    if invitation is None:
        raise UnknownInvitation
    _refuse_owners(project, by, invitation.role)
    Invitation.objects.filter(pk=pk, revoked=None).update(revoked=timezone.now())


def find(token: str) -> Invitation:
    """Return what the link invites to, without using it.

    It is looked for by its hash, so that how long this takes tells nothing of the token. Raises
    UnknownInvitation, EndedInvitation.
    """
    with_token = Invitation.objects.select_related("project", "made_by")
    invitation = with_token.filter(token_hash=hash_token(token)).first()
    if invitation is None:
        raise UnknownInvitation
    if not _usable().filter(pk=invitation.pk).exists():
        raise EndedInvitation
    return invitation


def accept(*, token: str, user: User) -> Joined:
    """Make the user a member, by one of the uses of the invitation.

    Nobody loses by it: a member gets a role only where it allows all that he may already, and
    otherwise stays what he is, and the invitation is not used. Whoever came by it once gets nothing
    by it again, whatever became of him. Raises UnknownInvitation, EndedInvitation.
    """
    with transaction.atomic():
        project = find(token).project
        # Others who come to the same project wait until this ends.
        Project.objects.select_for_update().get(pk=project.pk)
        invitation = find(token)
        member = Membership.objects.filter(user=user, project=project).first()
        _arrival, is_new = Arrival.objects.get_or_create(invitation=invitation, user=user)
        if member and not _allows_more(invitation.role, member.role):
            return Joined(project, member.get_role_display(), changed=False)
        if not is_new:
            raise EndedInvitation
        Invitation.objects.filter(pk=invitation.pk).update(used=F("used") + 1)
        membership, _made = Membership.objects.update_or_create(
            user=user, project=project, defaults={"role": Membership.Role(invitation.role)}
        )
        return Joined(project, membership.get_role_display(), changed=True)


def follow() -> None:
    """From now on, end what somebody has made who may not invite any more."""
    post_save.connect(_on_new_role, sender=Membership)
    post_delete.connect(_on_lost_role, sender=Membership)


def _on_new_role(instance: Membership, created: bool, **_signal: Any) -> None:
    if not created:
        _revoke_made_by(instance, Rights(instance.role))


def _on_lost_role(instance: Membership, **_signal: Any) -> None:
    if instance.role in Membership.ADMINISTERING:
        _revoke_made_by(instance, Rights(None))


def _revoke_made_by(membership: Membership, may: Rights) -> None:
    """Revoke for good, whatever role he gets later, what the member may not have made now."""
    if may.may_own:
        return
    made = Invitation.objects.filter(
        project=membership.project_id,
        made_by=membership.user_id,
        made_by__is_superuser=False,
        revoked=None,
    )
    if may.may_administer:
        made = made.filter(role=Membership.Role.OWNER)
    made.update(revoked=timezone.now())


def _usable() -> QuerySet[Invitation]:
    """Return those that are open, whose maker still may invite to such a role."""
    makers = Membership.objects.filter(project=OuterRef("project"), user=OuterRef("made_by"))
    administers = Exists(makers.filter(role__in=Membership.ADMINISTERING))
    owns = Exists(makers.filter(role=Membership.Role.OWNER))
    may_invite = administers & (~Q(role=Membership.Role.OWNER) | owns)
    return Invitation.objects.filter(
        may_invite | Q(made_by__is_superuser=True),
        made_by__is_active=True,
        revoked=None,
        expires__gt=timezone.now(),
        used__lt=F("most_uses"),
    )


def _allows_more(role: str, than: str) -> bool:
    new, old = Rights(role), Rights(than)
    kept = (
        new.may_judge >= old.may_judge,
        new.may_observe >= old.may_observe,
        new.may_administer >= old.may_administer,
        new.may_own >= old.may_own,
    )
    return role != than and all(kept)


def _refuse_owners(project: Project, by: User, role: str) -> None:
    if role == Membership.Role.OWNER and not rights(by, project).may_own:
        raise NotPossible(_("Who owns the project is for its owners to say."))
