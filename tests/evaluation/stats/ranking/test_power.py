import numpy as np
import pytest

from evaluation.stats.ranking.power import measure_power, nothing_decided
from evaluation.stats.ranking.significance import sign_flips
from evaluation.stats.units import SENTENCES
from tests.evaluation.tables import judged


def rows(wins, losses, ties=0):
    """As many sentences in which A won, lost and tied."""
    ranks = [[1, 2]] * wins + [[2, 1]] * losses + [[1, 1]] * ties
    return [(f"{number:03}", "jana", rank) for number, rank in enumerate(ranks)]


def test_by_hand():
    found = measure_power(judged(rows(50, 50, 20), systems="AB"))

    # √100 / (2 · 100) = 0.05; z(0.975) + z(0.8) = 1.96 + 0.8416.
    assert found.standard_errors == pytest.approx([0.05])
    difference = found.detectable(tests=1)
    assert difference is not None
    assert (
        difference.median == difference.least == difference.most == pytest.approx(0.14008, abs=1e-5)
    )
    # Ties are among the 120 sentences: (2.8016 · 0.05 / 0.07)² = 4.004 times as many.
    assert found.needed(0.07, tests=1) == 481
    # z(1 - 0.05 / 90) + z(0.8) = 3.2608 + 0.8416.
    corrected = found.detectable(tests=45)
    assert corrected is not None
    assert corrected.median == pytest.approx(4.1024 * 0.05, abs=1e-4)


def test_judgements_of_one_sentence_are_one_observation():
    table = rows(50, 50)
    five = [(f"{number}-{name}", who, ranks) for name, who, ranks in table for number in range(5)]
    sentences = {name: int(name.split("-")[1]) for name, _, _ in five}

    found = measure_power(judged(five, systems="AB", sentences=sentences))

    assert found.standard_errors == pytest.approx([0.05])


def test_a_difference_is_found_with_the_power_that_it_says():
    random = np.random.default_rng(1)
    difference = measure_power(judged(rows(150, 150), systems="AB")).detectable(tests=1)
    assert difference is not None

    won = random.random((300, 1000)) < 0.5 + difference.median
    significant = sign_flips(np.where(won, 1.0, -1.0)) < 0.05

    assert significant.mean() == pytest.approx(0.8, abs=0.04)


def test_nothing_is_farther_from_one_half_than_one_half():
    few = measure_power(judged(rows(5, 5), systems="AB")).detectable(tests=45)

    assert few is not None
    assert few.median == 0.5


@pytest.mark.parametrize("table", [[], rows(5, 4), rows(0, 0, 20)])
def test_too_few_sentences_with_a_winner_are_undefined(table):
    found = measure_power(judged(table, systems="AB"))

    assert found.undefined == nothing_decided(SENTENCES)
    assert found.detectable(tests=1) is None
    assert found.needed(0.1, tests=1) is None


def test_pairs_that_rarely_met_are_left_out():
    table = [*rows(50, 50), ("z", "jana", [1, 2, 3])]
    made = {name: [0, 1, None] for name, _, _ in table} | {"z": [0, 1, 2]}

    found = measure_power(judged(table, systems="ABC", made=made))

    assert np.isnan(found.standard_errors).tolist() == [False, True, True]
    assert found.tests == 3
    assert found.undefined == ""
