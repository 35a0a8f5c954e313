"""Files in parts, as RFC 9110 says."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files import File
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import RequestFactory

from annotation.web.ranged_files import ranged_file

CONTENT = b"0123456789"
TAG = '"v1"'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    return path


def ask(path: Path, method: str = "get", **headers: str) -> HttpResponseBase:
    named: dict[str, Any] = {name.replace("_", "-"): value for name, value in headers.items()}
    request = getattr(RequestFactory(), method)("/", headers=named)
    return ranged_file(request, File(path.open("rb")), media_type="video/mp4", version="v1")


def body(answer: HttpResponseBase) -> bytes:
    if isinstance(answer, StreamingHttpResponse):
        return b"".join(answer)
    return answer.content  # type: ignore[attr-defined, no-any-return]


def test_the_whole_file_says_that_it_comes_in_parts_too(path: Path) -> None:
    answer = ask(path)
    assert (answer.status_code, body(answer)) == (200, CONTENT)
    expected = {
        "Content-Length": "10",
        "Content-Type": "video/mp4",
        "Accept-Ranges": "bytes",
        "ETag": TAG,
        "Content-Disposition": "inline",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
    }
    assert {name: answer.headers[name] for name in expected} == expected
    assert "Content-Range" not in answer.headers


@pytest.mark.parametrize(
    ("asked", "part", "place"),
    [
        ("bytes=0-3", b"0123", "0-3"),
        ("bytes=0-0", b"0", "0-0"),
        ("bytes=7-", b"789", "7-9"),
        ("bytes=7-99", b"789", "7-9"),
        ("bytes=-2", b"89", "8-9"),
        ("bytes=-99", CONTENT, "0-9"),
    ],
)
def test_a_range_is_a_part(path: Path, asked: str, part: bytes, place: str) -> None:
    answer = ask(path, Range=asked)
    assert (answer.status_code, body(answer)) == (206, part)
    assert answer.headers["Content-Range"] == f"bytes {place}/10"
    assert answer.headers["Content-Length"] == str(len(part))
    assert answer.headers["Content-Type"] == "video/mp4"


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=10-20", "bytes=-0"])
def test_a_range_beyond_the_file_is_refused_with_its_size(path: Path, asked: str) -> None:
    answer = ask(path, Range=asked)
    assert (answer.status_code, body(answer)) == (416, b"")
    assert answer.headers["Content-Range"] == "bytes */10"


@pytest.mark.parametrize(
    "asked",
    ["bytes=5-2", "bytes=-", "lines=0-3", "bytes=0-1,4-5", "bytes=a-b", "bytes=" + "9" * 30],
)
def test_what_is_no_single_range_gets_the_whole_file(path: Path, asked: str) -> None:
    answer = ask(path, Range=asked)
    assert (answer.status_code, body(answer)) == (200, CONTENT)


def test_if_range_gives_a_part_of_the_same_version_only(path: Path) -> None:
    assert body(ask(path, Range="bytes=0-3", If_Range=TAG)) == b"0123"
    for other in ('"v0"', 'W/"v1"', "Wed, 21 Oct 2015 07:28:00 GMT"):
        answer = ask(path, Range="bytes=0-3", If_Range=other)
        assert (answer.status_code, body(answer)) == (200, CONTENT)


@pytest.mark.parametrize("kept", [TAG, f'"v0", {TAG}', f"W/{TAG}", "*"])
def test_a_version_that_the_browser_has_is_not_sent_again(path: Path, kept: str) -> None:
    answer = ask(path, If_None_Match=kept, Range="bytes=0-3")
    assert (answer.status_code, body(answer)) == (304, b"")
    assert answer.headers["ETag"] == TAG


def test_another_version_is_sent(path: Path) -> None:
    assert ask(path, If_None_Match='"v0"').status_code == 200


def test_head_has_the_headers_of_the_whole_file_and_no_body(path: Path) -> None:
    answer = ask(path, "head", Range="bytes=0-3")
    assert (answer.status_code, body(answer)) == (200, b"")
    assert answer.headers["Content-Length"] == "10"


def test_there_is_no_answer_without_a_file(path: Path) -> None:
    path.unlink()
    with pytest.raises(FileNotFoundError):
        ask(path)
