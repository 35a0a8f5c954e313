import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import (
    Ranks,
    by_candidate,
    check_ranks,
    choose_by_candidates,
    read_judgement_lines,
)
from tests.annotation.import_export.exchange_files import JUDGEMENT, write_lines

LINE = json.dumps(JUDGEMENT, ensure_ascii=False)


def test_it_reads_a_judgement(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "j.jsonl", [JUDGEMENT])

    (line,) = read_judgement_lines(path)

    assert line.where == f"{path}, line 1"
    assert (line.sentence, line.segment, line.indices) == (7, "small cat", (1, 2))
    assert line.created == datetime(2014, 5, 20, 7, 15, 58, 433530, UTC)
    assert line.seconds == 98.0
    assert line.ranks == {"malá kočka": 1, "malý kočka": 3, "kočka": None}


def test_a_segment_may_be_one_token(tmp_path: Path) -> None:
    (line,) = read_judgement_lines(
        write_lines(tmp_path / "j.jsonl", [JUDGEMENT | {"indices": [4]}])
    )
    assert line.indices == (4,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence": 0}, "Expected `int` >= 1 - at `$.sentence`"),
        ({"sentence": True}, "got `bool` - at `$.sentence`"),
        ({"indices": [2, 1]}, "not sorted: 1 follows 2"),
        ({"indices": [1, 1]}, "token index 1 is given twice"),
        ({"annotator": " "}, "at `$.annotator`"),
        ({"annotator": "x" * 151}, "at `$.annotator`"),
        ({"annotator": "\u200b"}, "the annotator has no name"),
        # Of letters that have no composed form, there are more in it.
        ({"annotator": "\u0958" * 100}, "the annotator has 200 characters: 150 are allowed"),
        ({"annotator": "a\0"}, "NUL character"),
        ({"created": "yesterday"}, "'created' is not a time"),
        ({"created": "2014-05-20 07:15:58"}, "'created' has no time zone"),
        ({"created": "0001-01-01 00:00:00+14:00"}, "'created' is not a time"),
        ({"seconds": -1}, "at `$.seconds`"),
        ({"seconds": float("nan")}, "this is not JSON"),
        ({"seconds": 10**400}, "Number out of range"),
        ({"ranks": {"x": 1.0}}, "at `$.ranks[...]`"),
        ({"ranks": {"x": "rubbish"}}, "Invalid enum value 'rubbish' - at `$.ranks[...]`"),
        ({"more": 1}, "unknown field `more`"),
    ],
)
def test_it_refuses_a_bad_value(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = write_lines(tmp_path / "j.jsonl", [JUDGEMENT, JUDGEMENT | change])

    with pytest.raises(InputError) as refusal:
        list(read_judgement_lines(path))

    assert str(refusal.value).startswith(f"{path}, line 2: ")
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the line is empty"),
        ("{", "this is not JSON"),
        ("[1]", "Expected `object`, got `array`"),
        (LINE.replace('"sentence":', '"sentence": 8, "sentence":'), "'sentence' is given twice"),
        (LINE.replace('"kočka":', '"kočka": 1, "kočka":'), "'kočka' is given twice"),
        ('{"sentence": 1}', "missing required field `segment`"),
        (LINE.replace("jana", "j\\ud800na"), "this is not JSON"),
        ("[" * 200_000, "Expected `object`"),
    ],
)
def test_it_refuses_a_bad_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(line + "\n")

    with pytest.raises(InputError) as refusal:
        list(read_judgement_lines(path))

    assert str(refusal.value).startswith(f"{path}, line 1: ")
    assert message in str(refusal.value)


def test_seconds_may_be_unknown(tmp_path: Path) -> None:
    (line,) = read_judgement_lines(write_lines(tmp_path / "j", [JUDGEMENT | {"seconds": None}]))

    assert line.seconds is None


def test_names_of_annotators_are_composed_without_blanks_at_their_ends(tmp_path: Path) -> None:
    name = "\ufeff Jana Nova\u0301kova\u0301\u00a0"

    (line,) = read_judgement_lines(write_lines(tmp_path / "j", [JUDGEMENT | {"annotator": name}]))

    assert line.annotator == "Jana Nov\u00e1kov\u00e1"


CANDIDATES = ["dům", "domek"]


def test_each_candidate_needs_a_rank_or_the_garbage_bin():
    check_ranks("house", CANDIDATES, {"domek": None, "dům": 2}, "line 1")


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ({"dům": 1, "byt": 1}, "line 1: the segment 'house' has no candidate 'byt'."),
        ({"dům": 1, "domek": 3}, "line 1: the rank 3 of the candidate 'domek' is not from 1 to 2"),
        ({"dům": 0, "domek": 1}, "line 1: the rank 0 of the candidate 'dům' is not from 1 to 2"),
        ({"dům": 1}, "line 1: the candidate 'domek' of the segment 'house' has no rank."),
        ({}, "line 1: the candidate 'dům' of the segment 'house' has no rank, nor have 1 more."),
    ],
)
def test_it_refuses_other_ranks(ranks: Ranks, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_ranks("house", CANDIDATES, ranks, "line 1")

    assert message in str(caught.value)


def test_of_several_segments_it_chooses_that_with_exactly_the_candidates():
    chosen = choose_by_candidates([CANDIDATES, ["dům"]], {"dům": 1}, "line 1", "say which.")

    assert chosen == 1


@pytest.mark.parametrize(
    ("candidates", "how_many"), [([CANDIDATES, CANDIDATES], "2"), ([["byt"], ["dům"]], "none")]
)
def test_it_refuses_to_guess(candidates, how_many):
    with pytest.raises(
        InputError, match=rf"and {how_many} of them .* which was judged: say which\."
    ):
        choose_by_candidates(candidates, dict.fromkeys(CANDIDATES, 1), "line 1", "say which.")


COMPOSED, DECOMPOSED, WITH_BLANK = "d\u016fm", "du\u030am", "d\u016fm\u00a0"


@pytest.mark.parametrize(
    ("candidates", "given", "expected"),
    [
        ([COMPOSED, "byt"], {DECOMPOSED: 1, "byt": 2}, {COMPOSED: 1, "byt": 2}),
        ([COMPOSED, DECOMPOSED], {DECOMPOSED: 1, COMPOSED: 2}, {DECOMPOSED: 1, COMPOSED: 2}),
        (["byt"], {"Byt": 1}, {"Byt": 1}),
    ],
)
def test_texts_are_candidates_as_they_are_or_else_by_their_plain_form(candidates, given, expected):
    assert by_candidate("house", candidates, given, "line 1") == expected


@pytest.mark.parametrize(
    ("candidates", "given", "message"),
    [
        ([COMPOSED, DECOMPOSED], {WITH_BLANK: 1}, "has 2 candidates that differ from"),
        ([COMPOSED, "byt"], {COMPOSED: 1, WITH_BLANK: 2}, "is spelt in two ways"),
    ],
)
def test_it_refuses_to_guess_a_candidate(candidates, given, message):
    with pytest.raises(InputError, match=message) as caught:
        by_candidate("house", candidates, given, "line 1")

    assert str(caught.value).startswith("line 1: ")


def test_segments_are_told_apart_by_decomposed_candidates():
    candidates = [["byt"], [COMPOSED, "domek"]]

    chosen = choose_by_candidates(candidates, {DECOMPOSED: 1, "domek": 1}, "line 1", "say which.")

    assert chosen == 1
