import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import norm, t

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.score_sequence import (
    FEW_SEQUENCES,
    NO_VARIATION,
    SEPARATED,
    TOO_FEW,
    Coefficient,
    score_sequence,
)
from evaluation.stats.judgements import UNIDENTIFIED

NAN = float("nan")


def judged(scores):
    """A row an annotator, in the order shown."""
    annotators, order = np.indices(scores.shape).reshape(2, -1).astype(np.int32)
    items = np.arange(scores.size, dtype=np.int32)
    return ItemJudgements(items, annotators, items), scores.ravel(), order


def known(coefficient: Coefficient | None) -> Coefficient:
    assert coefficient
    return coefficient


def simulated(effect, people=40, length=100, seed=0, noise=0.5):
    """Scores that are 0.7 of the gold, and `effect` (by position) of the previous score."""
    random = np.random.default_rng(seed)
    gold = random.normal(0, 1, (people, length))
    scores = 0.7 * gold + random.normal(0, noise, gold.shape)
    for place in range(1, length):
        scores[:, place] += np.broadcast_to(effect, length)[place] * scores[:, place - 1]
    return scores, gold


@pytest.mark.parametrize("effect", [0.0, 0.1, -0.1, 0.3])
def test_a_known_effect_is_found(effect):
    scores, gold = simulated(effect)

    found = score_sequence(*judged(scores), gold=gold.ravel()).all

    previous = known(found.previous)
    assert found.items == 40 * 99
    assert previous.low < effect < previous.high
    assert previous.value == pytest.approx(effect, abs=0.03)
    assert known(found.gold).value == pytest.approx(0.7, abs=0.03)
    assert (previous.p < 0.001) == bool(effect)


def test_errors_are_those_of_repeated_simulations():
    found = [
        known(score_sequence(*judged(scores), gold=gold.ravel()).all.previous)
        for scores, gold in (simulated(0.0, people=5, length=30, seed=seed) for seed in range(200))
    ]

    assert np.std([each.value for each in found]) == pytest.approx(found[0].error, rel=0.2)
    assert np.mean([each.p < 0.05 for each in found]) == pytest.approx(0.05, abs=0.03)


@pytest.mark.parametrize("effect", [0.0, 0.05, 0.1])
@pytest.mark.parametrize("differ", [0.0, 0.3])
def test_the_effect_is_not_lower_in_short_sequences(effect, differ):
    """100 annotators of 20 items, with means and scales of their own.

    Scores centred by annotator gave -0.036 for 0, and intervals held it in 56 %.
    """
    found = []
    for seed in range(40):
        scores, gold = simulated(effect, people=100, length=20, seed=seed, noise=1.1)
        random = np.random.default_rng(seed)
        units = np.exp(random.normal(0, differ, (100, 1)))
        scores = units * (scores + random.normal(0, 1, (100, 1)))
        sequence = score_sequence(*judged(scores), gold=(units * gold).ravel())
        found.append(known(sequence.all.previous))

    assert np.mean([each.value for each in found]) == pytest.approx(effect, abs=0.008)
    assert np.mean([each.low < effect < each.high for each in found]) >= 0.88


def test_without_gold_the_mean_of_the_other_scores_is_held_fixed():
    scores, _ = simulated(0.2, people=5, length=50)
    matrix = np.array(
        [
            (1, own[place - 1], (own.sum() - own[place]) / 49)
            for own in scores
            for place in range(1, 50)
        ]
    )
    outcomes = scores[:, 1:].ravel()
    coefficients, *_ = np.linalg.lstsq(matrix, outcomes)
    inverse = np.linalg.inv(matrix.T @ matrix)
    squares = (outcomes - matrix @ coefficients) ** 2
    covariance = inverse @ (matrix.T * squares) @ matrix @ inverse * 245 / (245 - 3)

    found = score_sequence(*judged(scores)).all

    previous = known(found.previous)
    assert found.gold is None
    assert previous.value == pytest.approx(coefficients[1])
    assert previous.error == pytest.approx(np.sqrt(covariance[1, 1]))
    assert previous.p == pytest.approx(
        2 * t.sf(abs(coefficients[1]) / np.sqrt(covariance[1, 1]), 242)
    )


def test_learning_shows_in_thirds_of_the_sequence():
    scores, gold = simulated(np.repeat([0.4, 0.2, 0.0], [30, 30, 30]), length=90)

    thirds = score_sequence(*judged(scores), gold=gold.ravel()).thirds

    assert [each.items for each in thirds] == [40 * 29, 40 * 30, 40 * 30]
    assert [known(each.previous).value for each in thirds] == pytest.approx(
        [0.4, 0.2, 0.0], abs=0.05
    )


@pytest.mark.parametrize("effect", [0.0, -0.5])
def test_a_known_effect_on_labels_is_found(effect):
    random = np.random.default_rng(1)
    gold = random.integers(0, 2, (400, 20)).astype(float)
    # Annotators have a bias of their own, which would look like an effect.
    bias = random.normal(0, 0.7, 400)
    labels = np.zeros(gold.shape)
    before = np.zeros(400)
    for place in range(20):
        odds = -0.5 + bias + 1.5 * gold[:, place] + effect * before
        before = labels[:, place] = random.random(400) < 1 / (1 + np.exp(-odds))

    found = score_sequence(*judged(labels), gold=gold.ravel(), binary=True).all

    # The share of the other labels takes a little too much away.
    previous = known(found.previous)
    assert previous.value == pytest.approx(effect, abs=0.13)
    assert (previous.p < 0.001) == bool(effect)
    assert known(found.gold).value == pytest.approx(1.5, abs=0.15)


def test_labels_have_the_most_likely_coefficients():
    random = np.random.default_rng(2)
    labels = random.integers(0, 2, (12, 8)).astype(float)
    rows = [
        (1, own[place - 1], (own.sum() - own[place]) / 7, own[place])
        for own in labels
        for place in range(1, 8)
    ]
    matrix, outcomes = np.array(rows)[:, :3], np.array(rows)[:, 3]

    def surprise(coefficients):
        return np.logaddexp(0, (1 - 2 * outcomes) * (matrix @ coefficients)).sum()

    expected = minimize(surprise, np.zeros(3), tol=1e-10)
    spread = expit(matrix @ expected.x) * expit(-(matrix @ expected.x))
    errors = np.sqrt(np.diag(np.linalg.inv(matrix.T @ (matrix * spread[:, None]))))

    found = known(score_sequence(*judged(labels), binary=True).all.previous)

    assert found.value == pytest.approx(expected.x[1], abs=1e-4)
    assert found.error == pytest.approx(errors[1], abs=1e-4)
    assert found.p == pytest.approx(2 * norm.sf(abs(expected.x[1]) / errors[1]), abs=1e-3)


def test_sequences_are_sorted_and_kept_apart():
    scores, gold = simulated(0.3, people=4, length=20)
    of, values, order = judged(scores)
    shuffled = np.random.default_rng(5).permutation(len(values))
    halves = (order >= 10).astype(np.int32)

    whole = score_sequence(of, values, order)
    same = score_sequence(of.select(shuffled), values[shuffled], order[shuffled])
    parts = score_sequence(of, values, order, sequences=halves, gold=gold.ravel())

    assert same == whole
    assert (whole.all.items, parts.all.items) == (4 * 19, 8 * 9)
    assert "8 sequences" in parts.signature


def test_unknown_scores_gold_and_annotators_are_left_out():
    of, values, order = judged(np.array([[1.0, 4, NAN, 2, 3, 7, 5]]))
    gold = np.array([1.0, NAN, 2, 3, 4, 6, 4])

    found = score_sequence(of, values, order, gold=gold)

    assert found.all.items == 3  # 3, 7 and 5
    assert found.all.undefined == TOO_FEW
    unknown = ItemJudgements(of.items, np.full(7, UNIDENTIFIED, np.int32), of.sentences)
    nothing = score_sequence(unknown, values, order, gold=gold)
    assert (nothing.all.items, nothing.all.undefined) == (0, TOO_FEW)


def test_why_there_is_no_estimate():
    constant = score_sequence(*judged(np.full((2, 10), 50.0)))
    # The label is 1 exactly where the gold is.
    labels = np.random.default_rng(6).integers(0, 2, (3, 10)).astype(float)
    exact = score_sequence(*judged(labels), gold=labels.ravel(), binary=True)

    assert constant.all.undefined == NO_VARIATION
    assert score_sequence(*judged(simulated(0.2, people=2)[0])).all.undefined == FEW_SEQUENCES
    assert exact.all.undefined == SEPARATED
    with pytest.raises(ValueError, match="label"):
        score_sequence(*judged(np.array([[0.0, 2.0]])), binary=True)


def test_the_wide_interval_holds_for_other_annotators():
    narrow, wide = [], []
    for seed in range(100):
        random = np.random.default_rng(seed)
        scores = random.normal(0, 1, (10, 60))
        # Annotators differ in the effect, whose mean over all annotators is 0.
        effects = random.normal(0, 0.3, 10)
        for place in range(1, 60):
            scores[:, place] += effects * scores[:, place - 1]
        previous = known(score_sequence(*judged(scores)).all.previous)
        assert previous.wide_low is not None
        assert previous.wide_high is not None
        narrow.append(previous.low < 0 < previous.high)
        wide.append(previous.wide_low < 0 < previous.wide_high)
        assert previous.wide_p is not None
        assert (previous.wide_p < 0.05) != wide[-1]

    assert np.mean(narrow) < 0.75
    assert np.mean(wide) >= 0.88


def test_two_annotators_have_no_wide_interval():
    of, scores, order = judged(simulated(0.2, people=2, length=50)[0])
    halves = (order >= 25).astype(np.int32)

    previous = known(score_sequence(of, scores, order, sequences=halves).all.previous)

    assert (previous.wide_low, previous.wide_high, previous.wide_p) == (None, None, None)


def test_labels_have_a_wide_interval_too():
    random = np.random.default_rng(3)
    labels = (random.random((8, 80)) < 0.5).astype(float)

    previous = known(score_sequence(*judged(labels), binary=True).all.previous)

    assert previous.wide_low is not None
    assert previous.wide_high is not None
    assert previous.wide_low < 0 < previous.wide_high
    # Without differences between annotators both are about as wide.
    width = (previous.wide_high - previous.wide_low) / (previous.high - previous.low)
    assert width == pytest.approx(1, abs=0.7)
