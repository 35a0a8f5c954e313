"""What a test needs and this machine lacks: skipped, visibly, or a failure where all is there."""

import subprocess
import sys

import pytest

from tests.installation import REPOSITORY, Installation

NEEDS_SHARED = "tests/evaluation/test_expected.py"


def run_without_shared(
    installation: Installation, **environment: str
) -> subprocess.CompletedProcess[str]:
    installation.environment.pop("SEGRANKS_REQUIRE_ALL", None)
    nowhere = {"SEGRANKS_SHARED": str(installation.data / "nowhere")}
    installation.environment |= nowhere | environment
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", NEEDS_SHARED]
    assert (REPOSITORY / NEEDS_SHARED).exists()
    return installation.run(*command, check=False)


@pytest.mark.parametrize("value", ["", "0"])
def test_missing_data_is_skipped_and_named(installation: Installation, value: str) -> None:
    result = run_without_shared(installation, SEGRANKS_REQUIRE_ALL=value)
    assert result.returncode == 0, result.stdout
    assert "nowhere is not there: set SEGRANKS_SHARED" in result.stdout
    assert " skipped" in result.stdout.splitlines()[-1]


def test_missing_data_fails_where_nothing_may_be_missing(installation: Installation) -> None:
    result = run_without_shared(installation, SEGRANKS_REQUIRE_ALL="1")
    assert result.returncode == 1
    assert "nowhere is not there: set SEGRANKS_SHARED" in result.stdout
    assert " passed" not in result.stdout.splitlines()[-1]
