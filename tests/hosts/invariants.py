"""What must hold in the database at any time, in words and in SQL.

Each statement returns a row for each violation. `CLAIMED` and `STORED` are the tables in which
triggers record what workers do with chunks (see `cluster.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.faults.stored import STORED
from tests.hosts.cluster import Cluster
from tests.hosts.people import Event


@dataclass(frozen=True)
class Invariant:
    """`lost` says whether a violation is a row that is lost; otherwise one is doubled."""

    words: str
    statement: str
    lost: bool = False


INVARIANTS = (
    Invariant(
        "An assignment has one current submission at most.",
        """
        SELECT assignment_id FROM annotation_submission WHERE current
        GROUP BY assignment_id HAVING count(*) > 1
        """,
    ),
    Invariant(
        "Annotators revise nothing here, so an assignment has one submission at most.",
        """
        SELECT assignment_id FROM annotation_submission
        GROUP BY assignment_id HAVING count(*) > 1
        """,
    ),
    Invariant(
        "A submitted assignment has a submission.",
        """
        SELECT assignment.id FROM annotation_assignment assignment
        WHERE state = 'submitted' AND NOT EXISTS (
            SELECT FROM annotation_submission WHERE assignment_id = assignment.id AND current
        )
        """,
        lost=True,
    ),
    Invariant(
        "An assignment with a submission is submitted.",
        """
        SELECT assignment.id FROM annotation_assignment assignment
        JOIN annotation_submission submission ON submission.assignment_id = assignment.id
        WHERE assignment.state <> 'submitted'
        """,
    ),
    Invariant(
        "No slot of a sentence is taken twice by active first assignments.",
        """
        SELECT sentence_id, slot FROM annotation_assignment
        WHERE kind = 'first' AND state IN ('open', 'submitted')
        GROUP BY sentence_id, slot HAVING count(*) > 1
        """,
    ),
    Invariant(
        "No sentence has more judges than its project wants.",
        """
        SELECT sentence_id FROM annotation_assignment assignment
        JOIN annotation_project project ON project.id = assignment.project_id
        WHERE assignment.kind = 'first' AND assignment.state IN ('open', 'submitted')
        GROUP BY sentence_id, judges_per_sentence HAVING count(*) > judges_per_sentence
        """,
    ),
    Invariant(
        "An annotator has one open assignment of a project at most.",
        """
        SELECT annotator_id FROM annotation_assignment WHERE state = 'open'
        GROUP BY annotator_id, project_id HAVING count(*) > 1
        """,
    ),
    Invariant(
        "A token is stored once.",
        "SELECT token FROM annotation_submission GROUP BY token HAVING count(*) > 1",
    ),
    Invariant(
        "A submission has a placement of each candidate that its assignment showed.",
        """
        SELECT shown.id FROM annotation_showncandidate shown
        JOIN annotation_submission submission ON submission.assignment_id = shown.assignment_id
        WHERE NOT EXISTS (
            SELECT FROM annotation_placement placement
            JOIN annotation_judgement judgement ON judgement.id = placement.judgement_id
            WHERE judgement.submission_id = submission.id
            AND placement.candidate_id = shown.candidate_id
        )
        """,
        lost=True,
    ),
    Invariant(
        "A submission places a candidate once.",
        """
        SELECT judgement.submission_id FROM annotation_placement placement
        JOIN annotation_judgement judgement ON judgement.id = placement.judgement_id
        GROUP BY judgement.submission_id, placement.candidate_id HAVING count(*) > 1
        """,
    ),
    Invariant(
        "A submitted assignment has no draft.",
        """
        SELECT id FROM annotation_assignment
        WHERE state = 'submitted' AND (draft_version > 0 OR draft_choices <> '{}')
        """,
    ),
    Invariant(
        "A chunk is stored once.",
        """
        SELECT job, stage, first FROM stored_chunks
        GROUP BY job, stage, first HAVING count(*) > 1
        """,
    ),
    Invariant(
        "A job that is done leaves no chunks.",
        """
        SELECT chunk.id FROM annotation_chunk chunk JOIN annotation_job job ON job.id = job_id
        WHERE job.state = 'done'
        """,
    ),
    Invariant(
        "A segment of a sentence is stored once.",
        """
        SELECT sentence_id, token_indices FROM annotation_segment
        GROUP BY sentence_id, token_indices HAVING count(*) > 1
        """,
    ),
    Invariant(
        "A system has one candidate of a segment at most.",
        """
        SELECT segment_id, system_id FROM annotation_projection
        GROUP BY segment_id, system_id HAVING count(*) > 1
        """,
    ),
)
# What a preparation stores of a project, in an order that does not depend on ids.
CONTENTS = """
SELECT md5(string_agg(line, E'\\n' ORDER BY line COLLATE "C")) FROM (
    SELECT concat_ws('|', sentence.number, sentence.text, sentence.tokens, sentence.tree) AS line
    FROM annotation_sentence sentence WHERE project_id = %(id)s
    UNION ALL SELECT concat_ws('|', sentence.number, system.name, translation.text,
        translation.tokens, translation.alignment)
    FROM annotation_translation translation
    JOIN annotation_sentence sentence ON sentence.id = translation.sentence_id
    LEFT JOIN annotation_system system ON system.id = translation.system_id
    WHERE sentence.project_id = %(id)s
    UNION ALL SELECT concat_ws('|', sentence.number, segment.token_indices, system.name,
        candidate.text)
    FROM annotation_projection projection
    JOIN annotation_segment segment ON segment.id = projection.segment_id
    JOIN annotation_sentence sentence ON sentence.id = segment.sentence_id
    JOIN annotation_system system ON system.id = projection.system_id
    LEFT JOIN annotation_candidate candidate ON candidate.id = projection.candidate_id
    WHERE sentence.project_id = %(id)s
) lines
"""
DRAFTS = "SELECT id, state, draft_choices FROM annotation_assignment WHERE id = ANY(%s)"


@dataclass
class Found:
    """Violations: rows that are lost, rows that are doubled, and each in words."""

    lost: int = 0
    doubled: int = 0
    words: list[str] = field(default_factory=list)

    def add(self, words: str, rows: int, *, lost: bool) -> None:
        if rows:
            self.words.append(f"{words} Violated {rows} times.")
        self.lost += rows if lost else 0
        self.doubled += 0 if lost else rows


def contents(cluster: Cluster, project: str) -> str:
    """Return a digest of what the preparation of a project has stored."""
    [[pk]] = cluster.ask("SELECT id FROM annotation_project WHERE name = %s", project)
    [[digest]] = cluster.ask(CONTENTS.replace("%(id)s", str(int(pk))))
    return str(digest)


def check(cluster: Cluster, events: Iterable[Event]) -> Found:
    """Compare the database with all that people did, while they rest."""
    broken = Found()
    for invariant in INVARIANTS:
        rows = cluster.ask(invariant.statement)
        broken.add(invariant.words, len(rows), lost=invariant.lost)
    events = list(events)
    _check_tokens(cluster, events, broken)
    _check_drafts(cluster, events, broken)
    return broken


def _check_tokens(cluster: Cluster, events: list[Event], broken: Found) -> None:
    sent = {event.token: event.choices for event in events if event.kind == "sent"}
    confirmed = {event.token for event in events if event.kind == "confirmed"}
    stored: dict[str, dict[str, Any]] = {}
    for token, rank, position, segment in cluster.ask(STORED):
        # Candidates that look alike share a card.
        stored.setdefault(token, {})[f"{segment}-{position}"] = "garbage" if rank is None else rank
    missing = confirmed - stored.keys()
    broken.add("Every acknowledged token is stored.", len(missing), lost=True)
    unknown = stored.keys() - sent.keys()
    broken.add("Only what people submitted is stored.", len(unknown), lost=False)
    differing = [token for token in stored.keys() & sent.keys() if stored[token] != sent[token]]
    broken.add("A token is stored with its placements.", len(differing), lost=True)


def _check_drafts(cluster: Cluster, events: list[Event], broken: Found) -> None:
    """The newest acknowledged draft of a sentence that is not submitted is stored, or a later."""
    saved: dict[int, dict[str, Any]] = {}
    for event in events:
        if event.kind == "saved":
            saved[event.assignment] = event.choices
    rows = cluster.ask(DRAFTS, list(saved))
    lost = sum(
        state == "open" and not saved[pk].items() <= draft.items() for pk, state, draft in rows
    )
    broken.add("Every acknowledged draft of an open sentence is stored.", lost, lost=True)
