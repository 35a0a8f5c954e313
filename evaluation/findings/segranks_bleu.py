"""BLEU and SegRanksBLEU of outputs, and their correlation with the ratios of wins by people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.rendering.tables import Column, Name, Number, Table
from evaluation.reuse.segranks_bleu import BleuScores, ScoredOutputs
from evaluation.stats.estimates import signed

# With two systems, every correlation is 1 or -1.
FEWEST_SYSTEMS: Final = 3
LOWER: Final = "lower case"
# Headings and units of the scores.
SCORES: Final = {
    "bleu": ("BLEU", ""),
    "segranks_bleu": ("SegRanksBLEU", ""),
    "without_own": ("without own", ""),
    "bleu_lower": ("BLEU", LOWER),
    "segranks_bleu_lower": ("SegRanksBLEU", LOWER),
    "without_own_lower": ("without own", LOWER),
}


@dataclass(frozen=True)
class BleuReport:
    """Scores of outputs; `people` has the ratio of wins by system, None unless people judged it.

    `r` is Pearson's correlation of each score with the ratios. It is None with fewer than
    FEWEST_SYSTEMS systems that have both, and if either is the same for all.
    """

    method: str
    systems: tuple[BleuScores, ...]
    people: Mapping[str, float | None]
    r: Mapping[str, float | None]
    signature: str


def compute(
    scored: ScoredOutputs, ratios: Mapping[str, float | None], provenance: Sequence[str]
) -> BleuReport:
    """Return the report; `ratios` are those of the project's systems."""
    people = {one.system: ratios.get(one.system) for one in scored.systems}
    return BleuReport(
        method="segranks-bleu",
        systems=scored.systems,
        people=people,
        r={name: _correlation(scored.systems, name, people) for name in SCORES},
        signature=signed(scored.signature, provenance),
    )


def _correlation(
    systems: Sequence[BleuScores], name: str, people: Mapping[str, float | None]
) -> float | None:
    scores, ratios = [], []
    for one in systems:
        score, ratio = getattr(one, name), people[one.system]
        if score is not None and ratio is not None:
            scores.append(score)
            ratios.append(ratio)
    if len(scores) < FEWEST_SYSTEMS or len(set(scores)) == 1 or len(set(ratios)) == 1:
        return None
    return float(np.corrcoef(scores, ratios)[0, 1])


def table(found: BleuReport) -> Table:
    """Return the scores, the best SegRanksBLEU first, and r as the total."""
    return Table.of(
        "segranks-bleu",
        "BLEU of outputs, and SegRanksBLEU, whose references include the best candidates",
        (
            Column("system", "system", Name()),
            *(
                Column(name, heading, Number(4), unit=unit)
                for name, (heading, unit) in SCORES.items()
            ),
            Column("people", "people", Number(4), lambda row: found.people.get(row.system)),
        ),
        sorted(found.systems, key=lambda one: -(one.segranks_bleu or 0)),
        total=BleuScores("r with people", **found.r),
        notes=(
            "SegRanksBLEU takes the candidates that ranked best as references too; without own: "
            "those that only this system produced are left out. people: ratio of wins in the "
            "judgements; r: Pearson's correlation with it.",
        ),
        details=[found.signature],
    )
