"""What was stored with the tables of earlier versions is there with those of today."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.earlier_tables import VERSIONS
from tests.installation import REPOSITORY

# As it is in the CSV: sentence, annotator, kind, seconds, candidate, systems, where it was shown,
# rank and garbage.
PLACEMENTS = [
    ["1", "jana", "first", "3.5", "starý dům", '["A"]', "1", "1", "false"],
    ["1", "jana", "first", "3.5", "stará dům", '["B"]', "2", "2", "false"],
    ["1", "jana", "first", "3.5", "dům", '["C"]', "3", "", "true"],
    ["1", "petr", "inter", "3.5", "starý dům", '["A"]', "1", "3", "false"],
    ["1", "petr", "inter", "3.5", "stará dům", '["B"]', "2", "3", "false"],
    ["1", "petr", "inter", "3.5", "dům", '["C"]', "3", "1", "false"],
]


def migrated(folder: Path, database: str) -> dict[str, dict[str, Any]]:
    """Return what is there of the projects of each version, once the tables are today's."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.annotation.earlier_tables"],
        cwd=REPOSITORY,
        env=os.environ
        | {
            "SEGRANKS_DATA": str(folder),
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "segranks.settings",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [told] = done.stderr.splitlines()
    assert "'petr' keeps it, and 'jana' no longer have it" in told
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def test_all_is_there_on_sqlite(tmp_path: Path) -> None:
    check(migrated(tmp_path, ""))


@pytest.mark.postgresql
def test_all_is_there_on_postgresql(tmp_path: Path, postgresql_url: str) -> None:
    check(migrated(tmp_path, postgresql_url))


def check(found: dict[str, dict[str, Any]]) -> None:
    assert tuple(found) == VERSIONS
    for version, project in found.items():
        in_the_beginning = version == VERSIONS[0]
        assert project == {
            "placements": PLACEMENTS,
            "restored": PLACEMENTS,
            # Whoever administered it first owns it.
            "roles": {
                "jana": "annotator",
                "petr": "annotator",
                "petra": "owner",
                "pavel": "administrator",
            },
            "passwords": ["a hash"],
            "addresses": {
                "jana": "",
                "petr": "Jana@Example.org",
                "petra": "petra@example.org",
                "pavel": "",
            },
            "instructions": ["Be kind."],
            # With the slot and the lease that it had not in the beginning.
            "open": [["jana", 2, "first", 1]],
            "leased": 1,
            "drafts": [] if in_the_beginning else [3],
            "submissions": [[1, True], [1, True]],
            "answers": 0 if version < "0005" else 1,
            "translations": [
                ["A", "0-0 1-0 2-1"],
                ["B", "0-0 1-0 2-1"],
                ["C", "0-0 1-0 2-1"],
                [None, ""],
            ],
            # What was not cut into chunks begins anew.
            "job": ["running" if version > "0010" else "queued", ""],
            "links": 1,
        }
