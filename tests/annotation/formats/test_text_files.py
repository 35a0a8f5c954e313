"""What a file is: a plain text, which is never changed, or a table, which is read as one."""

import csv
import gzip
import io
import zipfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.encodings import codec_of
from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_lines
from annotation.formats.spreadsheets import doubtful_quotation
from annotation.formats.text_files import TextFile, open_texts
from tests.workbooks import workbook

Open = Callable[..., TextFile]
COMMITTEE = "The committee met on Monday in Prague ."
TABLE = (
    "source,system a,system b\n"
    f'"{COMMITTEE}","Výbor se v pondělí sešel v Praze.","Výbor se sešel v pondělí v Praze."\n'
    '"It did not agree .","Neshodl se, žel.","Na ničem se ""neshodl""."\n'
)
SEGMENT = "{}\tShe said {} yes {} , then left .\t\tleft\todešla\t7\n"
PLAIN_SEGMENTS = "".join(SEGMENT.format(n, '"', '"') for n in (1, 2))
EXCEL_SEGMENTS = "".join(
    "\t".join((str(n), '"She said "" yes "" , then left ."', "", "left", "odešla", "7")) + "\n"
    for n in (1, 2)
)


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    numbers = count()

    def opened(name: str, content: str | bytes, encoding: str = "UTF-8") -> TextFile:
        path = tmp_path / str(next(numbers))
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return open_texts(path, name, lambda: tmp_path / str(next(numbers)), encoding)

    return opened


def texts(file: TextFile) -> dict[str, list[str]]:
    return {heading: list(read_lines(path)) for heading, path in file.texts.items()}


# --- plain texts --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.txt", "a", "a.csv.txt", "csv", "a.docs", "ref.cs"])
@pytest.mark.parametrize(
    "content",
    [
        '"Výbor, který se sešel."\n"Řekl ""ne""."\n',
        TABLE,
        TABLE.replace(",", "\t"),
        '"a"\n"b"\n',
        "a;b\nc;d\n",
        "",
    ],
)
def test_a_file_that_is_not_called_a_table_stays_as_it_is(
    opened: Open, name: str, content: str
) -> None:
    file = opened(name, content)
    assert file.read_as == ""
    assert file.texts[""].read_bytes() == content.encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("b.csv", "Výbor se sešel.\r\nNeshodl se.\r\n"),
        ("b.csv", "Výbor, který se sešel.\nAno.\nNe, asi ne; ale ano.\n"),
        ("b.csv", 'Řekl "ne" a odešel.\nA "ano", řekla.\n'),
        ("b.csv", ""),
        ("b.csv", "\n\n"),
        ("b.tsv", '"Ne," řekl.\nOdešel, a "nic".\n'),
        ("b.tsv", '"Ano."\n"Ne."\nDobře.\n'),
        ("segments.tsv", PLAIN_SEGMENTS),
        # Tokenised texts have spaces around their quotation marks.
        ("segments.tsv", '1\ta b\t\tb\t" b , c "\t1\n2\ta b\t\tb\tb\t1\n'),
        ("trees.tsv", "(S (NP a))\n(S (NP b))\n"),
    ],
)
def test_a_table_in_name_only_stays_as_it_is(opened: Open, name: str, content: str) -> None:
    file = opened(name, content)
    assert file.read_as == ""
    assert file.texts[""].read_bytes() == content.encode()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1))
def test_a_column_that_was_saved_as_csv_is_never_read_as_other_texts(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder, numbers = tmp_path_factory.mktemp("csv"), count()
    path = folder / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([line] for line in lines)
    try:
        file = open_texts(path, path.name, lambda: folder / str(next(numbers)))
    except InputError:
        return
    wanted = [lines[0].removeprefix("\ufeff"), *lines[1:]]
    assert texts(file) in ({"": lines}, {"": wanted})


# --- tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (
            '"Výbor, který se sešel, se neshodl."\r\n"Řekl „ne"" a odešel."\r\nMinistr odešel.\r\n',
            ["Výbor, který se sešel, se neshodl.", 'Řekl „ne" a odešel.', "Ministr odešel."],
        ),
        ('"a; b"\nc, d\n', ["a; b", "c, d"]),
        ('"a"\n"b c"\n""\n"d"\n', ["a", "b c", "", "d"]),
        ('"Ano, ano"\n\n 12\n', ["Ano, ano", "", " 12"]),
    ],
)
def test_a_column_of_csv_is_read_without_its_quotation_marks(
    opened: Open, content: str, lines: list[str]
) -> None:
    file = opened("A.CSV", content)
    assert (file.read_as, texts(file)) == ("CSV", {"": lines})
    packed = opened("a.csv.gz", gzip.compress(content.encode()))
    assert texts(packed) == {"": lines}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_has_a_text_for_each_of_its_columns(opened: Open, separator: str) -> None:
    made = io.StringIO()
    csv.writer(made, delimiter=separator).writerows(csv.reader(io.StringIO(TABLE)))
    file = opened("all.csv", made.getvalue())
    assert file.read_as == "CSV"
    assert texts(file) == {
        "source": [COMMITTEE, "It did not agree ."],
        "system a": ["Výbor se v pondělí sešel v Praze.", "Neshodl se, žel."],
        "system b": ["Výbor se sešel v pondělí v Praze.", 'Na ničem se "neshodl".'],
    }


def test_quotation_marks_in_a_tab_separated_table_belong_to_the_text_unless_they_are_doubled(
    opened: Open,
) -> None:
    heading = "source\tNorth\n"
    plain = opened("a.tsv", heading + 'Yes\t"Ano," řekl.\nNo, no\t"Ne"\n')
    assert texts(plain)["North"] == ['"Ano," řekl.', '"Ne"']
    saved = opened("a.tsv", heading + 'Yes\t"""Ano,"" řekl."\n"No, no"\tNe\n')
    assert texts(saved) == {"source": ["Yes", "No, no"], "North": ['"Ano," řekl.', "Ne"]}


def test_a_byte_order_mark_is_no_part_of_the_first_heading(opened: Open) -> None:
    file = opened("a.csv", "\ufeffsource;North\r\nYes;Ano\r\n")
    assert texts(file) == {"source": ["Yes"], "North": ["Ano"]}


def test_blank_columns_and_rows_at_the_ends_of_a_table_are_left_out(opened: Open) -> None:
    file = opened("a.csv", "Source text,North,,\nYes,Ano,,\n,,,\nNo,,,\n,,,\n\n")
    assert texts(file) == {"Source text": ["Yes", "", "No"], "North": ["Ano", "", ""]}


@pytest.mark.parametrize(
    ("name", "content", "line", "words"),
    [
        ("a.csv", "Yes,Ano\nNo,Ne\n", 0, "2 columns"),
        ("a.tsv", "English\tNorth\tSouth\nYes\tAno\tJo\n", 0, "3 columns"),
        ("a.csv", "source,North\nYes,Ano\nNo, no,Ne\n", 3, "2 columns"),
        ("a.csv", 'source,North\nYes,"Ano\nne"\n', 2, "line break"),
        ("a.csv", 'source,North\nYes,"Ano" ne\n', 2, "quotation mark"),
        ("a.csv", "source,North,North \nYes,Ano,Ne\n", 1, "North"),
        ("a.csv", "source,North,\nYes,Ano,Ne\n", 2, "column 3"),
        ("a.csv", f"source,{','.join(map(str, range(500)))}\n" * 2, 0, "too many"),
        # Is this what a spreadsheet saved, or what people say in a novel?
        ("a.csv", '"Ano, ano."\n"Ne," řekl.\n', 2, "quotation marks"),
        ("a.csv", '"Ano."\nNe.\n', 1, "quotation marks"),
        ("a.tsv", '"Ano, ano."\nNe.\n', 1, "quotation marks"),
        ("a.tsv", 'source\tNorth\nYes\t"Ano, ano."\n', 2, "quotation marks"),
    ],
)
def test_what_may_be_a_table_or_not_is_refused_in_one_sentence(
    opened: Open, tmp_path: Path, name: str, content: str, line: int, words: str
) -> None:
    with pytest.raises(InputError, match=words) as raised:
        opened(name, content)
    assert raised.value.place[1] == line
    assert "\n" not in str(raised.value)
    assert len(list(tmp_path.iterdir())) == 1


# --- segments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["segments.tsv", "segments.txt", "segments"])
def test_segments_are_read_without_the_quotation_marks_of_a_spreadsheet(
    opened: Open, name: str
) -> None:
    file = opened(name, EXCEL_SEGMENTS)
    assert texts(file) == {"": PLAIN_SEGMENTS.splitlines()}


def test_segments_may_be_a_table_of_any_form(opened: Open) -> None:
    rows = [line.split("\t") for line in PLAIN_SEGMENTS.splitlines()]
    made = io.StringIO()
    csv.writer(made).writerows(rows)
    for name, content in {"s.csv": made.getvalue(), "s.xlsx": workbook(rows)}.items():
        assert texts(opened(name, content)) == {"": PLAIN_SEGMENTS.splitlines()}


def test_quotation_marks_that_only_commas_explain_are_kept_but_doubtful(opened: Open) -> None:
    row = '1\t"She said yes, then left ."\t\tleft\todešla\t4\n'
    (path,) = opened("s.tsv", row).texts.values()
    assert path.read_text() == row
    assert doubtful_quotation(path) == 1
    (path,) = opened("s.tsv", row + row.replace('"', "")).texts.values()
    assert doubtful_quotation(path) == 0
    (path,) = opened("s.tsv", PLAIN_SEGMENTS).texts.values()
    assert doubtful_quotation(path) == 0


# --- XLSX ---------------------------------------------------------------------------------------


def test_a_sheet_is_read_as_a_table(opened: Open) -> None:
    rows: list[list[object]] = [
        ["id", "source", "Reference (cs)", "North"],
        [1, " Yes , “no” ", "Ano", "e\u0301 \u200b<b>&amp;"],
        [2, "=1+1", None, 50],
        [None, None, None, None],
    ]
    file = opened("all.xlsx", workbook(rows, [[None]]))
    assert file.read_as == "XLSX"
    assert texts(file) == {
        "id": ["1", "2"],
        "source": [" Yes , “no” ", ""],
        "Reference (cs)": ["Ano", ""],
        "North": ["e\u0301 \u200b<b>&amp;", "50"],
    }


def test_a_sheet_with_one_column_is_a_text(opened: Open) -> None:
    file = opened("a.xlsx", workbook([[None, "Ano, ano."], [None, None], [None, '"Ne"']]))
    assert texts(file) == {"": ["Ano, ano.", "", '"Ne"']}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (workbook([]), "is empty"),
        (workbook([["a"]], [["b"]]), "several sheets"),
        (workbook([["a", "b"], ["c", "d"]]), "does not say what they are"),
        (workbook([["a"]] * 60 + [["a", "b"]]), "does not say what they are"),
        (workbook([["a\nb"]]), "cell A1 has a line break"),
        (workbook([["source", "x"], ["a", 1.5]]), "cell B2 is a number"),
        (workbook([["a"], [True]]), "cell A2"),
        (workbook([["source", "x"], [None] * 600 + ["a"]]), "too many"),
        (workbook([["a"]])[:-300], "cannot be read as XLSX"),
        (b"PK\x03\x04nonsense", "cannot be read as XLSX"),
    ],
)
def test_a_sheet_that_is_no_table_of_texts_is_refused(
    opened: Open, tmp_path: Path, content: bytes, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        opened("a.xlsx", content)
    assert len(list(tmp_path.iterdir())) == 1


def test_entities_of_a_sheet_are_not_expanded(opened: Open) -> None:
    packed = io.BytesIO(workbook([["a"]]))
    changed = io.BytesIO()
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                content = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>' + content
            new.writestr(name, content)
    with pytest.raises(InputError, match="cannot be read as XLSX"):
        opened("a.xlsx", changed.getvalue())


# --- encodings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["Windows-1250", "ISO-8859-2", "UTF-16LE"])
def test_a_text_in_another_encoding_is_read_in_it(opened: Open, encoding: str) -> None:
    content = "Příliš žluťoučký kůň.\nÚpěl.".encode(codec_of(encoding))
    file = opened("a.txt", content, encoding)
    assert (file.read_as, texts(file)) == (encoding, {"": ["Příliš žluťoučký kůň.", "Úpěl."]})


def test_a_byte_order_mark_tells_the_encoding_and_tables_have_encodings_too(opened: Open) -> None:
    file = opened("all.tsv", TABLE.replace(",", "\t").replace("\t žel", ", žel").encode("utf-16"))
    assert file.read_as == "TSV, UTF-16"
    assert list(file.texts) == ["source", "system a", "system b"]
    assert opened("a.csv", TABLE.encode("cp1250"), "Windows-1250").read_as == "CSV, Windows-1250"


def test_utf8_is_never_read_in_another_encoding(opened: Open) -> None:
    assert opened("a.txt", "Příliš\n", "Windows-1250").read_as == ""
    assert opened("a.txt", b"plain\n", "UTF-16").read_as == ""


def test_a_text_in_an_unknown_encoding_is_left_to_its_readers(opened: Open) -> None:
    content = "Příliš žluťoučký\n".encode("cp1250")
    file = opened("a.csv", content)
    assert (file.read_as, file.texts[""].read_bytes()) == ("", content)


def test_a_text_that_is_not_in_the_given_encoding_is_refused(opened: Open, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not EUC-JP"):
        opened("a.txt", "Příliš žluťoučký\n".encode("cp1250"), "EUC-JP")
    assert len(list(tmp_path.iterdir())) == 1
