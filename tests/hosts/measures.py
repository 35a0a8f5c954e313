"""What a fault did to annotators and to the job: from what they noted and triggers recorded."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.hosts.cluster import Cluster
from tests.hosts.invariants import Found
from tests.hosts.people import Event

HEADINGS = (
    "fault",
    "what happened",
    "seconds without an answer, at most",
    "a submission was confirmed after, at most",
    "requests repeated",
    "messages",
    "the job went on after, at most",
    "rows lost",
    "rows doubled",
)
# Longest gap between two chunks that were stored, from one moment on.
GAP = """
SELECT coalesce(extract(epoch FROM max(at - before)), 0)::float FROM (
    SELECT at, greatest(lag(at) OVER (ORDER BY at), %s::timestamptz) AS before
    FROM stored_chunks WHERE job = (
        SELECT job.id FROM annotation_job job
        JOIN annotation_project project ON project.id = job.project_id WHERE project.name = %s
    )
) times WHERE at > %s::timestamptz
"""
# Chunks that were claimed again, after a claim that was lost.
AGAIN = """
SELECT count(*) - count(DISTINCT (stage, first)) FROM claims WHERE job = (
    SELECT job.id FROM annotation_job job
    JOIN annotation_project project ON project.id = job.project_id WHERE project.name = %s
)
"""


@dataclass(frozen=True)
class Row:
    """A row of the table, and what is printed beside it."""

    fault: str
    happened: str
    silent: float
    confirmed: float
    repeated: int
    messages: dict[str, int]
    # The most different messages that one annotator saw.
    kinds: int
    job: float
    found: Found
    statuses: dict[str, int]

    @property
    def cells(self) -> tuple[str, ...]:
        words = ", ".join(f"{text} ({n})" for text, n in sorted(self.messages.items()))
        shown = f"{words}; {self.kinds} to one annotator at most" if words else "none"
        return (
            self.fault,
            self.happened,
            f"{self.silent:.1f}",
            f"{self.confirmed:.1f} s",
            str(self.repeated),
            shown,
            f"{self.job:.0f} s",
            str(self.found.lost),
            str(self.found.doubled),
        )


def measure(
    fault: str,
    happened: str,
    events: Sequence[Event],
    *,
    began: float,
    ended: float,
    job: float,
    found: Found,
) -> Row:
    """Return the row of a fault, between two seconds of the clock of the events."""
    requests = [event for event in events if event.is_request]
    good = [began, *sorted(event.at for event in requests if event.is_good), ended]
    seen = {(event.who, event.text) for event in events if event.kind == "message"}
    statuses = Counter(f"{event.kind} {event.status or 'no answer'}" for event in requests)
    return Row(
        fault,
        happened,
        silent=max(after - before for before, after in pairwise(good)),
        confirmed=max((event.seconds for event in events if event.kind == "confirmed"), default=0),
        repeated=sum(event.again for event in requests),
        messages=dict(Counter(event.text for event in events if event.kind == "message")),
        kinds=max(Counter(who for who, _text in seen).values(), default=0),
        job=job,
        found=found,
        statuses=dict(sorted(statuses.items())),
    )


def longest_gap(cluster: Cluster, project: str, began: str) -> float:
    """Return the longest time without a stored chunk of the project's job since it `began`."""
    [[seconds]] = cluster.ask(GAP, began, project, began)
    return float(seconds)


def claimed_again(cluster: Cluster, project: str) -> int:
    """Return how often chunks of the project's job were claimed again."""
    [[times]] = cluster.ask(AGAIN, project)
    return int(times)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table of Markdown."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(row.cells for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
