"""`manage.py add_user NAME --project PROJECT … [--role ROLE]`: add a person to projects."""

import re
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.models import Membership
from annotation.projects.names import find_project
from people.sign_in_links import LINK_LIFETIME, add_user
from people.site_address import site_address

ADDRESS = re.compile(r"https?://[^\s/]+(?:/\S*)?")


class Command(SegRanksCommand):
    help = "Add a person to one or more projects and print a link that signs them in once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name; an account is created if there is none")
        parser.add_argument(
            "--project",
            required=True,
            action="append",
            help="a project's id or exact name; repeat for several",
        )
        parser.add_argument(
            "--role",
            choices=Membership.Role.values,
            help="their role (default: a member keeps theirs, others become annotators)",
        )
        parser.add_argument(
            "--existing",
            action="store_true",
            help="on sites with self-registration: add the person who already has this account",
        )
        parser.add_argument(
            "--address",
            help="the URL of this site, for example https://rank.example.org "
            "(default: SITE_ADDRESS, or where `manage.py up` last listened)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        address = (options["address"] or site_address()).rstrip("/")
        if not ADDRESS.fullmatch(address):
            raise InputError(
                f"--address {address!r} is not a URL: use, for example, https://rank.example.org."
            )
        projects = [find_project(one) for one in options["project"]]
        user, path = add_user(
            name=options["name"],
            project=projects[0],
            others=projects[1:],
            role=options["role"],
            existing=options["existing"],
        )
        roles = dict(user.memberships.values_list("project", "role"))
        added = ", ".join(f"{roles[one.pk]} of {one.name}" for one in projects)
        self.stdout.write(
            f"{user.username} is now {added}. This link signs them in "
            f"once, within {LINK_LIFETIME.days} days:\n{address}{path}"
        )
