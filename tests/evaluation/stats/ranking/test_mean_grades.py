from dataclasses import replace

import numpy as np
import pytest

from evaluation.stats.annotators.effects import annotator_effects
from evaluation.stats.ranking.learning_curve import learning_curve, scored_units
from evaluation.stats.ranking.mean_grades import (
    compare_grades,
    grades_of_systems,
    rank_by_mean_grade,
)
from evaluation.stats.ranking.scale_answers import measure_answers
from evaluation.stats.ranking.significance import NoDifference
from tests.evaluation.tables import judged

PEOPLE = ("jana", "petr", "zuzana")

# The grades of steps without numbers, from the best.
FIVE = (5, 4, 3, 2, 1)


def graded(*, steps_of_b, sentences=20):
    """A has step 2 and B those of the function, of sentence and place of the person; C has none."""
    return judged(
        [
            (f"{sentence:02d}", who, [2, steps_of_b(sentence, place)])
            for sentence in range(sentences)
            for place, who in enumerate(PEOPLE)
        ],
        systems="ABC",
    )


def ranking(judgements, grades=FIVE, **options):
    answers = measure_answers(judgements, grades, **options)
    return rank_by_mean_grade(judgements, answers, grades, **options)


def test_systems_are_in_the_order_of_their_grades_with_ranges_and_clusters():
    found = ranking(graded(steps_of_b=lambda sentence, place: 4 - sentence % 2), resamples=200)

    a, b, c = found.systems
    assert [(row.system, row.score.value) for row in found.systems] == [
        ("A", 4.0),
        ("B", 2.5),
        ("C", None),
    ]
    assert (a.best_rank, a.worst_rank, b.best_rank, b.worst_rank) == (1, 1, 2, 2)
    assert (a.cluster, b.cluster, c.cluster, c.rank) == (1, 2, None, None)
    assert (a.first, b.first, a.wins, b.losses) == (1, 0, 60, 60)
    assert found.boundaries == (1.0,)
    assert found.only_sentences == ""


def test_equal_systems_share_a_cluster():
    found = ranking(graded(steps_of_b=lambda sentence, place: 1 + 2 * (sentence % 2)))

    assert [row.rank for row in found.systems[:2]] == [1, 1]
    assert [row.cluster for row in found.systems[:2]] == [1, 1]


def test_a_pair_is_tested_on_the_judgements_of_both():
    # B is two steps worse in twelve sentences and as good in eight.
    found = compare_grades(
        graded(steps_of_b=lambda sentence, place: 4 if sentence < 12 else 2), FIVE
    )

    pair, with_c, _ = found.pairs
    assert (pair.system, pair.other, pair.compared) == ("A", "B", 60)
    assert pair.difference.value == pytest.approx(1.2)
    # Of all signs of twelve differences of 6, two give a sum as far from 0.
    assert pair.p == pytest.approx(2 / 2**12)
    # Two pairs have no judgement, so there is one test; all annotators agree.
    assert pair.p_holm == pair.p
    assert pair.p is not None
    assert pair.wide_p is not None
    assert pair.wide_p >= pair.p
    assert with_c.difference.undefined == NoDifference.NEVER_TOGETHER.value
    assert (with_c.compared, with_c.p, with_c.wide_p_holm) == (0, None, None)


def test_annotators_who_differ_make_the_second_interval_wider():
    found = compare_grades(
        graded(steps_of_b=lambda sentence, place: 2 + place), FIVE, resamples=200
    )

    difference = found.pairs[0].difference
    # In each sentence 0, 1 and 2: the sentences are all alike, the annotators are not.
    assert difference.value == pytest.approx(1.0)
    assert difference.wide_low is not None
    assert difference.wide_high is not None
    # Three annotators: V = Σ (1, 0, 1)² / 3² · 3 / 2, t of 2 degrees of freedom.
    half = 4.3027 * np.sqrt(2 / 9 * 3 / 2)
    assert difference.wide_low == pytest.approx(1 - half, abs=0.05)
    assert difference.wide_high == pytest.approx(1 + half, abs=0.05)


def test_two_annotators_are_no_sample():
    judgements = judged([("s", "jana", [1, 2]), ("s", "petr", [1, 3])], systems="AB")

    found = compare_grades(judgements, FIVE)

    assert found.only_sentences == "fewer than 3 annotators"
    assert found.pairs[0].p == pytest.approx(1)
    assert found.pairs[0].wide_p is None


def test_all_answers_about_a_system_count_in_its_differences():
    judgements = graded(steps_of_b=lambda sentence, place: 2)
    # Another candidate of B in each judgement, two steps worse.
    more = np.zeros((*judgements.system_ranks.shape, 1), dtype=np.int8)
    more[:, 1, 0] = 4
    found = compare_grades(replace(judgements, more_ranks=more), FIVE)

    pair = found.pairs[0]
    assert (pair.compared, pair.difference.value) == (60, 1)


def test_the_curve_and_the_rankings_without_annotators_are_those_of_mean_grades():
    # By wins A and B are close, and by grades A is better.
    judgements = graded(steps_of_b=lambda sentence, place: (1, 5)[sentence % 2] - place % 2)
    judgements = judgements.select(judgements.system_ranks[:, 1] > 0)
    grades = grades_of_systems(judgements, FIVE)

    ranked = ranking(judgements, resamples=20)
    curve = learning_curve(judgements, resamples=20, scored=scored_units(judgements, means=grades))
    effects = annotator_effects(judgements, permutations=19, means=grades)

    assert grades.total[:2].tolist() == [
        next(row.score.value for row in ranked.systems if row.system == name) for name in "AB"
    ]
    assert (curve.method, effects.method, curve.range) == ("mean_grade", "mean_grade", 4)
    assert "mean grade|grades from 5, the best, to 1" in curve.signature
    assert curve.points[-1].sentences == 20
    before = {row.system: row for row in ranked.systems}
    for code, row in enumerate(effects.without):
        rest = ranking(judgements.select(judgements.annotators != code), resamples=0).systems
        changes = [each.score.value - before[each.system].score.value for each in rest[:2]]
        assert row.best == rest[0].system
        assert row.change == pytest.approx(max(changes, key=abs))
        assert row.moved == sum(each.rank != before[each.system].rank for each in rest)


def test_grades_can_be_other_numbers_than_places():
    # A is always on the second of three steps, B on the second and on the third in turn.
    judgements = graded(steps_of_b=lambda sentence, place: (2, 3)[sentence % 2])
    ten = (10.0, 5.0, 0.0)

    of_ten, of_three = (ranking(judgements, grades, resamples=200) for grades in (ten, (3, 2, 1)))
    [pair, *_], [by_place, *_] = (
        compare_grades(judgements, grades, resamples=200).pairs for grades in (ten, (3, 2, 1))
    )

    assert [row.score.value for row in of_ten.systems[:2]] == [5, 2.5]
    assert [row.score.value for row in of_three.systems[:2]] == [2, 1.5]
    low, high = of_ten.systems[1].score.low, of_ten.systems[1].score.high
    assert low is not None
    assert high is not None
    assert 0 < low < 2.5 < high < 5
    assert pair.p == by_place.p
    assert (pair.difference.value, by_place.difference.value) == (2.5, 0.5)
    assert (by_place.difference.low or 0) * 5 == pytest.approx(pair.difference.low)
    grades = grades_of_systems(judgements, ten)
    assert set(grades.values.tolist()) == {5, 0}
    assert grades.bounds == (0, 10)
