"""How good the hypotheses are that were chosen, by people's judgements, BLEU and hit rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.tuning.features import bleu_similarity, character_similarity, sentence_bleu
from evaluation.reuse.tuning.hypotheses import Floats, Hypotheses
from evaluation.reuse.tuning.objectives import (
    BLEU,
    ORDERS,
    Matches,
    SummedStatistics,
    bleu,
    ratio,
)
from evaluation.reuse.tuning.powell import Integers
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import SHARE, UNBOUNDED, resampled_sums, shares, with_interval

NO_JUDGEMENTS: Final = "no untied judgement of what was chosen"
CONSENSUS: Final = "most similar, characters"
# For resamples of sentences.
SEED: Final = 0
STEPS_TO_BEST_RATIO: Final = 100


@dataclass(frozen=True)
class Choice:
    """A way to choose a hypothesis of each test sentence, and how good the chosen ones are.

    `people` is the share of wins of the chosen ones in the judgements of the test sentences, ties
    left out; `minus_bleu` and `minus_consensus` that share minus the one of the choice tuned to
    BLEU, and of the hypotheses most similar to the others, None for these themselves; `spread` the
    standard deviation of the share over seeds. Of several seeds, wins are counted together, and
    BLEU and hit rate averaged. `hit_rate` is the share of judged segments with a ranked candidate
    in the chosen hypothesis. None if undefined.
    """

    name: str
    people: Estimate
    minus_bleu: Estimate | None
    minus_consensus: Estimate | None
    spread: float | None
    bleu: float | None
    hit_rate: float | None


class Judge:
    """Judges choices among the hypotheses of T test sentences.

    `people` are wins and comparisons of each hypothesis, `bleu` None without references.
    """

    def __init__(
        self,
        people: SummedStatistics,
        bleu_statistics: SummedStatistics | None,
        matches: Matches,
        *,
        resamples: int,
    ) -> None:
        self._people = people.statistics
        self._bleu = None if bleu_statistics is None else bleu_statistics.statistics
        self._hits = np.stack([matches.hits, matches.segments], axis=2)
        self._resamples = resamples
        # The names of the two choices that others are compared with, and their wins by sentence.
        self._baselines: dict[str, Floats] = {}

    def set_baseline(self, name: str, chosen: Sequence[Integers]) -> None:
        """Compare all later choices but this one with it: one for each seed."""
        self._baselines[name] = self._wins(chosen)

    def judge(self, name: str, chosen: Sequence[Integers | Floats]) -> Choice:
        """Return the figures of a choice for each seed: T hypotheses, or T × N probabilities."""
        by_seed = [float(ratio(_chosen(self._people, one).sum(axis=0))) for one in chosen]
        hits, segments = np.mean([_chosen(self._hits, one).sum(axis=0) for one in chosen], axis=0)
        wins = self._wins(chosen)
        return Choice(
            name=name,
            people=self._share(wins),
            minus_bleu=self._difference(name, wins, BLEU),
            minus_consensus=self._difference(name, wins, CONSENSUS),
            spread=float(np.std(by_seed, ddof=1)) if len(chosen) > 1 else None,
            bleu=None
            if self._bleu is None
            else float(np.mean([bleu(_chosen(self._bleu, one).sum(axis=0)) for one in chosen])),
            hit_rate=float(hits / segments) if segments else None,
        )

    def _wins(self, chosen: Sequence[Integers | Floats]) -> Floats:
        """Return wins and comparisons by sentence, the mean of the seeds.

        Sentences that people did not judge tell nothing and are left out.
        """
        wins = np.mean([_chosen(self._people, one) for one in chosen], axis=0)
        return np.asarray(wins[self._hits[:, 0, 1] > 0])

    def _share(self, wins: Floats) -> Estimate:
        value, resampled = self._shares(wins)
        if np.isnan(value):
            return Estimate(None, undefined=NO_JUDGEMENTS)
        return with_interval(value, resampled, len(wins), SHARE)

    def _difference(self, name: str, wins: Floats, baseline: str) -> Estimate | None:
        if name == baseline or baseline not in self._baselines:
            return None
        (value, resampled), (other, of_other) = (
            self._shares(each) for each in (wins, self._baselines[baseline])
        )
        if np.isnan(value - other):
            return Estimate(None, undefined=NO_JUDGEMENTS)
        return with_interval(value - other, resampled - of_other, len(wins), UNBOUNDED)

    def _shares(self, wins: Floats) -> tuple[float, Floats]:
        """Return the share of wins, and those of resampled sentences; draws are always the same."""
        sums = resampled_sums(wins, resamples=self._resamples, seed=SEED)
        return float(ratio(wins.sum(axis=0))), shares(sums[:, 0], sums[:, 1])


def untrained_choices(hypotheses: Hypotheses) -> dict[str, Integers]:
    """Return by name the hypothesis of each of S sentences that needs no training to be chosen.

    The most similar to the others, and in N-best lists the decoder's own, which is the first.
    """
    choices = {
        CONSENSUS: character_similarity,
        "most similar, BLEU": bleu_similarity,
    }
    chosen = {
        name: np.array([int(np.argmax(similarity(texts))) for texts in hypotheses.texts])
        for name, similarity in choices.items()
    }
    if not hypotheses.are_outputs:
        chosen["first of the list"] = np.zeros(len(hypotheses.texts), dtype=np.intp)
    return chosen


def best_system(
    hypotheses: Hypotheses, training: NDArray[np.bool_], people: SummedStatistics
) -> int | None:
    """Return the code of the system with the highest share of wins on the training sentences.

    Only systems with an output of every sentence; None if there is none.
    """
    complete: list[int] = [
        code
        for code in np.unique(hypotheses.systems).tolist()
        if np.all(np.any(hypotheses.systems == code, axis=1))
    ]
    if not complete:
        return None
    figures = [
        ratio(_chosen(people.statistics, of_system(hypotheses, code))[training].sum(axis=0))
        for code in complete
    ]
    return complete[int(np.argmax(np.nan_to_num(figures, nan=-1.0)))]


def of_system(hypotheses: Hypotheses, code: int) -> Integers:
    """Return the system's hypothesis of each sentence."""
    return np.asarray(np.argmax(hypotheses.systems == code, axis=1))


def bounds(
    people: SummedStatistics,
    bleu_statistics: SummedStatistics | None,
    sizes: NDArray[np.integer[Any]],
) -> dict[str, Integers | Floats]:
    """Return by name the choices that know the answer, and the random one.

    The hypothesis with the best sentence BLEU; the choice with the highest share of wins that there
    is; and each of a sentence's hypotheses with the same probability.
    """
    found: dict[str, Integers | Floats] = {}
    if bleu_statistics:
        counts = bleu_statistics.statistics
        matches, totals = counts[..., :ORDERS], counts[..., ORDERS : 2 * ORDERS]
        found["oracle, BLEU"] = np.argmax(sentence_bleu(matches, totals, counts[..., -1]), axis=1)
    # The best share λ of any choice: the choice that maximises Σ (wins - λ · comparisons), whose
    # share is λ itself (Dinkelbach 1967, On nonlinear fractional programming).
    # A share below all others: hypotheses without a judged candidate are the last choice.
    best = np.argmax(people.statistics @ (1.0, 1.0), axis=1)
    for _ in range(STEPS_TO_BEST_RATIO):
        share = float(ratio(_chosen(people.statistics, best).sum(axis=0)))
        step = np.argmax(people.statistics @ (1.0, -share), axis=1)
        # A step that gains nothing may choose hypotheses without a judged candidate, whose share
        # is undefined.
        if not float(ratio(_chosen(people.statistics, step).sum(axis=0))) > share:
            break
        best = step
    found["oracle, people"] = best
    places = np.arange(people.statistics.shape[1])
    found["random"] = (places < sizes[:, None]) / sizes[:, None]
    return found


def _chosen(statistics: Floats, chosen: Integers | Floats) -> Floats:
    """Return the statistics (T × K) of the chosen hypotheses, or their expected values."""
    if chosen.ndim == 2:
        return np.asarray((statistics * chosen[..., None]).sum(axis=1))
    return np.asarray(statistics[np.arange(len(chosen)), chosen])
