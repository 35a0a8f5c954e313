"""`manage.py anonymise_user NAME`: anonymise an account; its judgements stay."""

import sys
from argparse import ArgumentParser
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.models import User
from crowd.anonymisation import anonymise


class Command(SegRanksCommand):
    help = "Permanently delete everything that identifies a user; their judgements stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", type=User.normalize_username, help="the user name")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        user = User.objects.filter(username=name).first()
        if user is None:
            raise InputError(f"There is no account {name!r}: give a user name.")
        typed = name if options["yes"] else self._ask(name)
        try:
            now = anonymise(user, typed_name=typed)
        except NotPossible as problem:
            raise InputError(str(problem)) from None
        self.stdout.write(f"Anonymised. The judgements of {name} are now by {now}.")

    def _ask(self, name: str) -> str:
        if not sys.stdin.isatty():
            raise InputError(f"{name!r} was not anonymised: add --yes to confirm.")
        self.stdout.write(
            f"This deletes the name, email, password and all other data that identify {name!r}. "
            "It cannot be undone."
        )
        try:
            return input("Type the user name to anonymise the account: ")
        except EOFError:
            return ""
