"""What makes scores of one system differ: variance components of documents, annotators and noise.

score = system + document + document of the system + line + translation + annotator
      + annotator of the system + sheet + noise

The systems are fixed and all other effects are random. A document of the system is what one
system's translation of a document has in common, a line a segment of the source, a sheet what one
annotator made of one document; noise is what differs if one translation is judged again.
Estimates are MIVQUE(0), which are unbiased for any unbalanced design: squared sums of residuals by
each effect are equated with their expectations. Annotators differ so much that their effects would
blur all others: they are taken away first, and their variance follows from what the others leave.
Source: Hartley, Rao & LaMotte (1978), "A Simple 'Synthesis'-Based Method of Variance Component
Estimation", Biometrics 34.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import UNIDENTIFIED
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores

Effect = Literal[
    "noise",
    "translation",
    "document",
    "document of the system",
    "line",
    "annotator",
    "annotator of the system",
    "sheet",
]
# Where two effects cannot be told apart, the variance is that of the first.
EFFECTS: Final[tuple[Effect, ...]] = (
    "noise",
    "document",
    "document of the system",
    "line",
    "translation",
    "annotator",
    "annotator of the system",
    "sheet",
)
OF_ANNOTATORS: Final = ("annotator", "annotator of the system", "sheet")
# Relative to the largest eigenvalue, below which effects count as the same.
SAME: Final = 1e-9


@dataclass(frozen=True)
class Components:
    """The variance of each effect, in squared points; None where the design does not show it.

    What an effect without a variance adds is in that of an earlier one of EFFECTS. `deviations` of
    all scores of a system are the root of their sum.
    """

    variances: Mapping[Effect, float | None]
    scores: int

    def __getitem__(self, effect: Effect) -> float:
        return self.variances[effect] or 0.0

    @property
    def deviation(self) -> float:
        return float(np.sqrt(sum(self[effect] for effect in EFFECTS)))


def codes_of(effect: Effect, scores: SystemScores) -> NDArray[np.int64]:
    """Return codes of the groups of scores (N) that share an effect; they may have gaps."""
    systems, units = scores.systems.astype(np.int64), scores.units.astype(np.int64)
    people = scores.annotators.astype(np.int64) - UNIDENTIFIED
    lines = scores.segments.astype(np.int64)
    match effect:
        case "noise":
            return np.arange(len(scores), dtype=np.int64)
        case "document":
            return units
        case "document of the system":
            return units * scores.names + systems
        case "line":
            return lines
        case "translation":
            return lines * scores.names + systems
        case "annotator":
            return people
        case "annotator of the system":
            return people * scores.names + systems
        case "sheet":
            return np.asarray(units * (people.max(initial=0) + 1) + people)


def variance_components(scores: SystemScores) -> Components:
    """Return the variance components of scores whose `units` are documents.

    Where annotators are unidentified, their effects are not shown.
    """
    from scipy.sparse import hstack

    groups = {effect: _indicators(codes_of(effect, scores)) for effect in EFFECTS}
    systems = _indicators(scores.systems.astype(np.int64))
    annotators = groups["annotator"]
    is_known = bool((scores.annotators != UNIDENTIFIED).all())
    others = [
        effect
        for effect in EFFECTS
        if effect != "annotator" and (is_known or effect not in OF_ANNOTATORS)
    ]
    within = _Residuals.of(scores.values, hstack([systems, annotators], format="csr"))
    found = within.solve({effect: groups[effect] for effect in others})
    # Of one annotator there is no variance.
    if annotators.shape[1] > 1 and is_known:
        between = _Residuals.of(scores.values, systems)
        rest = between.squares(annotators) - sum(
            (variance or 0.0) * between.expected(annotators, groups[effect])
            for effect, variance in found.items()
        )
        own = between.expected(annotators, annotators)
        # Nothing is left of annotators who judged one system each.
        if own > SAME * float((annotators.T @ annotators).power(2).sum()):
            found["annotator"] = max(0.0, rest / own)
    return Components({effect: found.get(effect) for effect in EFFECTS}, len(scores))


def _indicators(codes: NDArray[np.int64]) -> Any:
    """Return Z (N × groups): which group each score belongs to."""
    from scipy.sparse import csr_array

    known, places = np.unique(codes, return_inverse=True)
    entries = (np.ones(len(codes)), places, np.arange(len(codes) + 1))
    return csr_array(entries, shape=(len(codes), len(known)))


@dataclass(frozen=True, eq=False)
class _Residuals:
    """The scores without the effects of a design X (N × P): M y with M = I - X (XᵀX)⁻ Xᵀ."""

    residuals: Floats
    design: Any
    inverse: Floats

    @classmethod
    def of(cls, values: Floats, design: Any) -> "_Residuals":
        inverse = np.linalg.pinv((design.T @ design).toarray(), hermitian=True)
        return cls(values - design @ (inverse @ (design.T @ values)), design, inverse)

    def squares(self, group: Any) -> float:
        return float(((group.T @ self.residuals) ** 2).sum())

    def expected(self, group: Any, other: Any) -> float:
        """Return what `squares` of the group are by a variance of 1 of the other: |Zᵀ M W|²."""
        common = group.T @ other
        left, right = group.T @ self.design, other.T @ self.design
        crossed = (left.T @ common @ right).toarray()
        squared = (left.T @ left).toarray() @ self.inverse @ (right.T @ right).toarray()
        return float(
            common.power(2).sum()
            - 2 * (self.inverse * crossed).sum()
            + (self.inverse * squared).sum()
        )

    def solve(self, groups: Mapping[Effect, Any]) -> dict[Effect, float | None]:
        """Return the variances of the effects; None of those that are in earlier ones."""
        names = list(groups)
        expected = np.zeros((len(names), len(names)))
        for row, name in enumerate(names):
            for column in range(row, len(names)):
                both = self.expected(groups[name], groups[names[column]])
                expected[row, column] = expected[column, row] = both
        squares = np.array([self.squares(groups[name]) for name in names])
        shown = _identified(expected)
        # A negative estimate is 0: without its effect, the others are estimated again.
        kept = list(shown)
        variances: dict[Effect, float | None] = {names[place]: 0.0 for place in shown}
        while kept:
            solved = np.linalg.solve(expected[np.ix_(kept, kept)], squares[kept])
            if solved.min() >= 0:
                variances |= {
                    names[place]: value for place, value in zip(kept, solved.tolist(), strict=True)
                }
                break
            kept.remove(kept[int(solved.argmin())])
        return variances


def _identified(expected: Floats) -> list[int]:
    """Return the effects that the design tells apart from those before them."""
    diagonal = np.diagonal(expected)
    scale = np.sqrt(np.maximum(diagonal, np.finfo(np.float64).tiny))
    scaled = expected / np.outer(scale, scale)
    shown: list[int] = []
    for place in np.flatnonzero(diagonal > SAME * diagonal.max()).tolist():
        tried = [*shown, place]
        eigenvalues = np.linalg.eigvalsh(scaled[np.ix_(tried, tried)])
        if eigenvalues[0] > SAME * eigenvalues[-1]:
            shown = tried
    return shown
