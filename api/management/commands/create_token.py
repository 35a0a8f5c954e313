"""`manage.py create_token NAME --user USER`: create an API token and print it."""

from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.models import User
from annotation.projects.names import find_project
from api.models import Token
from api.tokens import DEFAULT_DAYS, MAX_DAYS, MAX_TOKENS, TooManyTokens, create_token


class Command(SegRanksCommand):
    help = "Create an API token and print it. It is shown only once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what the token is for")
        parser.add_argument(
            "--user",
            required=True,
            type=User.normalize_username,
            help="username of the person it acts for",
        )
        parser.add_argument(
            "--scope",
            choices=Token.Scope.values,
            default=Token.Scope.READ.value,
            help="read, or write to read and administer (default: read)",
        )
        parser.add_argument("--project", help="id or exact name of the only project it is for")
        parser.add_argument(
            "--days",
            type=int,
            default=DEFAULT_DAYS,
            help=f"how many days it is valid (default: {DEFAULT_DAYS})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name, days = options["name"].strip(), options["days"]
        longest = Token._meta.get_field("name").max_length or 0
        if not name or not name.isprintable() or len(name) > longest:
            raise InputError(f"The name must have 1 to {longest} printable characters.")
        if not 1 <= days <= MAX_DAYS:
            raise InputError(f"--days {days} is not possible: write a number from 1 to {MAX_DAYS}.")
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise InputError(f"There is no active account {options['user']!r}: check the username.")
        project = find_project(options["project"]) if options["project"] else None
        try:
            _token, secret = create_token(
                user=user, name=name, scope=options["scope"], days=days, project=project
            )
        except TooManyTokens:
            raise InputError(
                f"{user.username} already has {MAX_TOKENS} valid tokens: revoke unused ones first."
            ) from None
        self.stdout.write(secret)
