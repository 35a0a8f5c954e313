"""Lists of what is promised, a line each, which begins with its subject."""

from argparse import Action, ArgumentParser
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from django.core.management import get_commands, load_command_class

from annotation.import_export.export_formats import EXPORT_FORMATS
from annotation.kinds import KINDS
from api.schema import whole_schema
from evaluation.metrics.catalogue import NAMES
from tests.documentation.test_lists_and_links import commands, tables
from tests.operations.test_deployment_files import variables
from tests.promises.api import promises_of
from webhooks.models import Event


def of_api() -> list[str]:
    return promises_of(whole_schema())


class Arguments:
    """What a command adds to its parser, which cannot be asked for it."""

    def __init__(self) -> None:
        self.added: list[Action] = []
        self._parser = ArgumentParser(add_help=False)

    def add_argument(self, *names: Any, **options: Any) -> Action:
        self.added.append(self._parser.add_argument(*names, **options))
        return self.added[-1]

    def add_argument_group(self, *_names: Any, **_options: Any) -> Any:
        return self

    def add_mutually_exclusive_group(self, **_options: Any) -> Any:
        return self


def of_commands() -> list[str]:
    """Return the commands with their arguments, options and choices."""
    found: list[str] = []
    apps = get_commands()
    for name in sorted(commands()):
        arguments: Any = Arguments()
        load_command_class(apps[name], name).add_arguments(arguments)
        found.append(f"{name} is a command")
        places = count(1)
        for action in arguments.added:
            for argument in action.option_strings or [f"{next(places)}: {action.dest.upper()}"]:
                how = " alone" if action.nargs == 0 else ""
                found.append(f"{name} takes {argument}{how}")
                found += [f"{name} takes {argument} {choice}" for choice in action.choices or ()]
                if action.required:
                    found.append(f"{name} requires {argument}")
    return found


def of_names() -> list[str]:
    """Return names that people and programs use: of settings, kinds, files and so on."""
    names = {
        "setting": variables(),
        "kind": KINDS,
        "event": Event.values,
        "export": EXPORT_FORMATS,
        "metric": NAMES,
        "table": tables(),
    }
    return [f"{what} {name}" for what, found in names.items() for name in sorted(found)]


def broken(former: list[str], now: list[str]) -> list[str]:
    """Return the promises that are not kept, and what is newly required of former subjects."""
    subjects = {line.partition(" ")[0] for line in former}
    lost = [line for line in former if " requires " not in line and line not in now]
    required = [
        line
        for line in now
        if " requires " in line and line not in former and line.partition(" ")[0] in subjects
    ]
    return lost + required


LISTS: dict[Path, Callable[[], list[str]]] = {
    Path(__file__).with_name("api.txt"): of_api,
    Path(__file__).with_name("commands.txt"): of_commands,
    Path(__file__).with_name("names.txt"): of_names,
}
