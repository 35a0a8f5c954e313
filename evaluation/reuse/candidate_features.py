"""Features of a candidate that people did not rank: its text, and the ranks of the others.

Columns that have nothing to be computed from, such as those by the reference of a project without
references, are constant. All are counts, shares and means: no model is trained on other data. The
number of other systems is not among them: a new system has one more than each in training had.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.text_tables import Mask, Table, Terms, TextTables
from evaluation.stats.judgements import MISSING, NO_CANDIDATE, Codes, Ranks

Rows = NDArray[np.intp]

# Of similarities (0 to 1), for means of ranks over similar candidates.
BANDWIDTHS: Final = (0.1, 0.2, 0.3)
# A mean over few candidates is drawn to 0, a tie, by half a candidate.
PRIOR: Final = 0.5
SAME: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Comparisons of systems by segment, over all its judgements.

    `wins` G × K × K says how often x was better than y, `compared` G × K × K how often both were
    ranked, `ranked` G × K how often the system was.
    """

    wins: Table
    compared: Table
    ranked: Table

    def against(self, system: int, others: Sequence[int]) -> tuple[Table, Table, Table]:
        """Return wins, losses and comparisons of a system against the others, by segment."""
        return (
            self.wins[:, system, others].sum(axis=1),
            self.wins[:, others, system].sum(axis=1),
            self.compared[:, system, others].sum(axis=1),
        )


def count_outcomes(ranks: Ranks, segments: Codes, count: int) -> Outcomes:
    """Compare all pairs of systems in the judgements (ranks: J × K) of `count` segments."""
    systems = ranks.shape[1]
    wins, compared = np.zeros((2, count, systems, systems), dtype=np.float32)
    ranked = np.zeros((count, systems), dtype=np.float32)
    for x in range(systems):
        ranked[:, x] = np.bincount(segments[ranks[:, x] != MISSING], minlength=count)
        for y in range(systems):
            both = (ranks[:, x] != MISSING) & (ranks[:, y] != MISSING) & (x != y)
            better = both & (ranks[:, x] < ranks[:, y])
            compared[:, x, y] = np.bincount(segments[both], minlength=count)
            wins[:, x, y] = np.bincount(segments[better], minlength=count)
    return Outcomes(wins, compared, ranked)


def text_features(tables: TextTables, segments: Rows, system: int, others: Sequence[int]) -> Table:
    """Return features (segments × F) of the system's candidates that need no rank.

    The system must have a candidate in all of the segments. Nothing is read of systems that are
    not among the others.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        columns = [
            column
            for some in (
                _by_length(tables, segments, system, others),
                _by_similarity(tables, segments, system, others),
                *(_by_terms(terms, segments, system, others) for terms in tables.terms),
                _by_output(tables, segments, system, others),
            )
            for column in some
        ]
    return np.stack(columns, axis=1).astype(np.float32)


def rank_features(
    tables: TextTables, outcomes: Outcomes, segments: Rows, system: int, others: Sequence[int]
) -> Table:
    """Return features (segments × F) by how the others did against each other.

    How the system did is not read. A candidate that won more often than it lost is good; means of
    this over similar candidates, and over those with the same terms, tell of the system's.
    """
    both = np.ix_(segments, np.array(others), np.array(others))
    count = outcomes.compared[both].sum(axis=2)
    known = (count > 0).astype(np.float32)
    won, lost = outcomes.wins[both].sum(axis=2), outcomes.wins[both].sum(axis=1)
    net, decided = (won - lost) / np.maximum(1, count), (won + lost) / np.maximum(1, count)
    best = np.where(known > 0, net, -np.inf).max(axis=1, keepdims=True, initial=-1)
    worst = np.where(known > 0, net, np.inf).min(axis=1, keepdims=True, initial=1)
    columns = [_mean(decided, known), np.sqrt(_mean(net**2, known)), best[:, 0], worst[:, 0]]
    for similar in tables.similar[:, segments, system][:, :, others]:
        for bandwidth in BANDWIDTHS:
            # No candidate of a segment may have a weight of 0, if all are dissimilar.
            kernel = (np.exp((similar - 1) / bandwidth) + 1e-9) * known
            columns += [_mean(net, kernel), _mean(decided, kernel)]
        most = np.where(known > 0, similar, 0).max(axis=1, keepdims=True, initial=0)
        nearest = (similar >= most - SAME) * known
        to_best = _mean(similar, (net >= best - SAME) * known)
        to_worst = _mean(similar, (net <= worst + SAME) * known)
        centred = similar - _mean(similar, known)[:, None]
        columns += [
            _mean(net, nearest),
            _mean(decided, nearest),
            _mean(net, nearest) * most[:, 0],
            to_best,
            to_worst,
            to_best - to_worst,
            _mean(centred * net, known),
        ]
    for terms in tables.terms:
        columns += _goodness_of_terms(terms, segments, system, others, net, known)
    return np.stack(columns, axis=1).astype(np.float32)


def _by_length(
    tables: TextTables, segments: Rows, system: int, others: Sequence[int]
) -> Iterator[Any]:
    candidates = tables.candidates[segments]
    there = candidates[:, others] != NO_CANDIDATE
    own = tables.fixed[candidates[:, system]]
    mean = _mean(tables.fixed[candidates[:, others]], there[:, :, None])
    yield from own.T
    yield from (own - mean).T


def _by_similarity(
    tables: TextTables, segments: Rows, system: int, others: Sequence[int]
) -> Iterator[Any]:
    there = (tables.candidates[segments][:, others] != NO_CANDIDATE).astype(np.float32)
    pairs = there[:, :, None] * there[:, None, :]
    both = np.ix_(segments, np.array(others), np.array(others))
    for similar in tables.similar:
        own = similar[segments, system][:, others]
        among = similar[both]
        of_others = (among * pairs).sum(axis=(1, 2)) / np.maximum(1, pairs.sum(axis=(1, 2)))
        mean = _mean(own, there)
        ordered = np.sort(np.pad(own, ((0, 0), (2, 0))), axis=1)
        yield from (mean, ordered[:, -1], ordered[:, -2], of_others, mean - of_others)


def _by_terms(terms: Terms, segments: Rows, system: int, others: Sequence[int]) -> Iterator[Any]:
    has = terms.has[segments]
    own, there = has[:, :, system], has[:, :, others]
    shared = _mean(there, there.any(axis=1, keepdims=True), axis=2)
    said = terms.said[segments][:, :, others].mean(axis=2)
    lacked = shared * ~own
    reference = terms.in_reference[segments]
    codes = terms.codes[segments]
    often = terms.counts[:, others].sum(axis=1)[codes]
    logarithm = np.log1p(often / max(1, len(others)))
    alone, unsaid = shared == 0, said == 0
    for values in (shared, said, logarithm):
        yield _mean(values, own)
        yield _least(values, own)
    for values in (
        alone,
        shared >= 0.5,
        unsaid,
        often == 0,
        terms.said[segments][:, :, system],
        reference,
        terms.in_source[segments],
        alone & reference,
        alone & ~reference,
        unsaid & ~reference,
    ):
        yield _mean(values, own)
    yield (shared * own).sum(axis=1) / np.maximum(SAME, shared.sum(axis=1))
    yield lacked.sum(axis=1)
    yield (lacked > 0.5).sum(axis=1)
    yield (lacked * reference).sum(axis=1)


def _by_output(
    tables: TextTables, segments: Rows, system: int, others: Sequence[int]
) -> Iterator[Any]:
    outputs = tables.outputs[tables.sentences[segments]]
    own = outputs[:, system]
    yield from own.T
    yield from (own - outputs[:, others].mean(axis=1)).T


def _goodness_of_terms(
    terms: Terms,
    segments: Rows,
    system: int,
    others: Sequence[int],
    net: Table,
    known: Table,
) -> list[Any]:
    """How candidates with a term did, less how those without it did."""
    own = terms.has[segments, :, system]
    there = terms.has[segments][:, :, others] * known[:, None, :]
    count = there.sum(axis=2)
    total = (there * net[:, None, :]).sum(axis=2)
    with_term = total / (count + PRIOR)
    everything = (net * known).sum(axis=1, keepdims=True)
    without = (everything - total) / (known.sum(axis=1, keepdims=True) - count + PRIOR)
    difference = with_term - without
    found, lacked = own & (count > 0), ~own & (count > 0)
    said = terms.said[segments][:, :, others] * known[:, None, :]
    where_said = (said * net[:, None, :]).sum(axis=2) / (said.sum(axis=2) + PRIOR)
    return [
        _mean(with_term, own),
        _mean(with_term, found),
        _mean(difference, found),
        _least(with_term, found),
        -_least(-with_term, found),
        _mean(difference, lacked),
        (difference * lacked).sum(axis=1),
        -_least(-with_term, lacked),
        _mean(where_said, own),
    ]


def _mean(values: Any, weights: Any, axis: int = 1) -> Any:
    """Return the weighted mean along an axis; 0 where all weights are 0."""
    total = weights.sum(axis=axis)
    return (values * weights).sum(axis=axis) / np.where(total > 0, total, 1)


def _least(values: Any, where: Mask) -> Any:
    """Return the least value by row among those marked; 0 without any."""
    least = np.where(where, values, np.inf).min(axis=1, initial=np.inf)
    return np.where(np.isfinite(least), least, 0)
