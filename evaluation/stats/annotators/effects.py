"""Whether annotators differ about systems, and what the ranking would be without each of them."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evaluation.stats.judgements import UNIDENTIFIED, Codes, Judgements, natural_key
from evaluation.stats.ranking.systems import BY_WINS, ranks
from evaluation.stats.resampling import Floats, product, sum_rows, sums_by
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import SENTENCES
from evaluation.stats.wins import CellWins, count_cells

ONE_ANNOTATOR: Final = "fewer than two annotators"
# Permutations × cells, at most: about five seconds.
MOST_PERMUTED: Final = 100_000_000
FEWEST_PERMUTATIONS: Final = 199


@dataclass(frozen=True)
class SystemEffect:
    """p of the hypothesis that annotators judge the system alike; None if it has no score."""

    system: str
    p: float | None


@dataclass(frozen=True)
class WithoutAnnotator:
    """The ranking without one annotator's judgements.

    `best` is the system with the best score; `system` is that whose score changes most, by
    `change`; `moved` is the number of systems with another rank. None without scores.
    """

    annotator: str
    judgements: int
    best: str | None
    system: str | None
    change: float | None
    moved: int


@dataclass(frozen=True)
class AnnotatorEffects:
    """`p` of the hypothesis that all annotators judge all systems alike; `undefined` says why not.

    `without` is in the natural order of the annotators' names.
    """

    method: str
    p: float | None
    undefined: str
    systems: tuple[SystemEffect, ...]
    without: tuple[WithoutAnnotator, ...]
    signature: str


def annotator_effects(
    judgements: Judgements,
    *,
    method: str = "ratio_of_wins",
    permutations: int = 999,
    seed: int = 0,
    cells: CellWins | None = None,
    means: SystemScores | None = None,
) -> AnnotatorEffects:
    """Test annotator × system effects, and rank the systems without each annotator.

    The test permutes the annotators of cells, the judgements of one annotator in one sentence (or
    one document or block, if these are sampled): if annotators judge alike, the sums of influences
    by annotator vary no more than with random annotators. p = (c + 1) / (B + 1), c being in how
    many of B permutations the sum of squares is as large (Good 2005, Permutation, Parametric, and
    Bootstrap Tests of Hypotheses, chapter 3); for all systems together each sum of squares is
    divided by its mean over the permutations. At most `permutations` are drawn, fewer for large
    projects. `cells` are `count_cells(judgements)`, if counted already. With `means` the scores are
    the means of these scores of the judgements, and not those of wins; the test takes the scores of
    each annotator less their mean. Raises KeyError for an unknown method.
    """
    if means is None:
        found = _by_wins(_of_known_annotators(cells or count_cells(judgements)), method)
        words = BY_WINS[method].words
    else:
        found, method, words = _by_means(means), means.method, means.words
    scores, people = found.scores, np.unique(found.annotators)
    drawn = min(
        permutations, max(FEWEST_PERMUTATIONS, MOST_PERMUTED // max(1, len(found.annotators)))
    )
    permuted = f"{drawn} permutations"
    if judgements.unit != SENTENCES:
        permuted += f" over {judgements.unit}"
    testable = len(people) > 1
    together: float | None = None
    by_system: list[float | None] = [None] * len(scores)
    if testable and not np.isnan(scores).all():
        together, by_system = _permutation_test(
            found.influence, found.annotators, scores, drawn, seed
        )
    return AnnotatorEffects(
        method=method,
        p=together,
        undefined="" if testable else ONE_ANNOTATOR,
        systems=tuple(
            SystemEffect(name, p)
            for name, p in zip(judgements.system_names, by_system, strict=True)
        ),
        without=_without_each(judgements, people, scores, found.without) if testable else (),
        signature=judgements.sign("permutations of annotators", *words, permuted, f"seed {seed}"),
    )


@dataclass(frozen=True, eq=False)
class _Figures:
    """K scores of systems, and how they depend on annotators.

    `influence` is C × K, of cells of the C `annotators`. `without` has a row of scores for each
    annotator that occurs, ascending.
    """

    scores: Floats
    influence: Floats
    annotators: Codes
    without: Floats


def _by_wins(cells: CellWins, method: str) -> _Figures:
    total = cells.by_sentence.total()
    people, codes = np.unique(cells.annotators, return_inverse=True)
    by_annotator = sum_rows(codes, cells.counts, len(people))
    rest = cells.by_sentence.tables(by_annotator.sum(axis=0) - by_annotator)
    scores = BY_WINS[method].scores
    return _Figures(
        _finite(scores(total)[0]),
        product(cells.counts, np.nan_to_num(BY_WINS[method].gradient(total)).T),
        cells.annotators,
        _finite(scores(rest)),
    )


def _by_means(means: SystemScores) -> _Figures:
    known = means.select(means.annotators != UNIDENTIFIED)
    people, codes = np.unique(known.annotators, return_inverse=True)
    # A severe annotator differs about the scale, not about the systems.
    own = sums_by(codes, known.values, len(people)) / np.bincount(codes, minlength=len(people))
    level = replace(known, values=known.values - own[codes])
    influence, _units, annotators, _weights = level.influence
    without = [known.select(known.annotators != code).total for code in people]
    return _Figures(
        known.total, influence, annotators, np.array(without).reshape(len(people), known.names)
    )


def _finite(scores: Floats) -> Floats:
    return np.where(np.isfinite(scores), scores, np.nan)


def _of_known_annotators(cells: CellWins) -> CellWins:
    known = cells.annotators != UNIDENTIFIED
    if known.all():
        return cells
    return CellWins(
        cells.counts[known], cells.sentences[known], cells.annotators[known], cells.systems
    )


def _permutation_test(
    influence: Floats, annotators: np.ndarray, scores: Floats, permutations: int, seed: int
) -> tuple[float, list[float | None]]:
    """Return p of all systems together and of each."""
    random = np.random.default_rng(seed)
    _, codes = np.unique(annotators, return_inverse=True)
    people = int(codes.max()) + 1
    known = ~np.isnan(scores)
    columns = np.ascontiguousarray(influence[:, known])
    squares = np.empty((permutations + 1, columns.shape[1]))
    for row in squares:
        row[:] = (sum_rows(codes, columns, people) ** 2).sum(axis=0)
        # The first row is the observed one.
        codes = random.permutation(codes)
    means = squares.mean(axis=0)
    relative = np.divide(squares, means, out=np.ones_like(squares), where=means > 0)
    # Rounding errors must not make an equal sum a smaller one.
    as_large = relative >= relative[0] * (1 - 1e-9)
    summed = relative.sum(axis=1)
    by_system = iter(as_large.mean(axis=0).tolist())
    together = float(np.mean(summed >= summed[0] * (1 - 1e-9)))
    return together, [next(by_system) if defined else None for defined in known]


def _without_each(
    judgements: Judgements, people: Codes, scores: Floats, others: Floats
) -> tuple[WithoutAnnotator, ...]:
    counts = np.bincount(
        judgements.annotators[judgements.annotators != UNIDENTIFIED],
        minlength=len(judgements.annotator_names),
    )
    places = np.nan_to_num(ranks(scores[None, :])[0])
    found = []
    for code, without in zip(people.tolist(), others, strict=True):
        changes = without - scores
        defined = not np.isnan(changes).all()
        most = int(np.nanargmax(np.abs(changes))) if defined else -1
        found.append(
            WithoutAnnotator(
                annotator=judgements.annotator_names[code],
                judgements=int(counts[code]),
                best=judgements.system_names[int(np.nanargmax(without))] if defined else None,
                system=judgements.system_names[most] if defined else None,
                change=float(changes[most]) if defined else None,
                moved=int(np.count_nonzero(np.nan_to_num(ranks(without[None, :])[0]) != places)),
            )
        )
    return tuple(sorted(found, key=lambda each: natural_key(each.annotator)))
