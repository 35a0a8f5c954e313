"""Making a person unknown for ever: the judgements stay, under a number."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import CASCADE, CharField, Exists, ForeignObjectRel, Model, OuterRef, Q
from django.utils.translation import gettext as _

from annotation.models import Assignment, Draft, Membership, Project, Skip, Upload, User
from annotation.projects.annotator_names import accounts_of
from annotation.projects.permissions import rights
from annotation.signals import anonymised
from annotation.uploads import folders
from crowd.models import Participant
from evaluation.models import StoredReport
from people.sign_in_links import accounts_of_project_alone


class NotPossible(Exception):
    """This account cannot be anonymised, or not by this person; the message is for people."""


def refuse_to_anonymise(user: User, *, project: Project, by: User) -> None:
    """Raise NotPossible where `by`, who owns the project, may not anonymise its annotator.

    Owners may where the account has no password and has to do with their project alone, as those of
    a crowd, and with their own never: everybody has a page for that. Whoever runs the installation
    may.
    """
    if user == by:
        raise NotPossible(_("Your own account is anonymised from the page of your own data."))
    if rights(by, project).runs_installation:
        return
    if not accounts_of_project_alone(project).filter(pk=user.pk).exists():
        raise NotPossible(
            _(
                "This person has a password, or has to do with other projects too: the person can "
                "do it, or whoever runs SegRanks here."
            )
        )


def anonymise(user: User, *, typed_name: str) -> str:
    """Take everything from the account that says who it is, and return what it is called now.

    Judgements, the times of them and what was skipped stay; comments on skipped sentences, drafts,
    memberships, sessions, links, mail addresses and ids of participants go, and so do stored
    reports, which have names in them and are made anew. There is no way back. Raises NotPossible,
    and changes nothing, where the typed name is not the user name, where the account runs the
    installation, and where a project would be left without an owner.
    """
    if typed_name != user.username:
        raise NotPossible(_("That is not the user name: nothing was changed."))
    with transaction.atomic():
        account = User.objects.select_for_update().get(pk=user.pk)
        _refuse(account)
        old_name = account.username
        uploads = list(Upload.objects.filter(owner=account))
        anonymised.send(User, user=account)
        _forget_reports(account)
        _empty_work(account)
        _delete_what_hangs_on(account)
        _delete_by_name(old_name)
        _delete_sessions(account)
        _rename(account)
        for upload in uploads:
            # Where all is undone, with what surrounds it, the files stay.
            transaction.on_commit(partial(folders.remove, upload))
    return account.shown_name


def _refuse(account: User) -> None:
    if account.is_superuser or account.is_staff:
        raise NotPossible(
            _("This account runs the installation: take these rights from it first, in /admin/.")
        )
    others = Membership.objects.filter(
        project=OuterRef("project"), role=Membership.Role.OWNER, user__is_active=True
    ).exclude(user=account)
    alone = Membership.objects.filter(user=account, role=Membership.Role.OWNER)
    owned = alone.exclude(Exists(others)).select_related("project").first()
    if owned is not None:
        raise NotPossible(
            _("%(project)s would have no owner any more: make somebody else its owner first.")
            % {"project": owned.project.name}
        )


def _forget_reports(account: User) -> None:
    """Take away the stored reports of whatever the person has to do with: names are in them."""
    given = Assignment.objects.filter(annotator=account).values("project")
    member = Membership.objects.filter(user=account).values("project")
    StoredReport.objects.filter(project__in=given.union(member)).delete()


def _empty_work(account: User) -> None:
    mine = Assignment.objects.filter(annotator=account)
    mine.filter(state=Assignment.State.OPEN).update(
        state=Assignment.State.RETURNED, lease_until=None
    )
    Draft.objects.filter(assignment__in=mine).delete()
    # People write what they like there, names too; the reasons are from a list, and stay.
    Skip.objects.filter(assignment__in=mine).update(comment="")


def _delete_what_hangs_on(account: User) -> None:
    """Delete all that would go with the account, of whatever room: links, memberships, uploads.

    Of who came by a start link it stays that somebody did, and when.
    """
    # Hidden ones are those that have no name on the side of the account.
    for relation in User._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.on_delete is not CASCADE:
            continue
        model: Any = relation.related_model
        if model is not Participant:
            model._base_manager.filter(**{relation.field.name: account}).delete()
    Participant.objects.filter(user=account).update(participant_id="", visit="")
    _delete_log(account)


def _delete_log(account: User) -> None:
    """Delete what /admin/ has noted of changes to the account, and to what is named after it."""
    name = account.username
    about = LogEntry.objects.filter(
        Q(content_type__model="user", object_id=str(account.pk))
        | Q(content_type__model="membership", object_repr__startswith=f"{name}, ")
        | Q(object_repr=name)
        # As JSON, where several things were changed on one page.
        | Q(change_message__contains=f'"object": {json.dumps(f"{name}, ")[:-1]}')
    )
    about.delete()


def _delete_by_name(name: str) -> None:
    """Delete the rows that keep a user name as text, as those about failed tries to sign in do."""
    for model in _with_user_names():
        model._base_manager.filter(username=name).delete()


def _with_user_names() -> Iterator[type[Model]]:
    for model in apps.get_models():
        names = {field.name for field in model._meta.fields if isinstance(field, CharField)}
        if model is not User and "username" in names:
            yield model


def _delete_sessions(account: User) -> None:
    for session in Session.objects.iterator():
        if session.get_decoded().get(SESSION_KEY) == str(account.pk):
            session.delete()


def _rename(account: User) -> None:
    account.username = _free(account, "username", f"anonymous-{account.pk}")
    account.display_name = _free(account, "display_name", f"annotator {account.pk}")
    account.first_name = account.last_name = account.email = ""
    account.last_login = None
    account.is_active = False
    account.set_unusable_password()
    account.save()


def _free(account: User, field: str, name: str) -> str:
    """Return the name, or the first of name-2, name-3 … that nobody else has."""
    others = User.objects.exclude(pk=account.pk)
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(one for one in names if not others.filter(**{field: one}).exists())


def member_of(project: Project, user_id: int) -> User | None:
    """Return whoever has or had to do with the project by this id, or None."""
    came = User.objects.filter(participant__link__project=project)
    found = User.objects.filter(Q(pk__in=accounts_of(project)) | Q(pk__in=came))
    return found.filter(pk=user_id).first()
