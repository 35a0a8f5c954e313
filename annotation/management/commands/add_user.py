"""`manage.py add_user NAME --project PROJECT --role ROLE`: let a person into a project."""

from typing import Any

from django.core.management.base import CommandParser

from annotation.accounts import LINK_LIFETIME, add_user
from annotation.management.base import SegRanksCommand
from annotation.models import Membership
from annotation.projects import find_project


class Command(SegRanksCommand):
    help = "Add a person to a project and print a link that signs them in once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name; an account is made where there is none")
        parser.add_argument("--project", required=True, help="a project's id or exact name")
        parser.add_argument(
            "--role",
            choices=Membership.Role.values,
            default=Membership.Role.ANNOTATOR.value,
            help="what they may do there (default: annotator)",
        )
        parser.add_argument(
            "--address",
            default="http://127.0.0.1:8000",
            help="where people reach this installation (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        user, path = add_user(name=options["name"], project=project, role=options["role"])
        self.stdout.write(
            f"{user.username} is {options['role']} of {project.name}. This link signs them in, "
            f"once, within {LINK_LIFETIME.days} days:\n{options['address'].rstrip('/')}{path}"
        )
