from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau

from evaluation.stats.ranking.learning_curve import (
    NO_ORDER,
    NO_WIDTH,
    LearningCurve,
    Needed,
    Point,
    learning_curve,
    sizes,
    too_few_for_curve,
)
from evaluation.stats.ranking.systems import rank_all
from evaluation.stats.units import SENTENCES
from tests.evaluation.tables import G, judged

NAMES = "ABCD"


def random_rows(sentences, seed=0):
    """A is better than B, B than C, C than D, by noisy qualities."""
    random = np.random.default_rng(seed)
    qualities = np.arange(4) * 0.3 + random.normal(size=(sentences, 4))
    ranks = qualities.argsort(axis=1).argsort(axis=1) + 1
    return [(f"{index:04}", "jana", row.tolist()) for index, row in enumerate(ranks)]


def points_of(curve):
    return [vars(point) for point in curve.points]


def curve_of(*widths):
    points = tuple(Point(size, 1.0, 1.0, 1.0, width) for size, width in widths)
    return LearningCurve("ratio_of_wins", points, "", "")


def test_sizes_are_halves_of_halves_down_to_ten():
    assert sizes(1500) == [11, 23, 46, 93, 187, 375, 750, 1500]
    assert sizes(19) == [19]
    assert sizes(3) == [3]


def test_more_sentences_agree_better_and_are_surer():
    points = points_of(learning_curve(judged(random_rows(400), systems=NAMES)))

    assert [point["sentences"] for point in points] == [12, 25, 50, 100, 200, 400]
    for fewer, more in pairwise(points):
        assert fewer["tau"] < more["tau"]
        assert fewer["width"] > more["width"]
        assert fewer["low"] <= fewer["tau"] <= fewer["high"]


def test_the_width_at_all_sentences_is_that_of_the_ranking():
    judgements = judged(random_rows(60), systems=NAMES)
    systems = rank_all(judgements, resamples=300, seed=5)["ratio_of_wins"].systems

    point = learning_curve(judgements, resamples=300, seed=5).points[-1]

    assert point.width == pytest.approx(
        np.mean([vars(system.score)["high"] - vars(system.score)["low"] for system in systems])
    )


def test_tau_agrees_with_scipy_by_plain_loops():
    rows = random_rows(20, seed=1)
    judgements = judged(rows, systems=NAMES)

    def scores(drawn):
        counts = np.zeros((4, 2))
        for ranks in drawn:
            for x, y in combinations(range(4), 2):
                if ranks[x] != ranks[y]:
                    counts[x, int(ranks[x] > ranks[y])] += 1
                    counts[y, int(ranks[x] < ranks[y])] += 1
        return counts[:, 0] / counts.sum(axis=1)

    random = np.random.default_rng(9)
    taus = []
    for _ in range(30):
        drawn = [rows[index][2] for index in random.integers(0, 20, 10)]
        order = scores([ranks for _, _, ranks in rows])
        # Without ties τ-b is τ; where a draw has some, its pairs count as neither.
        same = scores(drawn)
        pairs = list(combinations(range(4), 2))
        signs = [np.sign((order[x] - order[y]) * round(same[x] - same[y], 9)) for x, y in pairs]
        taus.append(sum(signs) / len(pairs))
        if 0 not in signs:
            assert taus[-1] == pytest.approx(kendalltau(order, same).statistic)

    first = learning_curve(judgements, resamples=30, seed=9).points[0]

    assert first.sentences == 10
    assert first.tau == pytest.approx(np.mean(taus))
    assert [first.low, first.high] == pytest.approx(np.percentile(taus, [2.5, 97.5]))


@pytest.mark.parametrize(
    ("width", "needed"),
    [
        # Half as wide as with all 400: four times as many.
        (0.05, Needed(1600, extrapolated=True)),
        (0.1, Needed(400)),
        (0.2, Needed(100)),
        # Halfway between the points, on a logarithmic scale.
        (0.1 * 2**0.5, Needed(200)),
        (0.9, Needed(100)),
    ],
)
def test_the_number_needed_for_a_width(width, needed):
    assert curve_of((100, 0.2), (400, 0.1)).needed(width) == needed


def test_a_curve_that_wobbles_is_believed_from_where_it_stays_narrow():
    assert curve_of((10, 0.3), (20, 0.1), (40, 0.2), (80, 0.1)).needed(0.1) == Needed(80)


def test_four_times_as_many_sentences_halve_the_expected_width():
    assert curve_of((100, 0.2), (400, 0.1)).expected_width(1200) == pytest.approx(0.05)


def test_a_width_has_to_be_positive():
    with pytest.raises(ValueError, match="positive"):
        curve_of((100, 0.2)).needed(0)


@pytest.mark.parametrize("rows", [[], [("s", "jana", [1, 2])]])
def test_a_sentence_is_too_few(rows):
    curve = learning_curve(judged(rows, systems="AB"))

    assert curve.points == ()
    assert curve.undefined == too_few_for_curve(SENTENCES)
    assert curve.needed(0.1).sentences is None
    assert curve.needed(0.1).undefined


@pytest.mark.parametrize("ranks", [[1], [G], [G, G], [2, 2]])
def test_without_an_order_there_is_no_tau(ranks):
    rows = [(name, "jana", ranks) for name in "stu"]

    curve = learning_curve(judged(rows, systems="AB"))

    assert curve.undefined == NO_ORDER
    assert [(point.tau, point.width) for point in curve.points] == [(None, None)]
    assert curve.needed(0.1) == Needed(None, undefined=NO_WIDTH)


def test_two_runs_with_one_seed_are_equal_to_the_last_bit():
    judgements = judged(random_rows(40), systems=NAMES)

    assert learning_curve(judgements, seed=3) == learning_curve(judgements, seed=3)
    assert learning_curve(judgements, seed=3) != learning_curve(judgements, seed=4)
