"""What agreement needs of each sentence, and of the sentences that are drawn again and again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.agreement.agreement_groups import Kept, Positions, sums
from evaluation.stats.agreement.alpha import COUNTED, count_units
from evaluation.stats.comparisons import Comparisons, compare_judgements, count_ties
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.resampling import Floats, draws, judged_sentences, weighted_sums

# What is counted of every sentence; all else only where two judgements were compared.
EVERYWHERE: Final = ("tied", "untied")
# Figures by name, an element a sentence or a resample.
Columns = Mapping[str, Floats]


@dataclass(frozen=True, eq=False)
class Counted:
    """What was counted a sentence (`columns`, S elements each), and every comparison.

    `sentences` has the sentence of each comparison, as a position in `kept`, which has the codes
    of the sentences where something was compared.
    """

    columns: Columns
    comparisons: Comparisons
    sentences: Positions
    kept: Codes


@dataclass(frozen=True, eq=False)
class Drawn:
    """The sums of all columns a resample, and how often each kept sentence was drawn in it."""

    columns: Columns
    kept: Kept


def count_agreement(judgements: Judgements) -> Counted:
    """Count, a sentence, what is tied, compared and agreed on, and what α and τ-b need."""
    codes, count = judged_sentences(judgements.sentences)
    comparisons = compare_judgements(judgements)
    where = codes[comparisons.rows]
    kept, positions = np.unique(where, return_inverse=True)
    ties = count_ties(judgements.candidate_ranks)
    columns = {name: sums(codes, tied, count) for name, tied in zip(EVERYWHERE, ties, strict=True)}
    units = count_units(judgements, codes, count)
    columns |= {f"alpha {column}": units[:, column] for column in range(COUNTED)}
    for kind, chosen in (("intra", comparisons.by_one), ("inter", ~comparisons.by_one)):
        columns |= _columns(kind, comparisons.select(chosen), where[chosen], count)
    return Counted(columns, comparisons, positions, kept)


def _columns(kind: str, comparisons: Comparisons, where: Codes, count: int) -> dict[str, Floats]:
    defined = ~np.isnan(comparisons.tau_b)
    amounts = {
        "agree": comparisons.agree,
        "compared": comparisons.compared,
        "tau_b": np.where(defined, comparisons.tau_b, 0.0),
        "taus": defined,
        "no taus": ~defined & (comparisons.compared > 0),
    }
    return {f"{kind} {name}": sums(where, amount, count) for name, amount in amounts.items()}


def draw_sentences(counted: Counted, resamples: int, seed: int) -> Drawn:
    """Draw the sentences `resamples` times, and sum up what was counted of those drawn."""
    everywhere = np.stack([counted.columns[name] for name in EVERYWHERE], axis=1)
    others = [name for name in counted.columns if name not in EVERYWHERE]
    compared = np.stack([counted.columns[name][counted.kept] for name in others], axis=1)
    drawn_sums = np.zeros((resamples, len(EVERYWHERE) + len(others)))
    kept = np.zeros((len(counted.kept), resamples), dtype=np.uint8)
    start = 0
    for drawn in draws(len(everywhere), resamples=resamples, seed=seed):
        rows = slice(start, start := start + len(drawn))
        # Nothing else was counted anywhere else, and bytes are the faster to turn over.
        drawn_kept = np.take(drawn, counted.kept, axis=1)
        drawn_sums[rows, : len(EVERYWHERE)] = weighted_sums(drawn, everywhere)
        drawn_sums[rows, len(EVERYWHERE) :] = weighted_sums(drawn_kept, compared)
        kept[:, rows] = drawn_kept.astype(np.uint8).T
    return Drawn(dict(zip((*EVERYWHERE, *others), drawn_sums.T, strict=True)), kept)
