"""How long people worked, as far as it can be known and checked."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final

from annotation.models import Project, Submission

# Seconds of one sentence that count at most: nobody can check how long somebody looked at it.
LONGEST: Final = 600.0

# When a sentence was shown and handed in, and the seconds that the browser said, if it did.
Sitting = tuple[datetime | None, datetime, float | None]


def working_times(project: Project) -> dict[int, float | None]:
    """Return the seconds that each annotator worked, by id, in one query.

    Of every sentence that was handed in, practice too, the time in which its page was visible and
    used, as its browser says, or all the time between its being shown and handed in, where the
    browser says nothing; never more than that, nor than ten minutes. All sentences of a person
    together count no more than the time in which at least one of them was there, so that nobody
    is paid twice for the same minute. Revisions add nothing. None where nobody knows, as of
    imported judgements.
    """
    rows = (
        Submission.objects.filter(assignment__project=project, number=1)
        .order_by("assignment__annotator", "assignment__shown")
        .values_list("assignment__annotator", "assignment__shown", "created", "active_seconds")
    )
    by_annotator = groupby(rows.iterator(), key=itemgetter(0))
    return {annotator: _seconds(row[1:] for row in mine) for annotator, mine in by_annotator}


def _seconds(sittings: Iterable[Sitting]) -> float | None:
    """Return the seconds of one person; the sittings are in the order in which they began."""
    known, claimed, there = False, 0.0, 0.0
    until: datetime | None = None
    for shown, handed_in, active in sittings:
        if shown is None:
            continue
        known = True
        # Clocks may have been set back in between.
        seconds = max((handed_in - shown).total_seconds(), 0.0)
        claimed += min(seconds if active is None else active, seconds, LONGEST)
        begin = shown if until is None else max(shown, until)
        there += max((handed_in - begin).total_seconds(), 0.0)
        until = max(handed_in, begin)
    return min(claimed, there) if known else None
