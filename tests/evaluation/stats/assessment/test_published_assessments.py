"""Direct assessment of WMT21 Czech-English and of Facebook's Bengali-Hindi, as published."""

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from evaluation.formats.assessments import read_assessments
from evaluation.stats.assessment.annotators import check_annotators
from evaluation.stats.assessment.standardisation import standardise
from evaluation.stats.assessment.systems import compare_systems, published_clusters, rank_sum_tests

pytestmark = pytest.mark.shared

# In the files of p, all that are not significant.
NOT_SIGNIFICANT = 0.12
PUBLISHED = {
    "cs-en": ("wmt21-cs-en", "csen", "clusters-all-pairs.csv"),
    "bn-hi": ("facebook-bn-hi", "bnhi", "clusters.csv"),
}


class Published:
    """The files of a language pair: single assessments, and what was computed from them.

    Of Czech-English the raw scores are not published: they are the whole numbers that the
    standardised ones give with each annotator's mean and standard deviation.
    """

    def __init__(self, shared, pair):
        folder, short, clusters = PUBLISHED[pair]
        files = shared / "data/direct-assessment" / folder
        self.standardised = read_assessments([files / f"ad-{short}-good-stnd.csv"]).assessments
        printed = re.findall(r"\[1\] (\S+)", (files / f"ad-{short}-trk-mean-sd.txt").read_text())
        self.scales = {
            name.strip('"'): (float(mean), float(deviation.replace("NA", "nan")))
            for name, mean, deviation in zip(*[iter(printed)] * 3, strict=True)
        }
        means, deviations = np.array(
            [self.scales[name] for name in self.standardised.annotator_names]
        )[self.standardised.annotators].T
        given = self.standardised.scores * deviations + means
        assert np.abs(given - np.round(given)).max() < 1e-12
        self.raw = replace(self.standardised, scores=np.round(given) + 0.0, standardised=False)
        rows = self.rows(files / f"ad-seg-scores-{pair}.csv")
        self.segments = {(sys, sid): tuple(map(float, row)) for sys, sid, *row in rows}
        rows = self.rows(files / f"ad-sys-scores-{pair}.csv")
        self.systems = {row[3]: (int(row[2]), int(row[4]), *map(float, row[:2])) for row in rows}
        names = (files / f"adwilcox-{short}.csv").read_text().split("\n")[0].split()
        self.p = {
            (row[0], name): float(p)
            for row in self.rows(files / f"adwilcox-{short}.csv")
            for name, p in zip(names, row[1:], strict=True)
            if name != row[0]
        }
        self.clusters = [
            (row[7], int(row[2]), int(row[4]))
            for row in self.rows(files / clusters)
            if "-".join(row[:2]) == pair
        ]

    @staticmethod
    def rows(path):
        return [line.split() for line in path.read_text().splitlines()[1:] if line.strip()]


read_published = cache(Published)


@pytest.fixture(params=PUBLISHED)
def published(request, shared):
    return read_published(shared, request.param)


def test_means_and_deviations_of_all_annotators(published):
    for scale in standardise(published.raw).scales:
        # Printed with seven digits.
        expected = published.scales[scale.annotator]
        assert (scale.mean, scale.deviation) == pytest.approx(expected, abs=5e-6)


def test_scores_wins_and_clusters(published):
    for given, error in ((published.standardised, 1e-13), (published.raw, 5e-6)):
        found = compare_systems(given, resamples=100)

        scored = found.segment_scores
        expected = np.array(
            [
                published.segments[given.system_names[system], given.segment_names[segment]]
                for system, segment in zip(scored.systems, scored.segments, strict=True)
            ]
        )
        assert len(scored) == len(published.segments)
        assert scored.counts.tolist() == expected[:, 2].tolist()
        np.testing.assert_allclose(scored.z, expected[:, 1], rtol=0, atol=error)
        if not given.standardised:
            np.testing.assert_allclose(scored.raw, expected[:, 0], rtol=0, atol=1e-12)
        for row in found.systems:
            segments, all_, raw, z = published.systems[row.system]
            assert (row.segments, row.assessments) == (segments, all_)
            assert row.z.value == pytest.approx(z, abs=error)
            assert row.raw is None or row.raw == pytest.approx(raw, abs=1e-10)
        clusters = [row.published_cluster for row in found.systems]
        assert published.clusters == [
            (row.system, row.wins, clusters.index(row.published_cluster) + 1)
            for row in found.systems
        ]
        # In these two, both rules give the same.
        assert [row.cluster for row in found.systems] == clusters
        # Equal scores of a system's segments tie here, and are apart by rounding errors there.
        names = [row.system for row in found.systems]
        compare_p(published, names, found.p, 3e-5)


def test_p_from_the_published_segments(published):
    names = list(published.systems)
    z = [
        np.array([z for (of, _), (_, z, _) in published.segments.items() if of == system])
        for system in names
    ]
    compare_p(published, names, rank_sum_tests(z), 1e-15)


def compare_p(published, names, found, error):
    for (one, other), expected in published.p.items():
        p = found[names.index(one)][names.index(other)]
        if expected == NOT_SIGNIFICANT:
            assert p >= 0.05
        else:
            assert p == pytest.approx(expected, abs=error)


def test_annotators_of_wmt21_have_the_published_test_and_run(shared):
    """Of annotators without other language pairs; from ad-trk-stats.csv and ad-wrkr-stats.csv."""
    found = {
        row.annotator: row
        for row in check_annotators(read_published(shared, "cs-en").raw).annotators
    }

    for annotator, pairs, t, p in (
        ("M0868", 9, -4.584879, 0.0008952649),
        ("M0275", 9, -12.81705, 6.479043e-07),
        ("M1628", 21, -7.614127, 1.240202e-07),
    ):
        test = found[annotator].degraded
        assert test.pairs == pairs
        assert (test.t, test.p) == pytest.approx((t, p), rel=1e-6)
    row = found["M0868"]
    assert (row.mean_of_degraded, row.mean_of_outputs) == pytest.approx((39.2, 95.2), abs=0.051)
    assert (row.mean_of_references, row.fastest_batch, row.longest_run) == (100, 1330, 31)


@pytest.mark.parametrize(
    ("pair", "textbook"),
    [
        ("bn-hi", [1, 1, 2, 2, 2, 2, 2, 2, 3]),
        ("hi-bn", [1, 1, 1, 1, 2, 2, 2, 3, 4]),
        ("xh-zu", [1, 1, 1, 2, 2, 3]),
        ("zu-xh", [1, 2, 2, 2, 3]),
    ],
)
def test_raw_scores_of_facebook_give_the_published_wins_and_clusters(shared, pair, textbook):
    files = shared / "data/direct-assessment/facebook-bn-hi"
    raw = read_assessments([files / "ad-good-raw.csv"]).assessments

    found = compare_systems(raw.of_pair(pair), resamples=100)

    published = [row.published_cluster for row in found.systems]
    rows = (line.split() for line in (files / "clusters.csv").read_text().splitlines()[1:])
    assert [
        (row.system, row.wins, published.index(row.published_cluster) + 1) for row in found.systems
    ] == [(row[7], int(row[2]), int(row[4])) for row in rows if "-".join(row[:2]) == pair]
    assert [row.cluster for row in found.systems] == textbook


def test_published_wins_of_2021_give_the_published_clusters_of_all_pairs(shared):
    path = shared / "data/direct-assessment/wmt21-cs-en/clusters-all-pairs.csv"
    wins, starts = defaultdict(list), defaultdict(list)
    for line in path.read_text().splitlines()[1:]:
        row = line.split()
        wins[*row[:2]].append(int(row[2]))
        starts[*row[:2]].append(int(row[4]))

    assert sum(map(len, wins.values())) == 104
    for pair, published in starts.items():
        clusters = published_clusters(wins[pair])
        # The published number of a cluster is the place of its first system.
        assert [clusters.index(cluster) + 1 for cluster in clusters] == published
