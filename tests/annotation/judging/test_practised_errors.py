"""Errors that an annotator marked, beside those that should be found."""

import pytest

from annotation.judging.practised_errors import compare_marks

TEXT = "The old house stands near the river"


@pytest.mark.parametrize(
    ("yours", "gold", "found", "besides"),
    [
        ("", "0-3 minor", 0, 0),
        # Any character of it.
        ("2-5 minor", "0-3 minor", 1, 0),
        ("3-5 minor", "0-3 minor", 0, 1),
        # One mark finds one error, and several marks of one error find it once.
        ("0-35 major", "0-3 minor, 8-13 major", 1, 0),
        ("0-1 minor, 2-3 minor", "0-3 minor", 1, 0),
        # The second mark is needed for the error that only it touches.
        ("0-9 minor, 12-14 minor", "4-7 minor, 8-13 minor", 2, 0),
        ("0-9 minor, 8-13 minor", "0-3 minor, 8-13 minor", 2, 0),
        # What is missing is found where it stands in the source, and by saying so.
        ("missing minor Omission", "source 0-3 major Omission", 1, 0),
        ("source 0-3 minor Omission", "missing major Omission", 1, 0),
        ("source 0-3 minor Other", "missing major Omission", 0, 1),
        ("source 0-3 minor Omission", "source 5-8 minor Omission", 0, 1),
        ("0-3 minor", "source 0-3 minor Omission", 0, 1),
    ],
)
def test_a_mark_finds_one_error_that_it_touches(yours, gold, found, besides):
    card = compare_marks(TEXT, yours, gold)
    assert (card.found, card.besides) == (found, besides)
    assert sum(error.is_found for error in card.gold_errors) == found


def test_another_severity_or_category_is_said():
    gold = "0-3 minor Style, 4-7 major Grammar, 8-13 minor Style"
    yours = "0-3 major Style, 4-7 major Spelling"
    card = compare_marks(TEXT, yours, gold)
    assert [error.found_as for error in card.gold_errors] == [
        ("major", ""),
        ("", "Spelling"),
        ("", ""),
    ]


def test_reasons_are_those_of_the_errors_in_their_order():
    card = compare_marks(TEXT, "", "0-3 minor, 8-13 major", reasons=["all", "first", "second"])
    assert card.reason == "all"
    assert [error.reason for error in card.gold_errors] == ["first", "second"]


@pytest.mark.parametrize(("score", "says"), [(59, "too low"), (60, ""), (75, ""), (76, "too high")])
def test_a_score_beside_its_range_is_said(score, says):
    card = compare_marks(TEXT, "", "", your_score=score, gold_score=75, lowest_score=60)
    assert card.beside_range == says
