import tracemalloc
import unicodedata
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.segment_files import (
    MOST_SYSTEMS,
    read_segment_files,
    staged_segments,
    system_line,
)
from annotation.formats.sentence_limits import (
    MOST_CANDIDATES,
    MOST_CHARACTERS,
    MOST_SEGMENTS,
    MOST_TOKENS,
)
from annotation.preparation.tokens import tokenizer
from tests.annotation.import_export.exchange_files import (
    REFERENCE,
    SEGMENT_ROWS,
    SOURCE,
    SYSTEM_ROWS,
    write_rows,
)

CUT = tokenizer("en")


def test_rows_of_a_sentence_may_stand_anywhere(tmp_path: Path) -> None:
    rows = [SEGMENT_ROWS[2], SEGMENT_ROWS[3], SEGMENT_ROWS[0], SEGMENT_ROWS[1], SEGMENT_ROWS[0]]

    files = read_segment_files(write_rows(tmp_path / "s", rows))

    assert list(files.sentences) == [1, 7]
    assert files.segment_rows == 5
    sentence = files.sentences[1]
    assert (sentence.source, sentence.reference) == (SOURCE, REFERENCE)
    assert {
        indices: list(segment.candidates) for indices, segment in sentence.segments.items()
    } == {(4,): ["u"], (0, 1, 2): ["starý dům", "stará  dům"]}


def test_it_reads_the_file_of_systems(tmp_path: Path) -> None:
    files = read_segment_files(
        write_rows(tmp_path / "s", SEGMENT_ROWS),
        write_rows(tmp_path / "y", [*SYSTEM_ROWS, SYSTEM_ROWS[0]]),
    )

    systems = files.sentences[7].segments[1, 2].systems
    assert {name: text for name, (text, _line) in systems.items()} == {
        "A": "malá kočka",
        "B+C": "malá kočka",
    }
    assert files.system_rows == 6


def test_a_candidate_in_another_composition_is_found(tmp_path: Path) -> None:
    row = next(row for row in SYSTEM_ROWS if row[3] == "malá kočka")
    decomposed = (*row[:3], unicodedata.normalize("NFD", row[3]), row[4])
    files = read_segment_files(
        write_rows(tmp_path / "s", SEGMENT_ROWS), write_rows(tmp_path / "y", [decomposed])
    )
    assert files.sentences[7].segments[1, 2].systems[row[2]][0] == "malá kočka"


def test_systems_have_their_plain_names(tmp_path: Path) -> None:
    row = ("1", "a", "", "a", "x", "0")

    files = read_segment_files(
        write_rows(tmp_path / "s", [row]),
        write_rows(tmp_path / "y", [("1", "a", "c\u030c ", "x", "0")]),
    )

    assert files.sentences[1].segments[0,].systems == {"č": ("x", 1)}


def test_a_second_spelling_of_a_system_is_refused_with_both_lines(tmp_path: Path) -> None:
    row = ("1", "a", "", "a", "x", "0")
    systems = [("1", "a", name, "x", "0") for name in ("B", "č", "c\u030c")]

    with pytest.raises(InputError) as caught:
        read_segment_files(write_rows(tmp_path / "s", [row]), write_rows(tmp_path / "y", systems))

    assert caught.value.place == (str(tmp_path / "y"), 3)
    assert caught.value.values["first"] == f"{tmp_path / 'y'}, line 2"


def test_only_single_spaces_separate_tokens(tmp_path: Path) -> None:
    row = ("1", "a  b\u00a0c d", "", "b\u00a0c d", "x", "2 3")

    files = read_segment_files(write_rows(tmp_path / "s", [row]), tokenize=CUT)

    assert files.sentences[1].tokens.words == ["a", "", "b\u00a0c", "d"]


def test_texts_with_other_tokens_are_read_if_all_segments_fit(tmp_path: Path) -> None:
    source, reference = "Say hello, Ann.", ""
    rows = [
        ("1", source, reference, "Say", "x", "0"),
        ("1", source, reference, "hello, Ann", "x", "1 2 3"),
    ]
    files = read_segment_files(write_rows(tmp_path / "s", rows), tokenize=CUT)
    assert files.sentences[1].tokens.words == ["Say", "hello", ",", "Ann", "."]
    mixed = write_rows(tmp_path / "t", [*rows, ("1", source, reference, "hello,", "x", "1")])
    with pytest.raises(InputError, match="line 3: the segment 'hello,' is not what"):
        read_segment_files(mixed, tokenize=CUT)


FIRST = SEGMENT_ROWS[0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (FIRST[:5], "5 columns where 6 are needed"),
        ((*FIRST, "x"), "7 columns where 6 are needed"),
        (("0", *FIRST[1:]), "the sentence id '0' is not a whole number from 1"),
        (("²", *FIRST[1:]), "the sentence id '²'"),
        (("9999999999", *FIRST[1:]), "the sentence id '9999999999'"),
        (("2", " ", "", "x", "y", "0"), "the source of sentence 2 is empty"),
        ((FIRST[0], "the old home", *FIRST[2:]), "source of sentence 1 differs from that in"),
        ((*FIRST[:2], "jiný", *FIRST[3:]), "reference of sentence 1 differs from that in line 1"),
        ((*FIRST[:5], "0 1 99"), "the token index 99 is beyond the sentence, whose 8 tokens"),
        ((*FIRST[:5], "0 2 1"), "the token indices are not sorted: 1 follows 2"),
        ((*FIRST[:5], "0 1 1"), "the token index 1 is given twice"),
        ((*FIRST[:5], ""), "the token indices '' are not whole numbers"),
        ((*FIRST[:5], "0  1 2"), "the token indices '0  1 2' are not whole numbers"),
        ((*FIRST[:3], "the old", *FIRST[4:]), "the segment 'the old' is not what its token"),
        ((*FIRST[:4], "", FIRST[5]), "the candidate is empty"),
        ((*FIRST[:4], "x" * 20_001, FIRST[5]), "more than 20000 characters"),
    ],
)
def test_it_refuses_a_bad_row(tmp_path: Path, row: tuple[str, ...], message: str) -> None:
    path = write_rows(tmp_path / "bad.tsv", [FIRST, row])

    with pytest.raises(InputError) as refusal:
        read_segment_files(path, tokenize=CUT)

    assert str(refusal.value).startswith(f"{path}, line 2: ")
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("7", "small cat", "A", "malá kočka"), "4 columns where 5 are needed"),
        (("8", "small cat", "A", "malá kočka", "1 2"), "sentence 8 has no segment 'small cat'"),
        (("7", "small cat", "A", "malá kočka", "0 2"), "sentence 7 has no segment 'small cat'"),
        (("7", "small dog", "A", "malá kočka", "1 2"), "sentence 7 has no segment 'small dog'"),
        (("7", "small cat", "A", "pes", "1 2"), "has no candidate 'pes'"),
        (("7", "small cat", "A", "kočka", "1 2"), "'A' has a second candidate"),
        (("7", "small cat", " ", "kočka", "1 2"), "the system name ' ' cannot be used"),
        (("7", "small cat", "x" * 201, "kočka", "1 2"), "cannot be used: give 1 to 200"),
    ],
)
def test_it_refuses_a_bad_row_of_systems(
    tmp_path: Path, row: tuple[str, ...], message: str
) -> None:
    path = write_rows(tmp_path / "bad.tsv", [SYSTEM_ROWS[3], row])

    with pytest.raises(InputError) as refusal:
        read_segment_files(write_rows(tmp_path / "s", SEGMENT_ROWS), path)

    assert str(refusal.value).startswith(f"{path}, line 2: ")
    assert message in str(refusal.value)


def segment_row(number: int, candidate: str = "x") -> tuple[str, ...]:
    source = " ".join("w" * (MOST_SEGMENTS + 9))
    return ("1", source, "", "w", candidate, str(number))


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([("1", "w " * MOST_TOKENS + "w", "", "w", "x", "0")], 1),
        ([("1", "w", "w" * (MOST_CHARACTERS + 1), "w", "x", "0")], 1),
        ([segment_row(number) for number in range(MOST_SEGMENTS + 3)], MOST_SEGMENTS + 1),
        (
            [segment_row(0, str(number)) for number in range(MOST_CANDIDATES + 3)],
            MOST_CANDIDATES + 1,
        ),
    ],
    ids=["tokens", "characters", "segments", "candidates"],
)
def test_it_refuses_a_sentence_that_no_page_can_show(
    tmp_path: Path, rows: list[tuple[str, ...]], line: int
) -> None:
    path = write_rows(tmp_path / "s", rows)
    errors: list[InputError] = []
    read_segment_files(path, on_error=errors.append)
    # One error is enough; the other rows of the sentence are not read.
    assert [error.place for error in errors] == [(str(path), line)]


def test_it_refuses_too_many_systems(tmp_path: Path) -> None:
    rows = [("7", "small cat", f"S{n}", "malá kočka", "1 2") for n in range(MOST_SYSTEMS + 1)]
    with pytest.raises(InputError, match=f"line {MOST_SYSTEMS + 1}: "):
        read_segment_files(
            write_rows(tmp_path / "s", SEGMENT_ROWS), write_rows(tmp_path / "y", rows)
        )


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    sentences = 20_000
    path = write_rows(
        tmp_path / "s", [(str(n), "a", "", "a", "b", "0") for n in range(sentences, 0, -1)]
    )
    tracemalloc.start()
    try:
        with staged_segments(path, folder=tmp_path, tokenize=CUT) as staged:
            numbers = [number for number, _rows in staged.sentences()]
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert numbers == list(range(1, sentences + 1))
    # All of them held at once take 15 MB.
    assert peak < 4_000_000
    assert list(tmp_path.iterdir()) == [path]


def test_only_some_sentences_are_read_again(tmp_path: Path) -> None:
    segments = write_rows(tmp_path / "s", SEGMENT_ROWS)
    systems = write_rows(tmp_path / "y", SYSTEM_ROWS)
    with staged_segments(segments, systems, tokenize=CUT) as staged:
        ((number, sentence),) = staged.sentences(only={7})
    assert number == 7
    assert set(sentence.segments[1, 2].systems) == {"A", "B+C"}


def test_it_refuses_to_write_a_tab() -> None:
    with pytest.raises(InputError, match="contains a tab or a line break"):
        system_line(1, "words", "A", "with\ttab", "0")


def test_it_collects_all_errors_and_the_good_rows(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "s", [FIRST[:5], FIRST, ("x", *FIRST[1:])])
    errors: list[InputError] = []

    files = read_segment_files(path, on_error=errors.append)

    assert [error.place for error in errors] == [(str(path), 1), (str(path), 3)]
    assert [list(rows.segments) for rows in files.sentences.values()] == [[(0, 1, 2)]]
