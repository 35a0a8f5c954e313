import numpy as np
import pytest

from evaluation.reuse.stored_answers import (
    NO_HIT,
    NO_TEXT,
    leave_systems_out,
    measure_extrapolation,
    reuse_answers,
    stored_answers,
)
from tests.evaluation.reuse.test_matching import project

YES, NOT_SURE, NO = 1, 2, 3
# The segments are dům (A, B), domy (C), chata (D); řeka (A), řeky (B, C).


def answers(*judged, steps=3):
    return stored_answers(*project(*judged), range(steps, 0, -1))


def test_an_identical_text_keeps_its_answers():
    stored = answers((0, [YES, NO]), (0, [NOT_SURE, NO]), (1, [NO, YES]))

    found = reuse_answers(stored, "E", ["dům", "řeka"])

    assert (found.hits, found.hit_rate, found.missing) == (2, 1.0, 0)
    assert found.answers == (1, 1, 1)
    assert found.share_of_best(without=2).value == 0.5
    assert found.share_of_best().value == pytest.approx(1 / 3)
    assert found.exact_grade().value == 2
    # Each segment counts once: 2.5 and 1.
    assert found.extrapolated_grade().value == 1.75


def test_another_text_has_the_mean_grade_of_the_closest_texts():
    # A and B share "dům"; a text of two systems counts once.
    stored = answers((0, [1, 4, 5]), (1, [2, 0]), steps=5)

    found = reuse_answers(stored, "E", ["dom", "řek"])

    # "dom" is 1 from "dům" (grade 5) and from "domy" (2); "řek" is 1 from "řeka", alone judged.
    assert found.distances.tolist() == [1, 1]
    assert found.grades.tolist() == [3.5, 4]
    assert (found.hits, found.exact_grade().undefined) == (0, NO_HIT)
    assert found.average_distance_of_misses == 1
    assert found.share_of_best(without=2).undefined == NO_HIT


def test_segments_without_answers_or_texts_are_not_compared():
    stored = answers((0, [YES, 0]))

    nothing = reuse_answers(stored, "E", ["", "řeka"])

    assert (len(nothing.distances), nothing.missing, nothing.hit_rate) == (1, 1, 0.0)
    assert nothing.extrapolated_grade().undefined == NO_TEXT


def test_systems_are_left_out_with_the_texts_that_only_they_have():
    stored = answers((0, [1, 4, 5]), (1, [2, 5]), steps=5)

    left_out = leave_systems_out(stored)

    a, b, c, d = left_out
    # A's "dům" is also B's, and only A has "řeka", which is 1 from "řeky".
    assert (a.hits, a.distances.tolist()) == (1, [0, 1])
    assert (a.grades.tolist(), a.own_grades.tolist()) == ([5, 1], [5, 4])
    # Only C has "domy", which is 2 from "dům"; only D has "chata", and nothing of the other.
    assert (c.grades.tolist(), c.own_grades.tolist()) == ([5, 1], [2, 1])
    assert d.missing == 1
    errors = measure_extrapolation(left_out)
    # A 0 and -3, B 0 and 0, C 3 and 0; D's "chata" (1) is 5 from both others.
    assert (errors.texts, errors.misses) == (7, 3)
    assert errors.absolute.value == pytest.approx((3 + 3 + 2.5) / 7)
    assert errors.bias.value == pytest.approx(2.5 / 7)
    assert errors.absolute_of_misses.value == pytest.approx(8.5 / 3)
    assert errors.bias_of_misses.value == pytest.approx(2.5 / 3)
    assert b.real_grade().value == 3
    assert np.isnan(d.errors[1])


def test_the_share_of_the_best_answer_is_compared_with_the_real_one():
    a, *_ = leave_systems_out(answers((0, [YES, NO, NO]), (1, [NO, YES])))

    assert a.share_of_best(without=2).value == 1
    assert a.share_of_best(without=2, own=True).value == 0.5


def test_there_is_one_candidate_for_each_segment():
    with pytest.raises(ValueError, match="one candidate"):
        reuse_answers(answers((0, [YES, NO])), "E", ["dům"])
