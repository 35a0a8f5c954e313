from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from evaluation.formats.reference_sets import read_reference_sets


def read(folder: Path, text: str, name: str = "references.txt") -> list[list[str]] | None:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_reference_sets(path)


def test_lines_of_json_are_sets_of_any_length(tmp_path):
    text = '["Starý dům", "Dům"]\n[]\n[ "a\\tb" ]\n'

    assert read(tmp_path, text) == [["Starý dům", "Dům"], [], ["a\tb"]]


def test_texts_separated_by_tabs_are_sets(tmp_path):
    assert read(tmp_path, "a b\tc\t\tb\n\nd\n") == [["a b", "c", "b"], [], ["d"]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Jedna věta.\nDruhá.\n", "plain.txt"),
        ("[Potlesk]\n[1] Viz též.\n", "brackets.txt"),
        ("a\tb\nc\nd\n", "one_tab.txt"),
        ("source\treference\na\tb\n", "table.tsv"),
        ("a\nb\n", "one_column.tsv"),
    ],
)
def test_other_texts_are_no_sets(tmp_path, text, name):
    assert read(tmp_path, text, name) is None


def test_the_name_of_a_file_may_say_that_tabs_separate_references(tmp_path):
    assert read(tmp_path, "a\tb\nc\nd\n", "set.tsv") == [["a", "b"], ["c"], ["d"]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a plain line", "line 2: this is not JSON"),
        ("", "line 2: this is not JSON"),
        ('["a", 1]', r"line 2: Expected `str`, got `int` - at `\$\[1\]`"),
        ('{"a": "b"}', "line 2: Expected `array`, got `object`"),
    ],
)
def test_it_refuses_a_line_that_is_no_array_of_texts(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, f'["a"]\n{line}\n["b"]\n')


def test_a_line_may_be_longer_than_a_million_bytes(tmp_path):
    (references,) = read(tmp_path, "\t".join(["an old house"] * 100_000)) or []

    assert len(references) == 100_000
