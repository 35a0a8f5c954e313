"""`manage.py share_project PROJECT --user USER | --revoke ID`: links to a report and documents."""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from annotation.common.commands import SegRanksCommand
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.models import User
from annotation.models.secret_links import UnknownLink
from annotation.projects.names import find_project
from annotation.projects.permissions import rights
from evaluation.models import SharedLink, default_options
from evaluation.services import reports, shared_links
from people.site_address import site_address


class Command(SegRanksCommand):
    help = (
        "Create a link by which people without an account read the report or the documents of a "
        "project, and print it. It is shown only once. Or list the links, or revoke one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's id or exact name")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--user",
            type=User.normalize_username,
            help="username of the administrator who shares it",
        )
        what.add_argument("--list", action="store_true", help="print the links that work now")
        what.add_argument("--revoke", type=int, metavar="ID", help="revoke this link")
        parser.add_argument(
            "--pages",
            choices=SharedLink.Pages.values,
            default=SharedLink.Pages.REPORT.value,
            help="what readers open; unnamed is the documents without the names of systems "
            "(default: report)",
        )
        parser.add_argument(
            "--days", type=int, help="how many days it is valid (default: until it is revoked)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        if options["list"]:
            for link in reports.open_links(project):
                until = f"until {link.expires:%Y-%m-%d %H:%M} UTC" if link.expires else "for ever"
                self.stdout.write(f"{link.pk}: {link.pages}, by {link.created_by}, {until}")
            return
        if options["revoke"] is not None:
            try:
                shared_links.revoke(project=project, pk=options["revoke"])
            except UnknownLink:
                raise InputError(
                    f"There is no link {options['revoke']}: see the ids by --list."
                ) from None
            self.stdout.write("The link is revoked.")
            return
        days = options["days"]
        if days is not None and not 1 <= days <= shared_links.MOST_DAYS:
            raise InputError(
                f"--days {days} is not possible: write a number from 1 to {shared_links.MOST_DAYS}."
            )
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None or not rights(user, project).may_administer:
            raise InputError(
                f"{options['user']!r} is no active account that administers the project: check the "
                "username."
            )
        try:
            _link, token = shared_links.share(
                project=project,
                by=user,
                options=default_options(project),
                days=days,
                pages=options["pages"],
            )
        except (NotPossible, reports.TooManyWaiting) as problem:
            raise InputError(str(problem)) from None
        self.stdout.write(f"{site_address().rstrip('/')}{reverse('shared-report', args=[token])}")
