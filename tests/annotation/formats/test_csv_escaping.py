import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.csv_escaping import with_formulas, without_formulas

FORMULAS = "=+-@＝＋－＠"
# The expression of docs/formats.md.
BACK = r"""(?:^|(?<=[;\t\r\n]))'(?=['"]*[=+\-@＝＋－＠])"""
TEXTS = st.text(st.sampled_from("=+-@＝;,\t\r\n\"' ax1"), max_size=12)


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("starý dům", "starý dům"),
        ("", ""),
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("\t=1", "\t'=1"),
        ("well-known", "well-known"),
        ("a;=1", "a;'=1"),
        ('a;"=1', "a;'\"=1"),
        ("a; -1", "a; -1"),
        ("'=1", "''=1"),
        ("'tis", "'tis"),
    ],
)
def test_a_formula_gets_an_apostrophe(text: str, harmless: str) -> None:
    assert without_formulas(text) == harmless


@settings(max_examples=50)
@given(TEXTS)
def test_the_text_can_be_restored(text: str) -> None:
    assert re.sub(BACK, "", without_formulas(text)) == text
    assert with_formulas(without_formulas(text)) == text


@settings(max_examples=50)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(",;\t"))
def test_no_cell_begins_with_a_formula_for_any_delimiter(texts: list[str], delimiter: str) -> None:
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerow(map(without_formulas, texts))
    read = csv.reader(io.StringIO(table.getvalue(), newline=""), delimiter=delimiter)
    assert not [cell for row in read for cell in row if cell.startswith(tuple(FORMULAS))]
