import csv

import numpy as np
import pytest
from scipy.stats import ttest_rel

from evaluation.meta.decisions import (
    Decisions,
    bootstrap_p,
    count_decisions,
    decide,
    paired_t_p,
    rank_sum_p,
)

PEOPLE = np.array([1, 1, 1, 0, 0, -1, -1], dtype=np.int8)
METRIC = np.array([1, 0, -1, 0, 1, -1, 0], dtype=np.int8)


def test_a_claim_without_confirmation_is_type_one_and_a_missed_difference_type_two():
    found = count_decisions(PEOPLE, METRIC)
    assert found == Decisions(right=3, unseen=1, opposite=1, missed=2)
    assert found + found == Decisions(right=6, unseen=2, opposite=2, missed=4)


def test_people_are_compared_by_one_sided_tests_and_metrics_by_two_sided_ones():
    p = np.array([[np.nan, 0.04, 0.97], [0.96, np.nan, 0.5], [0.03, 0.5, np.nan]])
    assert decide(p, one_sided=True).tolist() == [1, -1, 0]
    assert decide(p, one_sided=False).tolist() == [0, 0, 0]
    assert decide(p, one_sided=False, significant=0.08).tolist() == [1, -1, 0]


@pytest.mark.shared
def test_rank_sums_of_wmt21(shared):
    folder = shared / "data" / "direct-assessment" / "wmt21-cs-en"
    scores: dict[str, list[float]] = {}
    with (folder / "ad-seg-scores-cs-en.csv").open() as lines:
        for row in csv.DictReader(lines, delimiter=" "):
            scores.setdefault(row["SYS"], []).append(float(row["Z.SCR"]))
    names, *rows = (
        line.split()
        for line in (folder / "adwilcox-csen.csv").read_text().splitlines()
        if line.strip()
    )
    p = rank_sum_p([np.array(scores[name]) for name in names])
    published = np.array([[float(value) for value in row[1:]] for row in rows])
    # WMT writes .12 for what is not significant.
    significant = published != 0.12
    assert significant.sum() == 22
    assert p[significant] == pytest.approx(published[significant], rel=1e-9)
    assert (np.nan_to_num(p[~significant], nan=1) > 0.05).all()


def test_paired_t_tests_are_those_of_scipy():
    scores = np.random.default_rng(1).normal(size=(3, 30)) + np.array([[0], [0.3], [1]])
    p = paired_t_p(scores)
    for x, y in ((0, 1), (1, 0), (2, 0)):
        assert p[x, y] == pytest.approx(
            ttest_rel(scores[x], scores[y], alternative="greater").pvalue
        )
    assert np.isnan(np.diag(p)).all()


def test_equal_outputs_are_not_different():
    same = np.random.default_rng(1).normal(size=(1, 30)).repeat(2, axis=0)
    assert paired_t_p(same)[0, 1] == 0.5
    assert bootstrap_p(same.T)[0, 1] == 0.5
    assert decide(paired_t_p(same), one_sided=True).tolist() == [0]


def test_a_constant_difference_is_significant():
    scores = np.array([[1.0, 2, 3], [2, 3, 4]])
    assert paired_t_p(scores)[1, 0] == 0
    assert paired_t_p(scores)[0, 1] == 1


def test_bootstrap_counts_the_resamples_in_which_a_system_is_not_better():
    p = bootstrap_p(np.array([[0.3, 0.2], [0.4, 0.2], [0.2, 0.2], [0.1, 0.2]]))
    assert p[0, 1] == 0.375
    assert p[1, 0] == 0.625


def test_a_missing_score_decides_nothing():
    scores = np.array([[1.0, 2, 3], [2, np.nan, 4], [5, 7, 9]])
    assert np.isfinite(paired_t_p(scores)).sum() == 2
    assert np.isfinite(bootstrap_p(scores.T)).sum() == 2
    assert np.isnan(paired_t_p(scores[:, :1])).all()
    assert decide(paired_t_p(scores), one_sided=True).tolist() == [0, -1, 0]
    assert np.isfinite(rank_sum_p([scores[0], scores[2], np.array([])])).sum() == 2
