"""Invitations into a project by a link, which an administrator hands on or SegRanks mails."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.task_queue import send_task
from annotation.common.transactions import retried
from annotation.models import Membership, Project, User
from annotation.models.secret_links import EndedLink, UnknownLink, new_token
from annotation.process import clock
from annotation.projects.administration import assign_role
from annotation.projects.permissions import LARGEST_ID, Rights, rights
from people import mail
from people.models import Arrival, Invitation
from people.site_address import site_address

# Days.
DEFAULT_DAYS: Final = 7
LONGEST_LIFETIME: Final = 90
MOST_USES: Final = 1000
# Open invitations of a project that are for an address.
MOST_ADDRESSED: Final = 2000
# By name, since the module of the task imports this one.
TASK: Final = "people.tasks.send_invitation"


@dataclass(frozen=True)
class Invited:
    """What inviting a list of addresses did: those invited, and those left out.

    `links` are the addresses with their links if SegRanks sends no email, else empty.
    """

    invited: list[str]
    members: list[str]
    invited_before: list[str]
    links: list[tuple[str, str]]


@dataclass(frozen=True)
class Joined:
    """The result of accepting an invitation; `changed` if the role is new."""

    project: Project
    role: str
    changed: bool


def invite(
    *,
    project: Project,
    by: User,
    role: str,
    days: int = DEFAULT_DAYS,
    use_limit: int = 1,
    note: str = "",
) -> str:
    """Create an invitation for `days` days and return its URL, which is not stored.

    Raises NotPossible if an administrator invites an owner.
    """
    fields: dict[str, Any] = {"use_limit": use_limit, "note": note}
    return make(project=project, by=by, role=role, days=days, **fields)[1]


def make(
    *, project: Project, by: User, role: str, days: int = DEFAULT_DAYS, **fields: Any
) -> tuple[Invitation, str]:
    """Create an invitation and return it with its URL. Raises NotPossible as `invite`.

    `fields` are `use_limit`, `note`, `email` and `mailing`; nothing is mailed.
    """
    _refuse_owners(project, by, role)
    token, token_hash = new_token()
    invitation = Invitation.objects.create(
        project=project,
        created_by=by,
        role=Membership.Role(role),
        token_hash=token_hash,
        expires=clock.now() + timedelta(days=days),
        **{"use_limit": 1} | fields,
    )
    return invitation, _url(token)


def invite_by_mail(
    *, project: Project, by: User, role: str, email: str, days: int = DEFAULT_DAYS, note: str = ""
) -> Invitation:
    """Create an invitation for one person and mail it. Raises NotPossible, and NotSent if it could
    not be mailed: then there is no invitation.

    It is stored first, so that no link is sent that does not work, and no transaction waits for a
    mail server.
    """
    fields: dict[str, Any] = {
        "email": email,
        "note": note,
        "mailing": Invitation.Mailing.WAITING,
        "claimed": clock.now(),
        "language": get_language() or "",
    }
    invitation, address = make(project=project, by=by, role=role, days=days, **fields)
    try:
        _mail(invitation, address)
    except mail.NotSent:
        invitation.delete()
        raise
    invitation.mailing = Invitation.Mailing.SENT
    invitation.save(update_fields=["mailing"])
    return invitation


@retried
def invite_list(
    *,
    project: Project,
    by: User,
    role: str,
    emails: Collection[str],
    days: int = DEFAULT_DAYS,
    note: str = "",
) -> Invited:
    """Create an invitation for each address, to be mailed by a worker.

    Where no email is configured, the administrator gets the links instead, which are not stored.
    Addresses of members and of people with an open invitation are left out; one that could not be
    mailed is revoked and replaced. Raises NotPossible as `invite`, and if the project would have
    more than MOST_ADDRESSED open invitations.
    """
    _refuse_owners(project, by, role)
    with transaction.atomic():
        # Two administrators who invite the same people at once invite each of them once.
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        in_project = Membership.objects.filter(project=project).exclude(user__email="")
        members = _lowered(in_project.values_list("user__email", flat=True))
        given = {email.lower() for email in emails}
        for failed in open_invitations(project).filter(mailing=Invitation.Mailing.FAILED):
            if failed.email.lower() in given:
                revoke(project=project, by=by, pk=failed.pk)
        open_ones = open_invitations(project).exclude(email="")
        invited_before = _lowered(open_ones.values_list("email", flat=True))
        new = [email for email in emails if email.lower() not in members | invited_before]
        if len(invited_before) + len(new) > MOST_ADDRESSED:
            raise NotPossible(
                _("A project can have %(limit)d open invitations for email addresses.")
                % {"limit": MOST_ADDRESSED}
            )
        mailing = Invitation.Mailing.WAITING if mail.is_configured() else ""
        tokens = [new_token() for _email in new]
        created = Invitation.objects.bulk_create(
            Invitation(
                project=project,
                created_by=by,
                role=Membership.Role(role),
                token_hash=token_hash,
                expires=clock.now() + timedelta(days=days),
                use_limit=1,
                email=email,
                mailing=mailing,
                note=note,
                language=get_language() or "",
            )
            for email, (_token, token_hash) in zip(new, tokens, strict=True)
        )
        if mailing:
            for invitation in created:
                _enqueue(invitation)
    return Invited(
        invited=new,
        members=[email for email in emails if email.lower() in members],
        invited_before=[email for email in emails if email.lower() in invited_before - members],
        links=[]
        if mailing
        else [(email, _url(token)) for email, (token, _hash) in zip(new, tokens, strict=True)],
    )


def send_again(*, project: Project, by: User, pk: int) -> Invitation:
    """Have a worker mail an open invitation again, with a new link that replaces the earlier one.

    Raises UnknownLink; NotPossible as `invite`, if no email is configured, and if a worker
    began to mail it within `mail.CLAIM_LASTS`.
    """
    mailed = open_invitations(project).exclude(email="")
    invitation = mailed.filter(pk=pk).first() if pk <= LARGEST_ID else None
    if invitation is None:
        raise UnknownLink
    _refuse_owners(project, by, invitation.role)
    if not mail.is_configured():
        raise NotPossible(_("This site sends no email."))
    with transaction.atomic():
        again = mail.unclaimed(Invitation.objects.filter(pk=pk))
        if not again.update(mailing=Invitation.Mailing.WAITING, language=get_language() or ""):
            raise NotPossible(
                _("The invitation to %(email)s was sent a moment ago. Wait five minutes.")
                % {"email": invitation.email}
            )
        _enqueue(invitation)
    return invitation


def waiting() -> QuerySet[Invitation]:
    """Return the invitations that wait for a worker that mails them, and can still be used."""
    return mail.unclaimed(Invitation.objects.open().filter(mailing=Invitation.Mailing.WAITING))


def mail_waiting(invitation_id: int) -> None:
    """Mail the invitation with a new link, if it waits for that and can still be used.

    The link is created here, so that no message between processes contains it. If the email is not
    sent, the earlier link stays valid. If the worker is killed meanwhile, the invitation waits
    again after `mail.CLAIM_LASTS`.
    """
    found = waiting().select_related("project", "created_by")
    invitation = found.filter(pk=invitation_id).first()
    if invitation is None:
        return
    earlier = invitation.token_hash
    token, token_hash = new_token()
    # Of two workers, the second would replace the link that the first mails. With a condition on
    # another table, PostgreSQL would let both claim the row.
    usable = Invitation.objects.filter(
        pk=invitation_id, mailing=Invitation.Mailing.WAITING, ended=None
    )
    unclaimed = mail.unclaimed(usable)
    if not unclaimed.update(claimed=clock.now(), token_hash=token_hash):
        return
    mailed = Invitation.objects.filter(pk=invitation_id, token_hash=token_hash)
    try:
        with override(invitation.language or None):
            _mail(invitation, _url(token))
    except mail.NotSent:
        failed = Invitation.Mailing.FAILED
        mailed.update(mailing=failed, claimed=None, token_hash=earlier)
    else:
        mailed.update(mailing=Invitation.Mailing.SENT)


def _enqueue(invitation: Invitation) -> None:
    send_task(TASK, invitation.pk)


def _mail(invitation: Invitation, address: str) -> None:
    """Raises NotSent."""
    subject = _("Invitation to %(project)s") % {"project": invitation.project.name}
    mail.send(
        "invitation", invitation.email, subject=subject, invitation=invitation, address=address
    )


def _url(token: str) -> str:
    return site_address().rstrip("/") + reverse("invitation", args=[token])


def _lowered(emails: Iterable[str]) -> set[str]:
    return {email.lower() for email in emails}


def open_invitations(project: Project) -> QuerySet[Invitation]:
    """Return the invitations that can still be used, newest first."""
    invitations = Invitation.objects.filter(project=project).open()
    return invitations.select_related("created_by").order_by("-created", "-pk")


def revoke(*, project: Project, by: User, pk: int) -> None:
    """Revoke the invitation. Raises UnknownLink; NotPossible as `invite`."""
    of_project = Invitation.objects.filter(project=project)
    invitation = of_project.filter(pk=pk).first() if pk <= LARGEST_ID else None
    if invitation is None:
        raise UnknownLink
    _refuse_owners(project, by, invitation.role)
    Invitation.objects.filter(pk=pk).end()


def find(token: str) -> Invitation:
    """Return the invitation of this link, without using it.

    Raises UnknownLink, also if the project is being deleted; EndedLink.
    """
    visible = Invitation.objects.filter(project__delete_after=None)
    return visible.select_related("project", "created_by").find(token)


@retried
def accept(*, token: str, user: User) -> Joined:
    """Make the user a member of the project.

    A member never loses a right: they get the new role only if it includes all rights of their own;
    otherwise they keep their role and the invitation is not used. A user cannot use an invitation
    twice, even after they were removed. Raises UnknownLink, EndedLink.
    """
    with transaction.atomic():
        project = find(token).project
        # One acceptance at a time: `used` must not exceed `use_limit`.
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        invitation = find(token)
        member = Membership.objects.filter(user=user, project=project).first()
        _arrival, is_new = Arrival.objects.get_or_create(invitation=invitation, user=user)
        if member and not _allows_more(invitation.role, member.role):
            return Joined(project, member.get_role_display(), changed=False)
        if not is_new:
            raise EndedLink
        Invitation.objects.filter(pk=invitation.pk).update(used=F("used") + 1)
        assign_role(project=project, user=user, role=invitation.role)
        Membership.objects.filter(project=project, user=user).update(added_by_name=False)
        return Joined(project, str(Membership.Role(invitation.role).label), changed=True)


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
        raise NotPossible(_("Only owners can add or remove owners."))
