"""The help of the command line, and the packages that it protects."""

import tomllib
from pathlib import Path

from django.core.management import get_commands

from segranks.command_line import FIRST_COMMANDS, PACKAGES, CommandLine

REPOSITORY = Path(__file__).resolve().parents[2]


def test_help_begins_with_ten_commands_and_names_each_command_once() -> None:
    first = [name for commands in FIRST_COMMANDS.values() for name in commands]
    words = CommandLine(["segranks"]).main_help_text().replace(",", " ").split()
    assert len(first) == 10
    commands = set(get_commands())
    assert set(first) <= commands <= set(words)
    positions = [words.index(name) for name in first]
    assert positions == sorted(positions)


def test_the_package_has_all_apps() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]
    assert list(PACKAGES) == settings["importlinter"]["root_packages"]
    assert list(PACKAGES) == settings["hatch"]["build"]["targets"]["wheel"]["packages"]
