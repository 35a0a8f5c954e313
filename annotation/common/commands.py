"""The base class of all commands: expected errors are one sentence, never a traceback.

On a new SQLite database, a command creates the tables first, as `manage.py up` does.
"""

import os
import signal
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import InterfaceError, OperationalError, ProgrammingError, connection

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError


class Error(CommandError):
    """Django prints the name of the class before the message: "Error: …"."""


class Output(OutputWrapper):
    """Standard output; control characters in names and texts do not reach a terminal."""

    def write(  # type: ignore[override]
        self,
        msg: str = "",
        style_func: Callable[[str], str] | None = None,
        ending: str | None = None,
    ) -> None:
        if self.isatty():
            msg = "".join(
                c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in msg
            )
        super().write(msg, style_func, ending)


class SegRanksCommand(BaseCommand):
    """A command that reports input errors in one sentence, with exit status 1."""

    # Whether it can do its work only with the tables of the database.
    needs_tables = True

    def run_from_argv(self, argv: list[str]) -> None:
        # Ended by a signal, a command cleans up as after Ctrl-C; `nohup` ignores SIGHUP.
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)
        if isinstance(sys.stdout, TextIOWrapper):
            # Not all terminals have letters such as κ.
            sys.stdout.reconfigure(errors="backslashreplace")
        self.stdout = Output(sys.stdout)
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            if self.needs_tables:
                create_missing_tables()
            output = super().execute(*args, **options)
            self.stdout.flush()
        except (InputError, NotPossible) as problem:
            raise Error(str(problem)) from problem
        except (OperationalError, ProgrammingError, InterfaceError) as problem:
            reason = (str(problem).strip().splitlines() or ["no reason given"])[0]
            raise Error(
                f"The database cannot be used ({reason}): run `manage.py migrate`, or check "
                "DATABASE_URL."
            ) from problem
        except BrokenPipeError:
            # The reader has closed the pipe. Python would fail again when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None
        return output


def create_missing_tables() -> None:
    """Migrate an SQLite database without any tables; a server is migrated by its administrator."""
    if connection.vendor == "sqlite" and not connection.introspection.table_names():
        call_command("migrate", interactive=False, verbosity=0)


def counted(number: int, noun: str) -> str:
    """Return the number with its noun, in the plural unless it is one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
