import gzip
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.plain_text import MAX_LINE_BYTES, read_lines, read_parallel


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo", ["one", "two"]),
        (b"\xef\xbb\xbfone\n", ["one"]),
        (b"\n\ntwo\n", ["", "", "two"]),
        ("a\u2028b\x0cc\x85d\x1ce\n".encode(), ["a\u2028b\x0cc\x85d\x1ce"]),
        (b"a\rb\n", ["a\rb"]),
        ("Příliš žluťoučký\n".encode(), ["Příliš žluťoučký"]),
    ],
)
def test_it_reads_lines(tmp_path: Path, content: bytes, lines: list[str]) -> None:
    assert list(read_lines(write(tmp_path / "text.txt", content))) == lines


@pytest.mark.parametrize("name", ["text.txt.gz", "text.txt"])
def test_it_detects_gzip_by_content(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, gzip.compress("jedna\ndvě\n".encode()))
    assert list(read_lines(path)) == ["jedna", "dvě"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (gzip.compress(b""), "is empty"),
        ("dvě\n".encode() + b"tw\xff\n", r"line 2: byte 3 of the line \(0xff\) is not UTF-8"),
        ("dvě\n".encode("utf-16"), "line 1: .* is not UTF-8"),
        (b"one\n\xc5", "line 2: .* is not UTF-8"),
        (b"one\na\0b\n", "line 2: there is a NUL"),
        (gzip.compress(b"one\ntwo\n" * 1000)[:-12], "damaged gzip"),
        (b"one\n" + b"x" * (MAX_LINE_BYTES + 1), "line 2: the line is longer"),
    ],
)
def test_it_refuses_a_broken_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = write(tmp_path / "broken.txt", content)
    with pytest.raises(InputError, match=message) as raised:
        list(read_lines(path))
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_it_refuses_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        list(read_lines(tmp_path / "nothing.txt"))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        list(read_lines(tmp_path))


def test_it_reads_parallel_texts(tmp_path: Path) -> None:
    paths = {
        "source": write(tmp_path / "en", b"one\ntwo\n"),
        "Alfa": write(tmp_path / "cs", gzip.compress(b"jedna\n\n")),
    }
    assert list(read_parallel(paths)) == [
        {"source": "one", "Alfa": "jedna"},
        {"source": "two", "Alfa": ""},
    ]


@pytest.mark.parametrize(("first", "second"), [(3, 1), (2, 5)])
def test_it_refuses_texts_of_different_lengths(tmp_path: Path, first: int, second: int) -> None:
    paths = {
        "source": write(tmp_path / "en", b"x\n" * first),
        "reference": write(tmp_path / "ref", b"x\n" * first),
        "Alfa": write(tmp_path / "cs", b"x\n" * second),
    }
    with pytest.raises(InputError) as raised:
        list(read_parallel(paths))
    message = str(raised.value)
    assert message.startswith(
        f"{paths['source']} ends with line {first} but {paths['Alfa']} with line {second}:"
    )
