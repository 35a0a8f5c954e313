"""Linear regression with a penalty, from sums that can be added and subtracted.

Leaving a group of rows out is a subtraction, so that leaving out each group in turn costs one pass.
Source: Hoerl & Kennard (1970), "Ridge Regression", Technometrics 12.
"""

from dataclasses import dataclass

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
        features = len(self.gram) - 1
        weight = self.gram[-1, -1]
        if not weight:
            return np.zeros(self.cross.shape)
        mean, targets = self.gram[-1, :-1] / weight, self.cross[-1] / weight
        covariance = self.gram[:-1, :-1] / weight - np.outer(mean, mean)
        variance = np.diagonal(covariance)
        # What is left of a constant after rounding is no variance.
        varies = variance > 1e-9 * (mean**2 + 1e-12)
        scale = np.where(varies, np.sqrt(np.where(varies, variance, 1)), np.inf)
        penalised = covariance / np.outer(scale, scale) + np.eye(features) * penalty / self.rows
        with_targets = (self.cross[:-1] / weight - np.outer(mean, targets)) / scale[:, None]
        with one_thread():
            slopes = np.linalg.solve(penalised, with_targets) / scale[:, None]
        return np.concatenate([slopes, (targets - mean @ slopes)[None]])


def moments(features: NDArray[np.float32], targets: Floats, weights: Floats) -> Moments:
    """Sum up rows × F features, rows × T targets, with a weight for each row."""
    rows = np.hstack([features, np.ones((len(features), 1))], dtype=np.float64)
    with one_thread():
        weighted = (rows * weights[:, None]).T
        return Moments(weighted @ rows, weighted @ targets, len(rows))


def apply(coefficients: Floats, features: NDArray[np.float32]) -> Floats:
    """Return the predicted targets of rows × F features."""
    with one_thread():
        return np.asarray(features.astype(np.float64) @ coefficients[:-1] + coefficients[-1])
