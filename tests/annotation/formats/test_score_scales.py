"""Scales of scores as lines, and the scores on them as a text."""

import pytest

from annotation.formats.errors import InputError
from annotation.formats.score_scales import Scale, parse_scales, parse_scores, write_scores

XSTS = Scale("XSTS", 1, 5, labels=("unrelated", "related", "similar", "close", "equivalent"))


@pytest.mark.parametrize(
    ("line", "scale", "written"),
    [
        ("Fluency 0-5", Scale("Fluency", 0, 5), "Fluency 0-5"),
        (" Adequacy  0 – 100  step 5 ", Scale("Adequacy", 0, 100, 5), "Adequacy 0-100 step 5"),
        ("Change −3-3", Scale("Change", -3, 3), "Change -3-3"),
        ("Grade 2 1-4", Scale("Grade 2", 1, 4), "Grade 2 1-4"),
        ("XSTS 1-5: unrelated | related | similar | close | equivalent", XSTS, str(XSTS)),
    ],
)
def test_a_line_is_a_scale(line: str, scale: Scale, written: str) -> None:
    assert parse_scales([line]) == (scale,)
    assert str(scale) == written


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "there are 0"),
        (["A 0-1"] * 7, "there are 7"),
        (["Fluency"], "Line 1 is no scale"),
        (["A 0-5", "0-5"], "Line 2 is no scale"),
        (["A 0-5", "a 0-9"], "Line 2: another scale"),
        (["A, b 0-5"], "comma"),
        ([f"{'A' * 41} 0-5"], "40"),
        (["A 5-5"], "below"),
        (["A 0-5 step 2"], "steps of 2"),
        (["A 0-5 step 0"], "steps of 0"),
        (["A 0-101"], "101 scores"),
        (["A 0-2: bad | good"], "3 scores and 2 labels"),
        (["A 0-1: bad | "], "each label"),
    ],
)
def test_what_is_no_scale_is_refused(lines: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_scales(lines)


def test_scores_are_written_in_the_order_of_the_scales() -> None:
    scales = parse_scales(["Fluency 0-5", "Change -3-3"])
    scores = parse_scores("Change -2,Fluency  4", scales)
    assert scores == {"Fluency": 4, "Change": -2}
    assert write_scores(scores, scales) == "Fluency 4, Change -2"
    assert parse_scores(" ", scales) == {}


def test_ranks_count_from_the_most() -> None:
    scale = Scale("Adequacy", 0, 100, 5)
    assert [scale.rank_of(score) for score in (100, 95, 0)] == [1, 2, 21]
    assert all(scale.score_of(scale.rank_of(score)) == score for score in scale.scores)
    with pytest.raises(InputError):
        scale.rank_of(3)
