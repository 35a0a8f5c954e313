"""Asks PyPI whether packages have known holes: `python -m tests.audit REQUIREMENTS …`.

Exit status 1 where one has; 2 where PyPI knows nothing of any package or does not answer, so that
nobody was told anything. With `--where-it-answers`, that is said too and is no failure.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIP_AUDIT = ROOT / ".venv" / "audit" / "bin" / "pip-audit"
# Each file by itself: pip-audit does not follow what one says of another.
OPTIONS = ("--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json")
FOUND, UNANSWERED = 1, 2
# How pip-audit ends where it cannot get at PyPI, as opposed to where it cannot read our files.
NO_NETWORK = re.compile(r"requests\.exceptions\.|urllib3\.exceptions\.|ould not connect")
# Holes that nobody can mend yet and that do not reach SegRanks: their ids, and why.
ACCEPTED: dict[str, str] = {}


class CannotAsk(Exception):
    """pip-audit has failed, and not for want of a network."""


def ask(files: Sequence[str]) -> list[dict[str, Any]]:
    """Return what is known of each package in the files; nothing where PyPI does not answer.

    Raises CannotAsk.
    """
    named = [word for file in files for word in ("-r", file)]
    # What it warns of is that hashes would be safer still.
    command = [str(PIP_AUDIT), *OPTIONS, *named]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.stdout.strip():
        packages: list[dict[str, Any]] = json.loads(answer.stdout)["dependencies"]
        return packages
    last = (answer.stderr.strip().splitlines() or ["pip-audit said nothing."])[-1]
    if not NO_NETWORK.search(last):
        raise CannotAsk(last)
    print(last)
    return []


def verdict(packages: Sequence[dict[str, Any]]) -> tuple[int, list[str]]:
    """Return the exit status for what is known of the packages, and the lines that say why."""
    known = {(p["name"], p["version"]): p["vulns"] for p in packages if "vulns" in p}
    unknown = sorted({p["name"] for p in packages if "vulns" not in p})
    if not known:
        return UNANSWERED, ["PyPI told nothing of any package: nothing was audited."]
    holes = [(*which, hole) for which, found in known.items() for hole in found]
    lines = [_line(*hole) for hole in holes]
    lines.append(f"{len(known)} packages were audited, {len(holes)} holes are known.")
    if unknown:
        lines.append(f"PyPI told nothing of {', '.join(unknown)}.")
    open_ones = [hole for *_which, hole in holes if hole["id"] not in ACCEPTED]
    return (FOUND if open_ones else 0), lines


def _line(name: str, version: str, hole: dict[str, Any]) -> str:
    mended = ", ".join(hole["fix_versions"]) or "no version yet"
    accepted = ACCEPTED.get(hole["id"])
    return f"{name} {version}: {hole['id']}, mended in {mended}" + (
        f" (accepted: {accepted})" if accepted else ""
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--where-it-answers", action="store_true")
    options = parser.parse_args(arguments)
    try:
        status, lines = verdict(ask(options.files))
    except CannotAsk as problem:
        print(f"pip-audit cannot be asked: {problem}")
        return FOUND
    print(*lines, sep="\n")
    return 0 if status == UNANSWERED and options.where_it_answers else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
