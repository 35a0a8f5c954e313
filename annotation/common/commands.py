"""What all commands share: whatever ends one early is one sentence, never a traceback."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError

from annotation.formats.errors import InputError

# By these a process is asked to end; the last one comes when its terminal is closed.
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Error(CommandError):
    """Named so that Django prints "Error: <the sentence>"."""


class SegRanksCommand(BaseCommand):
    """A command that says in one sentence, with exit status 1, why it cannot do its work."""

    def run_from_argv(self, argv: list[str]) -> None:
        interrupt_once()
        if isinstance(sys.stdout, TextIOWrapper):
            # Names and κ, for a terminal that knows fewer letters than we do.
            sys.stdout.reconfigure(errors="backslashreplace")
        self.stdout = Output(sys.stdout)
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        _check_encoding(options)
        try:
            output = super().execute(*args, **options)
            self.stdout.flush()
        except InputError as problem:
            raise Error(str(problem)) from problem
        except (DataError, IntegrityError):
            raise
        except (DatabaseError, InterfaceError) as problem:
            reason = (str(problem).strip().splitlines() or ["no reason given"])[0]
            raise Error(
                f"The database cannot be used ({reason}): run `manage.py migrate`, or check "
                "DATABASE_URL."
            ) from problem
        return output


class Output(OutputWrapper):
    """The standard output of a process, where a failure to write is an Error.

    What a name or a text holds of orders to a terminal does not reach one.
    """

    def write(  # type: ignore[override]
        self,
        msg: str = "",
        style_func: Callable[[str], str] | None = None,
        ending: str | None = None,
    ) -> None:
        with standard_output():
            super().write(without_orders(msg) if self.isatty() else msg, style_func, ending)

    def flush(self) -> None:
        with standard_output():
            super().flush()


def without_orders(text: str) -> str:
    """Return the text with a sign for each character but line ends that has no shape."""
    return "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


@contextmanager
def standard_output() -> Iterator[None]:
    """Turn a failure to write to standard output into an Error; let a reader who left be."""
    try:
        yield
    except OSError as problem:
        # What is left is written again at exit, and must not fail then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):
            raise Error(
                f"Standard output cannot be written: {problem.strerror or problem}."
            ) from problem


def interrupt_once() -> None:
    """Let each signal that asks to end raise KeyboardInterrupt, as Ctrl-C does; only the first.

    Cleaning up takes a few seconds at most, and should not be cut short. A signal that whoever
    started us wants ignored, as `nohup` does, stays ignored.
    """
    for number in END_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    for each in END_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def _check_encoding(options: dict[str, Any]) -> None:
    """Raise Error for a text with bytes that are no letters; names of files may be any bytes."""
    for value in options.values():
        try:
            if isinstance(value, str):
                value.encode()
        except UnicodeEncodeError as problem:
            raise Error(
                f"The argument {value!r} is not in UTF-8: type it again, in a terminal that uses "
                "UTF-8."
            ) from problem
