"""Sets the clock of a Python process: by so many seconds as the file says, at any time anew.

Python imports it at its start where this folder is on its PYTHONPATH. The steady clocks go on as
they do when somebody sets the clock of a machine.
"""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

_file = Path(os.environ["SEGRANKS_CLOCK"])
_real = time.time


def _ahead() -> float:
    return float(_file.read_text())


def _time() -> float:
    return _real() + _ahead()


def _now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=_ahead())


time.time = _time
timezone.now = _now
