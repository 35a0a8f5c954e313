import numpy as np

from evaluation.stats.annotators.screens import screens
from tests.evaluation.tables import judged


def test_judgements_of_a_sentence_that_follow_each_other_are_one_screen():
    rows = [
        ("b", "petr", [1]),  # 0: later than his next one
        ("a", "petr", [1]),
        ("a", "jana", [1]),  # 2, 3: one screen of two segments
        ("c", "jana", [1]),
        ("b", "jana", [1]),
        ("a", "jana", [1]),  # once more, later
    ]
    sentences = {"a": 5, "b": 6, "c": 5}

    found = screens(judged(rows, sentences=sentences, created=[9.0, 8.0, 1.0, 1.5, 2.0, 3.0]))

    # Jana: a and c, b, a; Petr: a, b.
    assert found.of_judgements.tolist() == [4, 3, 0, 0, 1, 2]
    assert found.annotators.tolist() == [0, 0, 0, 1, 1]
    assert found.sentences.tolist() == [0, 1, 0, 0, 1]
    assert found.places.tolist() == [0, 1, 2, 0, 1]


def test_judgements_of_unknown_people_or_times_are_on_no_screen():
    rows = [("a", None, [1]), ("a", "jana", [1]), ("b", "jana", [1])]

    found = screens(judged(rows, created=[1.0, np.nan, 3.0]))

    assert found.of_judgements.tolist() == [-1, -1, 0]
    assert len(found) == 1


def test_some_screens_keep_their_places():
    rows = [("a", "jana", [1]), ("b", "jana", [1]), ("c", "jana", [1])]
    found = screens(judged(rows, created=[1.0, 2.0, 3.0]))

    chosen = found.select(np.array([False, True, True]))

    assert chosen.of_judgements.tolist() == [-1, 0, 1]
    assert chosen.places.tolist() == [1, 2]


def test_values_are_summed_by_screen():
    rows = [("a", "jana", [1]), ("b", "jana", [1]), ("c", "jana", [1]), ("d", None, [1])]
    judgements = judged(rows, sentences={"a": 1, "b": 1, "c": 2, "d": 3}, created=[1.0, 2, 3, 4])

    found = screens(judgements)

    assert found.sums(np.arange(4), np.array([10, 20, 30, 40])).tolist() == [30, 30]
    assert found.sums(np.array([1, 1, 3]), np.array([5, 6, 7])).tolist() == [11, 0]
