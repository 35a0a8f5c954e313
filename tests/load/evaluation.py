"""Times the maths on made-up judgements: `python -m tests.load.evaluation [JUDGEMENTS]`."""

import resource
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.agreement import measure_agreement
from evaluation.judgements import GARBAGE, MISSING, Judgements, assemble
from evaluation.ranking import rank_by_ratio_of_wins
from evaluation.statistics import describe

SYSTEMS = 10
SEGMENTS_A_SENTENCE = 3
REPEATED = 0.1


def made_up(count: int, *, seed: int = 0) -> Judgements:
    """Judgements of 2 to 10 candidates by as many annotators as 500 judgements each need."""
    random = np.random.default_rng(seed)
    once = int(count * (1 - REPEATED))
    segments = np.concatenate([np.arange(once), random.integers(0, once, count - once)])
    sizes = random.integers(2, SYSTEMS + 1, once)
    starts = np.cumsum(sizes) - sizes
    placed_by = np.repeat(np.arange(count), sizes[segments])
    within = np.arange(len(placed_by)) - np.repeat(
        np.cumsum(sizes[segments]) - sizes[segments], sizes[segments]
    )
    ranks = random.integers(1, sizes[segments][placed_by] + 2)
    garbage = ranks > sizes[segments][placed_by]
    people = max(2, count // 500)
    return assemble(
        segments=segments,
        sentences=segments // SEGMENTS_A_SENTENCE,
        annotators=random.integers(0, people, count),
        seconds=random.exponential(70, count),
        placed_by=placed_by,
        placed_candidates=starts[segments][placed_by] + within,
        placed_ranks=np.where(garbage, GARBAGE, ranks),
        candidate_segments=np.repeat(np.arange(once), sizes),
        producing_systems=np.tile(np.arange(SYSTEMS), once),
        produced_candidates=(
            starts[:, None] + random.integers(0, sizes[:, None], (once, SYSTEMS))
        ).ravel(),
        segment_ids=np.arange(once),
        sentence_numbers=np.arange(once // SEGMENTS_A_SENTENCE + 1) + 1,
        annotator_names=[f"annotator{number}" for number in range(people)],
        system_names=[f"system{number}" for number in range(SYSTEMS)],
    )


def plain_wins(judgements: Judgements) -> list[int]:
    """The loops of the definition, to compare with."""
    wins = [0] * SYSTEMS
    for row in judgements.system_ranks.tolist():
        for x, y in combinations(range(SYSTEMS), 2):
            if MISSING not in (row[x], row[y]) and row[x] != row[y]:
                wins[x if row[x] < row[y] else y] += 1
    return wins


def timed(what: str, call: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    result = call()
    print(f"{what:30} {(time.perf_counter() - start) * 1000:10.2f} ms")
    return result


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8487
    judgements = timed(f"assemble {count} judgements", lambda: made_up(count))
    timed("agreement", lambda: measure_agreement(judgements))
    timed("statistics with agreement", lambda: describe(judgements))
    ranking = timed("ratio of wins", lambda: rank_by_ratio_of_wins(judgements))
    wins = timed("ratio of wins by plain loops", lambda: plain_wins(judgements))
    by_name = {result.system: result.wins for result in ranking.systems}
    assert [by_name[f"system{number}"] for number in range(SYSTEMS)] == wins
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory':30} {peak:10.0f} MiB")


if __name__ == "__main__":
    main()
