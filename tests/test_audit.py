"""What the audit of the packages says of what PyPI knows."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import audit
from tests.audit import FOUND, ROOT, UNANSWERED, verdict

SOUND = {"name": "sound", "version": "1.0", "vulns": []}
HOLED = {
    "name": "holed",
    "version": "2.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}, {"id": "PYSEC-2", "fix_versions": []}],
}
UNKNOWN = {"name": "unknown", "skip_reason": "Dependency not found"}


def test_a_hole_is_named_and_fails() -> None:
    status, lines = verdict([SOUND, HOLED, UNKNOWN])

    assert status == FOUND
    assert lines == [
        "holed 2.0: PYSEC-1, mended in 2.1",
        "holed 2.0: PYSEC-2, mended in no version yet",
        "2 packages were audited, 2 holes are known.",
        "PyPI told nothing of unknown.",
    ]


def test_a_hole_that_is_accepted_is_named_and_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ACCEPTED", {"PYSEC-1": "not used", "PYSEC-2": "not used"})
    status, lines = verdict([HOLED])

    assert status == 0
    assert lines[0] == "holed 2.0: PYSEC-1, mended in 2.1 (accepted: not used)"


def test_no_hole_passes() -> None:
    assert verdict([SOUND]) == (0, ["1 packages were audited, 0 holes are known."])


@pytest.mark.parametrize("packages", [[], [UNKNOWN]])
def test_that_nothing_was_told_is_not_that_nothing_is_known(packages) -> None:
    status, lines = verdict(packages)

    assert status == UNANSWERED
    assert "nothing was audited" in lines[0]


@pytest.mark.parametrize(
    ("options", "said", "status", "told"),
    [
        (
            [],
            "requests.exceptions.ProxyError: no route",
            UNANSWERED,
            "PyPI told nothing of any package: nothing was audited.",
        ),
        (
            ["--where-it-answers"],
            "requests.exceptions.ProxyError: no route",
            0,
            "PyPI told nothing of any package: nothing was audited.",
        ),
        (
            ["--where-it-answers"],
            "ERROR: requirement Django is not pinned",
            FOUND,
            "pip-audit cannot be asked: ERROR: requirement Django is not pinned",
        ),
    ],
    ids=["asked for", "in CI", "a mistake of ours"],
)
def test_a_network_that_is_not_there_is_no_failure_of_ci(
    tmp_path: Path, options: list[str], said: str, status: int, told: str
) -> None:
    code = f"""
import sys
from pathlib import Path
from tests import audit
audit.PIP_AUDIT = Path({str(tmp_path / "pip-audit")!r})
sys.exit(audit.main([*{options!r}, "requirements.txt"]))
"""
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == status
    assert done.stdout.splitlines()[-1] == told
