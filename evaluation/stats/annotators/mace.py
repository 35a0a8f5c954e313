"""Labels of items, and how often annotators spam, by MACE.

Each item has one true label, all equally probable. Annotator j either knows it and gives it, or
spams, with the probability s_j. A spammer gives the label r with the probability ξ[j, r], which
does not depend on the true label. The posterior is approximated by variational Bayes: s_j has the
prior Beta(0.5, 0.5) and ξ[j] Dirichlet(10, …). Several random starts are tried, and that with the
highest lower bound of the evidence is kept. Source: Hovy, Berg-Kirkpatrick, Vaswani & Hovy (2013),
"Learning Whom to Trust with MACE", with its priors and starts, but until the labels settle.

Not checked on the public labels of Snow et al. (2008), which are not in the repository; published
are 0.925 of the items of RTE and 0.939 of those of TEMP.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.judgements import UNIDENTIFIED, Codes
from evaluation.stats.resampling import Floats, sums_by

SPAMMING_PRIOR: Final = 0.5
STRATEGY_PRIOR: Final = 10.0
RESTARTS: Final = 10
MOST_ITERATIONS: Final = 500
CLOSE_ENOUGH: Final = 1e-6
# Random starts are 1 plus uniform noise up to this, normalised.
NOISE: Final = 0.5


@dataclass(frozen=True, eq=False)
class SpammingModel:
    """The fitted model of I items, A annotators and K labels; items and annotators by code.

    `posterior` is I × K, NaN for items without labels. `spamming` (A) is the expected probability
    of an annotator to spam, `strategy` (A × K) that of each label when they do; NaN for annotators
    without labels. `bound` is the lower bound of the logarithm of the evidence. `settled` is False
    if the best start was stopped after the last iteration allowed.
    """

    posterior: Floats
    spamming: Floats
    strategy: Floats
    bound: float
    iterations: int
    settled: bool
    signature: str


@dataclass(frozen=True, eq=False)
class _Start:
    posterior: Floats
    spamming: Floats
    strategy: Floats
    bound: float
    iterations: int
    settled: bool


def fit_spamming(
    judged: ItemJudgements,
    labels: Codes,
    *,
    count: int,
    restarts: int = RESTARTS,
    iterations: int = MOST_ITERATIONS,
    seed: int = 0,
) -> SpammingModel:
    """Fit the model to J labels, codes below `count`, from `restarts` random starts.

    Labels by unidentified annotators are left out. Raises ValueError for other labels, and without
    a start or an iteration.
    """
    if len(labels) and not 0 <= labels.min() <= labels.max() < count:
        raise ValueError(f"A label is not from 0 to {count - 1}.")
    if min(restarts, iterations) < 1:
        raise ValueError("There must be a start and an iteration.")
    things = int(judged.items.max(initial=-1)) + 1
    people = int(judged.annotators.max(initial=-1)) + 1
    known = judged.annotators != UNIDENTIFIED
    judged, labels = judged.select(known), labels[known]
    random = np.random.default_rng(seed)
    starts = [
        _climb(judged, labels, (things, people, count), random, iterations) for _ in range(restarts)
    ]
    best = max(starts, key=lambda start: start.bound)
    seen = np.bincount(judged.items, minlength=things) > 0
    there = np.bincount(judged.annotators, minlength=people) > 0
    return SpammingModel(
        np.where(seen[:, None], best.posterior, np.nan),
        np.where(there, best.spamming, np.nan),
        np.where(there[:, None], best.strategy, np.nan),
        best.bound,
        best.iterations,
        best.settled,
        judged.sign(
            "MACE",
            f"items {np.count_nonzero(seen)}",
            f"spamming Beta({SPAMMING_PRIOR:g}, {SPAMMING_PRIOR:g})",
            f"strategies Dirichlet({STRATEGY_PRIOR:g})",
            f"best of {restarts} starts",
            f"at most {iterations} iterations",
            f"seed {seed}",
        ),
    )


def _climb(
    judged: ItemJudgements,
    labels: Codes,
    sizes: tuple[int, int, int],
    random: np.random.Generator,
    iterations: int,
) -> _Start:
    """Update the posterior of labels and those of annotators in turn, from a random start."""
    from scipy.special import digamma

    things, people, count = sizes
    items, who = judged.items, judged.annotators
    cells, given = items * np.int64(count) + labels, who * np.int64(count) + labels
    answers = np.bincount(who, minlength=people).astype(np.float64)
    # Columns: spamming, knowing.
    kinds = 1 + NOISE * random.random((people, 2))
    strategy = 1 + NOISE * random.random((people, count))
    log_kinds = np.log(kinds / kinds.sum(axis=1, keepdims=True))
    log_strategy = np.log(strategy / strategy.sum(axis=1, keepdims=True))
    posterior, bound = np.full((things, count), 1 / count), -np.inf
    done, settled = 0, False
    while done < iterations and not settled:
        # Of each answer: of a spammer, and how much more probable it is if it is the true label.
        log_spam = log_kinds[who, 0] + log_strategy[who, labels]
        log_true = np.logaddexp(log_spam, log_kinds[who, 1])
        joint = sums_by(cells, log_true - log_spam, things * count).reshape(things, count)
        highest = joint.max(axis=1, keepdims=True, initial=0)
        weights = np.exp(joint - highest)
        sums = weights.sum(axis=1, keepdims=True)
        former, posterior = posterior, weights / sums
        evidence = float((np.log(sums / count) + highest).sum() + log_spam.sum())
        knows = posterior[items, labels] * np.exp(log_kinds[who, 1] - log_true)
        knowing = sums_by(who, knows, people)
        of_kinds = np.stack([answers - knowing, knowing], axis=1) + SPAMMING_PRIOR
        of_labels = sums_by(given, 1 - knows, people * count) + STRATEGY_PRIOR
        # The start is no distribution of annotators, so there is no bound before the first update.
        if done:
            bound = evidence - _divergence(kinds, SPAMMING_PRIOR, log_kinds)
            bound -= _divergence(strategy, STRATEGY_PRIOR, log_strategy)
            settled = bool(np.abs(posterior - former).max(initial=0) < CLOSE_ENOUGH)
        kinds, strategy = of_kinds, of_labels.reshape(people, count)
        log_kinds = digamma(kinds) - digamma(kinds.sum(axis=1, keepdims=True))
        log_strategy = digamma(strategy) - digamma(strategy.sum(axis=1, keepdims=True))
        done += 1
    return _Start(
        posterior,
        kinds[:, 0] / kinds.sum(axis=1),
        strategy / strategy.sum(axis=1, keepdims=True),
        bound,
        done,
        settled,
    )


def _divergence(parameters: Floats, prior: float, expected_logs: Floats) -> float:
    """Return the sum over rows of KL(Dirichlet(parameters) ‖ Dirichlet(prior, …))."""
    from scipy.special import gammaln

    rows, width = parameters.shape
    own = gammaln(parameters.sum(axis=1)) - gammaln(parameters).sum(axis=1)
    others = gammaln(width * prior) - width * gammaln(prior)
    return float((own + ((parameters - prior) * expected_logs).sum(axis=1)).sum() - rows * others)
