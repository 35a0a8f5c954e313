import pytest

from evaluation.formats.judgement_files import Choice
from evaluation.report.ranking_text import ranking_text
from evaluation.report.system_names import axis_names, short_names
from evaluation.services.file_findings import ranking_of_files
from tests.evaluation.formats.wmt_files import write_five_way

LONG = ("newstest2016.uedin-nmt.4360.en-cs", "newstest2016.online-B.0.en-cs")


def test_long_names_lose_what_all_of_them_have():
    assert short_names(LONG, 20) == ["uedin-nmt.4360", "online-B.0"]
    assert short_names(LONG, 40) == list(LONG)
    assert short_names(["a.b", "a.b.b", "a.c.b"], 4) == ["b", "b.b", "c.b"]


def test_longer_names_lose_their_middle_unless_they_would_be_equal():
    assert short_names(["abcdefghij", "k"], 6) == ["abc…ij", "k"]
    assert short_names(["abcdefghij", "abcxefghij"], 6) == ["abcd…hij", "abcx…hij"]


def test_an_axis_has_whole_names_unless_they_would_look_alike():
    assert axis_names(LONG, 20) == dict(zip(LONG, LONG, strict=True))
    assert list(axis_names(LONG, 10).values()) == ["uedin…4360", "online-B.0"]


@pytest.mark.parametrize("annotators", ["jpe", "j"])
def test_no_line_is_wider_than_120_columns(tmp_path, annotators):
    names = [f"newstest.{'x' * 60}{n}.{'y' * 60}" for n in range(3)]
    rows = [
        (number, judge, " ".join(f"{name} {1 + place}" for place, name in enumerate(names)))
        for number in range(1, 13)
        for judge in annotators
    ]
    file = write_five_way(tmp_path / "five.csv", rows)

    found = ranking_of_files(Choice("wmt-five", [file]), "expected_wins", resamples=100, seed=0)
    tables = ranking_text(found).split("\n\n")

    of_systems = [part for part in tables if not part.startswith("system ")]
    lines = [line for part in of_systems for line in part.splitlines() if "|" not in line]
    assert max(map(len, lines)) <= 120
    assert ("annotators too" in tables[3]) == (len(annotators) == 3)
