"""Print how often intervals hold the truth if sentences of one document resemble each other.

    python -m tests.load.documents [--projects N] [--seed N] [--folder FIRST-HALF]

Simulated projects of equally good systems by eight annotators. In each document, each system is
better or worse by a random effect with this standard deviation. Printed for sampled sentences,
documents and blocks: the share of 95 % intervals of the ratio of wins that hold .5, their mean
width, the share of projects in which any pair differs significantly (Holm), and the design effect,
which is the square of the standard error by documents relative to that by sentences. With the
first half of the thesis' data, also the standard errors by blocks of its neighbouring sentences.
Not a test: it takes minutes.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import BY_WINS, rank_all
from evaluation.stats.resampling import Floats
from evaluation.stats.two_way import two_way
from evaluation.stats.units import SENTENCES, Unit
from evaluation.stats.wins import count_cells
from tests.evaluation.thesis_texts import read_thesis
from tests.load.uncertainty import any_significant, simulate

ANNOTATORS: Final = 8
DOCUMENTS: Final = Unit("document")
# Documents, sentences in each, and standard deviations of document × system.
SHAPES: Final = ((40, 10), (15, 10), (20, 50))
EFFECTS: Final = (0.0, 0.15, 0.3)
BLOCKS: Final = (5, 10, 20, 40)
METHOD: Final = "ratio_of_wins"


def standard_errors(judgements: Judgements) -> Floats:
    """Return the standard error of each system's ratio of wins over the sampled units."""
    cells = count_cells(judgements)
    total = cells.by_sentence.total()
    influence = np.asarray(cells.counts @ np.nan_to_num(BY_WINS[METHOD].gradient(total)).T)
    weights = cells.counts.sum(axis=1)
    found = two_way(influence, cells.sentences, cells.annotators, weights)
    return np.asarray(np.sqrt(np.diagonal(found.sentences)))


def design_effect(judgements: Judgements, unit: Unit) -> float:
    """Return the mean variance over these units relative to that over sentences."""
    of_units, of_sentences = (
        np.mean(standard_errors(judgements.sampled_by(each)) ** 2) for each in (unit, SENTENCES)
    )
    return float(of_units / of_sentences)


def measure(
    random: np.random.Generator, projects: int, *, documents: int, size: int, effect: float
) -> None:
    names = tuple(f"document {number // size:03}" for number in range(documents * size))
    # Blocks that are shorter than documents, and mostly do not begin with one.
    units = (SENTENCES, DOCUMENTS, Unit("block", 7 * size // 10))
    held: dict[Unit, list[bool]] = {unit: [] for unit in units}
    widths: dict[Unit, list[float]] = {unit: [] for unit in units}
    claimed: dict[Unit, list[bool]] = {unit: [] for unit in units}
    effects = []
    for _ in range(projects):
        simulated = simulate(
            random,
            sentences=documents * size,
            annotators=ANNOTATORS,
            effect=0.0,
            in_documents=(documents, effect),
        )
        project = replace(simulated, sentence_documents=names)
        effects.append(design_effect(project, DOCUMENTS))
        for unit in units:
            judgements = project.sampled_by(unit)
            for system in rank_all(judgements, methods=[METHOD])[METHOD].systems:
                low, high = system.score.low, system.score.high
                if low is not None and high is not None:
                    held[unit].append(low <= 0.5 <= high)
                    widths[unit].append(high - low)
            claimed[unit].append(any_significant(compare_pairs(judgements, draws=0).p_holm))
    print(
        f"{documents} documents of {size}, effect {effect:g}, design effect {np.mean(effects):.2f}"
    )
    for unit in units:
        print(
            f"  {unit!s:36} holds {np.mean(held[unit]):6.1%}, width {np.mean(widths[unit]):.4f},"
            f" any pair {np.mean(claimed[unit]):6.1%}",
            flush=True,
        )


def measure_thesis(folder: Path) -> None:
    judgements, _ = read_thesis(folder)
    for size in BLOCKS:
        unit = Unit("block", size)
        by_system = standard_errors(judgements.sampled_by(unit)) / standard_errors(judgements)
        print(
            f"{unit}: standard error {np.sqrt(design_effect(judgements, unit)):.3f} times that by "
            f"sentence, of single systems {by_system.min():.2f} to {by_system.max():.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=150, help="simulated for each line")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="the first half of the thesis' data")
    options = parser.parse_args()
    if options.folder:
        measure_thesis(options.folder)
    random = np.random.default_rng(options.seed)
    print(f"{options.projects} projects a line, seed {options.seed}")
    for documents, size in SHAPES:
        for effect in EFFECTS:
            measure(random, options.projects, documents=documents, size=size, effect=effect)


if __name__ == "__main__":
    main()
