from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import read_judgement_lines
from tests.annotation.import_export.exchange_files import JUDGEMENT, write_lines


def test_it_reads_a_judgement(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "j.jsonl", [JUDGEMENT])

    (line,) = read_judgement_lines(path)

    assert line.where == f"{path}, line 1"
    assert (line.sentence, line.segment, line.indices) == (7, "small cat", (1, 2))
    assert line.created == datetime(2014, 5, 20, 7, 15, 58, 433530, UTC)
    assert line.seconds == 98.0
    assert line.ranks == {"malá kočka": 1, "malý kočka": 3, "kočka": None}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence": 0}, "'sentence' is not from 1 to"),
        ({"sentence": True}, "'sentence' is not a whole number"),
        ({"sentence": "7"}, "'sentence' is not a whole number"),
        ({"segment": None}, "'segment' is not a text"),
        ({"indices": []}, "'indices' is empty"),
        ({"indices": [2, 1]}, "not sorted: 1 stands after 2"),
        ({"indices": [1, 1]}, "token index 1 is given twice"),
        ({"indices": [1, True]}, "'indices' has an item 2 that is not a whole number"),
        ({"annotator": " "}, "'annotator' is not a text of 1 to 150"),
        ({"annotator": "x" * 151}, "'annotator' is not a text of 1 to 150"),
        ({"annotator": "a\0"}, "a text holds a NUL character"),
        ({"created": "yesterday"}, "'created' is not a time"),
        ({"created": "2014-05-20 07:15:58"}, "'created' has no time zone"),
        ({"created": "0001-01-01 00:00:00+14:00"}, "'created' is not a time"),
        ({"created": 5}, "'created' is not a text"),
        ({"seconds": -1}, "'seconds' is not a number of 0 or more"),
        ({"seconds": "9"}, "'seconds' is not a number"),
        ({"seconds": float("nan")}, "NaN is no number of JSON"),
        ({"seconds": float("inf")}, "Infinity is no number of JSON"),
        ({"seconds": 10**400}, "'seconds' is not a number of 0 or more"),
        ({"ranks": []}, "'ranks' is not an object"),
        ({"ranks": {"x": True}}, "for the candidate 'x', True is neither a whole number nor"),
        ({"ranks": {"x": 1.0}}, "for the candidate 'x', 1.0 is neither a whole number nor"),
        ({"ranks": {"x": "rubbish"}}, "for the candidate 'x', 'rubbish' is neither"),
        ({"more": 1}, "'more' is not known here"),
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
        ("[1]", "an object with sentence, segment"),
        ('{"sentence": 1, "sentence": 2}', "the key 'sentence' stands twice"),
        ('{"ranks": {"x": 1, "x": 2}}', "the key 'x' stands twice"),
        ('{"sentence": 1}', "'segment' is missing"),
        ('{"segment": "\\ud800"}', "half of a surrogate pair"),
        ('{"seconds": 1e999}', "a number is too large"),
        ('{"sentence": ' + "9" * 5000 + "}", "this JSON cannot be used"),
        ("[" * 200_000, "nested too deeply"),
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
