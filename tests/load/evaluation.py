"""Times the maths on made-up judgements: `python -m tests.load.evaluation [JUDGEMENTS …]`.

Without arguments on as many as the thesis has, and on a hundred times that. Parts of which the
definition is a plain loop are timed beside it, on a part of the work where all would take minutes.
"""

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.agreement.kappa import measure_agreement
from evaluation.stats.annotators.drift import drift
from evaluation.stats.annotators.sequence import sequence_effects
from evaluation.stats.annotators.statistics import describe
from evaluation.stats.judgements import GARBAGE, MISSING, Judgements, assemble
from evaluation.stats.ranking.learning_curve import learning_curve
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import METHODS, SKILL, rank_all, rank_by_ratio_of_wins
from evaluation.stats.wins import SentenceWins, count_wins

THESIS = 8487
SYSTEMS = 10
SEGMENTS_A_SENTENCE = 3
REPEATED = 0.1
RESAMPLES = 1000
# Sentences drawn by plain loops.
PLAIN_DRAWS = 100_000


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
    # A sentence is judged by one annotator; what is repeated by him, or by one other.
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


def plain_wins(judgements: Judgements) -> list[int]:
    """The loops of the definition, to compare with."""
    wins = [0] * SYSTEMS
    for row in judgements.system_ranks.tolist():
        for x, y in combinations(range(SYSTEMS), 2):
            if MISSING not in (row[x], row[y]) and row[x] != row[y]:
                wins[x if row[x] < row[y] else y] += 1
    return wins


def plain_resamples(counted: SentenceWins, resamples: int) -> list[list[float]]:
    """Draw sentence after sentence, and add up what each system won and lost in it."""
    random = np.random.default_rng(0)
    tables = counted.tables(counted.counts)
    won = [row.sum(axis=1).tolist() for row in tables.wins]
    lost = [row.sum(axis=1).tolist() for row in tables.losses]
    ratios = []
    for _ in range(resamples):
        wins, losses = [0.0] * SYSTEMS, [0.0] * SYSTEMS
        for sentence in random.integers(0, len(won), len(won)).tolist():
            for system in range(SYSTEMS):
                wins[system] += won[sentence][system]
                losses[system] += lost[sentence][system]
        ratios.append([w / (w + lost) for w, lost in zip(wins, losses, strict=True)])
    return ratios


def plain_agreement(judgements: Judgements) -> tuple[int, int]:
    """Agreeing and compared pairs of candidates in the pairs of judgements of one segment."""
    segments: dict[int, list[list[int]]] = {}
    rows = zip(judgements.segments.tolist(), judgements.candidate_ranks.tolist(), strict=True)
    for segment, ranks in rows:
        segments.setdefault(segment, []).append(ranks)
    agree = compared = 0
    for judged in segments.values():
        for left, right in combinations(judged, 2):
            for x, y in combinations(range(len(left)), 2):
                if MISSING not in (left[x], left[y]):
                    compared += 1
                    one = (left[x] > left[y]) - (left[x] < left[y])
                    agree += one == (right[x] > right[y]) - (right[x] < right[y])
    return agree, compared


def timed(what: str, call: Callable[[], Any], *, part: float = 1) -> tuple[Any, float]:
    """Print how long it takes: the whole of it, if `part` of the work is done here."""
    start = time.perf_counter()
    result = call()
    seconds = (time.perf_counter() - start) / part
    share = "" if part == 1 else f"  (from {part:.2%} of the work)"
    told(what, f"{seconds * 1000:12.2f} ms{share}")
    return result, seconds


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(count: int) -> None:
    print(f"{count} judgements × {SYSTEMS} systems, {RESAMPLES} resamples")
    judgements, _ = timed("assemble", lambda: made_up(count))
    before = peak()
    _, ranked = timed("all rankings, with intervals", lambda: rank_all(judgements))
    _, agreed = timed("all agreement, with intervals", lambda: agreement_with_intervals(judgements))
    goal = 1 if count <= THESIS else 15
    word = "within" if ranked + agreed <= goal else "NOT within"
    told("together", f"{(ranked + agreed) * 1000:12.2f} ms, {word} {goal} s")
    told("peak memory", f"{peak():12.0f} MiB, {before:.0f} of them to make up the judgements")
    print(" Part by part, beside plain loops")
    rankings_beside_loops(judgements)
    agreement_beside_loops(judgements)
    print(" The rest of a report")
    timed("statistics of annotators", lambda: describe(judgements))
    timed("significance of pairs", lambda: compare_pairs(judgements))
    timed("learning curve", lambda: learning_curve(judgements))
    timed("sequence effects", lambda: sequence_effects(judgements))
    timed("drift", lambda: drift(judgements))
    if count <= THESIS:
        timed("skill by openskill, one pass", lambda: rank_all(judgements, methods=[SKILL]))
    told("peak memory", f"{peak():12.0f} MiB")


def rankings_beside_loops(judgements: Judgements) -> None:
    few, part = some(judgements)
    _, fast = timed("ratio of wins", lambda: rank_by_ratio_of_wins(judgements))
    wins, slow = timed("  by loops", lambda: plain_wins(few), part=part)
    told("", f"{slow / fast:12.0f} times as fast")
    by_name = {result.system: result.wins for result in rank_by_ratio_of_wins(few).systems}
    assert [by_name[name] for name in few.system_names] == wins

    counted, _ = timed("wins a sentence", lambda: count_wins(judgements))
    for method in METHODS:
        timed(f"{method}, with intervals", partial(rank_all, judgements, methods=[method]))
    _, fast = timed("resamples only", lambda: counted.resampled(resamples=RESAMPLES, seed=0))
    draws = max(1, PLAIN_DRAWS // len(counted.counts))
    _, slow = timed("  by loops", lambda: plain_resamples(counted, draws), part=draws / RESAMPLES)
    told("", f"{slow / fast:12.0f} times as fast")


def agreement_beside_loops(judgements: Judgements) -> None:
    few, part = some(judgements)
    _, fast = timed("κ", lambda: measure_agreement(judgements))
    counts, slow = timed("  by loops", lambda: plain_agreement(few), part=part)
    told("", f"{slow / fast:12.0f} times as fast")
    report = measure_agreement(few)
    both = (report.intra, report.inter)  # everybody is known
    assert counts == (sum(each.agree for each in both), sum(each.compared for each in both))


def some(judgements: Judgements) -> tuple[Judgements, float]:
    """All judgements of the first segments, about as many as the thesis has; and their share."""
    share = min(1.0, THESIS / len(judgements))
    few = judgements.select(judgements.segments <= share * judgements.segments.max())
    return few, len(few) / len(judgements)


def told(what: str, figure: str) -> None:
    print(f"  {what:46} {figure}", flush=True)


def main() -> None:
    for count in [int(each) for each in sys.argv[1:]] or [THESIS, 100 * THESIS]:
        measure(count)


if __name__ == "__main__":
    main()
