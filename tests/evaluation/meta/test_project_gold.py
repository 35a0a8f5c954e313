import numpy as np
import pytest

from evaluation.meta.gold_pairs import BETTER, EQUAL, WORSE
from evaluation.meta.project_gold import (
    annotators_as_metric,
    candidate_pairs,
    net_wins,
    segment_comparisons,
    sentence_pairs,
    system_gold,
)
from evaluation.meta.segment_tau import WMT14
from evaluation.stats.judgements import Judgements
from evaluation.stats.units import Unit
from tests.evaluation.tables import G, judged

# Two segments of sentence 4, judged three times, and one of sentence 9. A, B and C made the first,
# the second and the third candidate; of "z", A and B made the first, and C the second.
ROWS = [
    ("x", "jana", [1, 2, 2]),
    ("y", "jana", [3, 1, G]),
    ("x", "petr", [1, 2, 3]),
    ("z", "petr", [2, 1]),
]
MADE = {"x": [0, 1, 2], "y": [0, 1, 2], "z": [0, 0, 1]}
SENTENCES = {"x": 4, "y": 4, "z": 9}


def project(rows=ROWS) -> Judgements:
    return judged(rows, systems="ABC", made=MADE, sentences=SENTENCES)


def listed(gold):
    """Return the pairs as (first, second, sentence, outcome, weight), by system."""
    sentences = gold.shape[1]
    return {
        ("ABC"[a // sentences], "ABC"[b // sentences], a % sentences, outcome, weight)
        for a, b, outcome, weight in zip(
            gold.first.tolist(),
            gold.second.tolist(),
            gold.outcomes.tolist(),
            gold.weights.tolist(),
            strict=True,
        )
    }


def test_every_judgement_compares_all_pairs_of_systems():
    gold = segment_comparisons(project())

    assert listed(gold) == {
        ("A", "B", 0, BETTER, 2),
        ("A", "B", 0, WORSE, 1),
        ("A", "C", 0, BETTER, 3),
        ("B", "C", 0, BETTER, 2),
        ("B", "C", 0, EQUAL, 1),
        # One text.
        ("A", "B", 1, EQUAL, 1),
        ("A", "C", 1, WORSE, 1),
        ("B", "C", 1, WORSE, 1),
    }
    assert (gold.comparisons, gold.untied, gold.judgements, gold.shape) == (12, 10, 4, (3, 2))
    assert (gold.first % 2).tolist() == (gold.second % 2).tolist() == gold.groups.tolist()


def test_the_pairs_of_a_sentence_have_the_sign_of_their_net_wins():
    assert listed(sentence_pairs(project())) == {
        ("A", "B", 0, BETTER, 1),
        ("A", "C", 0, BETTER, 1),
        ("B", "C", 0, BETTER, 1),
        ("A", "B", 1, EQUAL, 1),
        ("A", "C", 1, WORSE, 1),
        ("B", "C", 1, WORSE, 1),
    }


def test_net_wins_are_shares_of_the_comparisons_of_a_system_in_a_sentence():
    found = net_wins(project())

    # A: 5 wins and a loss in 6; B: 1 + 2 wins and 2 losses; C: no win, 3 + 2 losses.
    assert found[:, 0] == pytest.approx([4 / 6, 1 / 6, -5 / 6])
    assert found[:, 1] == pytest.approx([-1 / 2, -1 / 2, 1])


def test_a_sentence_without_judgements_has_no_net_wins_and_no_pairs():
    some = project().select(np.array([False, False, False, True]))

    assert np.isnan(net_wins(some)[:, 0]).all()
    assert {pair[2] for pair in listed(segment_comparisons(some))} == {1}


def test_candidates_are_compared_in_every_judgement():
    judgements = project()
    # Of the segments x, y and z, in this order.
    first = np.array([10, 20, 30])[judgements.segments]

    gold = candidate_pairs(judgements, first, 40)

    pairs = set(zip(gold.first.tolist(), gold.second.tolist(), gold.outcomes.tolist(), strict=True))
    assert pairs == {
        *[(10, 11, BETTER), (10, 12, BETTER), (11, 12, EQUAL), (11, 12, BETTER)],
        *[(20, 21, WORSE), (20, 22, BETTER), (21, 22, BETTER)],
        (30, 31, WORSE),
    }
    assert (gold.comparisons, gold.untied, gold.shape) == (10, 9, (40,))


def test_annotators_predict_each_other_in_both_directions():
    again = project([*ROWS, ("z", "petr", [1, 1])])

    another = annotators_as_metric(again, same=False)
    same = annotators_as_metric(again, same=True)

    # Segment x: both agree on two pairs, and one of them ties the third.
    assert (another.concordant, another.metric_ties, another.human_ties) == (4, 1, 1)
    assert another.tau(WMT14).estimate.value == pytest.approx(4 / 5)
    assert (same.concordant, same.metric_ties, same.human_ties) == (0, 1, 1)
    assert all("|judgements 2|" in found.signature for found in (another, same))


def test_scores_of_systems():
    gold = system_gold(project())

    # Wins and losses: A 5 : 2, B 3 : 3, C 2 : 5.
    assert gold.ratio == pytest.approx([5 / 7, 3 / 6, 2 / 7])
    assert gold.expected_wins == pytest.approx(
        [np.mean([2 / 3, 3 / 4]), np.mean([1 / 3, 2 / 3]), np.mean([1 / 4, 1 / 3])]
    )
    assert gold.bradley_terry[0] > gold.bradley_terry[1] > gold.bradley_terry[2]


def test_the_groups_are_the_sampled_units():
    blocks = project().sampled_by(Unit("block", 10))

    for gold in (segment_comparisons(blocks), sentence_pairs(blocks)):
        assert set(gold.groups.tolist()) == {0}
        assert gold.unit.name == "block"
        assert len(listed(gold) & listed(segment_comparisons(project()))) >= 3


def test_nothing_comes_of_no_judgements():
    nothing = project().select(np.zeros(4, dtype=np.bool_))

    assert len(segment_comparisons(nothing)) == len(sentence_pairs(nothing)) == 0
    assert len(candidate_pairs(nothing, np.zeros(0, dtype=np.int32), 5)) == 0
    assert annotators_as_metric(nothing, same=True).tau(WMT14).estimate.value is None
