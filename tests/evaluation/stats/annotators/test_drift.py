import numpy as np
import pytest
from scipy.stats import linregress

from evaluation.stats.annotators.drift import drift
from tests.evaluation.tables import judged


def at_work(seconds, who="jana", ranks=(1, 2)):
    """A sentence of one segment after the other."""
    rows = [(f"{who}{place:03}", who, list(ranks)) for place in range(len(seconds))]
    return rows, list(seconds)


def measured(rows, seconds=None, **options):
    judgements = judged(rows, seconds=seconds, created=range(len(rows)))
    return drift(judgements, **options)


def test_the_change_of_speed_is_that_of_a_line_through_logarithms():
    random = np.random.default_rng(0)
    seconds = np.exp(4 - 0.005 * np.arange(60) + random.normal(0, 0.3, 60))

    found = measured(*at_work(seconds)).together.seconds

    slope = linregress(np.arange(60), np.log(seconds)).slope
    assert found.change.value == pytest.approx(np.expm1(100 * slope))
    assert found.screens == 60
    ends = vars(found.change)
    assert ends["low"] < ends["value"] < ends["high"]


def test_each_annotator_has_a_level():
    # Both get 10 % faster per 100 sentences; Petr takes ten times as long, and begins later.
    steps = np.arange(40)
    jana, fast = at_work(40 * 0.9 ** (steps / 100))
    petr, slow = at_work(400 * 0.9 ** (steps / 100), "petr")

    found = measured(jana + petr, fast + slow)

    assert found.together.seconds.change.value == pytest.approx(-0.1)
    assert [row.annotator for row in found.annotators] == ["jana", "petr"]
    for row in found.annotators:
        assert row.seconds.change.value == pytest.approx(-0.1)
        assert row.seconds.change.low == pytest.approx(-0.1)


def test_times_that_are_too_long_or_unknown_are_left_out():
    rows, seconds = at_work([50.0] * 40)
    seconds[3], seconds[4], seconds[5] = 600.0, np.nan, 0.0

    found = measured(rows, seconds).together.seconds

    assert found.change.value == pytest.approx(0)
    assert found.screens == 37


def test_agreement_with_others_may_change():
    # Over 100 sentences Jana and Petr agree in the first half, and contradict each other then.
    rows = []
    for place in range(100):
        name = f"{place:03}"
        rows.append((name, "jana", [1, 2]))
        rows.append((name, "petr", [1, 2] if place < 50 else [2, 1]))
    rows = rows[::2] + rows[1::2]

    found = measured(rows)

    slope = linregress(np.arange(100), [1] * 50 + [0] * 50).slope
    assert found.together.agreement.screens == 200
    assert found.together.agreement.change.value == pytest.approx(100 * slope)
    for row in found.annotators:
        assert row.agreement.change.value == pytest.approx(100 * slope)
        assert vars(row.agreement.change)["high"] < 0


def test_the_line_of_agreement_weighs_screens_by_what_they_compare():
    random = np.random.default_rng(7)
    rows, shares, weights = [], [], []
    for place in range(40):
        size = int(random.integers(2, 6))
        one, other = (random.integers(1, 4, size).tolist() for _ in range(2))
        rows += [(f"{place:03}", "jana", one), (f"{place:03}", "petr", other)]
        pairs = [(x, y) for x in range(size) for y in range(x)]
        same = [np.sign(one[x] - one[y]) == np.sign(other[x] - other[y]) for x, y in pairs]
        shares.append(np.mean(same))
        weights.append(len(pairs))

    (jana, _) = measured(rows[::2] + rows[1::2]).annotators

    slope, _ = np.polyfit(np.arange(40) / 100, shares, 1, w=np.sqrt(weights))
    assert jana.agreement.change.value == pytest.approx(slope)


@pytest.mark.parametrize("rows", [[], [("s", "jana", [1, 2])], [("s", None, [1, 2])] * 50])
def test_too_little_is_undefined(rows):
    found = measured(rows)

    for trend in (found.together.seconds, found.together.agreement):
        assert trend.change.value is trend.change.low is None
        assert "fewer than 30 sentences" in trend.change.undefined


def test_two_runs_with_one_seed_are_equal_to_the_last_bit():
    rows, seconds = at_work(np.random.default_rng(5).exponential(60, 50))

    assert measured(rows, seconds, seed=2) == measured(rows, seconds, seed=2)
    assert measured(rows, seconds, seed=2) != measured(rows, seconds, seed=3)


def test_its_signature_says_how_it_was_computed():
    assert measured([("s", "jana", [1])], resamples=10, seed=4).signature == (
        "drift|per 100 sentences|times of 600 s or more left out|10 resamples of sentences|seed 4"
        "|judgements 1|sentences 1|SegRanks 1.0.0"
    )
