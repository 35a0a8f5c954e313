"""Start links: made and changed by the administrators of a project."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Membership, Project
from crowd.models import MembersPay, StartLink

# What platforms put in the place of the names, where an address is given to them.
_PLACES = {
    "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
    "STUDY_ID": "{{%STUDY_ID%}}",
    "SESSION_ID": "{{%SESSION_ID%}}",
    "workerId": "${workerId}",
    "assignmentId": "${assignmentId}",
    "hitId": "${hitId}",
}


class AlreadyThere(Exception):
    """The project has a start link of this platform; the message is for people."""


@dataclass(frozen=True)
class LinkRow:
    """A start link, the address that its platform is given, and how many came and are done."""

    link: StartLink
    address: str
    started: int
    completed: int


def link_rows(project: Project, site: str) -> list[LinkRow]:
    """Return the project's start links at `site`, as in https://rank.example.org. One query."""
    return [
        LinkRow(link, site + path_for_platform(link), link.started, link.done)
        for link in counted(links_of(project))
    ]


def counted(links: QuerySet[StartLink]) -> QuerySet[Any]:
    """Return them, each with how many people `started` by it and are `done`."""
    return links.annotate(
        started=Count("participants"),
        done=Count("participants", filter=Q(participants__completed__isnull=False)),
    )


def links_of(project: Project) -> QuerySet[StartLink]:
    return StartLink.objects.filter(project=project).order_by("platform")


def path_for_platform(link: StartLink) -> str:
    """Return the path with the places in which the platform puts the ids of whoever comes."""
    names = [name for name in (link.id_parameter, link.visit_parameter) if name]
    places = {name: _PLACES.get(name, name.upper()) for name in names}
    return f"{reverse('start', args=[link.token])}?{urlencode(places, safe='{}%$')}"


def save_link(link: StartLink) -> None:
    """Store the start link, new or changed.

    How many sentences a person judges holds for whoever is not done yet, too. Raises AlreadyThere.
    """
    try:
        with transaction.atomic():
            link.save()
            Membership.objects.filter(
                project=link.project_id,
                user__participant__link=link,
                user__participant__completed=None,
            ).update(most_sentences=link.sentences)
    except IntegrityError:
        raise AlreadyThere(
            _("There is a start link of this platform: change that one, or give another name.")
        ) from None


def save_members_pay(*, project: Project, values: dict[str, object]) -> None:
    """Store what those are paid who came by no start link; the values are checked already."""
    MembersPay.objects.update_or_create(project=project, defaults=values)


def pay_of_members(project: Project) -> MembersPay:
    """Return what those are paid who came by no start link; nothing where nobody has set it."""
    return MembersPay.objects.filter(project=project).first() or MembersPay(project=project)
