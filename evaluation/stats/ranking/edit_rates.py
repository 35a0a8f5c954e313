"""HTER: how much annotators edited the outputs of each system.

HTER is TER between an output and the text that a person made of it: edits for a word of the edited
text, summed over outputs before dividing (Snover et al. 2006, "A Study of Translation Edit Rate
with Targeted Human Annotation"). An output that needed no corrections has no edits; one that could
not be corrected has no edited text, and is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import NO_CANDIDATE, Judgements, natural_key
from evaluation.stats.ranking.systems import TIE_DECIMALS, repeats_rule
from evaluation.stats.ratios import ratios_of_cells
from evaluation.stats.resampling import Floats, shares, sum_rows

NOT_CORRECTED: Final = "no output of the system was corrected or needed no corrections"
# No edit rate is below it; with many insertions it can be above 1.
BOUNDS: Final = (0.0, float("inf"))


@dataclass(frozen=True, eq=False)
class EditCounts:
    """Edits, and words of the edited text, of candidates in all J judgements that were loaded.

    Both are J × candidates of a segment, as `Judgements.candidate_ranks`; NaN where there is no
    edited text. `ids` are those of the judgements. `signature` says how words and edits were
    counted.
    """

    ids: NDArray[np.int64]
    edits: Floats
    words: Floats
    signature: str


@dataclass(frozen=True)
class EditedSystem:
    """The edit rate of a system: of its `outputs` in `sentences`, each once for each judgement."""

    system: str
    outputs: int
    sentences: int
    rate: Estimate


@dataclass(frozen=True)
class EditRates:
    """Systems by edit rate, the least edited first; those without edited outputs last.

    `by_sentence` has the rate of each system, in the same order, in each of `sentence_numbers`;
    None where it has none. `only_sentences` says why there are no intervals for other annotators.
    """

    systems: tuple[EditedSystem, ...]
    sentence_numbers: tuple[int, ...]
    by_sentence: tuple[tuple[float | None, ...], ...]
    only_sentences: str
    signature: str


def measure_edit_rates(
    judgements: Judgements, counts: EditCounts, *, resamples: int = 1000, seed: int = 0
) -> EditRates:
    """Return the edit rates of systems in these judgements, a selection of those of `counts`.

    A candidate counts for each system that produced it. The resamples are those of `rank_all`.
    """
    edits, words = edits_of_systems(judgements, counts)
    cells, count = judgements.cells, len(judgements.system_names)
    ratios = ratios_of_cells(sum_rows(cells.codes, np.hstack([edits, words]), len(cells)), cells)
    rates = ratios.estimates(
        ratios.resampled(resamples=resamples, seed=seed),
        [BOUNDS] * count,
        [NOT_CORRECTED] * count,
        judgements.unit,
    )
    found = [
        EditedSystem(
            system=name,
            outputs=int(np.count_nonzero(words[:, x])),
            sentences=len(np.unique(judgements.sentences[words[:, x] > 0])),
            rate=rates[x],
        )
        for x, name in enumerate(judgements.system_names)
    ]
    order = sorted(range(count), key=lambda x: _least_edited_first(found[x]))
    numbers, rows = np.unique(judgements.sentences, return_inverse=True)
    by_sentence = shares(
        sum_rows(rows, edits[:, order], len(numbers)), sum_rows(rows, words[:, order], len(numbers))
    )
    return EditRates(
        systems=tuple(found[x] for x in order),
        sentence_numbers=tuple(judgements.sentence_numbers[numbers].tolist()),
        by_sentence=tuple(
            tuple(None if np.isnan(rate) else rate for rate in row) for row in by_sentence.tolist()
        ),
        only_sentences=ratios.two_way.undefined,
        signature=judgements.sign(
            "HTER",
            counts.signature,
            repeats_rule(judgements),
            f"95 % intervals of {resamples} resamples of {judgements.unit}",
            f"seed {seed}",
        ),
    )


def edits_of_systems(judgements: Judgements, counts: EditCounts) -> Sequence[Floats]:
    """Return edits and words (J × systems each) of the candidate of each system, 0 for none."""
    order = np.argsort(counts.ids)
    rows = order[np.searchsorted(counts.ids, judgements.ids, sorter=order)]
    columns = judgements.system_candidates
    there = columns != NO_CANDIDATE
    found = []
    for each in (counts.edits, counts.words):
        of_rows = np.nan_to_num(each[rows])
        taken = np.take_along_axis(of_rows, np.where(there, columns, 0), axis=1)
        found.append(np.where(there, taken, 0.0))
    return found


def _least_edited_first(row: EditedSystem) -> tuple[bool, float, tuple[object, ...]]:
    rate = row.rate.value
    return rate is None, round(rate or 0.0, TIE_DECIMALS), natural_key(row.system)
