"""Images, audio and video inside the sources of campaigns of Pearmut."""

from base64 import b64encode

import pytest

from annotation.formats.pearmut_media import taken_out
from tests.media_files import mp4, png, wav


def url(content: bytes) -> str:
    return f"data:image/any;base64,{b64encode(content).decode()}"


@pytest.mark.parametrize(
    ("source", "text", "names"),
    [
        (f'A house <img src="{url(png())}" alt="x">.', "A house .", ["3-1.png"]),
        (
            f"<video controls><source src='{url(mp4())}'></video>Hello "
            f'<audio src="{url(wav())}"></audio>',
            "Hello ",
            ["3-1.mp4", "3-2.wav"],
        ),
        (f'<img src="{url(png())}">', "[image]", ["3-1.png"]),
    ],
)
def test_media_with_their_content_are_taken_out(source: str, text: str, names: list[str]) -> None:
    found = taken_out(source, 3)
    assert found.text == text
    assert [medium.name for medium in found.media] == names


@pytest.mark.parametrize(
    "source",
    [
        "A house",
        '<img src="https://example.org/a.png"> A house',
        f'<img src="{url(b"<svg/>")}"> A house',
        '<img src="data:image/png;base64,A"> A house',
    ],
)
def test_what_has_no_content_that_can_be_used_stays_in_the_text(source: str) -> None:
    assert taken_out(source, 1) == (source, [])
