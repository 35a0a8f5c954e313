"""Which contents are media, and the lines that their names and tables say."""

import gzip
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.media_files import line_in_name, media_type, read_media_table
from tests import media_files as made

OGG = b"OggS\0\x02" + b"\0" * 22


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (made.png(), "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"),
        (b"GIF89a\x01\0\x01\0", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (made.wav(), "audio/wav"),
        (made.mp3(), "audio/mpeg"),
        (b"ID3\x03\0\0\0\0\0\x0a" + made.mp3(), "audio/mpeg"),
        (OGG + b"\x01vorbis", "audio/ogg"),
        (OGG + b"OpusHead", "audio/ogg"),
        (made.mp4(b"M4A "), "audio/mp4"),
        (made.mp4(), "video/mp4"),
        (made.webm(), "video/webm"),
    ],
)
def test_it_knows_a_type_by_its_content(content: bytes, expected: str) -> None:
    assert media_type(content[:4096]) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"the old house",
        b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
        b'<?xml version="1.0"?><svg/>',
        b"<!doctype html><html></html>",
        b"%PDF-1.7",
        b"MZ\x90\0",
        gzip.compress(made.png()),
        # HEIC, AVIF and QuickTime, which not all browsers show.
        made.mp4(b"heic"),
        made.mp4(b"avif"),
        made.mp4(b"qt  "),
        # Matroska of other programs, and Ogg with a film.
        made.webm(b"matroska"),
        OGG + b"\x80theora",
        # A text in UTF-16, and one about tags.
        "ÿ".encode("utf-16"),
        b"\xff\xfet\0h\0e\0",
        b"ID3 tags are old",
        b"RIFF\x24\0\0\0AVI LIST",
        # One frame, and then something else.
        made.mp3()[:417] + b"<script>" * 10,
    ],
)
def test_it_refuses_other_contents(content: bytes) -> None:
    assert media_type(content) is None


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("12.mp4", 12),
        ("0012.png", 12),
        ("12-2.png", 12),
        ("12 the street.jpg", 12),
        ("media/12_a.png", 12),
        ("12a.png", None),
        ("street.png", None),
        ("0.png", None),
        ("12", None),
        ("1234567890.png", None),
    ],
)
def test_a_name_begins_with_its_line(name: str, line: int | None) -> None:
    assert line_in_name(name) == line


def test_a_table_has_the_lines_of_each_file(tmp_path: Path) -> None:
    table = tmp_path / "lines.tsv"
    table.write_text("1\ta.png\n2\tfilm.mp4\n03\tfilm.mp4\n1\tb.png\n", encoding="utf-8")
    assert read_media_table(table) == {"a.png": [1], "film.mp4": [2, 3], "b.png": [1]}


@pytest.mark.parametrize(
    "text", ["a.png", "1\t", "x\ta.png", "0\ta.png", "1\ta.png\textra", "1\ta.png\n1\ta.png", ""]
)
def test_it_refuses_a_line_of_a_table_with_its_place(tmp_path: Path, text: str) -> None:
    table = tmp_path / "lines.tsv"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_media_table(table)
    assert str(table) in str(refused.value)
