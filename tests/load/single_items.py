"""Print how often intervals of the agreement of labels and of scores hold the truth.

    python -m tests.load.single_items [--projects N] [--seed N]

Simulated scores of 150 items, each annotator judges half of them, and a fifth of these again;
labels are the scores rounded to five grades. Annotators differ in their means and in the logarithm
of their noise by a standard deviation of 0 or .3 (items: 1, noise: about .5). The truth is the
mean of ten simulations with 60 annotators and 1000 items. Not a test: it takes minutes.
"""

import argparse

import numpy as np

from evaluation.stats.agreement.labels import measure_labels
from evaluation.stats.agreement.scores import measure_scores
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import Floats

NOISE = 0.5
GRADES = 5
NAMES = ("α", "r intra", "|x - y| intra", "r inter", "|x - y| inter", "κ intra", "κ inter")


def simulate(
    random: np.random.Generator, *, annotators: int, items: int, differ: float
) -> tuple[ItemJudgements, Floats]:
    """Return the judgements and their scores."""
    quality = random.normal(0, 1, items)
    means = random.normal(0, differ, annotators)
    noise = NOISE * np.exp(random.normal(0, differ, annotators))
    who, which = np.nonzero(random.random((annotators, items)) < 0.5)
    again = random.random(len(who)) < 0.2
    people, judged = (np.append(codes, codes[again]).astype(np.int32) for codes in (who, which))
    errors = noise[people] * random.normal(0, 1, len(people))
    return ItemJudgements(judged, people, judged), quality[judged] + means[people] + errors


def measure(judged: ItemJudgements, scores: Floats, resamples: int) -> list[Estimate]:
    """Return the estimates of NAMES."""
    of_scores = measure_scores(judged, scores, resamples=resamples)
    grades = np.clip(np.round(scores) + 2, 0, GRADES - 1).astype(np.int32)
    of_labels = measure_labels(judged, grades, count=GRADES, resamples=resamples)
    pairs = (of_scores.intra, of_scores.inter)
    return [
        of_scores.alpha,
        *(estimate for each in pairs for estimate in (each.correlation, each.difference)),
        of_labels.intra.kappa,
        of_labels.inter.kappa,
    ]


def holds(low: float | None, truth: float, high: float | None) -> bool:
    return low is not None and high is not None and low <= truth <= high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("annotators differ", *NAMES, sep=" | ")
    for annotators, differ in ((5, 0.0), (5, 0.3), (12, 0.0), (12, 0.3)):
        random = np.random.default_rng(options.seed)
        whole = [
            measure(*simulate(random, annotators=60, items=1000, differ=differ), 0)
            for _ in range(10)
        ]
        truth = np.mean([[each.value or 0.0 for each in row] for row in whole], axis=0)
        kept: list[list[tuple[bool, bool]]] = []
        for _ in range(options.projects):
            drawn = simulate(random, annotators=annotators, items=150, differ=differ)
            kept.append(
                [
                    (holds(each.low, of, each.high), holds(each.wide_low, of, each.wide_high))
                    for each, of in zip(measure(*drawn, 200), truth.tolist(), strict=True)
                ]
            )
        for name, shares in zip(("sentences", "annotators"), np.mean(kept, axis=0).T, strict=True):
            print(annotators, differ, name, *(f"{share:.1%}" for share in shares), sep=" | ")


if __name__ == "__main__":
    main()
