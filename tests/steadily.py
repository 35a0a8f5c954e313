"""Runs the tests, and those that failed beside others once more alone: `python -m tests.steadily`.

Browsers, servers, workers and aligners of several tests share a machine, and now and then one of
them is too slow for a test. What fails alone too, or is more than a few, has failed; what did not
is named in the end, since it may still be a mistake that shows seldom.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
# So many may be bad luck.
FEW = 5
# pytest's exit status where tests failed, and nothing else is wrong.
TESTS_FAILED = 1


def run(options: Sequence[str], together: Sequence[str]) -> int:
    """Run pytest with these options, at first those for side by side too; return its status."""
    pytest = [sys.executable, "-m", "pytest"]
    FAILED.unlink(missing_ok=True)
    status = subprocess.run([*pytest, *options, *together], cwd=ROOT, check=False).returncode
    failed = sorted(json.loads(FAILED.read_text())) if FAILED.exists() else []
    if status != TESTS_FAILED or not 0 < len(failed) <= FEW:
        return status
    print(f"\nOnce more alone, since {len(failed)} failed beside others:", flush=True)
    again = subprocess.run([*pytest, *options, *failed], cwd=ROOT, check=False).returncode
    if not again:
        print("\nFailed beside others, passed alone:", *failed, sep="\n  ", flush=True)
    return again


if __name__ == "__main__":
    sys.exit(run([], sys.argv[1:]))
