"""Files of reports with drawn figures: drawn one at a time by each process, and cached."""

import hashlib
import json
import threading
from collections.abc import Callable
from typing import Any, Final, cast

from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.common.one_at_a_time import one_at_a_time

# How long a drawn figure and a zip file are cached.
DRAWN_SECONDS: Final = 600
# Drawing takes a process and seconds.
_drawing = threading.Lock()


def cached_drawing(made_of: list[Any], draw: Callable[[], bytes]) -> bytes:
    """Return what was drawn of the same values in the last minutes, or draw it.

    Raises Busy while the process draws something else.
    """
    digest = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()
    key = f"report-file:{digest}"
    drawn = cache.get(key)
    if drawn is None:
        busy = _("Figures of a report are being drawn. Please try again in a few seconds.")
        with one_at_a_time(_drawing, busy):
            drawn = cache.get_or_set(key, draw, DRAWN_SECONDS)
    return cast(bytes, drawn)
