"""The score of a system without judgements, from its texts and judgements of other systems.

A candidate that another system has too keeps its rank, which is called a hit. Only candidates that
the system alone has, the misses, are predicted: the shares of wins and of losses against the other
systems in a judgement, by ridge regression. The regression learns from the other systems, each
treated as if it had not been judged.

What texts cannot tell of a system is about the same share of its misses everywhere. The interval is
therefore ± t · τ · (share of its decided comparisons that are in misses), τ being the root mean
square of error / share of the other systems when each of them is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import ceil
from operator import add
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.reuse.candidate_features import (
    Outcomes,
    Rows,
    count_outcomes,
    rank_features,
    text_features,
)
from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.reuse.ridge import Floats, Moments, apply, moments
from evaluation.reuse.text_tables import Table, TextTables, tabulate
from evaluation.stats.estimates import Estimate, Signature
from evaluation.stats.judgements import MISSING, NO_CANDIDATE, Codes, Judgements, Ranks
from evaluation.stats.two_way import t_quantile

# In rows of the regression. From 300 to 3000 the mean error on the thesis' data changes by .0003.
PENALTY: Final = 300.0
# How much wider τ is taken to be in intervals of corrected predictions.
WIDENED: Final = 1.25
FEWEST_OTHERS: Final = 3
NOT_COMPARED: Final = "no judged segment has a candidate of the system"


@dataclass(frozen=True, eq=False)
class Misses:
    """The judged segments in which the system alone has its candidate; M elements each.

    `segments` and `sentences` are codes; `comparisons` counts the other systems ranked there, over
    all judgements; `wins` and `losses` are predicted numbers of them.
    """

    segments: Rows
    sentences: Codes
    comparisons: Floats
    wins: Floats
    losses: Floats

    def __len__(self) -> int:
        return len(self.segments)


@dataclass(frozen=True, eq=False)
class Prediction:
    """The ratio of wins of a system without judgements of it, never to be shown without interval.

    `score.value` is (W + Σ ŵ) / (W + L + Σ (ŵ + l̂)), with `wins` W and `losses` L of the hits. The
    range `best_rank` to `worst_rank` are the places that the interval leaves to it among
    `other_scores`, which are by name. `hits` of `judgements` have a segment in which another system
    has the same candidate. `share` is the predicted share of decided comparisons that are in
    `misses`; `deviation` is τ, and `degrees` are those of its t. `spread` is the expected standard
    deviation, over misses, of what a judgement of one adds to net wins (`Corrected`).
    """

    system: str
    score: Estimate
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    other_scores: tuple[tuple[str, float], ...]
    judgements: int
    hits: int
    wins: float
    losses: float
    share: float
    deviation: float
    degrees: int
    spread: float
    misses: Misses
    signature: Signature

    @property
    def hit_rate(self) -> float | None:
        """The share of judgements whose segment has the system's candidate from another system."""
        return self.hits / self.judgements if self.judgements else None

    @cached_property
    def decided(self) -> float:
        """The predicted number of decided comparisons of the system."""
        return float(self.wins + self.losses + (self.misses.wins + self.misses.losses).sum())

    def placed(self, value: float, low: float, high: float) -> tuple[int, int, int]:
        """Return the rank of a score among the others, and the best and worst of its interval.

        What the system gains, its K opponents lose: 1 / K of it each.
        """
        others = np.array([score for _, score in self.other_scores])
        known = np.nan if self.score.value is None else self.score.value
        ranks = [
            1 + int(np.count_nonzero(others - (each - known) / max(1, len(others)) > each))
            for each in (value, high, low)
        ]
        return ranks[0], min(ranks), max(ranks)

    def needed(self, half_width: float) -> int | None:
        """Return how many misses must be judged so that the interval is ± half_width."""
        if not self.decided:
            return None
        return judgements_needed(
            half_width,
            prior=WIDENED * self.share * self.deviation,
            spread=len(self.misses) * self.spread / self.decided,
            misses=len(self.misses),
        )


@dataclass(frozen=True, eq=False)
class LeftOut:
    """A judged system predicted as if it had not been judged, and what its judgements say.

    `observed_wins` and `observed_losses` (M) are those of `prediction.misses`; `place` is its rank
    by `score`, its real ratio of wins, and `predicted_place` that by the prediction.
    """

    prediction: Prediction
    score: float
    place: int
    observed_wins: Floats
    observed_losses: Floats


def predict_system(
    judgements: Judgements,
    texts: ProjectTexts,
    system: str,
    *,
    tables: TextTables | None = None,
) -> Prediction:
    """Predict the ratio of wins of a system of the texts, from judgements of the others.

    Ranks of the system's own candidates are not read; `with_system` adds a system to texts. The
    `tables` of the texts save time where several systems are predicted. Raises InputError if
    fewer than FEWEST_OTHERS other systems are judged, or have candidates that are theirs alone, and
    ValueError for an unknown system.
    """
    target = texts.system_names.index(system)
    tables = tabulate(texts) if tables is None else tables
    ranks = hide_ranks(judgements, texts, target)
    segments = texts.segments_of(judgements)
    outcomes = count_outcomes(ranks, segments, len(texts.segment_ids))
    produced = np.not_equal(texts.system_candidates, NO_CANDIDATE)
    produced &= outcomes.ranked.any(axis=1, keepdims=True)
    # A system with ranks of hits only was not judged: hits are better than its other candidates.
    mostly = (outcomes.ranked > 0).sum(axis=0) > produced.sum(axis=0) / 2
    others = [other for other in np.flatnonzero(mostly).tolist() if other != target]
    if len(others) < FEWEST_OTHERS:
        raise InputError(
            _(
                "To predict a system, at least %(least)d other systems must be judged, "
                "but %(count)d are. Judge more systems first."
            ),
            least=FEWEST_OTHERS,
            count=len(others),
        )
    lessons = [
        _lesson(tables, outcomes, other, [one for one in others if one != other])
        for other in others
    ]
    deviation, spread = _typical_errors(lessons)
    own = _lesson(tables, outcomes, target, others)
    expected = own.expect(reduce(add, (lesson.moments for lesson in lessons)).fit(PENALTY))
    misses = Misses(
        own.segments,
        texts.segment_sentences[own.segments],
        own.comparisons,
        expected[:, 0],
        expected[:, 1],
    )
    wins, losses = own.total - own.observed.sum(axis=0)
    won, lost = np.add((wins, losses), expected.sum(axis=0))
    of_target = texts.system_candidates[segments, target]
    hits = of_target != NO_CANDIDATE
    hits &= _shared(texts.system_candidates, target, others)[segments]
    prediction = Prediction(
        system=system,
        score=Estimate(None, undefined=NOT_COMPARED),
        rank=None,
        best_rank=None,
        worst_rank=None,
        other_scores=_scores_of_others(texts, outcomes, target, others, expected),
        judgements=len(judgements),
        hits=int(np.count_nonzero(hits)),
        wins=float(wins),
        losses=float(losses),
        share=float(expected.sum() / (won + lost)) if won + lost else 0.0,
        deviation=deviation,
        degrees=len(others),
        spread=spread,
        misses=misses,
        signature=Signature(
            "prediction of the ratio of wins",
            (
                "ties ignored",
                f"ridge {PENALTY:g} of {own.features.shape[1]} features",
                f"learned from {len(others)} systems",
                f"{sum(len(lesson.segments) for lesson in lessons)} candidates",
                f"{len(misses)} predicted",
            ),
            len(judgements),
            judgements.sentences_judged,
        ),
    )
    if not won + lost:
        return prediction
    score = float(won / (won + lost))
    half = t_quantile(len(others)) * deviation * prediction.share
    low, high = max(0.0, score - half), min(1.0, score + half)
    prediction = replace(prediction, score=Estimate(score, low, high))
    rank, best, worst = prediction.placed(score, low, high)
    return replace(prediction, rank=rank, best_rank=best, worst_rank=worst)


def leave_one_out(judgements: Judgements, texts: ProjectTexts) -> tuple[LeftOut, ...]:
    """Predict each judged system from the others, and say how far off that is.

    Raises InputError as `predict_system`.
    """
    tables = tabulate(texts)
    segments = texts.segments_of(judgements)
    outcomes = count_outcomes(judgements.system_ranks, segments, len(texts.segment_ids))
    everything = list(range(len(texts.system_names)))
    decided = [outcomes.against(x, [y for y in everything if y != x]) for x in everything]
    wins, losses = (
        np.array([part[column].sum() for part in decided], dtype=np.float64) for column in (0, 1)
    )
    with np.errstate(invalid="ignore"):
        scores = wins / (wins + losses)
    left_out = []
    for target in np.flatnonzero(wins + losses).tolist():
        prediction = predict_system(judgements, texts, texts.system_names[target], tables=tables)
        rows = prediction.misses.segments
        left_out.append(
            LeftOut(
                prediction=prediction,
                score=float(scores[target]),
                place=1 + int(np.count_nonzero(scores > scores[target])),
                observed_wins=decided[target][0][rows].astype(np.float64),
                observed_losses=decided[target][1][rows].astype(np.float64),
            )
        )
    return tuple(left_out)


def with_system(
    texts: ProjectTexts,
    name: str,
    candidates: Sequence[str | None],
    output: Sequence[Tokens] = (),
) -> ProjectTexts:
    """Return the texts with one more system, last.

    `candidates` has one for each segment, None or "" where it has none; `output` one for each
    sentence, if known. New candidates follow the others of their segment, so that columns of
    `Judgements.candidate_ranks` stay valid. Raises InputError for a name that is taken, and
    ValueError for another number of candidates.
    """
    if name in texts.system_names:
        raise InputError(_("There is a system “%(name)s” already. Choose another name."), name=name)
    if len(candidates) != len(texts.segment_ids) or len(output) not in (0, len(texts.references)):
        raise ValueError("There must be one candidate for each segment, and one output a sentence.")
    all_texts: list[str] = []
    first, produced, moved = [0], [], np.zeros(len(texts.candidate_texts) + 1, dtype=np.int32)
    for segment, candidate in enumerate(candidates):
        codes = texts.candidates_of(segment)
        moved[codes.start : codes.stop] = len(all_texts) + np.arange(len(codes))
        known = [texts.candidate_texts[code] for code in codes]
        if candidate and candidate not in known:
            known.append(candidate)
        produced.append(len(all_texts) + known.index(candidate) if candidate else NO_CANDIDATE)
        all_texts += known
        first.append(len(all_texts))
    moved[-1] = NO_CANDIDATE
    return replace(
        texts,
        outputs=(*texts.outputs, tuple(output) or ((),) * len(texts.references)),
        candidate_texts=tuple(all_texts),
        first_candidates=np.array(first, dtype=np.int32),
        system_candidates=np.column_stack(
            [moved[texts.system_candidates], np.array(produced, dtype=np.int32)]
        ),
        system_names=(*texts.system_names, name),
    )


def hide_ranks(judgements: Judgements, texts: ProjectTexts, system: int) -> Ranks:
    """Return J × K ranks in which the system has none for a candidate that it alone has.

    A system that the judgements do not have gets the rank of the candidate with its text.
    """
    names, produced = texts.system_names, texts.system_candidates
    segments = texts.segments_of(judgements)
    column = {name: place for place, name in enumerate(judgements.system_names)}
    ranks = np.full((len(judgements), len(names)), MISSING, dtype=np.int16)
    for place, name in enumerate(names):
        if name in column:
            ranks[:, place] = judgements.system_ranks[:, column[name]]
    own = produced[segments, system]
    place = own - texts.first_candidates[segments]
    shared = (own != NO_CANDIDATE) & _shared(produced, system, range(len(names)))[segments]
    shared &= place < judgements.candidate_ranks.shape[1]
    ranks[:, system] = MISSING
    ranks[shared, system] = judgements.candidate_ranks[np.flatnonzero(shared), place[shared]]
    return ranks


def judgements_needed(half_width: float, *, prior: float, spread: float, misses: int) -> int | None:
    """Return the least n of misses judged at random for an interval of ± half_width.

    `prior` is the standard deviation of the score without judgements and `spread` / √n the
    standard error by n of them, of infinitely many. None if not even all of them suffice, which
    only a width of 0 needs.
    """
    allowed = (half_width / t_quantile(10_000)) ** 2
    if prior**2 <= allowed:
        return 0
    if not spread:
        return min(1, misses)
    # 1 / variance = 1 / prior² + 1 / v, with v = spread² (1 / n - 1 / misses).
    if allowed <= 0:
        return None
    variance = 1 / (1 / allowed - 1 / prior**2)
    return min(misses, ceil(1 / (variance / spread**2 + 1 / misses)))


# --- learning -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Lesson:
    """The misses of a system as if it were new: what is known of them, and how they did.

    `observed` (R × 2) counts wins and losses in `comparisons`, 0 if it was not judged; `total` (2)
    those in all judged segments.
    """

    segments: Rows
    features: Table
    comparisons: Floats
    observed: Floats
    total: Floats
    moments: Moments

    def expect(self, coefficients: Floats) -> Floats:
        """Return the predicted numbers of wins and losses: R × 2."""
        shares = np.clip(apply(coefficients, self.features), 0, 1)
        # A system cannot win and lose in one comparison.
        shares /= np.maximum(1, shares.sum(axis=1, keepdims=True))
        return np.asarray(shares * self.comparisons[:, None])


def _lesson(tables: TextTables, outcomes: Outcomes, system: int, others: Sequence[int]) -> _Lesson:
    comparisons = outcomes.ranked[:, others].sum(axis=1)
    present = tables.candidates[:, system] != NO_CANDIDATE
    alone = present & (comparisons > 0) & ~_shared(tables.candidates, system, others)
    segments = np.flatnonzero(alone)
    features = np.hstack(
        [
            text_features(tables, segments, system, others),
            rank_features(tables, outcomes, segments, system, others),
        ]
    )
    wins, losses, compared = outcomes.against(system, others)
    observed = np.stack([wins, losses], axis=1).astype(np.float64)
    weights = compared[segments].astype(np.float64)
    shares = observed[segments] / np.maximum(1, weights)[:, None]
    return _Lesson(
        segments=segments,
        features=features,
        comparisons=comparisons[segments].astype(np.float64),
        observed=observed[segments],
        total=observed.sum(axis=0),
        moments=moments(features, shares, weights),
    )


def _typical_errors(lessons: Sequence[_Lesson]) -> tuple[float, float]:
    """Return τ, and the standard deviation of net wins of a miss around the prediction.

    Each system is predicted from the others. Both are root mean squares over the systems.
    """
    together = reduce(add, (lesson.moments for lesson in lessons))
    errors, variances = [], []
    for lesson in lessons:
        if not lesson.observed.sum():
            continue
        expected = lesson.expect((together - lesson.moments).fit(PENALTY))
        difference = expected - lesson.observed
        predicted = lesson.total + difference.sum(axis=0)
        score = predicted[0] / predicted.sum()
        error = score - lesson.total[0] / lesson.total.sum()
        errors.append(error * predicted.sum() / expected.sum())
        variances.append(np.var(difference @ (1 - score, -score)))
    if len(errors) < FEWEST_OTHERS:
        raise InputError(
            _(
                "A prediction needs at least %(least)d judged systems with candidates that no "
                "other system has, but there are %(count)d. Judge more segments or systems."
            ),
            least=FEWEST_OTHERS,
            count=len(errors),
        )
    return float(np.sqrt(np.mean(np.square(errors)))), float(np.sqrt(np.mean(variances)))


def _scores_of_others(
    texts: ProjectTexts, outcomes: Outcomes, target: int, others: Sequence[int], expected: Floats
) -> tuple[tuple[str, float], ...]:
    """Return the ratios of wins of the others.

    They lose what the target is predicted to win, in proportion to what they lose to each other,
    and the other way round.
    """
    among = np.array(
        [
            [values.sum() for values in outcomes.against(x, [y for y in others if y != x])[:2]]
            for x in others
        ],
        dtype=np.float64,
    )
    of_target = np.array(
        [[values.sum() for values in outcomes.against(x, [target])[:2]] for x in others]
    )
    parts = among / np.maximum(1, among.sum(axis=0))
    won, lost = (among + of_target + parts * expected.sum(axis=0)[::-1]).T
    scores = np.divide(won, won + lost, out=np.full(len(others), 0.5), where=won + lost > 0)
    return tuple(
        (texts.system_names[other], float(score))
        for other, score in zip(others, scores, strict=True)
    )


def _shared(candidates: Codes, system: int, others: Sequence[int]) -> NDArray[np.bool_]:
    """Tell in which segments another system has the system's candidate, or both have none."""
    among = [other for other in others if other != system]
    return np.asarray((candidates[:, among] == candidates[:, [system]]).any(axis=1))
