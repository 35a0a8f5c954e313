from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.stats.assessment.systems import (
    compare_systems,
    published_clusters,
    rank_sum_tests,
    textbook_clusters,
)
from evaluation.stats.units import Unit
from tests.evaluation.meta.estimates import bounds, value_of
from tests.evaluation.stats.assessment.tables import assessments

SAMPLES = st.lists(
    st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12), min_size=2, max_size=4
)


@given(samples=SAMPLES)
def test_rank_sum_tests_are_those_of_scipy(samples):
    found = rank_sum_tests([np.array(sample) for sample in samples])

    for x, one in enumerate(samples):
        for y, other in enumerate(samples):
            if x == y or len({*one, *other}) == 1:
                assert np.isnan(found[x, y])
            else:
                test = stats.mannwhitneyu(one, other, alternative="greater", method="asymptotic")
                assert found[x, y] == pytest.approx(test.pvalue, abs=1e-12)


def test_segments_are_means_with_repeats_and_systems_are_means_of_segments():
    rows = ["jana/1 A s1 60", "jana/1 A s1 80 =", "jana/1 A s2 100", "jana/1 B s1 40"]
    found = compare_systems(assessments([*rows, "jana/1 B s1 20 bad", "petr/1 C s1 7"]))

    a, b = found.systems
    deviation = np.std([60, 80, 100, 40, 20], ddof=1)
    assert (a.system, a.raw, a.segments, a.assessments) == ("A", 85, 2, 3)
    assert a.z.value == pytest.approx((85 - 60) / deviation)
    assert (b.system, b.raw, b.segments, b.assessments) == ("B", 40, 1, 1)
    assert found.segment_scores.counts.tolist() == [2, 1, 1]
    # Petr gave one score, so that it cannot be standardised.
    assert found.unscored == ("C",)
    assert [scale.annotator for scale in found.standardised.dropped] == ["petr"]


def test_tests_of_documents_take_their_means():
    scores = {"A": (90, 70, 60, 50), "B": (40, 80, 20, 10)}
    rows = [
        f"jana/1 {system} s{place} {score}"
        for system, of_system in scores.items()
        for place, score in enumerate(of_system)
    ]
    found = compare_systems(assessments(rows), unit=Unit("document"), units=np.array([0, 0, 1, 2]))

    # Means by document are 80, 60 and 50, and 60, 20 and 10.
    test = stats.mannwhitneyu(
        [80, 60, 50], [60, 20, 10], alternative="greater", method="asymptotic"
    )
    assert found.p[0][1] == pytest.approx(test.pvalue, abs=1e-12)


def simulated(systems: int, segments: int, people: int, *, gap: float):
    """Return assessments of systems whose true means differ by `gap`, the last one best."""
    random = np.random.default_rng(1)
    rows = []
    for system in range(systems):
        for segment in range(segments):
            score = np.clip(50 + gap * system + random.normal(0, 10), 0, 100)
            rows.append(f"a{segment % people}/1 S{system} s{segment} {score:.0f}")
    return assessments(rows)


def test_better_systems_win_and_have_intervals():
    found = compare_systems(simulated(3, 60, 4, gap=15), resamples=200, seed=3)

    assert [row.system for row in found.systems] == ["S2", "S1", "S0"]
    assert [row.wins for row in found.systems] == [2, 1, 0]
    assert [row.cluster for row in found.systems] == [1, 2, 3]
    assert [row.published_cluster for row in found.systems] == [1, 2, 3]
    for row in found.systems:
        low, high = bounds(row.z)
        assert low < value_of(row.z) < high
        assert row.z.wide_low is not None
        assert row.z.wide_high is not None
        assert row.z.wide_low < value_of(row.z) < row.z.wide_high
    p = np.array(found.p, dtype=float)
    assert np.isnan(np.diagonal(p)).all()
    assert p[0, 1] < 0.05 < p[1, 0]
    assert found.signature == (
        "direct assessment|cs-en|z by annotator|mean of segments|Mann–Whitney one-sided with "
        "continuity correction|p < 0.05|200 resamples of sentences|seed 3|judgements 180|"
        "sentences 60|SegRanks 1.0.0"
    )


def test_intervals_are_as_wide_as_the_errors_of_the_means():
    found = compare_systems(simulated(2, 100, 4, gap=0), resamples=2000)

    for code, row in zip((0, 1), sorted(found.systems, key=lambda row: row.system), strict=True):
        scored = found.segment_scores
        z = scored.z[scored.systems == code]
        error = np.std(z, ddof=1) / np.sqrt(len(z))
        low, high = bounds(row.z)
        assert high - low == pytest.approx(2 * 1.984 * error, rel=0.05)


def test_two_annotators_are_no_sample():
    row = compare_systems(simulated(2, 30, 2, gap=15), resamples=100).systems[0]
    assert (row.z.wide_low, row.z.no_wide_interval) == (None, "fewer than 3 annotators")


def test_the_two_rules_for_clusters_differ():
    # The second of four systems beats both below it, but the first beats only one of them.
    better = np.array([[0, 0, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=bool)
    assert published_clusters(better.sum(axis=1)) == [1, 1, 2, 3]
    assert textbook_clusters(better) == [1, 1, 1, 1]

    better[0, 3] = True
    assert textbook_clusters(better) == [1, 1, 2, 3]


def test_it_refuses_two_language_pairs():
    both = simulated(2, 10, 2, gap=0)
    pairs = (both.batches == 0).astype(np.int32)
    with pytest.raises(ValueError, match="one language pair"):
        compare_systems(replace(both, language_pairs=("cs-en", "de-en"), pairs=pairs))
