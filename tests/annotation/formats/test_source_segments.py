from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_lines
from annotation.formats.sentence_limits import MOST_SEGMENTS
from annotation.formats.source_segments import (
    SourceSegment,
    check_words,
    from_text,
    pair_with_lines,
    read_source_segments,
    to_text,
)
from annotation.formats.tokens import split_at_spaces
from annotation.preparation.tokens import tokenize

ROWS = "2\tsaw it\t1 2\n1\tthe dog\t0 1\n2\tWe it\t0 2\n1\tthe dog\t0 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "source.segments"
    path.write_text(ROWS)
    return path


def test_it_reads_rows_in_any_order_and_twice(file: Path) -> None:
    assert read_source_segments(file) == {
        2: [SourceSegment(1, "saw it", (1, 2)), SourceSegment(3, "We it", (0, 2))],
        1: [SourceSegment(2, "the dog", (0, 1))],
    }


def test_it_pairs_segments_with_the_lines_of_the_source(file: Path) -> None:
    texts = list(pair_with_lines(file, iter(["the dog", "We saw it", "No"]), Path("source.txt")))
    assert texts == ["2\tthe dog\t0 1", "1\tsaw it\t1 2\n3\tWe it\t0 2", ""]
    assert [to_text(from_text(text)) for text in texts] == texts


def test_it_refuses_a_sentence_beyond_the_source(file: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: there is no sentence 2: .* with line 1\.$"):
        list(pair_with_lines(file, iter(["the dog"]), Path("source.txt")))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\tthe dog", "line 1: 2 columns where 3 are needed"),
        ("x\tthe dog\t0 1", "line 1: the sentence id 'x'"),
        ("1\tthe dog\t1 0", "line 1: the token indices are not sorted"),
        ("1\tthe\t0\n1\ta\t0", "line 2: the segment 'a' has the token indices of 'the', line 1"),
    ],
)
def test_it_refuses_bad_rows(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "source.segments"
    path.write_text(row + "\n")
    with pytest.raises(InputError) as raised:
        read_source_segments(path)
    assert message in str(raised.value)


def test_it_refuses_more_segments_of_a_sentence_than_a_page_can_show(tmp_path: Path) -> None:
    path = tmp_path / "source.segments"
    path.write_text("".join(f"1\tw\t{index}\n" for index in range(MOST_SEGMENTS + 2)))
    errors: list[InputError] = []
    found = read_source_segments(path, errors.append)
    assert len(found[1]) == MOST_SEGMENTS
    assert [error.place[1] for error in errors] == [MOST_SEGMENTS + 1, MOST_SEGMENTS + 2]


def test_it_refuses_other_words_and_indices_beyond() -> None:
    row = SourceSegment(7, "the dog", (0, 1))
    check_words(row, split_at_spaces("the dog"), "x")
    with pytest.raises(InputError, match=r"^x, line 7: the segment 'the dog' is not .*: 'a dog'"):
        check_words(row, split_at_spaces("a dog"), "x")
    with pytest.raises(InputError, match=r"^x, line 7: the token index 1 is beyond"):
        check_words(row, split_at_spaces("the"), "x")


@pytest.mark.shared
def test_the_segments_of_the_thesis_fit_its_tokens(shared: Path) -> None:
    # The sentences that have other tokens in SegRanks: ’s and the like are one.
    data = shared / "data" / "wmt14-en-cs"
    given = read_lines(data / "first-half" / "tokenised" / "source.txt")
    segments = read_source_segments(data / "first-half" / "source.segments")
    assert sum(map(len, segments.values())) == 4255
    refused = set()
    for number, (line, tokens) in enumerate(
        zip(read_lines(data / "source.txt"), given, strict=False), start=1
    ):
        for row in segments.get(number, []):
            check_words(row, split_at_spaces(tokens), "source.segments")
            try:
                check_words(row, tokenize(line, "en"), "source.segments")
            except InputError:
                refused.add(number)
    assert len(refused) <= 92
