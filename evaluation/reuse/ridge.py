"""Linear regression with a penalty, from sums that can be added and subtracted.

Leaving a group of rows out is a subtraction, so that leaving out each group in turn costs one pass.
Source: Hoerl & Kennard (1970), "Ridge Regression", Technometrics 12.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.preparation.embedded.blas import one_thread

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """Weighted sums of products of F features and a constant, and of them with T targets.

    `gram` is (F + 1) × (F + 1) and `cross` (F + 1) × T, the constant last; `rows` counts.
    """

    gram: Floats
    cross: Floats
    rows: int

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(self.gram + other.gram, self.cross + other.cross, self.rows + other.rows)

    def __sub__(self, other: "Moments") -> "Moments":
        return Moments(self.gram - other.gram, self.cross - other.cross, self.rows - other.rows)

    def fit(self, penalty: float) -> Floats:
        """Return coefficients (F + 1) × T, the constant last.

        The penalty is that of standardised features, in rows of mean weight. A feature that is
        constant in all rows has the coefficient 0.
        """
        if not self.gram[-1, -1]:
            return np.zeros(self.cross.shape)
        correlations, with_targets, scale = self._standardised()
        with one_thread():
            penalised = correlations + np.eye(len(scale)) * penalty / self.rows
            standardised = np.asarray(np.linalg.solve(penalised, with_targets), np.float64)
        return self._coefficients(standardised, scale)

    def fit_each(self, penalties: Sequence[float]) -> Floats:
        """Return the coefficients (P × F + 1 × T) by each penalty, above 0: fast for few."""
        if not self.gram[-1, -1]:
            return np.zeros((len(penalties), *self.cross.shape))
        correlations, with_targets, scale = self._standardised()
        with one_thread():
            values, vectors = np.linalg.eigh(correlations)
            turned = vectors.T @ with_targets
            return np.stack(
                [
                    self._coefficients(
                        vectors @ (turned / (values + penalty / self.rows)[:, None]), scale
                    )
                    for penalty in penalties
                ]
            )

    def _standardised(self) -> tuple[Floats, Floats, Floats]:
        """Return correlations of features, covariances with targets, and standard deviations."""
        weight = self.gram[-1, -1]
        mean, targets = self.gram[-1, :-1] / weight, self.cross[-1] / weight
        covariance = self.gram[:-1, :-1] / weight - np.outer(mean, mean)
        variance = np.diagonal(covariance)
        # What is left of a constant after rounding is no variance.
        varies = variance > 1e-9 * (mean**2 + 1e-12)
        scale = np.where(varies, np.sqrt(np.where(varies, variance, 1)), np.inf)
        with_targets = (self.cross[:-1] / weight - np.outer(mean, targets)) / scale[:, None]
        return covariance / np.outer(scale, scale), with_targets, scale

    def _coefficients(self, standardised: Floats, scale: Floats) -> Floats:
        weight = self.gram[-1, -1]
        slopes = standardised / scale[:, None]
        constant = (self.cross[-1] - self.gram[-1, :-1] @ slopes) / weight
        return np.concatenate([slopes, constant[None]])


def moments(features: NDArray[np.floating[Any]], targets: Floats, weights: Floats) -> Moments:
    """Sum up rows × F features, rows × T targets, with a weight for each row."""
    rows = np.hstack([features, np.ones((len(features), 1))], dtype=np.float64)
    with one_thread():
        weighted = (rows * weights[:, None]).T
        return Moments(weighted @ rows, weighted @ targets, len(rows))


def apply(coefficients: Floats, features: NDArray[np.float32]) -> Floats:
    """Return the predicted targets of rows × F features."""
    with one_thread():
        return np.asarray(features.astype(np.float64) @ coefficients[:-1] + coefficients[-1])
