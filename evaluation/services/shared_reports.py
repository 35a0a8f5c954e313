"""Links by which people without an account read a stored report."""

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from annotation.common.transactions import retried, writing
from annotation.models import Project, User
from annotation.projects.permissions import LARGEST_ID
from evaluation.findings.options import BadOption, ReportOptions
from evaluation.findings.serialisation import from_json, to_json
from evaluation.models import SharedReport, StoredReport
from evaluation.services import reports


class UnknownLink(Exception):
    """There is no such link."""


class EndedLink(Exception):
    """The link was revoked or has expired."""


@retried
def share(*, project: Project, by: User, options: ReportOptions, days: int | None) -> str:
    """Create a link to the report with these options, and return its token, which is not stored.

    It works for `days` days, or until it is revoked. The report is requested if there is none:
    raises as `report_of`.
    """
    reports.report_of(project, options, by=by)
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    with writing():
        SharedReport.objects.create(
            project=project,
            key=options.key,
            options=to_json(options),
            token_hash=hash_token(token),
            created_by=by,
            created=now,
            expires=None if days is None else now + timedelta(days=days),
        )
    return token


@retried
def revoke(*, project: Project, pk: int) -> None:
    """Revoke the link. Raises UnknownLink."""
    link = SharedReport.objects.filter(project=project, pk=pk) if pk <= LARGEST_ID else None
    if link is None or not link.exists():
        raise UnknownLink
    with writing():
        link.filter(revoked=None).update(revoked=timezone.now())


def find(token: str) -> SharedReport:
    """Return the link with its project. Raises UnknownLink, EndedLink.

    The look-up is by a hash, so its duration reveals nothing about the token.
    """
    links = SharedReport.objects.filter(token_hash=hash_token(token), project__delete_after=None)
    link = links.select_related("project").first()
    if link is None:
        raise UnknownLink
    if link.revoked or (link.expires and link.expires <= timezone.now()):
        raise EndedLink
    return link


def read(link: SharedReport) -> StoredReport | None:
    """Return the report of the link, and request it if it was deleted.

    None if it cannot be computed any more, such as by documents that are unknown by now.
    """
    try:
        return reports.report_of(link.project, from_json(link.options, ReportOptions))
    except BadOption:
        return None


def hash_token(token: str) -> str:
    """Return what is stored of a secret token."""
    # The token has 256 random bits, so a plain fast hash is enough to keep it secret.
    return hashlib.sha256(token.encode()).hexdigest()
