import gzip
import io
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import Ranks
from annotation.formats.thesis import (
    is_thesis_json,
    json_pieces,
    pickle_pieces,
    read_thesis_json,
)
from tests.annotation.import_export.exchange_files import JUDGEMENT, write_json, write_lines

RANKS: Ranks = {"malá kočka": 1, "kočka": None}
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
RANKINGS = st.dictionaries(TEXTS, st.none() | st.integers(1, 99))
ENTRIES = st.dictionaries(
    st.tuples(st.integers(1, 2**31 - 1), TEXTS), st.lists(RANKINGS), max_size=5
)


def test_it_writes_the_format_of_the_thesis() -> None:
    text = "".join(json_pieces([((7, "small cat"), [RANKS]), ((8, "a, b"), [RANKS, RANKS])]))

    assert text.startswith(
        '{\n  "7,small cat": [\n    {\n      "malá kočka": 1,\n      "kočka": 100\n    }\n  ],\n'
    )
    assert list(json.loads(text)) == ["7,small cat", "8,a, b"]


def test_no_judgements_are_an_empty_dictionary() -> None:
    assert json.loads("".join(json_pieces([]))) == {}
    assert pickle.loads(b"".join(pickle_pieces([]))) == {}


@settings(max_examples=25)
@given(ENTRIES)
def test_the_pickle_has_tuples_for_keys(entries: dict[tuple[int, str], list[Ranks]]) -> None:
    written = io.BytesIO(b"".join(pickle_pieces(entries.items())))

    assert pickle.load(written) == {
        key: [{text: rank or 100 for text, rank in ranks.items()} for ranks in judgements]
        for key, judgements in entries.items()
    }


@settings(max_examples=25)
@given(ENTRIES)
def test_reading_inverts_writing(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[tuple[int, str], list[Ranks]]
) -> None:
    path = tmp_path_factory.mktemp("thesis") / "t.json"
    path.write_text("".join(json_pieces(entries.items())), encoding="utf-8", newline="")

    read = list(read_thesis_json(path))

    assert is_thesis_json(path)
    assert {(entry.sentence, entry.segment): entry.judgements for entry in read} == entries


def test_it_refuses_to_write_a_rank_of_100() -> None:
    with pytest.raises(InputError, match="means garbage in"):
        list(json_pieces([((1, "x"), [{"a": 100}])]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"1": []}, "key '1': the key is not of the form"),
        ({"0,a": []}, "key '0,a': the sentence id '0'"),
        ({"x,a": []}, "key 'x,a': the sentence id 'x'"),
        ({"1,a": {}}, "key '1,a': Expected `array`"),
        ({"1,a": [{}, {"x": "1"}]}, "key '1,a': Expected `int`, got `str` - at `$[1][...]`"),
        ({"1,a": [{"x": 1.5}]}, "got `float`"),
        ([], "Expected `object`, got `array`"),
    ],
)
def test_it_refuses_a_bad_entry(tmp_path: Path, content: Any, message: str) -> None:
    path = write_json(tmp_path / "t.json", content)

    with pytest.raises(InputError) as refusal:
        list(read_thesis_json(path))

    assert str(refusal.value).startswith(str(path))
    assert message in str(refusal.value)


def test_it_refuses_a_key_that_is_given_twice(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{\n"1,a": [],\n"1,a": []}')

    with pytest.raises(InputError, match="The key '1,a' is given twice"):
        list(read_thesis_json(path))


def test_it_refuses_json_that_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{\n"1,a": [\n')

    with pytest.raises(InputError, match="this is not JSON"):
        list(read_thesis_json(path))


def test_it_is_distinguished_from_json_lines(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "j", [JUDGEMENT])
    pretty = write_json(tmp_path / "p", {"1,a": []})
    packed = tmp_path / "g"
    packed.write_bytes(gzip.compress(b'{"1,a \\"b": []}'))

    assert not is_thesis_json(lines)
    assert is_thesis_json(pretty)
    assert is_thesis_json(packed)
