"""`manage.py create_token NAME --user USER`: let a program in."""

from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.models import User
from annotation.projects.names import find_project
from api.models import Token
from api.tokens import DAYS, MOST_DAYS, MOST_TOKENS, TooMany, make_token


class Command(SegRanksCommand):
    help = "Make a token for the API and print it: it is shown this once, nobody can again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what it is for, so that it is known again")
        parser.add_argument("--user", required=True, help="for whom it acts, by the user name")
        parser.add_argument(
            "--scope",
            choices=Token.Scope.values,
            default=Token.Scope.READ.value,
            help="what it may do: read, or read and administer (default: read)",
        )
        parser.add_argument("--project", help="the only one it is good for: its id or exact name")
        parser.add_argument(
            "--days", type=int, default=DAYS, help=f"how long it is good (default: {DAYS})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name, days = options["name"].strip(), options["days"]
        longest = Token._meta.get_field("name").max_length or 0
        if not name or not name.isprintable() or len(name) > longest:
            raise InputError(f"A token needs a name of 1 to {longest} printable characters.")
        if not 1 <= days <= MOST_DAYS:
            raise InputError(f"--days {days} cannot be: write a number from 1 to {MOST_DAYS}.")
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise InputError(f"Nobody here signs in as {options['user']!r}: check the user name.")
        project = find_project(options["project"]) if options["project"] else None
        try:
            _token, word = make_token(
                user=user, name=name, scope=options["scope"], days=days, project=project
            )
        except TooMany:
            raise InputError(
                f"{user.username} has {MOST_TOKENS} tokens already: revoke those that are not used."
            ) from None
        self.stdout.write(word)
