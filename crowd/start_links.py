"""Start links of a project, the pay of its members, and where participants may return to."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.common.transactions import retried
from annotation.models import Membership, Project
from crowd.models import MembersPay, StartLink

# Hosts that participants may always be sent back to.
PLATFORM_HOSTS: Final = ("app.prolific.com",)
# No user, no port, no character that browsers read as another one.
_RETURN_URL: Final = re.compile(r"https://([A-Za-z0-9.-]+)(?:[/?#][!-\[\]-~]*)?")
# Placeholders in a URL that the platforms replace by their ids.
_PLACES = {
    "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
    "STUDY_ID": "{{%STUDY_ID%}}",
    "SESSION_ID": "{{%SESSION_ID%}}",
    "workerId": "${workerId}",
    "assignmentId": "${assignmentId}",
    "hitId": "${hitId}",
}


class AlreadyThere(Exception):
    """The project already has a start link for this platform; the message is for people."""


@dataclass(frozen=True)
class LinkRow:
    """A start link, the URL for its platform, and how many people started and completed."""

    link: StartLink
    address: str
    started: int
    completed: int


def link_rows(project: Project, site: str) -> list[LinkRow]:
    """Return the project's start links at `site`, such as https://rank.example.org. One query."""
    return [
        LinkRow(link, site + path_for_platform(link), link.started, link.done)
        for link in counted(links_of(project))
    ]


def counted(links: QuerySet[StartLink]) -> QuerySet[Any]:
    """Annotate each link with how many people `started` and are `done`."""
    return links.annotate(
        started=Count("participants"),
        done=Count("participants", filter=Q(participants__completed__isnull=False)),
    )


def links_of(project: Project) -> QuerySet[StartLink]:
    return StartLink.objects.filter(project=project).order_by("platform")


def path_for_platform(link: StartLink) -> str:
    """Return the path of the link with the platform's placeholders for ids."""
    names = [name for name in (link.id_parameter, link.visit_parameter) if name]
    places = {name: _PLACES.get(name, name.upper()) for name in names}
    return f"{reverse('start', args=[link.token])}?{urlencode(places, safe='{}%$')}"


@retried
def save_link(link: StartLink) -> None:
    """Store a new or changed start link. Raises AlreadyThere.

    A new number of sentences also applies to participants who are not done yet.
    """
    try:
        with transaction.atomic():
            link.save()
            Membership.objects.filter(
                project=link.project_id,
                user__participant__link=link,
                user__participant__completed=None,
            ).update(sentence_limit=link.sentences)
    except IntegrityError:
        raise AlreadyThere(
            _("This platform already has a start link. Change that one, or use another name.")
        ) from None


def save_members_pay(*, project: Project, values: dict[str, object]) -> None:
    """Store the pay of annotators without a start link; the values are valid."""
    MembersPay.objects.update_or_create(project=project, defaults=values)


def pay_of_members(project: Project) -> MembersPay:
    """Return the pay of annotators without a start link; by default, none."""
    return MembersPay.objects.filter(project=project).first() or MembersPay(project=project)


def is_allowed(address: str, hosts: Collection[str]) -> bool:
    """Tell whether this is an https URL of exactly a known platform or one of the hosts."""
    match = _RETURN_URL.fullmatch(address)
    return match is not None and match[1].lower() in {*PLATFORM_HOSTS, *hosts}
