"""Whether annotators differ about systems, and the ranking without each of them."""

import numpy as np
import pytest

from evaluation.stats.annotators.effects import ONE_ANNOTATOR, annotator_effects
from evaluation.stats.ranking.mean_grades import grades_of_systems
from evaluation.stats.ranking.systems import METHODS, rank_all
from tests.evaluation.tables import judged
from tests.load.evaluation import made_up
from tests.load.uncertainty import simulate


@pytest.mark.parametrize("method", METHODS)
def test_the_ranking_without_an_annotator_is_that_of_the_other_judgements(method):
    judgements = made_up(2000, seed=2)

    found = annotator_effects(judgements, method=method, permutations=19)

    before = {row.system: row for row in rank_all(judgements, resamples=0)[method].systems}
    for code, row in enumerate(found.without):
        assert row.annotator == judgements.annotator_names[code]
        rest = judgements.select(judgements.annotators != code)
        after = rank_all(rest, resamples=0)[method].systems
        changes = {
            each.system: (each.score.value or 0) - (before[each.system].score.value or 0)
            for each in after
        }
        most = max(changes, key=lambda name: abs(changes[name]))
        assert (row.best, row.system) == (after[0].system, most)
        assert row.change == pytest.approx(changes[most], abs=1e-7)
        assert row.judgements == len(judgements) - len(rest)
        assert row.moved == sum(each.rank != before[each.system].rank for each in after)


def test_annotators_who_disagree_about_a_system_are_found():
    # Both judge A and C alike; jana prefers A to B, and petr B to A.
    rows = [(f"{number:02}", "jana", [1, 2, 3]) for number in range(20)]
    rows += [(f"{number:02}", "petr", [2, 1, 3]) for number in range(20, 40)]

    found = annotator_effects(judged(rows, systems="ABC"), permutations=199)

    assert found.p == 1 / 200
    assert {row.system: row.p for row in found.systems} == {"A": 1 / 200, "B": 1 / 200, "C": 1}


def test_severity_is_no_difference_about_systems():
    random = np.random.default_rng(3)
    alike = [(f"{n:02}", who, None) for n in range(40) for who in range(3)]
    levels = np.array([[50, 40, 30], [30, 40, 50]])

    def p_of(order):
        """Annotators 0 and 1 have one order of the systems, and annotator 2 the given one."""
        rows = [
            (number, ("jana", "petr", "eva")[who], (levels[order if who == 2 else 0] - 15 * who))
            for number, who, _ in alike
        ]
        rows = [(n, who, (60 - mean + random.integers(0, 9, 3)).tolist()) for n, who, mean in rows]
        judgements = judged(rows, systems="ABC")
        means = grades_of_systems(judgements, range(100, 0, -1))
        return annotator_effects(judgements, permutations=199, means=means).p

    assert p_of(0) > 0.05
    assert p_of(1) == 1 / 200


def test_p_is_uniform_where_annotators_judge_alike():
    random = np.random.default_rng(4)
    p = [
        annotator_effects(
            simulate(random, sentences=60, annotators=5, effect=0), permutations=99, seed=seed
        ).p
        or 0
        for seed in range(100)
    ]

    assert 0.4 < np.mean(p) < 0.6
    assert np.mean(np.array(p) < 0.1) < 0.2


def test_one_annotator_cannot_be_compared():
    found = annotator_effects(judged([("1", "jana", [1, 2])], systems="AB"))

    assert (found.p, found.without, found.undefined) == (None, (), ONE_ANNOTATOR)
    assert "999 permutations|seed 0" in found.signature
