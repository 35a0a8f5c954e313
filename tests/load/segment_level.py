"""Time the evaluation of metrics on segments: `python -m tests.load.segment_level`.

Random scores of 11 systems and 3003 segments: seconds of the exact calibration of ties, by segment,
by system and of everything, and of all τ with 1000 resamples of the sentences; beside trying every
ε, and beside resampling the comparisons themselves. Of these baselines a part is timed and the
rest extrapolated.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Final, get_args

import numpy as np

from evaluation.meta.direct_assessment import assessed_pairs
from evaluation.meta.segment_pearson import pearson
from evaluation.meta.segment_tau import CELLS, RULES, count_outcomes, segment_taus, tau
from evaluation.meta.segment_ties import (
    Grouping,
    best_epsilon,
    calibrate,
    count_pairs,
    tau_b,
)
from evaluation.stats.resampling import Floats
from tests.load.figures import machine

SYSTEMS, SEGMENTS = 11, 3003
RESAMPLES: Final = 1000
# Parts of the baselines that are timed.
TRIED, RESAMPLED = 20, 20


def seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def made_up(levels: int, *, seed: int = 0) -> tuple[Floats, Floats]:
    """Return scores by people, with ties if there are few levels, and by a metric."""
    random = np.random.default_rng(seed)
    human = random.integers(0, levels, (SYSTEMS, SEGMENTS)) / levels
    return human, human + random.normal(0, 0.3, human.shape)


def try_every_epsilon(human: Floats, metric: Floats) -> float:
    """Return the seconds of acc_eq for each ε at which it can change, extrapolated."""
    pairs = combinations(range(len(metric)), 2)
    thresholds = np.unique([np.abs(metric[x] - metric[y]) for x, y in pairs])
    tried = np.random.default_rng(0).choice(thresholds, TRIED)
    passed = seconds(lambda: [count_pairs(human, metric, epsilon=e).acc_23.mean() for e in tried])
    return passed / TRIED * len(thresholds)


def resample_comparisons(human: Floats, metric: Floats) -> float:
    """Return the seconds of counting the comparisons of sampled sentences anew, extrapolated."""
    gold = assessed_pairs(human, least_difference=0)
    order = np.argsort(gold.groups, kind="stable")
    rows = np.split(order, np.flatnonzero(np.diff(gold.groups[order])) + 1)
    one, other = gold.scores_of(metric)
    cells = (1 - gold.outcomes) * 3 + 1 - np.sign(one - other).astype(np.int64)
    random = np.random.default_rng(0)

    def resample() -> None:
        sampled = np.concatenate([rows[n] for n in random.integers(0, len(rows), len(rows))])
        sums = np.bincount(cells[sampled], minlength=CELLS).astype(np.float64)
        for rule in RULES:
            tau(sums, rule)

    passed = sum(seconds(resample) for _ in range(RESAMPLED))
    return passed / RESAMPLED * RESAMPLES


def show(what: str, passed: float) -> None:
    print(f"{what:32}{passed:10.3f} s")


def main() -> None:
    print(machine())
    print(
        f"{SYSTEMS} systems, {SEGMENTS} segments, {SYSTEMS * (SYSTEMS - 1) // 2 * SEGMENTS} pairs"
    )
    # Imports of scipy are not counted.
    calibrate(*made_up(3))
    for levels in (3, 25, 100_000):
        scores = made_up(levels)
        print(f"\nscores by people: {levels} levels")
        show("exact calibration", seconds(partial(best_epsilon, *scores)))
        show("with its intervals", seconds(partial(calibrate, *scores)))
        show("trying every ε (part)", try_every_epsilon(*scores))
    human, metric = made_up(25)
    print()
    for grouping in get_args(Grouping):
        show(f"τ-b, {grouping}", seconds(partial(tau_b, human, metric, grouping)))
        show(f"r, {grouping}", seconds(partial(pearson, human, metric, grouping)))
    show("exact calibration, sys", seconds(partial(best_epsilon, human, metric, "sys")))
    gold = assessed_pairs(human, least_difference=0)
    print(f"\n{len(gold)} comparisons")
    show("outcomes by sentence", seconds(partial(count_outcomes, gold, metric)))
    show("all τ, 1000 resamples", seconds(partial(segment_taus, gold, {"metric": metric})))
    show("counting anew (part)", resample_comparisons(human, metric))


if __name__ == "__main__":
    main()
