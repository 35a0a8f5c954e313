"""What follows from signing in, a changed role, anonymisation, and copying a project."""

from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.db.models.signals import post_delete, post_save, pre_save
from django.http import HttpRequest

from annotation.models import Membership, User
from annotation.projects.permissions import Rights
from annotation.signals import anonymised, project_copied
from people import sessions
from people.models import Arrival, Invitation, NewAddress, Reminder, Response
from people.questionnaires import copy_questionnaire


def connect() -> None:
    user_logged_in.connect(_record_session)
    post_save.connect(_revoke_after_change, sender=Membership)
    post_delete.connect(_revoke_after_removal, sender=Membership)
    anonymised.connect(_anonymise)
    project_copied.connect(copy_questionnaire)
    pre_save.connect(_leave_out_request_data, sender=AccessAttempt)


def _record_session(request: HttpRequest, user: User, **_signal: Any) -> None:
    sessions.record_sign_in(request, user)


def _revoke_after_change(instance: Membership, created: bool, **_signal: Any) -> None:
    if not created:
        _revoke_invitations_of(instance, Rights(instance.role))


def _revoke_after_removal(instance: Membership, **_signal: Any) -> None:
    if instance.role in Membership.ADMINISTERING:
        _revoke_invitations_of(instance, Rights(None))


def _revoke_invitations_of(member: Membership, rights: Rights) -> None:
    """Revoke for good the member's invitations to roles that these rights do not let them give."""
    if rights.may_own:
        return
    made = Invitation.objects.filter(
        project=member.project_id,
        created_by=member.user_id,
        created_by__is_superuser=False,
    )
    if rights.may_administer:
        made = made.filter(role=Membership.Role.OWNER)
    made.end()


def _leave_out_request_data(instance: AccessAttempt, **_signal: Any) -> None:
    """Store no query and no form of a failed attempt.

    They may contain a new password, or a link that signs in.
    """
    instance.get_data = instance.post_data = ""


def _anonymise(user: User, **_signal: Any) -> None:
    """Delete what identifies the user, and what they answered about themselves.

    These are sessions, invitations by and to them, reminders, failed sign-ins and questionnaires.

    Notes of links by which the user came may name them, also where others came by the same link.
    """
    Session.objects.filter(signed_in__user=user).delete()
    _delete_failed_sign_ins(user)
    to_user = Q(arrivals__user=user)
    if user.email:
        to_user |= Q(email__iexact=user.email)
    mailed = Invitation.objects.exclude(email="").filter(to_user)
    mailed.end()
    mailed.update(email="", note="")
    Invitation.objects.filter(arrivals__user=user).update(note="")
    Invitation.objects.filter(created_by=user).delete()
    Arrival.objects.filter(user=user).delete()
    Reminder.objects.filter(user=user).delete()
    Response.objects.filter(user=user).delete()
    NewAddress.objects.filter(user=user).delete()


def _delete_failed_sign_ins(user: User) -> None:
    """Delete the attempts for which a name or address of the user was typed, in any case.

    Those of another account with this name stay: anonymisation must not end a lock-out.
    """
    new_addresses = NewAddress.objects.filter(user=user).values_list("email", flat=True)
    first, last = user.first_name, user.last_name
    names = {user.username, user.display_name, user.email, *new_addresses}
    names |= {f"{first} {last}".strip(), f"{last} {first}".strip()}
    others = User.objects.exclude(pk=user.pk)
    for name in names - {""}:
        if others.filter(Q(username__iexact=name) | Q(email__iexact=name)).exists():
            continue
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(username__iexact=name).delete()
