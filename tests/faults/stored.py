"""Submissions in the database."""

from tests.faults.annotators import Annotator
from tests.faults.cluster import Cluster

# A card is called by its segment, from 1 as on the page, and the place where it stood.
STORED = """
SELECT submission.token::text, placement.rank, shown.position,
    dense_rank() OVER (PARTITION BY submission.id ORDER BY candidate.segment_id)
FROM annotation_placement placement
JOIN annotation_judgement judgement ON judgement.id = placement.judgement_id
JOIN annotation_submission submission ON submission.id = judgement.submission_id
JOIN annotation_candidate candidate ON candidate.id = placement.candidate_id
JOIN annotation_showncandidate shown
    ON shown.candidate_id = candidate.id AND shown.assignment_id = submission.assignment_id
WHERE submission.current
"""


def stored(cluster: Cluster) -> dict[str, dict[str, int]]:
    """Return the placements of each submission by its token, as the pages sent them."""
    found: dict[str, dict[str, int]] = {}
    for token, rank, position, segment in cluster.ask(STORED):
        found.setdefault(token, {})[f"{segment}-{position}"] = rank
    return found


def assert_stored_once(cluster: Cluster, *annotators: Annotator) -> None:
    """Every submission is stored once and whole, and nothing else is stored."""
    sheets = [sheet for annotator in annotators for sheet in annotator.submitted]
    assert stored(cluster) == {sheet.token: sheet.choices for sheet in sheets}
    submitted = cluster.ask("SELECT count(*) FROM annotation_assignment WHERE state = 'submitted'")
    assert submitted == cluster.ask("SELECT count(*) FROM annotation_submission")
    assert submitted == [(len(sheets),)]
