"""The first half of the thesis' data against figures that an independent script computed."""

import json

import pytest

from evaluation.stats.ranking.ranking import METHODS, rank_all, rank_by_ratio_of_wins
from evaluation.stats.statistics import describe
from tests.evaluation.files import first_half, read_judgements

pytestmark = pytest.mark.shared

COUNTS = ("sentences", "segments", "seconds")
SHARES = ("kappa_intra", "kappa_inter")


@pytest.fixture
def judgements(shared):
    return read_judgements(first_half(shared))


@pytest.fixture
def expected(shared):
    return json.loads((first_half(shared) / "expected.json").read_text())


def test_the_annotators(judgements, expected):
    statistics = describe(judgements)

    rows = {row.annotator: row for row in statistics.annotators}
    assert rows.keys() == expected["annotators"].keys()
    for name, figures in expected["annotators"].items():
        row = rows[name]
        assert [row.sentences, row.segments, row.seconds] == [figures[key] for key in COUNTS]
        assert row.seconds_per_segment == pytest.approx(figures["seconds_per_segment"], abs=0.005)
        for kappa, key in zip((row.intra.kappa, row.inter.kappa), SHARES, strict=True):
            assert kappa == (figures[key] and pytest.approx(figures[key], abs=5.1e-5)), (name, key)


def test_the_agreement(judgements, expected):
    agreement = describe(judgements).agreement

    assert len(judgements) == expected["judgements"]
    assert agreement.chance.expected == pytest.approx(expected["expected_agreement"], abs=5.1e-7)
    assert agreement.intra.kappa == pytest.approx(expected["kappa_intra"], abs=5.1e-5)
    assert agreement.inter.kappa == pytest.approx(expected["kappa_inter"], abs=5.1e-5)


def test_the_ranking(judgements, expected):
    systems = rank_by_ratio_of_wins(judgements).systems

    assert [result.system for result in systems] == list(expected["systems"])
    for result in systems:
        figures = expected["systems"][result.system]
        assert [result.wins, result.losses, result.ties] == [
            figures[key] for key in ("wins", "losses", "ties")
        ]
        assert result.ratio_of_wins == pytest.approx(figures["ratio_of_wins"], abs=5.1e-7)


def test_the_ranking_with_intervals(judgements, expected):
    rankings = rank_all(judgements)

    assert tuple(rankings) == METHODS
    systems = rankings["ratio_of_wins"].systems
    assert [system.system for system in systems] == list(expected["systems"])
    for system in systems:
        figures = expected["systems"][system.system]
        score = vars(system.score)
        assert score["value"] == pytest.approx(figures["ratio_of_wins"], abs=5.1e-7)
        # The standard error by sentence is 0.0048 on all the thesis' sentences; here is a half.
        assert (score["high"] - score["low"]) / 3.92 == pytest.approx(0.0048 * 2**0.5, rel=0.15)


def test_all_methods_agree_on_who_is_worst(judgements):
    for ranking in rank_all(judgements).values():
        worst = [system.system for system in ranking.systems[-4:]]
        assert worst == ["onlineA", "CU-TectoMT", "commercial1", "commercial2"]
        assert [system.worst_rank for system in ranking.systems[-4:]] == [7, 8, 9, 10]
