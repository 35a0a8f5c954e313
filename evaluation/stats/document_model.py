"""Means of systems by one linear model, which also hold where not all systems were scored.

score = system + document + what stood beside it (annotator, column, neighbours) + error, by
weighted least squares. Segments of a system weigh alike: several scores of one share its weight. So
a design in which each system has each segment gives the plain means over segments, and one with
missing cells has the same expectation. A system's mean is that in all documents, where all that
stood beside it is as it was on average. Means are linear in the scores, so that metrics can go
through the same map; influences are those of the jackknife by documents, in closed form.
Sources: Searle, Speed & Milliken (1980), "Population Marginal Means in the Linear Model: An
Alternative to Least Squares Means", The American Statistician 34; Bell & McCaffrey (2002), "Bias
Reduction in Standard Errors for Linear Regression with Multi-Stage Samples", Survey Methodology 28
(the jackknife by clusters in closed form).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import Codes
from evaluation.stats.resampling import Floats, sum_rows, sums_by
from evaluation.stats.two_way import TwoWay, two_way

# Rounding errors: of eigenvalues, as a part of the largest one, and of coefficients.
SINGULAR: Final = 1e-9
NOTHING: Final = 1e-6


class NotIdentified(Enum):
    """Why a system has no mean."""

    NEVER_SCORED = "the system has no score"
    APART = "the system has fewer than two documents in common with the others"
    CONFOUNDED = "the system cannot be told from the annotators or from what stood beside it"


@dataclass(frozen=True, eq=False)
class DocumentModel:
    """A design: which of K systems, on which document and segment, each of N scores is of.

    `systems`, `documents` and `segments` are N codes, and a segment belongs to one document, whose
    length is the mean number of segments that its systems were scored on. `names` is K. `sampling`
    (N) is 1 / the probability with which the score's segment was sampled, by default 1. How systems
    were chosen for a document needs no weight: the model has the document. `effects` are columns of
    N codes, such as annotators, with an effect of each code; `covariates` are N × Q numbers with
    one slope for each column.
    """

    systems: Codes
    documents: Codes
    segments: Codes
    names: int
    sampling: Floats | None = None
    effects: Sequence[Codes] = ()
    covariates: Floats | None = None

    def __len__(self) -> int:
        return len(self.systems)

    @cached_property
    def undefined(self) -> tuple[str, ...]:
        """Why each system has no mean, a value of NotIdentified; "" where it has.

        If systems fall apart into groups without documents in common, the largest group has means.
        """
        reasons = np.full(self.names, NotIdentified.APART.value, dtype=object)
        confounded = self._misses(self._contrasts)
        reasons[self._connected] = np.where(confounded, NotIdentified.CONFOUNDED.value, "")[
            self._connected
        ]
        judged = np.bincount(self.systems, minlength=self.names) > 0
        reasons[~judged] = NotIdentified.NEVER_SCORED.value
        return tuple(reasons.tolist())

    @cached_property
    def map(self) -> Floats:
        """What each score adds to each mean (N × K); NaN for systems without a mean."""
        own = self._weights[:, None] * self._leverage[self._cells]
        own += (self._shares / self._sizes)[self._places][:, None] * self._weights[:, None]
        added = np.zeros((len(self), self.names))
        added[self.rows] = own
        added[:, self._unknown] = np.nan
        return added

    def means(self, values: Floats) -> Floats:
        """Return the K means of N scores, or K × C of N × C."""
        return np.asarray(self.map.T @ values)

    def coefficients(self, values: Floats, contrasts: Floats) -> Floats:
        """Return M combinations of the coefficients of what stood beside; NaN if not identified.

        `contrasts` (M × E) has a column for each code of each column of `effects`, in order, and
        for each covariate.
        """
        over = self._over_coefficients(contrasts)
        found = over @ self._parameters(values[self.rows])
        found[self._misses(over)] = np.nan
        return np.asarray(found)

    def coefficient_influence(self, values: Floats, contrasts: Floats) -> Floats:
        """Return how far each of N scores moves such combinations (N × M), as `influence` does."""
        over = self._over_coefficients(contrasts)
        leverage = self._centred @ (self._inverse @ over.T)
        rest, _without = self._left_out(values[self.rows])
        documents = len(self._sizes)
        influence = np.zeros((len(self), len(over)))
        moved = (self._weights * rest)[:, None] * leverage[self._cells]
        influence[self.rows] = moved * (documents - 1) / documents
        influence[:, self._misses(over) | self._rests_on_one(leverage)] = np.nan
        return influence

    def influence(self, values: Floats) -> Floats:
        """Return how far each of N scores moves each mean (N × K); linear in the scores.

        The sum over a document's scores is the mean less what it is without the document, times
        (D - 1) / D, D being the number of documents: `two_way` makes the jackknife's variance of it
        (CR3). NaN for systems without a mean, or with none without one of the documents.
        """
        own, places, documents = values[self.rows], self._places, len(self._sizes)
        rest, without = self._left_out(own)
        moved = (self._weights * rest)[:, None] * self._leverage[self._cells]
        # How far the document moves the level that all systems share.
        of_documents = sums_by(places, self._weights * own, documents) / self._sizes
        level = self._shares @ of_documents - without @ self._composition
        above = own - without[places, self.systems[self.rows]] - level[places]
        share = self._shares / np.maximum(1 - self._shares, SINGULAR) / self._sizes
        moved += (share[places] * self._weights * above)[:, None]
        influence = np.zeros((len(self), self.names))
        influence[self.rows] = moved * (documents - 1) / documents
        influence[:, self._unknown | self._rests_on_one(self._leverage)] = np.nan
        return influence

    def two_way(self, values: Floats, annotators: Codes) -> TwoWay:
        """Return the covariances of the means over documents, and over documents and annotators."""
        rows = self.rows
        return two_way(
            self.influence(values)[rows], self.documents[rows], annotators[rows], self._weights
        )

    def _parameters(self, own: Floats) -> Floats:
        """Return the parameters (P) but those of documents, by the scores that count."""
        of_cells = sums_by(self._cells, self._weights * own, len(self._masses))
        return np.asarray(self._inverse @ (self._centred.T @ of_cells))

    def _left_out(self, own: Floats) -> tuple[Floats, Floats]:
        """Return the residual of each score that counts by the model without its document.

        Also the effects of systems in the model without each document (D × K).
        """
        documents = len(self._sizes)
        of_documents = sums_by(self._places, self._weights * own, documents) / self._sizes
        of_cells = sums_by(self._cells, self._weights * own, len(self._masses)) / self._masses
        parameters = self._parameters(own)
        errors = of_cells - of_documents[self._cell_places] - self._centred @ parameters
        errors = self._without_one[0] @ errors
        pulled = sum_rows(
            self._cell_places, (self._masses * errors)[:, None] * self._centred, documents
        )
        without = parameters[: self.names] - pulled @ self._inverse[:, : self.names]
        return errors[self._cells] + own - of_cells[self._cells], without

    def _over_coefficients(self, contrasts: Floats) -> Floats:
        """Return combinations of coefficients as those of all parameters (M × P)."""
        return np.hstack([np.zeros((len(contrasts), self.names)), contrasts])

    def _misses(self, contrasts: Floats) -> NDArray[np.bool_]:
        """Return which combinations of parameters (M × P) the design does not identify."""
        missed = contrasts - contrasts @ self._inverse @ self._normal
        return np.asarray(np.abs(missed).max(axis=1, initial=0.0) > NOTHING)

    def _rests_on_one(self, leverage: Floats) -> NDArray[np.bool_]:
        """Return which figures, by their leverage (C × M), would not be identified without one."""
        alone = self._without_one[1] @ leverage
        return np.asarray(np.abs(alone).max(axis=0, initial=0.0) > NOTHING)

    @cached_property
    def _unknown(self) -> NDArray[np.bool_]:
        return np.array([bool(reason) for reason in self.undefined], dtype=np.bool_)

    @cached_property
    def _connected(self) -> NDArray[np.bool_]:
        """Whether each system belongs to the largest group, each with two documents in common."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        _documents, places = np.unique(self.documents, return_inverse=True)
        there = np.zeros((self.names, int(places.max(initial=-1)) + 1), dtype=np.bool_)
        there[self.systems, places] = True
        scores = np.bincount(self.systems, minlength=self.names) / (len(self) + 1)
        kept = np.asarray(there.any(axis=1))
        while True:
            among = (there & kept[:, None]).astype(np.float64)
            together = csr_array(among @ among.T)
            count, groups = connected_components(together, directed=False)
            # The group with most systems; of equally large ones, that with most scores.
            sizes = np.bincount(groups, kept * (1 + scores), minlength=count)
            largest = kept & (groups == sizes.argmax())
            in_common = there[:, there[largest].sum(axis=0) > 1].sum(axis=1)
            linked = largest & (in_common > 1)
            if (linked == largest).all() or not linked.any():
                return np.asarray(largest)
            kept = linked

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The scores that count."""
        return np.flatnonzero(self._connected[self.systems])

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """The document of each score that counts, numbered from 0 to D - 1."""
        return np.unique(self.documents[self.rows], return_inverse=True)[1]

    @cached_property
    def _sampled(self) -> Floats:
        return np.ones(len(self.rows)) if self.sampling is None else self.sampling[self.rows]

    @cached_property
    def _weights(self) -> Floats:
        """The weight of each score that counts: a segment of a system has one together."""
        keys = self.segments[self.rows].astype(np.int64) * self.names + self.systems[self.rows]
        _keys, places, times = np.unique(keys, return_inverse=True, return_counts=True)
        return np.asarray(self._sampled / times[places])

    @cached_property
    def _sizes(self) -> Floats:
        """The weight of each document's scores (D)."""
        return sums_by(self._places, self._weights, int(self._places.max(initial=-1)) + 1)

    @cached_property
    def _shares(self) -> Floats:
        """The share that each document has in the means (D): by how much a system has of it."""
        places, systems = self._places, self.systems[self.rows]
        pairs = np.unique(places * np.int64(self.names) + systems) // self.names
        lengths = self._sizes / np.bincount(pairs, minlength=len(self._sizes))
        return np.asarray(lengths / lengths.sum())

    @cached_property
    def _columns(self) -> tuple[NDArray[np.intp], Floats]:
        """Return the cell of each score that counts, and the document and design of each cell.

        A cell has the scores of a document with equal columns of the design; the first column of
        the second array (C × 1 + P) is the document. Cells are in the order of documents.
        """
        rows = self.rows
        codes = [self.systems[rows].astype(np.intp)]
        codes += [np.unique(column[rows], return_inverse=True)[1] for column in self.effects]
        slopes = np.zeros((len(rows), 0)) if self.covariates is None else self.covariates[rows]
        keys = np.column_stack([self._places, *codes, slopes])
        found, cells = np.unique(keys, axis=0, return_inverse=True)
        widths = [self.names, *(int(column.max(initial=-1)) + 1 for column in codes[1:])]
        dummies = [
            found[:, [place]] == np.arange(width) for place, width in enumerate(widths, start=1)
        ]
        return cells.reshape(-1), np.hstack([found[:, :1], *dummies, found[:, len(codes) + 1 :]])

    @cached_property
    def _cells(self) -> NDArray[np.intp]:
        return self._columns[0]

    @cached_property
    def _cell_places(self) -> NDArray[np.intp]:
        return self._columns[1][:, 0].astype(np.intp)

    @cached_property
    def _masses(self) -> Floats:
        """The weight of each cell (C)."""
        return sums_by(self._cells, self._weights, len(self._columns[1]))

    @cached_property
    def _of_documents(self) -> Floats:
        """The mean design of each document (D × P)."""
        design, masses = self._columns[1][:, 1:], self._masses[:, None]
        return sum_rows(self._cell_places, design * masses, len(self._sizes)) / self._sizes[:, None]

    @cached_property
    def _centred(self) -> Floats:
        """The design of the cells less the mean of their document (C × P)."""
        return np.asarray(self._columns[1][:, 1:] - self._of_documents[self._cell_places])

    @cached_property
    def _normal(self) -> Floats:
        return np.asarray(self._centred.T @ (self._masses[:, None] * self._centred))

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.pinv(self._normal, rcond=SINGULAR, hermitian=True))

    @cached_property
    def _composition(self) -> Floats:
        """The share of each system in the mean of all documents (K)."""
        return np.asarray(self._shares @ self._of_documents[:, : self.names])

    @cached_property
    def _contrasts(self) -> Floats:
        """Each system less the systems that made the mean of all documents (K × P)."""
        contrasts = np.zeros((self.names, len(self._normal)))
        contrasts[:, : self.names] = np.eye(self.names) - self._composition
        return contrasts

    @cached_property
    def _leverage(self) -> Floats:
        """C × K."""
        return np.asarray(self._centred @ (self._inverse @ self._contrasts.T))

    @cached_property
    def _without_one(self) -> tuple[Any, Any]:
        """Return the matrix (C × C) that makes residuals of cells those without their document.

        Also what single documents alone tell of: combinations (× C) of the cells of one. Both are
        sparse.
        """
        from scipy.sparse import block_diag, csr_array

        blocks, only = [], []
        ends = np.cumsum(np.bincount(self._cell_places, minlength=len(self._sizes)))
        for end, count in zip(ends.tolist(), np.diff(ends, prepend=0).tolist(), strict=True):
            cells = slice(end - count, end)
            root = np.sqrt(self._masses[cells])[:, None]
            design = root * self._centred[cells]
            values, vectors = np.linalg.eigh(design @ self._inverse @ design.T)
            # In directions with the value 1, the document is fitted exactly.
            alone = values > 1 - SINGULAR**0.5
            only.append((vectors[:, alone] * root).T)
            values[alone] = -np.inf
            blocks.append((vectors / root / (1 - values)) @ (vectors * root).T)
        if not blocks:
            return csr_array((0, 0)), csr_array((0, 0))
        return block_diag(blocks, format="csr"), block_diag(only, format="csr")
