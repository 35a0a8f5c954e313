import pytest

from evaluation.report.formats import decimal, duration, text_table
from evaluation.stats.judgements import natural_key


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0:00:00"),
        (59.6, "0:01:00"),
        (17623, "4:53:43"),  # thesis, table 2.3, annotator 1
        (95174, "26:26:14"),  # annotator 13: "1 day, 2:26:14"
        (None, "–"),
    ],
)
def test_durations_are_hours_minutes_and_seconds(seconds, written):
    assert duration(seconds) == written


def test_an_undefined_number_is_a_dash():
    assert decimal(None) == "–"
    assert decimal(-0.08941) == "-0.089"


def test_words_stand_left_and_numbers_right():
    table = text_table(["name", "n"], [["a", "1"], ["longer", "100"]])

    assert table.splitlines() == ["name      n", "------  ---", "a         1", "longer  100"]


def test_natural_order_compares_numbers_as_numbers():
    names = ["b", "a10", "a9", "B2", "", "7", "a9b"]

    assert sorted(names, key=natural_key) == ["", "7", "a9", "a9b", "a10", "b", "B2"]
