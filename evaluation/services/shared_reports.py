"""Links by which people without an account read a stored report."""

from datetime import timedelta

from django.utils import timezone

from annotation.common.transactions import retried, writing
from annotation.models import Project, User
from annotation.models.secret_links import UnknownLink, new_token
from annotation.projects.permissions import LARGEST_ID
from evaluation.findings.options import BadOption, ReportOptions
from evaluation.findings.serialisation import from_json, to_json
from evaluation.models import SharedReport, StoredReport
from evaluation.services import reports


@retried
def share(*, project: Project, by: User, options: ReportOptions, days: int | None) -> str:
    """Create a link to the report with these options, and return its token, which is not stored.

    It works for `days` days, or until it is revoked. The report is requested if there is none:
    raises as `report_of`.
    """
    reports.report_of(project, options, by=by)
    token, token_hash = new_token()
    now = timezone.now()
    with writing():
        SharedReport.objects.create(
            project=project,
            key=options.key,
            options=to_json(options),
            token_hash=token_hash,
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
        link.end()


def find(token: str) -> SharedReport:
    """Return the link with its project.

    Raises UnknownLink, also if the project is being deleted; EndedLink.
    """
    visible = SharedReport.objects.filter(project__delete_after=None)
    return visible.select_related("project").find(token)


def read(link: SharedReport) -> StoredReport | None:
    """Return the report of the link, and request it if it was deleted.

    None if it cannot be computed any more, such as by documents that are unknown by now.
    """
    try:
        return reports.report_of(link.project, from_json(link.options, ReportOptions))
    except BadOption:
        return None
