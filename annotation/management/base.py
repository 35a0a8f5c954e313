"""What all commands share: bad input is one sentence on standard error and exit status 1."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.formats.errors import InputError


class Error(CommandError):
    """Named so that Django prints "Error: <the sentence>"."""


class SegRanksCommand(BaseCommand):
    """A command whose InputError is shown as one sentence, never as a traceback."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except InputError as problem:
            raise Error(str(problem)) from problem
