from statistics import NormalDist
from time import process_time

import numpy as np
import pytest

from evaluation.stats.domain_means import macro_means, rank_by_domains

NORMAL = NormalDist()


def ranked(scores, domains_of, alpha=0.05):
    names = [f"s{place}" for place in range(len(scores))]
    return rank_by_domains(
        np.array(scores, dtype=float),
        np.array(domains_of),
        systems=names,
        domains=["news", "speech"][: max(domains_of) + 1],
        judgements=np.size(scores),
        alpha=alpha,
    )


def test_the_mean_over_domains_does_not_depend_on_their_sizes():
    found = ranked([[10, 20, 30, 80], [50, 50, 50, 40]], [0, 0, 0, 1])

    assert found.systems == ("s0", "s1")
    assert found.means.tolist() == [50, 45]
    assert found.domain_means.tolist() == [[20, 80], [50, 40]]


def test_a_system_without_a_domain_has_the_mean_of_the_others():
    found = ranked([[10, np.nan], [30, 20]], [0, 1])

    assert found.systems == ("s1", "s0")
    assert found.means.tolist() == [25, 10]
    assert np.isnan(found.domain_means[1, 1])
    assert found.segments.tolist() == [2, 1]


def test_p_of_domains_are_combined_by_stouffer():
    # Six differences of one sign: the exact two-sided p is 2 / 2⁶; of five, 2 / 2⁵.
    better = [61, 62, 63, 64, 65, 66, 71, 72, 73, 74, 75]
    worse = [60, 60, 60, 60, 60, 60, 70, 70, 70, 70, 70]
    z = NORMAL.inv_cdf(1 - 2 / 64) + NORMAL.inv_cdf(1 - 2 / 32)

    found = ranked([worse, better], [0] * 6 + [1] * 5)

    assert found.systems == ("s1", "s0")
    assert found.p[0, 1] == pytest.approx(1 - NORMAL.cdf(z / np.sqrt(2)))
    assert found.p[0, 1] == found.p[1, 0]
    assert found.rank_ranges == ((1, 1), (2, 2))
    assert found.clusters == (1, 2)


def test_few_segments_with_ties_are_ranked_at_once():
    scores = np.random.default_rng(0).integers(0, 8, (16, 12))

    # Not the time of day, which passes while other programs run.
    start = process_time()
    ranked(scores, [0] * 12)

    # SciPy's permutations of the 120 pairs take 47 s.
    assert process_time() - start < 5


def test_equal_systems_are_not_told_apart():
    found = ranked([[50, 60, 70]] * 2, [0, 0, 0])

    assert found.p[0, 1] == pytest.approx(1)
    assert found.rank_ranges == ((1, 2), (1, 2))
    assert found.clusters == (1, 1)


def test_systems_without_a_common_segment_are_not_compared():
    found = ranked([[50, np.nan], [np.nan, 60]], [0, 0])

    assert np.isnan(found.p[0, 1])
    assert found.clusters == (1, 1)


def test_a_cluster_ends_where_all_so_far_differ_from_all_that_follow():
    # s0 and s1 differ, but s0 and s2 share no segment, so that all three are one cluster.
    steps = np.arange(8.0)
    nothing = [np.nan] * 8
    scores = [[*(90 + steps), *nothing], [*(60 + steps), *(60 + steps)], [*nothing, *(50 - steps)]]

    found = ranked(scores, [0] * 16)

    assert found.p[0, 1] < 0.05
    assert found.p[1, 2] < 0.05
    assert found.clusters == (1, 1, 1)
    assert found.wins.tolist() == [1, 1, 0]
    assert found.rank_ranges == ((1, 2), (2, 2), (2, 3))


def test_intervals_of_macro_means_contain_the_true_mean():
    """Two domains, of 300 and 100 segments, with means 80 and 40."""
    random = np.random.default_rng(0)
    domains_of = np.repeat([0, 1], [300, 100])
    noise = random.normal(0, 10, (200, 400))
    scores = np.where(domains_of, 40, 80) + noise

    found = macro_means(scores, domains_of, resamples=200, seed=0)

    expected = [(row[:300].mean() + row[300:].mean()) / 2 for row in scores]
    assert [one.value for one in found] == pytest.approx(expected)
    ends = np.array([(one.low, one.high) for one in found], dtype=float)
    inside = (ends[:, 0] < 60) & (ends[:, 1] > 60)
    assert 0.9 <= np.mean(inside) <= 0.99


def test_tests_of_documents_take_the_mean_differences_of_these() -> None:
    # Differences are 3, 1, 2, 4 and -1, and by document 2, 3 and -1.
    better, worse = [13.0, 11.0, 12.0, 14.0, 9.0], [10.0] * 5
    found = rank_by_domains(
        np.array([better, worse]),
        np.zeros(5, dtype=np.intp),
        systems=["A", "B"],
        domains=["all"],
        judgements=10,
        units_of=np.array([0, 0, 1, 1, 2]),
    )
    # Of the 8 signs of the ranks 1, 2 and 3, four have a rank sum as far from 3 as 5 is: p = 0.5.
    assert found.p[0, 1] == pytest.approx(0.5)
    assert found.means.tolist() == [11.8, 10]
