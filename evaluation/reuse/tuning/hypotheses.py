"""The hypotheses among which a linear model chooses: N-best lists, or the outputs of systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.project_texts import Tokens
from evaluation.stats.judgements import Codes

Floats = NDArray[np.float64]

NO_SYSTEM: Final = -1


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """The hypotheses of S sentences, at most N of each, as arrays of S × N (× features).

    A sentence with fewer than N has its first one again in the places that are left: the first of
    equal ones is chosen, so that these never are. `sizes` S says how many hypotheses there are
    without them; `sentences` S has codes of sentences of the project; `texts` S × up to N tokens;
    `systems` S × N codes of systems, NO_SYSTEM for hypotheses of an N-best list; `features`
    S × N × F values by the F `feature_names`.
    """

    sentences: Codes
    texts: tuple[tuple[Tokens, ...], ...]
    systems: Codes
    features: Floats
    feature_names: tuple[str, ...]

    def __post_init__(self) -> None:
        shape = self.features.shape
        if shape[:2] != self.systems.shape or shape[2] != len(self.feature_names):
            raise ValueError("There must be a value for each hypothesis and feature.")
        if any(not of_sentence for of_sentence in self.texts):
            raise ValueError("A sentence has no hypothesis.")

    @property
    def sizes(self) -> Codes:
        return np.array([len(of_sentence) for of_sentence in self.texts], dtype=np.int32)

    @property
    def are_outputs(self) -> bool:
        """Whether all hypotheses are outputs of systems of the project."""
        return bool(np.all(self.systems != NO_SYSTEM))

    def padded(self, rows: Sequence[NDArray[Any]]) -> Floats:
        """Return S arrays with a row for each hypothesis as one array of S × N × columns."""
        return padded(rows, self.systems.shape[1])


def padded(rows: Sequence[NDArray[Any]], width: int) -> Floats:
    """Return S arrays of up to `width` rows as one array; the first row fills what is left."""
    filled = [np.concatenate([of, of[:1].repeat(width - len(of), axis=0)]) for of in rows]
    return np.stack(filled).astype(np.float64)
