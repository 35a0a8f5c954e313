"""Asks PyPI whether packages have known holes: `python -m tests.audit REQUIREMENTS …`.

Exit status 1 where one has; 2 where PyPI knows nothing of any package or does not answer, so that
nobody was told anything. With `--where-it-answers`, that is said too and is no failure.
"""

import argparse
import json
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


def ask(files: Sequence[str]) -> list[dict[str, Any]]:
    """Return what is known of each package in the files; nothing where PyPI does not answer."""
    named = [word for file in files for word in ("-r", file)]
    # What it warns of is that hashes would be safer still.
    command = [str(PIP_AUDIT), *OPTIONS, *named]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        packages: list[dict[str, Any]] = json.loads(answer.stdout)["dependencies"]
    except ValueError:
        print((answer.stderr.strip().splitlines() or ["pip-audit said nothing."])[-1])
        return []
    return packages


def verdict(packages: Sequence[dict[str, Any]]) -> tuple[int, list[str]]:
    """Return the exit status for what is known of the packages, and the lines that say why."""
    known = {package["name"]: package for package in packages if "vulns" in package}
    unknown = sorted({package["name"] for package in packages} - known.keys())
    if not known:
        return UNANSWERED, ["PyPI told nothing of any package: nothing was audited."]
    holes = [
        f"{package['name']} {package['version']}: {hole['id']}, mended in "
        f"{', '.join(hole['fix_versions']) or 'no version yet'}"
        for package in known.values()
        for hole in package["vulns"]
    ]
    lines = [*holes, f"{len(known)} packages were audited, {len(holes)} holes are known."]
    if unknown:
        lines.append(f"PyPI told nothing of {', '.join(unknown)}.")
    return (FOUND if holes else 0), lines


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--where-it-answers", action="store_true")
    options = parser.parse_args(arguments)
    status, lines = verdict(ask(options.files))
    print(*lines, sep="\n")
    return 0 if status == UNANSWERED and options.where_it_answers else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
