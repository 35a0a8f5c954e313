"""What scores conclude about systems: by the model of documents, and by rules that were published.

By the model, two systems differ if Student's t of the difference of their means is significant,
two-sided, after Holm's correction for all pairs; the standard error is that of the jackknife by
documents, or over documents and annotators, and the degrees of freedom are the number of documents
of the system that has fewer, less 1 (`python -m tests.load.conclusions` measures both). A cluster
ends where all systems above differ from all below.

Beside it stand two rules as they were published. WMT26: a segment has the mean of its scores, a
system that of its segments; two systems differ if Student's t of their segments, paired or
unpaired, has p < 0.05. Pearmut 1.1.6: a system has the mean over segments of the score that was
given last; a line separates it from the next one if the paired test has p < 0.05.
Sources: `evaluation.stats.document_model`; Holm (1979), "A Simple Sequentially Rejective Multiple
Test Procedure"; the rule of WMT26's general translation task; `results_export.py` of Pearmut 1.1.6.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.document_model import DocumentModel
from evaluation.stats.domain_means import clusters_by_tests
from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.judgements import UNIDENTIFIED, Codes
from evaluation.stats.ranking.significance import holm
from evaluation.stats.ratios import NO_INFLUENCE
from evaluation.stats.resampling import (
    ALL_EQUAL,
    FEWEST_SENTENCES,
    UNBOUNDED,
    Bounds,
    Floats,
    shares,
    sums_by,
    too_few,
)
from evaluation.stats.score_means import SystemScores
from evaluation.stats.two_way import TwoWay, t_quantile, two_way
from evaluation.stats.units import Unit

LEVEL: Final = 0.05
# What the model can have besides systems and documents, in the order in which it is tried.
Term = Literal["column", "annotator", "neighbours", "number of neighbours"]
# Those with a slope; the others have an effect of each column or annotator.
SLOPES: Final[tuple[Term, ...]] = ("neighbours", "number of neighbours")
# Of the fit with neighbours; then their quality has settled.
ROUNDS: Final = 5
RESTS_ON_ONE: Final = "without one of the documents, the systems could not be compared"


@dataclass(frozen=True, eq=False)
class Sheets:
    """What stood beside each of N scores: `sheets` that systems share, `columns` from 1, or 0."""

    sheets: NDArray[np.int64]
    columns: Codes


@dataclass(frozen=True, eq=False)
class FittedModel:
    """The model of scores with all terms that its design identifies.

    `refused` are the terms that cannot be told from systems. `sheets` is None where nothing stood
    beside a score.
    """

    scores: SystemScores
    model: DocumentModel
    terms: tuple[Term, ...]
    refused: tuple[Term, ...]
    sheets: Sheets | None = None

    @property
    def words(self) -> str:
        """The formula, such as "system + document + annotator"."""
        return " + ".join(("system", self.scores.unit.name, *self.terms))


def fit(scores: SystemScores, sheets: Sheets | None = None) -> FittedModel:
    """Fit the model; its documents are the units that the scores are sampled by.

    Terms are added one by one, as long as they leave the means of all systems identified.
    """
    plain = DocumentModel(scores.systems, scores.units, scores.segments, scores.names)
    effects: dict[Term, Codes] = {}
    slopes: dict[Term, Floats] = {}
    if sheets is not None and len(scores):
        number, quality = _neighbours(scores, sheets, plain.means(scores.values))
        effects["column"] = sheets.columns
        slopes = {"neighbours": quality, "number of neighbours": number}
    if not np.any(scores.annotators == UNIDENTIFIED):
        effects["annotator"] = scores.annotators
    model = plain
    terms: list[Term] = []
    refused: list[Term] = []
    columns: dict[Term, NDArray[Any]] = {**effects, **slopes}
    for term, column in columns.items():
        if (column == column[:1]).all():
            continue
        larger = (
            replace(model, effects=(*model.effects, effects[term]))
            if term in effects
            else replace(model, covariates=_beside(model.covariates, slopes[term]))
        )
        is_identified = larger.undefined == plain.undefined
        (terms if is_identified else refused).append(term)
        model = larger if is_identified else model
    if sheets is not None and "neighbours" in terms:
        # How good neighbours are is that by the model itself, which has their own neighbours.
        place = [term for term in terms if term in SLOPES].index("neighbours")
        for _ in range(ROUNDS):
            _number, quality = _neighbours(scores, sheets, model.means(scores.values))
            covariates = np.array(model.covariates)
            covariates[:, place] = quality
            again = replace(model, covariates=covariates)
            if again.undefined != plain.undefined:
                break
            model = again
    return FittedModel(scores, model, tuple(terms), tuple(refused), sheets)


def _beside(columns: Floats | None, column: Floats) -> Floats:
    return column[:, None] if columns is None else np.column_stack([columns, column])


def _neighbours(scores: SystemScores, sheets: Sheets, means: Floats) -> tuple[Floats, Floats]:
    """Return the number of other systems on the sheet of each score, and their mean quality.

    The quality of a system is its mean less the mean of all systems.
    """
    above = np.nan_to_num(means - np.nanmean(means))
    _sheets, places = np.unique(sheets.sheets, return_inverse=True)
    there = np.zeros((int(places.max(initial=-1)) + 1, scores.names))
    there[places, scores.systems] = 1
    others = there.sum(axis=1)[places] - 1
    sums = (there @ above)[places] - above[scores.systems]
    return others, np.nan_to_num(shares(sums, others))


@dataclass(frozen=True)
class EffectsBeside:
    """How much higher scores are by what stood beside them, other things being equal.

    `columns` are those of scores in each column, from 1, less the mean of the columns; `slopes` by
    each other term: a point by which neighbours are better, or a neighbour more. Terms that the
    model does not have are missing.
    """

    columns: dict[int, Estimate]
    slopes: dict[Term, Estimate]


def effects_beside(fitted: FittedModel) -> EffectsBeside:
    """Return the effects of columns and of neighbouring systems, by the fitted model."""
    scores, model = fitted.scores, fitted.model
    codes = [len(np.unique(column[model.rows])) for column in model.effects]
    slopes = [term for term in fitted.terms if term in SLOPES]
    columns = np.zeros(0, dtype=np.int64)
    if "column" in fitted.terms and fitted.sheets is not None:
        columns = np.unique(fitted.sheets.columns[model.rows])
    of_columns = np.zeros((len(columns), sum(codes) + len(slopes)))
    known = columns > 0
    of_columns[:, : len(columns)] = np.eye(len(columns)) - known / max(1, int(known.sum()))
    of_slopes = np.eye(len(slopes), sum(codes) + len(slopes), sum(codes))
    contrasts = np.vstack([of_columns[known], of_slopes])
    values = model.coefficients(scores.values, contrasts)
    influence = model.coefficient_influence(scores.values, contrasts)
    both = two_way(influence, scores.units, scores.annotators, np.ones(len(scores)))
    documents = np.full(len(values), len(np.unique(scores.units[model.rows])))
    found = _estimates(values, both, documents, UNBOUNDED, scores.unit)
    count = int(np.count_nonzero(known))
    return EffectsBeside(
        dict(zip(columns[known].tolist(), found[:count], strict=True)),
        dict(zip(slopes, found[count:], strict=True)),
    )


@dataclass(frozen=True)
class ConcludedSystem:
    """A system by the model, and by the published rules.

    `score` has intervals for other documents, and for other documents and annotators. `documents`,
    `segments` and `scores` count what was scored. Ranks and the cluster are None without a score;
    `own_cluster` is for the present annotators, None where nothing is said of others.
    `wmt_score` and `wmt_cluster` are by the rule of WMT26, `pearmut_score` and `pearmut_cluster` by
    that of Pearmut; None if the system was not scored.
    """

    system: str
    score: Estimate
    documents: int
    segments: int
    scores: int
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    own_cluster: int | None
    wmt_score: float | None
    wmt_cluster: int | None
    pearmut_score: float | None
    pearmut_cluster: int | None


@dataclass(frozen=True)
class ConcludedPair:
    """The difference of two systems by the model, `system` less `other`, and tests of it.

    `p` is for other documents, `wide_p` the larger of it and of that for other annotators too; both
    also after Holm. `wmt_p` is the smaller p of the two tests of WMT26, without a correction. A p
    is None where it is undefined.
    """

    system: str
    other: str
    documents: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    wide_p: float | None
    wide_p_holm: float | None
    wmt_p: float | None


@dataclass(frozen=True)
class Conclusions:
    """Systems by one figure, the best first, and all pairs of them in this order.

    `unit` are the model's documents, `terms` and `refused` those of `FittedModel`, and
    `only_units` says why nothing is said of other annotators. Two systems differ if the last p
    that is defined, of `p_holm` and `wide_p_holm`, is below LEVEL.
    """

    systems: tuple[ConcludedSystem, ...]
    pairs: tuple[ConcludedPair, ...]
    lower_is_better: bool
    unit: Unit
    documents: int
    terms: tuple[Term, ...]
    refused: tuple[Term, ...]
    only_units: str
    signature: str


def conclude(
    fitted: FittedModel,
    names: Sequence[str],
    *,
    given: NDArray[Any] | None = None,
    lower_is_better: bool = False,
    provenance: Sequence[str] = (),
) -> Conclusions:
    """Compare K systems with these names. `given` (N) is the order in which scores were given."""
    scores, model = fitted.scores, fitted.model
    means = model.means(scores.values)
    scored = np.bincount(scores.systems, minlength=scores.names)
    ranked = means if lower_is_better else -means  # NaN last
    order = [code for code in np.argsort(ranked, kind="stable").tolist() if scored[code]]
    x, y = np.array(list(combinations(order, 2)), dtype=np.intp).reshape(-1, 2).T

    there = _incidence(scores.units, scores)
    # Documents of one system tell nothing of a difference.
    linked = there[there.sum(axis=1) > min(1, len(order) - 1)].sum(axis=0)
    of_means = model.two_way(scores.values, scores.annotators)
    of_pairs = of_means.of_differences(x, y)
    systems = _estimates(means, of_means, linked, scores.bounds, scores.unit)
    reach = scores.bounds[1] - scores.bounds[0]
    fewer, differences = np.minimum(linked[x], linked[y]), means[x] - means[y]
    pairs = _estimates(differences, of_pairs, fewer, (-reach, reach), scores.unit)
    p = _p_values(pairs, of_pairs, fewer)
    wide = _wide_p_values(pairs, of_pairs, p)
    tests = {"p": p, "p_holm": holm(p), "wide_p": wide, "wide_p_holm": holm(wide)}
    decisive = tests["p_holm" if of_means.both is None else "wide_p_holm"]
    known = int(np.count_nonzero(~np.isnan(means[order])))
    ranks = _ranks(decisive, len(order), known)
    own = _ranks(tests["p_holm"], len(order), known)
    wmt = wmt_rule(scores, lower_is_better=lower_is_better)
    if given is None:
        given = np.arange(len(scores))
    pearmut = pearmut_rule(scores, given, lower_is_better=lower_is_better)
    together = there.T.astype(np.int64) @ there
    segments_of = _incidence(scores.segments, scores).sum(axis=0)
    return Conclusions(
        systems=tuple(
            ConcludedSystem(
                names[code],
                replace(systems[code], undefined=model.undefined[code]),
                int(there[:, code].sum()),
                int(segments_of[code]),
                int(scored[code]),
                *ranks[place],
                None if of_means.both is None else own[place][2],
                *wmt.of(code),
                *pearmut.of(code),
            )
            for place, code in enumerate(order)
        ),
        pairs=tuple(
            ConcludedPair(
                names[one],
                names[other],
                int(together[one, other]),
                pairs[place],
                wmt_p=_defined(wmt.p[one, other]),
                **{name: _defined(column[place]) for name, column in tests.items()},
            )
            for place, (one, other) in enumerate(zip(x.tolist(), y.tolist(), strict=True))
        ),
        lower_is_better=lower_is_better,
        unit=scores.unit,
        documents=len(there),
        terms=fitted.terms,
        refused=fitted.refused,
        only_units=of_means.undefined,
        signature=sign(
            fitted.words,
            (
                *scores.words,
                f"jackknife by {scores.unit}",
                f"Student’s t, two-sided, Holm over {np.count_nonzero(~np.isnan(p))} pairs",
                f"p < {LEVEL:g}",
            ),
            len(scores),
            len(np.unique(scores.segments)),
            provenance,
        ),
    )


def _incidence(codes: Codes, scores: SystemScores) -> NDArray[np.bool_]:
    """Return whether each system has a score with each of the codes that occur (codes × K)."""
    known, places = np.unique(codes, return_inverse=True)
    there = np.zeros((len(known), scores.names), dtype=np.bool_)
    there[places, scores.systems] = True
    return there


def _estimates(
    values: Floats, both: TwoWay, documents: NDArray[np.intp], bounds: Bounds, unit: Unit
) -> list[Estimate]:
    """Return figures with both intervals, by Student's t; `documents` are those behind each."""
    found = []
    errors = np.sqrt(np.diagonal(both.sentences))
    for place, value in enumerate(values.tolist()):
        count, error = int(documents[place]), float(errors[place])
        if np.isnan(value):
            found.append(Estimate(None))
            continue
        estimate = Estimate(value)
        if count < FEWEST_SENTENCES:
            estimate = replace(estimate, no_interval=too_few(unit))
        elif np.isnan(error):
            estimate = replace(estimate, no_interval=RESTS_ON_ONE)
        elif error < NO_INFLUENCE:
            estimate = replace(estimate, no_interval=ALL_EQUAL)
        else:
            half = t_quantile(count - 1) * error
            low, high = max(bounds[0], value - half), min(bounds[1], value + half)
            estimate = replace(estimate, low=low, high=high)
        found.append(both.widen(estimate, place, bounds))
    return found


def _p_values(pairs: Sequence[Estimate], both: TwoWay, documents: NDArray[np.intp]) -> Floats:
    """Return two-sided p of differences over documents; NaN where there is no interval."""
    from scipy.special import stdtr

    values = np.array([np.nan if pair.low is None else pair.value for pair in pairs], np.float64)
    errors = np.sqrt(np.where(np.isnan(values), 1.0, np.diagonal(both.sentences)))
    return np.asarray(2 * stdtr(np.maximum(documents - 1, 1), -np.abs(values) / errors))


def _wide_p_values(pairs: Sequence[Estimate], both: TwoWay, p: Floats) -> Floats:
    """Return the larger p of that over documents and that over documents and annotators."""
    values = np.array([np.nan if pair.low is None else pair.value for pair in pairs], np.float64)
    wide = both.p_values(values)
    return np.full_like(p, np.nan) if wide is None else np.maximum(p, wide)


def _ranks(p: Floats, systems: int, known: int) -> list[tuple[int | None, int | None, int | None]]:
    """Return the best and worst rank and the cluster of systems, best first, from p of all pairs.

    Only the first `known` systems have them.
    """
    square = np.full((systems, systems), np.nan)
    square[np.triu_indices(systems, 1)] = p
    square = np.fmax(square, square.T)[:known, :known]
    differs = square < LEVEL
    losses, wins = np.tril(differs).sum(axis=1), np.triu(differs).sum(axis=1)
    clusters = clusters_by_tests(square, LEVEL)
    ranks = [
        (int(lost) + 1, known - int(won), cluster)
        for lost, won, cluster in zip(losses, wins, clusters, strict=True)
    ]
    return [*ranks, *[(None, None, None)] * (systems - known)]


def _by_segment(scores: SystemScores, given: NDArray[Any] | None = None) -> Floats:
    """Return the scores of systems (K) in segments (S): means, or the last one that was given."""
    known, segments = np.unique(scores.segments, return_inverse=True)
    table = np.full((scores.names, len(known)), np.nan)
    if given is not None:
        order = np.argsort(given, kind="stable")
        table[scores.systems[order], segments[order]] = scores.values[order]
        return table
    places = scores.systems.astype(np.int64) * len(known) + segments
    sums = sums_by(places, scores.values, table.size)
    counts = sums_by(places, np.ones(len(scores)), table.size)
    return shares(sums, counts).reshape(table.shape)


@dataclass(frozen=True, eq=False)
class PublishedRule:
    """What a published rule says of K systems: means, NaN without a score, and clusters from 1.

    `p` (K × K) are NaN where they are undefined.
    """

    means: Floats
    clusters: dict[int, int]
    p: Floats

    def of(self, system: int) -> tuple[float | None, int | None]:
        return _defined(self.means[system]), self.clusters.get(system)


def wmt_rule(scores: SystemScores, *, lower_is_better: bool = False) -> PublishedRule:
    """Return the means and clusters by the rule of WMT26."""
    table = _by_segment(scores)
    paired, unpaired = _t_tests(table)
    p = np.fmin(paired, unpaired)
    means, order = _means(table, lower_is_better)
    clusters = clusters_by_tests(p[np.ix_(order, order)], LEVEL)
    return PublishedRule(means, dict(zip(order, clusters, strict=True)), p)


def pearmut_rule(
    scores: SystemScores, given: NDArray[Any], *, lower_is_better: bool = False
) -> PublishedRule:
    """Return the means and clusters of Pearmut; `given` (N) is the order of the scores."""
    table = _by_segment(scores, given)
    p, _unpaired = _t_tests(table)
    means, order = _means(table, lower_is_better)
    clusters, cluster = {}, 1
    for place, system in enumerate(order):
        clusters[system] = cluster
        cluster += bool(place + 1 < len(order) and p[system, order[place + 1]] < LEVEL)
    return PublishedRule(means, clusters, p)


def _means(table: Floats, lower_is_better: bool) -> tuple[Floats, list[int]]:
    """Return the mean of each row, NaN without a score, and the rows with one, the best first."""
    known = ~np.isnan(table)
    means = shares(np.nan_to_num(table).sum(axis=1), known.sum(axis=1))
    order = np.argsort(means if lower_is_better else -means, kind="stable").tolist()  # NaN last
    return means, [system for system in order if known[system].any()]


def _t_tests(table: Floats) -> tuple[Floats, Floats]:
    """Return p (K × K) of Student's t of two rows, two-sided: paired by column, and unpaired.

    Unpaired with equal variances, as in SciPy. NaN on the diagonal and without any variance.
    """
    from scipy.special import stdtr

    known = (~np.isnan(table)).astype(np.float64)
    middle = np.nansum(table) / max(1.0, known.sum())
    values = np.where(np.isnan(table), 0.0, table - middle)
    common, sums = known @ known.T, values @ known.T
    squares = values**2 @ known.T
    differences = sums - sums.T
    about = squares + squares.T - 2 * values @ values.T - differences**2 / np.maximum(common, 1)
    counts, totals = known.sum(axis=1), values.sum(axis=1)
    means = shares(totals, counts)
    own = (values**2).sum(axis=1) - np.nan_to_num(means) * totals
    freedom = counts[:, None] + counts - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        paired = differences / common / np.sqrt(_positive(about) / (common - 1) / common)
        pooled = _positive(own[:, None] + own) / freedom * (1 / counts[:, None] + 1 / counts)
        unpaired = (means[:, None] - means) / np.sqrt(pooled)
        p = [
            np.where(degrees > 0, 2 * stdtr(np.maximum(degrees, 1), -np.abs(t)), np.nan)
            for t, degrees in ((paired, common - 1), (unpaired, freedom))
        ]
    for each in p:
        np.fill_diagonal(each, np.nan)
    return p[0], p[1]


def _positive(values: Floats) -> Floats:
    """Return sums of squares, NaN for those that are 0 but for rounding errors."""
    return np.where(values > NO_INFLUENCE, values, np.nan)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
