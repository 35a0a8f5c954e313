from itertools import product
from math import exp, lgamma, log

import numpy as np
import pytest
from scipy.special import digamma

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.mace import NOISE, fit_spamming
from evaluation.stats.judgements import UNIDENTIFIED

COUNT = 3
# Of people who look: the label that they give if they do not know it is any; of those who do not:
# mostly one label.
SPAMMING = (0.05, 0.1, 0.2, 0.3, 0.9, 1.0)


def judged(rows):
    """Rows of item, annotator and label."""
    items, annotators, labels = np.array(rows, dtype=np.int32).reshape(-1, 3).T
    return ItemJudgements(items, annotators, items), labels


def simulated(seed, *, items=150):
    """Return the answers, five an item, and the true labels."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, COUNT, items)
    rows = []
    for item, label in enumerate(truth):
        for who in random.permutation(len(SPAMMING))[:5]:
            spams = random.random() < SPAMMING[who]
            guess = random.choice(COUNT, p=(0.6, 0.3, 0.1))
            rows.append((item, who, guess if spams else label))
    return rows, truth


def slowly(rows, random, iterations):
    """Return the posterior by item, and spamming and strategies by annotator, answer by answer."""
    items = 1 + max(row[0] for row in rows)
    people = 1 + max(row[1] for row in rows)
    spamming = 1 + NOISE * random.random((people, 2))
    strategy = 1 + NOISE * random.random((people, COUNT))
    spams = spamming / spamming.sum(axis=1, keepdims=True)
    gives = strategy / strategy.sum(axis=1, keepdims=True)
    for _ in range(iterations):
        posterior = np.ones((items, COUNT))
        for item, who, label in rows:
            for true in range(COUNT):
                posterior[item, true] *= spams[who, 0] * gives[who, label] + (
                    spams[who, 1] if true == label else 0
                )
        posterior /= posterior.sum(axis=1, keepdims=True)
        spamming, strategy = np.full((people, 2), 0.5), np.full((people, COUNT), 10.0)
        for item, who, label in rows:
            spam = spams[who, 0] * gives[who, label]
            knows = posterior[item, label] * spams[who, 1] / (spam + spams[who, 1])
            spamming[who] += (1 - knows, knows)
            strategy[who, label] += 1 - knows
        for who in range(people):
            spams[who] = [
                exp(digamma(each) - digamma(spamming[who].sum())) for each in spamming[who]
            ]
            gives[who] = [
                exp(digamma(each) - digamma(strategy[who].sum())) for each in strategy[who]
            ]
    return (
        posterior,
        spamming[:, 0] / spamming.sum(axis=1),
        strategy / strategy.sum(axis=1, keepdims=True),
    )


@pytest.mark.parametrize("iterations", [1, 2, 7])
def test_it_does_what_a_plain_program_does(iterations):
    rows, _ = simulated(0, items=40)

    found = fit_spamming(*judged(rows), count=COUNT, restarts=1, iterations=iterations, seed=5)

    posterior, spamming, strategy = slowly(rows, np.random.default_rng(5), iterations)
    assert found.posterior == pytest.approx(posterior, abs=1e-12)
    assert found.spamming == pytest.approx(spamming, abs=1e-12)
    assert found.strategy == pytest.approx(strategy, abs=1e-12)


def evidence(rows, items, people):
    """Return the exact logarithm of the evidence: over all true labels, and who knew them."""
    total = 0.0
    for truth in product(range(COUNT), repeat=items):
        for knows in product((False, True), repeat=len(rows)):
            if any(
                k and truth[item] != label for k, (item, _, label) in zip(knows, rows, strict=True)
            ):
                continue
            value = -items * log(COUNT)
            for who in range(people):
                mine = [(k, row[2]) for k, row in zip(knows, rows, strict=True) if row[1] == who]
                spam = [label for k, label in mine if not k]
                value += lgamma(len(spam) + 0.5) + lgamma(len(mine) - len(spam) + 0.5)
                value -= lgamma(len(mine) + 1) + 2 * lgamma(0.5)
                value += lgamma(10 * COUNT) - lgamma(10 * COUNT + len(spam))
                value += sum(lgamma(10 + spam.count(k)) - lgamma(10) for k in range(COUNT))
            total += exp(value)
    return log(total)


def test_the_bound_rises_to_just_below_the_exact_evidence():
    rows = [(0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 2), (0, 2, 1), (1, 2, 0)]
    exact = evidence(rows, 2, 3)

    bounds = [
        fit_spamming(*judged(rows), count=COUNT, restarts=1, iterations=number).bound
        for number in range(2, 20)
    ]

    assert np.all(np.diff(bounds) > -1e-12)
    assert exact - 1 < bounds[-1] < exact


def test_spammers_are_found_and_labels_are_right_more_often_than_the_majority():
    right, majority = [], []
    for seed in range(5):
        rows, truth = simulated(seed)

        found = fit_spamming(*judged(rows), count=COUNT)

        assert found.settled
        assert found.spamming == pytest.approx(SPAMMING, abs=0.12)
        assert found.strategy[5] == pytest.approx([0.6, 0.3, 0.1], abs=0.12)
        votes = np.zeros((len(truth), COUNT))
        np.add.at(votes, tuple(np.array(rows).T[[0, 2]]), 1)
        right.append((found.posterior.argmax(axis=1) == truth).mean())
        majority.append((votes.argmax(axis=1) == truth).mean())
    assert np.mean(right) > np.mean(majority) + 0.02


def test_the_best_of_several_starts_counts_and_a_seed_repeats_it():
    rows, _ = simulated(3, items=30)

    one, ten, again = (
        fit_spamming(*judged(rows), count=COUNT, restarts=number, seed=2) for number in (1, 10, 10)
    )

    assert ten.bound >= one.bound
    assert np.array_equal(ten.posterior, again.posterior)
    assert "best of 10 starts" in ten.signature
    assert "seed 2" in ten.signature


def test_without_labels_items_and_annotators_are_undefined():
    rows = [(0, 0, 0), (2, 0, 1), (0, 2, 0), (2, 2, 1), (1, UNIDENTIFIED, 1)]

    found = fit_spamming(*judged(rows), count=2)

    assert np.isnan(found.posterior[1]).all()
    assert np.isnan(found.spamming[1])
    assert np.isnan(found.strategy[1]).all()
    assert found.posterior[[0, 2], [0, 1]] == pytest.approx(1, abs=0.2)
    assert "items 2" in found.signature


def test_nothing_is_fitted_to_nothing_and_other_labels_are_refused():
    found = fit_spamming(*judged([]), count=2)

    assert (found.posterior.shape, found.spamming.shape) == ((0, 2), (0,))
    with pytest.raises(ValueError, match="label"):
        fit_spamming(*judged([(0, 0, 2)]), count=2)
    with pytest.raises(ValueError, match="start"):
        fit_spamming(*judged([(0, 0, 1)]), count=2, restarts=0)
