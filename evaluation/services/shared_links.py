"""Links by which people without an account read a stored report, or the documents of a project."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from random import SystemRandom
from typing import Final

from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried, writing
from annotation.models import Assignment, Project, User
from annotation.models.secret_links import UnknownLink, new_token
from annotation.process import clock
from annotation.projects.annotator_names import account_names
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors.judged_documents import Words
from annotation.selectors.judgements import systems
from evaluation.findings.options import BadOption, ReportOptions
from evaluation.findings.serialisation import from_json, to_json
from evaluation.models import SharedLink, StoredReport, default_options
from evaluation.services import reports

Pages = SharedLink.Pages
# While people judge, annotators could read the answers of others by the link.
FINISHED: Final = (Project.State.CLOSED, Project.State.ARCHIVED)
# Of a link that expires: a century.
MOST_DAYS: Final = 36_500


@retried
def share(
    *,
    project: Project,
    by: User,
    options: ReportOptions,
    days: int | None,
    pages: str = Pages.REPORT,
) -> tuple[SharedLink, str]:
    """Create a link to the report with these options, or to the documents, or to both.

    Returns it with its token, which is not stored. It works for `days` days, or until it is
    revoked. The report is requested if there is none: raises as `report_of`. Raises NotPossible for
    documents of a project in which people judge.
    """
    if pages in SharedLink.WITH_DOCUMENTS and project.state not in FINISHED:
        raise NotPossible(
            _(
                "Documents show what annotators answered: pause judging before you share them, so "
                "that annotators do not see the answers of others."
            )
        )
    if pages in SharedLink.WITH_REPORT:
        reports.report_of(project, options, by=by)
    else:
        options = default_options(project)
    token, token_hash = new_token()
    now = clock.now()
    # In an order that tells readers who know the names nothing.
    random = SystemRandom()
    annotators, known = _annotators(project), [pk for pk, _name in systems(project)]
    with writing():
        link = SharedLink.objects.create(
            project=project,
            pages=pages,
            key=options.key,
            options=to_json(options),
            annotators=random.sample(annotators, len(annotators)),
            systems=random.sample(known, len(known)),
            token_hash=token_hash,
            created_by=by,
            created=now,
            expires=None if days is None else now + timedelta(days=days),
        )
    return link, token


@retried
def revoke(*, project: Project, pk: int) -> None:
    """Revoke the link. Raises UnknownLink."""
    link = SharedLink.objects.filter(project=project, pk=pk) if pk <= LARGEST_ID else None
    if link is None or not link.exists():
        raise UnknownLink
    with writing():
        link.end()


def find(token: str) -> SharedLink:
    """Return the link with its project.

    Raises UnknownLink, also if the project is being deleted; EndedLink.
    """
    visible = SharedLink.objects.filter(project__delete_after=None)
    return visible.select_related("project").find(token)


def read(link: SharedLink) -> StoredReport | None:
    """Return the report of the link, and request it if it was deleted.

    None if it cannot be computed any more, such as by documents that are unknown by now.
    """
    try:
        return reports.report_of(link.project, from_json(link.options, ReportOptions))
    except BadOption:
        return None


def shows_documents(link: SharedLink) -> bool:
    """Return whether the documents of the link can be read now: not while people judge."""
    return link.has_documents and link.project.state in FINISHED


def numbers_by_name(link: SharedLink) -> dict[str, int]:
    """Return the numbers of the annotators by the names that reports give them. Two queries."""
    names = account_names(link.project)
    return {names[user]: number for user, number in _numbers(link).items() if user in names}


def words_of(
    link: SharedLink, annotator: str, system: str, mean: Callable[[Sequence[int | None]], str]
) -> Words:
    """Return what pages of the link call systems and annotators: these with numbers. One query.

    One more where an annotator has judged since the link was created.
    """

    def annotators(users: Collection[int]) -> Mapping[int, str]:
        known = {user: number for number, user in enumerate(link.annotators, start=1)}
        numbers = known if set(users) <= known.keys() else _numbers(link)
        return {user: f"{annotator} {number}" for user, number in numbers.items() if user in users}

    named = dict(systems(link.project))
    if link.pages == Pages.UNNAMED:
        named = {
            pk: f"{system} {letters(place)}"
            for place, pk in enumerate(_in_order(link.systems, named))
        }
    return Words(systems=named, annotators=annotators, mean=mean)


def letters(place: int) -> str:
    """Return the letters of a place from 0: A to Z, then AA, AB …"""
    before, last = divmod(place, 26)
    return (letters(before - 1) if before else "") + chr(ord("A") + last)


def _numbers(link: SharedLink) -> dict[int, int]:
    in_order = _in_order(link.annotators, _annotators(link.project))
    return {user: number for number, user in enumerate(in_order, start=1)}


def _in_order(stored: list[int], present: Collection[int]) -> list[int]:
    """Return the ids in the order of the link; those that are not stored with it follow."""
    return [*stored, *sorted(set(present) - set(stored))]


def _annotators(project: Project) -> list[int]:
    """Return the ids of the users whose judgements are in results."""
    judged = Assignment.objects.filter(
        project=project, state=Assignment.State.SUBMITTED, kind__in=Assignment.COUNTED
    )
    return list(judged.order_by("annotator").values_list("annotator", flat=True).distinct())
