"""Anonymising an account: its judgements stay, under a number."""

import json
from functools import partial
from itertools import count

from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import locked_by_id, retried
from annotation.models import (
    Assignment,
    Judgement,
    Membership,
    Project,
    Reservation,
    SignInLink,
    Skip,
    Upload,
    User,
)
from annotation.projects.administration import return_open_assignments
from annotation.projects.annotator_names import accounts_of
from annotation.projects.owners import keep_an_owner
from annotation.projects.permissions import rights
from annotation.signals import anonymised
from annotation.uploads import folders
from crowd.models import Participant
from evaluation.models import QualityCheck, StoredReport
from people.sign_in_links import accounts_of_project_alone


def refuse_to_anonymise(user: User, *, project: Project, by: User) -> None:
    """Raise NotPossible if `by`, an owner of the project, may not anonymise this annotator.

    Owners may if the account was created for their project, has no password and belongs to no other
    project, as accounts of a crowd. Superusers may anonymise any account. For their own, all users
    have another page.
    """
    if user == by:
        raise NotPossible(_("You can anonymise your own account on the page Your data."))
    if rights(by, project).runs_installation:
        return
    if not accounts_of_project_alone(project).filter(pk=user.pk).exists():
        raise NotPossible(
            _(
                "This person has a password, belongs to other projects, too, or had the account "
                "before they joined. Only they or the site administrator can anonymise the account."
            )
        )


@retried
def anonymise(user: User, *, typed_name: str) -> str:
    """Delete everything that identifies the user, and return the account's new display name.

    Judgements with their times and the reasons of skips stay. Other apps delete what they store
    about the user when they receive `anonymised`. Raises NotPossible, and changes nothing, if the
    typed name is not the user name, the account is staff, or a project would have no owner.
    """
    if User.normalize_username(typed_name) != user.username:
        raise NotPossible(_("The user name does not match. Nothing was changed."))
    with transaction.atomic():
        # First the memberships: a sentence that is being assigned is then open, and returned below.
        locked_by_id(Membership.objects.filter(user=user))
        account = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_anonymisable(account)
        anonymised.send(User, user=account)
        # Names stand in reports and figures of annotators; both are computed again.
        projects = Assignment.objects.filter(annotator=account).values("project")
        memberships = Membership.objects.filter(user=account)
        in_projects = projects.union(memberships.values("project"))
        StoredReport.objects.filter(project__in=in_projects).delete()
        QualityCheck.objects.filter(project__in=in_projects).delete()
        _clear_work(account)
        for upload in Upload.objects.filter(owner=account):
            transaction.on_commit(partial(folders.remove, upload))
        _log_about(account).delete()
        for model in (SignInLink, Membership):
            model.objects.filter(user=account).delete()
        Upload.objects.filter(owner=account).delete()
        account.groups.clear()
        account.user_permissions.clear()
        # That someone came by the start link, and when, is kept for payment.
        Participant.objects.filter(user=account).update(participant_id="", visit="")
        _rename(account)
    return account.shown_name


def member_of(project: Project, user_id: int) -> User | None:
    """Return the user if they have a role or judgements in the project, or came by its links."""
    came = User.objects.filter(participant__link__project=project)
    found = User.objects.filter(Q(pk__in=accounts_of(project)) | Q(pk__in=came))
    return found.filter(pk=user_id).first()


def _check_anonymisable(account: User) -> None:
    if account.is_superuser or account.is_staff:
        raise NotPossible(
            _("This account administers the site. Remove its staff rights in /admin/ first.")
        )
    keep_an_owner(Membership.objects.filter(user=account))


def _clear_work(account: User) -> None:
    assignments = Assignment.objects.filter(annotator=account)
    return_open_assignments(assignments)
    assignments.filter(draft_version__gt=0).update(**Assignment.NO_DRAFT)
    Reservation.objects.filter(annotator=account).delete()
    # Comments are free text and may contain names. Reasons come from a list, and stay.
    Skip.objects.filter(assignment__in=assignments).update(comment="")
    Judgement.objects.filter(submission__assignment__in=assignments).update(comment="")


def _log_about(account: User) -> QuerySet[LogEntry]:
    """Return what /admin/ has logged by the account, of it, and of its memberships."""
    name = account.username
    # How a change message quotes a membership, whose text begins with the name.
    quoted = json.dumps(f"{name}, ")[:-1]
    return LogEntry.objects.filter(
        Q(user=account)
        | Q(content_type__model="user", object_id=str(account.pk))
        | Q(content_type__model="membership", object_repr__startswith=f"{name}, ")
        | Q(object_repr=name)
        | Q(change_message__contains=f'"object": {quoted}')
    )


def _rename(account: User) -> None:
    account.username = _free(account, "username", f"anonymous-{account.pk}")
    account.display_name = _free(account, "display_name", f"annotator {account.pk}")
    account.first_name = account.last_name = account.email = ""
    account.last_login = None
    account.is_active = False
    account.set_unusable_password()
    account.save()


def _free(account: User, field: str, name: str) -> str:
    """Return the name, or the first of name-2, name-3 … that no other account has."""
    others = User.objects.exclude(pk=account.pk)
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(one for one in names if not others.filter(**{field: one}).exists())
