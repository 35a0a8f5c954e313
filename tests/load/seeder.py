"""Write many projects with random judgements directly into the tables of a database.

`fill` needs an empty PostgreSQL or SQLite database, the one of Django's settings. The last project
has half of all sentences; the others share the rest evenly. Each sentence has two segments of two
candidates, of the systems A and B, and the requested number of judges out of PEOPLE. The rows are
like those of the application, with few tokens.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, models, transaction

from annotation.formats.tokens import split_at_spaces
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Membership,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    ShownCandidate,
    Submission,
    System,
    Translation,
    User,
)
from tests.load.rows import go_on_counting, write

PEOPLE = 40
SOURCE = "the old house stands near the river"
PLACES = split_at_spaces(SOURCE).places
SEGMENTS = ("0 1 2", "4 5 6")
CANDIDATES = ("starý dům", "stará budova")
BEGAN = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Size:
    """How much to make; judgements are of a segment by one judge."""

    projects: int
    sentences: int
    judges: int

    @property
    def of_projects(self) -> list[int]:
        """Return how many sentences each project has: half of all in the last."""
        if self.projects == 1:
            return [self.sentences]
        rest = self.sentences - self.sentences // 2
        each, more = divmod(rest, self.projects - 1)
        others = [each + (number < more) for number in range(self.projects - 1)]
        return [*others, self.sentences // 2]

    @property
    def judgements(self) -> int:
        return self.sentences * len(SEGMENTS) * self.judges


def fill(size: Size) -> None:
    """Write all rows in one transaction, and update the statistics of the database."""
    with transaction.atomic():
        for model, rows in _tables(size):
            write(model, rows)
        go_on_counting()
    with connection.cursor() as cursor:
        # autovacuum would do this within minutes.
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _tables(size: Size) -> Iterator[tuple[type[models.Model], Iterable[dict[str, Any]]]]:
    """Yield each table with its rows; ids are counted from 1, in the order of the sentences."""
    projects, people = range(1, size.projects + 1), range(1, PEOPLE + 1)
    sentences, segments = range(1, size.sentences + 1), range(1, size.sentences * 2 + 1)
    candidates = range(1, len(segments) * len(CANDIDATES) + 1)
    assignments = range(1, size.sentences * size.judges + 1)

    yield User, ({"id": n, "username": f"annotator{n}"} for n in people)
    yield (
        Project,
        (
            {
                "id": n,
                "name": f"Project {n:04}",
                "source_language": "en",
                "target_language": "cs",
                "judges_per_sentence": size.judges,
                "state": "open",
                "created": BEGAN,
            }
            for n in projects
        ),
    )
    yield (
        Membership,
        (
            {
                "id": PEOPLE * (project - 1) + n,
                "user_id": n,
                "project_id": project,
                "role": "administrator" if n == 1 else "annotator",
            }
            for project in projects
            for n in people
        ),
    )
    yield (
        System,
        (
            {"id": 2 * project - 1 + place, "project_id": project, "name": name}
            for project in projects
            for place, name in enumerate("AB")
        ),
    )
    yield (
        Sentence,
        (
            {"id": n, "project_id": project, "number": number, "text": SOURCE, "tokens": PLACES}
            for n, (project, number) in zip(sentences, _places(size), strict=True)
        ),
    )
    yield (
        Translation,
        (
            {
                "id": n,
                "sentence_id": n,
                "reference": 1,
                "text": "reference",
                "tokens": "0-9",
            }
            for n in sentences
        ),
    )
    yield (
        Segment,
        (
            {"id": n, "sentence_id": -(-n // 2), "token_indices": SEGMENTS[(n - 1) % 2]}
            for n in segments
        ),
    )
    yield (
        Candidate,
        ({"id": n, "segment_id": -(-n // 2), "text": CANDIDATES[(n - 1) % 2]} for n in candidates),
    )
    yield (
        Projection,
        (
            {
                "id": n,
                "segment_id": -(-n // 2),
                "system_id": 2 * project - 1 + (n - 1) % 2,
                "candidate_id": n,
            }
            for n, project in zip(
                candidates,
                (one for one, _number in _places(size) for _candidate in range(4)),
                strict=True,
            )
        ),
    )
    yield Assignment, _assignments(size)
    yield (
        Submission,
        (
            {"id": n, "assignment_id": n, "created": _when(n), "active_seconds": 30.0}
            for n in assignments
        ),
    )
    yield from _judged(size, assignments)


def _assignments(size: Size) -> Iterator[dict[str, Any]]:
    n = 0
    for sentence, (project, _number) in enumerate(_places(size), start=1):
        for slot in range(1, size.judges + 1):
            n += 1
            yield {
                "id": n,
                "project_id": project,
                "sentence_id": sentence,
                "annotator_id": (sentence + slot) % PEOPLE + 1,
                "kind": "first",
                "state": "submitted",
                "slot": slot,
                "created": _when(n) - timedelta(minutes=1),
                "shown": _when(n) - timedelta(minutes=1),
                "submitted": _when(n),
            }


def _judged(
    size: Size, assignments: range
) -> Iterator[tuple[type[models.Model], Iterable[dict[str, Any]]]]:
    chance = random.Random(size.sentences)
    each = len(SEGMENTS)
    judgements = range(1, len(assignments) * each + 1)
    placements = range(1, len(judgements) * len(CANDIDATES) + 1)

    def segment_of(judgement: int) -> int:
        assignment, place = divmod(judgement - 1, each)
        return assignment // size.judges * each + place + 1

    def candidate_of(placement: int) -> int:
        return 2 * segment_of(-(-placement // 2)) - placement % 2

    yield (
        Judgement,
        (
            {
                "id": n,
                "submission_id": -(-n // each),
                "segment_id": segment_of(n),
                "created": _when(-(-n // each)),
                "seconds": 15.0,
            }
            for n in judgements
        ),
    )
    yield (
        Placement,
        (
            {
                "id": n,
                "judgement_id": -(-n // 2),
                "candidate_id": 2 * segment_of(-(-n // 2)) - n % 2,
                "rank": chance.choice((1, 1, 2, None)),
                "ranks_offered": len(CANDIDATES),
            }
            for n in placements
        ),
    )
    yield (
        ShownCandidate,
        (
            {
                "id": n,
                "assignment_id": -(-n // (2 * each)),
                "candidate_id": 2 * segment_of(-(-n // 2)) - n % 2,
                "position": 2 - n % 2,
            }
            for n in placements
        ),
    )


def _places(size: Size) -> Iterator[tuple[int, int]]:
    """Yield the project and the number of each sentence."""
    for project, sentences in enumerate(size.of_projects, start=1):
        for number in range(1, sentences + 1):
            yield project, number


def _when(assignment: int) -> datetime:
    return BEGAN + timedelta(seconds=assignment)
