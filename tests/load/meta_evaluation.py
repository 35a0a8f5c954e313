"""Time and memory of the system level: `python -m tests.load.meta_evaluation [--small]`.

20 metrics of 110 systems on 3003 segments, with random scores, and 1000 resamples: as large as all
systems of WMT14 in one table. Prints seconds of each step and the peak memory, beside a loop that
computes each resample with scipy (timed on a few resamples, for all of them by proportion). The
goal is 60 s and 2 GB for scores with intervals. `--small` takes 10 systems.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
from scipy import stats

from evaluation.meta.intervals import ResampledScores
from evaluation.meta.permutation import Swapped, compare_by_permutation
from evaluation.meta.soft_accuracy import SegmentScores, soft_pairwise_accuracy
from evaluation.meta.system_level import evaluate_systems
from evaluation.meta.system_scores import SystemScores
from evaluation.stats.resampling import Floats, resampled_sums

SEGMENTS: Final = 3003
METRICS: Final = 20
RESAMPLES: Final = 1000
NAIVE_RESAMPLES: Final = 3
SWAPPED: Final[tuple[Swapped, ...]] = ("systems", "inputs", "both")


@contextmanager
def timed(what: str, factor: float = 1.0) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    print(f"{what:<58}{factor * (time.perf_counter() - begun):9.2f} s", flush=True)


def naive(human: Floats, metrics: Floats, resamples: int) -> None:
    """Compute all figures of each resample one by one."""
    random = np.random.default_rng(1)
    tests: tuple[Callable[[Floats, Floats], Any], ...] = (
        stats.pearsonr,
        stats.spearmanr,
        stats.kendalltau,
    )
    for _ in range(resamples):
        chosen = random.integers(0, SEGMENTS, SEGMENTS)
        people = human[:, chosen].mean(axis=1)
        for metric in metrics:
            scores = metric[:, chosen].mean(axis=1)
            for test in tests:
                test(people, scores)


def main() -> None:
    systems = 10 if "--small" in sys.argv else 110
    random = np.random.default_rng(0)
    quality = random.normal(size=(systems, 1))
    human = 0.3 * quality + random.normal(size=(systems, SEGMENTS))
    metrics = human + random.normal(size=(METRICS, systems, SEGMENTS))
    names = tuple(f"metric {number}" for number in range(METRICS))
    scores = SystemScores(
        tuple(f"system {number}" for number in range(systems)),
        human.mean(axis=1),
        names,
        metrics.mean(axis=2),
    )
    print(f"{SEGMENTS} segments, {systems} systems, {METRICS} metrics, {RESAMPLES} resamples")
    with timed("all of the next four"):
        with timed("  resampled system scores"):
            columns = np.concatenate([human, metrics.reshape(-1, SEGMENTS)]).T
            means = resampled_sums(columns, resamples=RESAMPLES, seed=1) / SEGMENTS
            of_metrics = means[:, systems:].reshape(RESAMPLES, METRICS, systems)
            resampled = ResampledScores("sentences", SEGMENTS, 1, means[:, :systems], of_metrics)
        with timed("  soft pairwise accuracy"):
            soft_pairwise_accuracy(SegmentScores(names, human, metrics))
        with timed("  figures, Williams' tests, intervals by sentence"):
            evaluate_systems(scores, resampled=[resampled])
        with timed("  figures and intervals by system"):
            evaluate_systems(scores, resamples_of_systems=RESAMPLES)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    with timed("r, ρ and τ of each resample by scipy", RESAMPLES / NAIVE_RESAMPLES):
        naive(human, metrics, NAIVE_RESAMPLES)
    for swapped in SWAPPED:
        with timed(f"permutation tests of all metrics by {swapped}"):
            compare_by_permutation(names, human, metrics, swapped=swapped)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
