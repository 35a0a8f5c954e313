"""Time the statistics on generated judgements: `python -m tests.load.evaluation [JUDGEMENTS …]`.

By default with as many judgements as the thesis has, and with a hundred times as many.
"""

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.agreement.kappa import measure_agreement
from evaluation.stats.agreement.weighted_kappa import measure_disagreement
from evaluation.stats.annotators.drift import drift
from evaluation.stats.annotators.effects import annotator_effects
from evaluation.stats.annotators.sequence import sequence_effects
from evaluation.stats.annotators.statistics import describe
from evaluation.stats.judgements import GARBAGE, Judgements, assemble
from evaluation.stats.ranking.learning_curve import learning_curve
from evaluation.stats.ranking.power import measure_power
from evaluation.stats.ranking.same_texts import count_same_texts
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import METHODS, rank_all, rank_by_ratio_of_wins
from evaluation.stats.wins import count_wins

THESIS = 8487
SYSTEMS = 10
SEGMENTS_A_SENTENCE = 3
REPEATED = 0.1


def made_up(count: int, *, seed: int = 0) -> Judgements:
    """Return judgements of 2 to 10 candidates by annotators with 500 judgements each."""
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
    # One annotator judges a sentence; the same one, or one other, judges its repeats.
    others = np.concatenate([np.zeros(once, dtype=int), random.integers(0, 2, count - once)])
    candidates = starts[segments][placed_by] + within
    return assemble(
        segments=segments,
        sentences=segments // SEGMENTS_A_SENTENCE,
        annotators=(segments // SEGMENTS_A_SENTENCE + others) % people,
        seconds=random.exponential(70, count),
        created=np.arange(count, dtype=np.float64),
        placed_by=placed_by,
        placed_candidates=candidates,
        placed_ranks=np.where(garbage, GARBAGE, ranks),
        shown_by=placed_by,
        shown_candidates=candidates,
        shown_positions=within + 1,
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


def timed(name: str, call: Callable[[], Any]) -> tuple[Any, float]:
    """Call, and print the milliseconds that it takes."""
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start
    print(f"  {name:40}{seconds * 1000:12.2f} ms", flush=True)
    return result, seconds


def measure(count: int) -> None:
    print(f"{count} judgements × {SYSTEMS} systems")
    judgements, _ = timed("assemble", lambda: made_up(count))
    _, ranked = timed("all rankings, with intervals", lambda: rank_all(judgements))
    _, agreed = timed("all agreement, with intervals", lambda: agreement_with_intervals(judgements))
    goal = 1 if count <= THESIS else 15
    print(f"  together {'within' if ranked + agreed <= goal else 'NOT within'} {goal} s")
    timed("ratio of wins", lambda: rank_by_ratio_of_wins(judgements))
    timed("wins by sentence", lambda: count_wins(judgements))
    for method in METHODS:
        timed(f"{method}, with intervals", partial(rank_all, judgements, methods=[method]))
    timed("κ", lambda: measure_agreement(judgements))
    timed("statistics of annotators", lambda: describe(judgements))
    timed("kinds of disagreement", lambda: measure_disagreement(judgements))
    timed("significance of pairs", lambda: compare_pairs(judgements))
    timed("power", lambda: measure_power(judgements))
    timed("same texts", lambda: count_same_texts(judgements))
    timed("learning curve", lambda: learning_curve(judgements))
    timed("sequence effects", lambda: sequence_effects(judgements))
    timed("drift", lambda: drift(judgements))
    timed("annotator effects", lambda: annotator_effects(judgements))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory {peak:.0f} MiB")


def main() -> None:
    for count in [int(each) for each in sys.argv[1:]] or [THESIS, 100 * THESIS]:
        measure(count)


if __name__ == "__main__":
    main()
