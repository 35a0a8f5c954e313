"""The command line: `segranks` of a package, and manage.py of a clone."""

import os
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill

from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands

HOME = Path(__file__).resolve().parent.parent
PACKAGES = (
    "annotation", "api", "crowd", "evaluation", "operations", "people", "segranks", "webhooks",
)  # fmt: skip
# What a newcomer needs, in groups.
FIRST_COMMANDS = {
    "The site": {
        "up": "start the site, and create or upgrade its database",
        "add_user": "create an account, or add it to a project",
        "backup": "write all projects, accounts and judgements to a file",
        "restore": "read such a file into an empty database",
    },
    "Projects": {
        "create_project": "create a project from text files and prepare it",
        "delete_project": "delete a project with its judgements",
        "export_project": "write judgements as CSV, JSON and other formats, or an archive",
    },
    "Results": {
        "statistics": "list the projects, or count what is in one",
        "report": "write agreement, ranking and figures to a folder",
        "score": "compute automatic metrics of files or of a project",
    },
}


def main() -> None:
    """Run the command of sys.argv; expected errors are one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "segranks.settings")
    refuse_foreign_packages()
    try:
        CommandLine(sys.argv).execute()
    except ImproperlyConfigured as problem:
        sys.exit(f"Error: {problem}")
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)


class CommandLine(ManagementUtility):
    """Django's commands and ours, with help that begins with what a newcomer needs."""

    def main_help_text(self, commands_only: bool = False) -> str:
        """Return what `help` prints; with `commands_only` the names of all commands."""
        if commands_only:
            return super().main_help_text(commands_only)
        lines = [f"Usage: {self.prog_name} COMMAND …"]
        for group, commands in FIRST_COMMANDS.items():
            lines += ["", f"{group}:"]
            lines += [f"  {name:15} {text}" for name, text in commands.items()]
        lines += ["", f"`{self.prog_name} help COMMAND` explains a command. The others:"]
        first = {name for commands in FIRST_COMMANDS.values() for name in commands}
        others: dict[str, list[str]] = {}
        for name, app in sorted(get_commands().items()):
            if name not in first:
                others.setdefault(str(app).removesuffix(".core").split(".")[-1], []).append(name)
        for app in sorted(others, key=lambda app: (app not in PACKAGES, app)):
            lines += ["", fill(f"{app}: {', '.join(others[app])}", 78, subsequent_indent="  ")]
        return "\n".join(lines)


def refuse_foreign_packages() -> None:
    """Exit with one sentence where Python would import another distribution's code as ours.

    Our packages have names such as `api`, which others can have, too. Another distribution is found
    first on the path, or was installed into the same folder and has replaced files of ours.
    """
    for name in PACKAGES:
        found = find_spec(name)
        place = found.origin if found else None
        if place is None or Path(place).resolve() != HOME / name / "__init__.py":
            refuse(f"Python would import {place or 'nothing'} as SegRanks' package {name!r}")
    try:
        installed = distribution("segranks")
    except PackageNotFoundError:
        return
    if Path(str(installed.locate_file(""))).resolve() != HOME:
        # We run from a clone.
        return
    for file in installed.files or ():
        if file.parts[0] in PACKAGES and file.suffix == ".py":
            path = HOME / file
            if not path.exists() or path.stat().st_size != file.size:
                refuse(f"{path} is not the file that SegRanks installed")


def refuse(what: str) -> None:
    sys.exit(
        f"Error: {what}: install SegRanks again, into an environment of its own, for example with "
        "pipx."
    )
