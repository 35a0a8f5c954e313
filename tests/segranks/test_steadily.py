"""How the tests themselves are run: what failed beside others runs again, and may fail again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import steadily

# Fails in its first run only, or always, or does not even start.
ONCE = """
from pathlib import Path
seen = Path(__file__).with_suffix(".seen")
def test_it():
    first = not seen.exists()
    seen.touch()
    assert not first
"""
ALWAYS = "def test_it():\n    assert False\n"
BROKEN = "import nothing_of_that_name\n"


def run(folder: Path, text: str, tests: int = 1) -> subprocess.CompletedProcess[str]:
    """Run such tests by the module, from a folder where it takes itself to be at home."""
    (folder / "tests").mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "tests" / "steadily.py").write_text(Path(steadily.__file__).read_text())
    for number in range(tests):
        (folder / f"test_{number}.py").write_text(text)
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "tests.steadily", "-p", "no:django"],
        cwd=folder,
        env=environment | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "tests", "status", "again"),
    [("def test_it():\n    pass\n", 1, 0, False), (ONCE, 1, 0, True), (ALWAYS, 1, 1, True),
     (ONCE, steadily.FEW + 1, 1, False), (BROKEN, 1, 2, False)],
)  # fmt: skip
def test_only_what_passes_alone_passes(
    tmp_path: Path, text: str, tests: int, status: int, again: bool
) -> None:
    done = run(tmp_path, text, tests)
    assert done.returncode == status
    assert ("Once more alone" in done.stdout) is again
    named = done.stdout.rpartition("passed alone:")[1]
    assert bool(named) is (again and status == 0)
