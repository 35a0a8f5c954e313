import gzip
import io
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings as site
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.problems import Refused
from annotation.uploads import unpacking
from annotation.uploads.unpacking import Stored, store
from tests.annotation.uploads.upload_files import SOURCE, TEXTS, make_zip
from tests.media_files import png, wav
from tests.workbooks import workbook

LIMIT = 100_000


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[Path]:
    return (tmp_path / str(number) for number in count())


def taken(
    content: bytes, paths: Iterator[Path], name: str = "a.zip", limit: int = LIMIT
) -> list[Stored | Refused]:
    return list(store(name, io.BytesIO(content), lambda: next(paths), limit))


def refusal(content: bytes, paths: Iterator[Path], limit: int = LIMIT) -> str:
    with pytest.raises(Refused) as caught:
        taken(content, paths, limit=limit)
    return caught.value.problem.code


def test_a_text_is_stored_as_it_is(paths: Iterator[Path]) -> None:
    (stored,) = taken(SOURCE.encode(), paths, "source.txt")
    assert isinstance(stored, Stored)
    assert stored.path.read_text() == SOURCE
    assert (stored.name, stored.lines, stored.size) == ("source.txt", 2, len(SOURCE))


def test_a_gzip_is_unpacked(paths: Iterator[Path]) -> None:
    (stored,) = taken(gzip.compress(SOURCE.encode()), paths)
    assert isinstance(stored, Stored)
    assert stored.path.read_text() == SOURCE


def test_it_unpacks_the_texts_of_a_zip(paths: Iterator[Path]) -> None:
    clutter = {"__MACOSX/source.txt": "x", "systems/": "", "systems/.DS_Store": "x"}
    stored = taken(make_zip(TEXTS | clutter), paths)
    assert {one.name: one.path.read_text() for one in stored if isinstance(one, Stored)} == TEXTS


@pytest.mark.parametrize("name", ["../../evil.txt", "/etc/evil.txt", "C:\\evil.txt", "a/../b.txt"])
def test_a_name_is_never_a_path(paths: Iterator[Path], tmp_path: Path, name: str) -> None:
    (stored,) = taken(make_zip({name: "x\n"}), paths)
    assert isinstance(stored, Stored)
    assert stored.path.parent == tmp_path
    assert not list(tmp_path.parent.glob("evil*"))


def test_it_refuses_single_entries_that_are_no_text(paths: Iterator[Path]) -> None:
    content = make_zip(
        {"source.txt": SOURCE, "photo.heic": b"\0\0\0\x18ftypheic", "b.zip": make_zip({"x": "y"})}
    )
    stored, photo, inner = taken(content, paths)
    assert isinstance(stored, Stored)
    assert isinstance(photo, Refused)
    assert (photo.problem.code, photo.problem.file) == ("no-text", "photo.heic")
    assert isinstance(inner, Refused)
    assert inner.problem.code == "zip-in-zip"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"%PDF-1.7 ...", "no-text"),
        (b"some\0thing", "no-text"),
        ("text".encode("utf-16-le"), "no-text"),
        (gzip.compress(b"x" * 1000)[:-20], "gzip-damaged"),
        (b"\x1f\x8bnonsense", "gzip-damaged"),
        (gzip.compress(gzip.compress(b"x")), "no-text"),
        (b"PK\x03\x04nonsense", "zip-damaged"),
        (make_zip({}), "zip-empty"),
        (make_zip({"a.txt": "x" * 500})[:60], "zip-damaged"),
        (make_zip({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}), "no-text"),
        (make_zip({str(n): "x" for n in range(1001)}), "zip-entries"),
        (b"x" * (LIMIT + 1), "too-large"),
        (gzip.compress(b"x" * (LIMIT + 1)), "too-large-unpacked"),
        (b'{"campaign_id": "c", "data": []}', "campaign"),
        (make_zip({"bomb.txt": b"x" * (LIMIT + 1)}), "too-large-unpacked"),
        (make_zip({str(n): b"x" * (LIMIT // 3) for n in range(4)}), "too-large-unpacked"),
        (make_zip({"bomb.gz": gzip.compress(b"x" * (LIMIT + 1))}), "too-large-unpacked"),
    ],
)
def test_it_refuses_a_bad_file(paths: Iterator[Path], content: bytes, code: str) -> None:
    assert refusal(content, paths) == code


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("newstest2014-ref.cs.sgm", b"Ahoj.\n"),
        ("memory.TMX", b"Ahoj.\n"),
        ("lines.jsonl", b"Ahoj.\n"),
        ("a.txt", b'\xef\xbb\xbf<?xml version="1.0"?>\n<tmx version="1.4">\n'),
        ("a.txt", b'<refset trglang="cs" setid="x" srclang="any">\n'),
        ("a.txt", b'{"src": "Hello.", "tgt": "Ahoj."}\n{"src": "Bye.", "tgt": "Pa."}\n'),
    ],
)
def test_it_refuses_texts_with_markup(paths: Iterator[Path], name: str, content: bytes) -> None:
    (refused,) = taken(make_zip({name: content}), paths)
    assert isinstance(refused, Refused)
    assert (refused.problem.code, refused.problem.file) == ("markup", name)


@pytest.mark.parametrize("line", ["<b>Hello</b>", "{hello}", '{"a", "b"} is a set.', "<html5 tag"])
def test_sentences_may_have_tags_and_braces(paths: Iterator[Path], line: str) -> None:
    (stored,) = taken(f"{line}\nNext.\n".encode(), paths)
    assert isinstance(stored, Stored)


def test_it_does_not_trust_the_declared_size(paths: Iterator[Path], tmp_path: Path) -> None:
    content = bytearray(make_zip({"bomb.txt": b"x" * (LIMIT + 1)}))
    # The declared size stands in the table of contents.
    at = content.rfind(b"PK\x01\x02") + 24
    content[at : at + 4] = (10).to_bytes(4, "little")
    assert refusal(bytes(content), paths) in {"zip-damaged", "too-large-unpacked"}
    assert not list(tmp_path.iterdir())


def test_it_refuses_a_link_in_a_zip(paths: Iterator[Path]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("source.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert refusal(packed.getvalue(), paths) == "zip-link"


def test_it_refuses_a_zip_with_a_password(paths: Iterator[Path]) -> None:
    content = bytearray(make_zip({"a.txt": "x"}))
    content[content.rfind(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(content), paths) == "zip-encrypted"


def test_it_does_not_read_a_huge_table_of_contents(
    paths: Iterator[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "_LARGEST_TABLE", 100)
    assert refusal(make_zip({"x" * 200: "y"}), paths) == "zip-entries"


def test_it_does_not_read_a_huge_table_of_contents_behind_a_small_one(
    paths: Iterator[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    # `zipfile` believes the 64-bit record, which more than 65,535 entries need.
    content = bytearray(make_zip({str(number): "" for number in range(65_536)}))
    end = content.rfind(b"PK\x05\x06")
    content[end + 8 : end + 16] = struct.pack("<2HL", 1, 1, 50)
    monkeypatch.setattr(zipfile, "ZipFile", None)

    assert refusal(bytes(content), paths) == "zip-entries"


def test_a_spreadsheet_is_checked_as_a_zip_before_it_is_read(
    paths: Iterator[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [["source", "north"], ["Yes", "Ano" * 1000]]
    for content, code in [
        (make_zip({str(n): "x" for n in range(1001)}), "zip-entries"),
        (b"PK\x03\x04nonsense", "zip-damaged"),
        (workbook(rows)[:-50], "zip-damaged"),
    ]:
        with pytest.raises(Refused) as caught:
            taken(content, paths, "all.xlsx")
        assert caught.value.problem.code == code
    assert len(taken(workbook(rows), paths, "all.xlsx")) == 2
    monkeypatch.setattr(unpacking, "_LARGEST_SPREADSHEET", 10_000)
    with pytest.raises(Refused) as caught:
        taken(workbook(rows), paths, "all.xlsx")
    assert caught.value.problem.code == "too-large-unpacked"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_texts_of_a_table_count_against_the_limit(
    paths: Iterator[Path], tmp_path: Path
) -> None:
    # Packed, it has a few bytes.
    rows = [["source", "north"], *[["Yes", "Ano" * 1000]] * 50]
    with pytest.raises(Refused) as caught:
        taken(workbook(rows), paths, "all.xlsx", limit=LIMIT)
    assert caught.value.problem.code == "too-large"
    assert not list(tmp_path.iterdir())


def test_nothing_remains_of_a_refused_text(paths: Iterator[Path], tmp_path: Path) -> None:
    refusal(b"x" * (LIMIT + 1), paths)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_it_refuses_methods_that_unpack_in_one_piece(paths: Iterator[Path], method: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("source.txt", SOURCE)
    assert refusal(packed.getvalue(), paths) == "zip-damaged"


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_zip_is_refused_or_unpacked_within_the_limit(data: st.DataObject) -> None:
    content = bytearray(make_zip({"a.txt": SOURCE, "b.gz": gzip.compress(SOURCE.encode())}))
    for _change in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with tempfile.TemporaryDirectory() as folder:
        new_paths = (Path(folder) / str(number) for number in count())
        with suppress(Refused):
            texts = taken(bytes(content), new_paths)
            assert sum(text.size for text in texts if isinstance(text, Stored)) <= LIMIT
        kept = list(Path(folder).iterdir())
    assert len(kept) <= 2


def test_media_are_stored_as_they_are(
    paths: Iterator[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "MAX_MEDIUM_BYTES", len(wav()))
    picture, sound = taken(make_zip({"a/1.txt": png(), "2.wav": wav()}), paths)
    assert isinstance(picture, Stored)
    assert isinstance(sound, Stored)
    assert (picture.media_type, picture.path.read_bytes()) == ("image/png", png())
    assert (sound.media_type, sound.size) == ("audio/wav", len(wav()))
    monkeypatch.setattr(site, "MAX_MEDIUM_BYTES", len(wav()) - 1)
    (refused,) = taken(make_zip({"2.wav": wav()}), paths)
    assert isinstance(refused, Refused)
    assert refused.problem.file == "2.wav"
