"""Print bias and coverage of the effect of the previous score on simulated scores.

    python -m tests.load.previous_answer [--projects N] [--annotators N] [--seed N]

Annotators score sequences of 20, 30 and 100 items, whose known quality makes 30 % of the variance.
Their means differ by a standard deviation of 1, as items do, and the logarithms of their scales by
0.3. "Centred" is the regression without the mean of the other scores, of scores standardised by
annotator, for comparison. Not a test: it takes minutes.
"""

import argparse

import numpy as np

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.score_model import scales, standardise
from evaluation.stats.annotators.score_sequence import score_sequence
from evaluation.stats.resampling import NORMAL_QUANTILE, Floats

LENGTHS = (20, 30, 100)
EFFECTS = (0.0, 0.05, 0.1, 0.3)
KNOWN = 0.3
DIFFER = 0.3


def simulate(
    random: np.random.Generator, *, annotators: int, items: int, effect: float
) -> tuple[Floats, Floats]:
    """Return scores and known qualities, annotators × items."""
    quality = random.normal(0, np.sqrt(KNOWN), (annotators, items))
    scores = quality + random.normal(0, np.sqrt(1 - KNOWN), quality.shape)
    for place in range(1, items):
        scores[:, place] += effect * scores[:, place - 1]
    scores += random.normal(0, 1, (annotators, 1))
    return scores * np.exp(random.normal(0, DIFFER, (annotators, 1))), quality


def centred(z: Floats, quality: Floats) -> tuple[float, float, float]:
    """Return the effect on standardised scores, and its interval."""
    previous, now = z[:, :-1].ravel(), z[:, 1:].ravel()
    matrix = np.column_stack([np.ones(len(now)), previous, quality[:, 1:].ravel()])
    inverse = np.linalg.inv(matrix.T @ matrix)
    coefficients = inverse @ matrix.T @ now
    noise = np.sum((now - matrix @ coefficients) ** 2) / (len(now) - 3)
    value, half = float(coefficients[1]), NORMAL_QUANTILE * float(np.sqrt(noise * inverse[1, 1]))
    return value, value - half, value + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=400)
    parser.add_argument("--annotators", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    print("items | effect | mean, coverage, coverage of the wide interval | centred")
    for items in LENGTHS:
        who, places = np.indices((options.annotators, items)).reshape(2, -1).astype(np.int32)
        codes = np.arange(len(who), dtype=np.int32)
        judged = ItemJudgements(codes, who, codes)
        for effect in EFFECTS:
            found, wide, former = [], [], []
            for _ in range(options.projects):
                scores, quality = simulate(
                    random, annotators=options.annotators, items=items, effect=effect
                )
                _, units = scales(who, scores.ravel())
                previous = score_sequence(
                    judged, scores.ravel(), places, gold=quality.ravel() * units
                ).all.previous
                assert previous
                found.append((previous.value, previous.low, previous.high))
                wide.append((previous.value, previous.wide_low or 0, previous.wide_high or 0))
                z = standardise(who, scores.ravel()).reshape(scores.shape)
                former.append(centred(z, quality))
            table = np.array([found, wide, former])
            means = table[:, :, 0].mean(axis=1)
            holds = ((table[:, :, 1] <= effect) & (effect <= table[:, :, 2])).mean(axis=1)
            print(
                f"{items} | {effect} | {means[0]:.4f}, {holds[0]:.3f}, {holds[1]:.3f} | "
                f"{means[2]:.4f}, {holds[2]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
