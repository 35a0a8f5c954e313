"""Images, audio and video inside the sources of a campaign of Pearmut, which shows HTML."""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from annotation.formats.media_files import HEAD, media_type

# One that only refers to a file elsewhere is found, too.
MEDIA = re.compile(r"<(?:img|audio|video|iframe|embed)\b", re.IGNORECASE)
_ELEMENT = re.compile(r"<img\b[^>]*>|<(audio|video)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_EMBEDDED = re.compile(
    r"""\bsrc\s*=\s*["']?data:[^"',>]*;base64,([A-Za-z0-9+/=\s]+)""", re.IGNORECASE
)


class EmbeddedMedium(NamedTuple):
    """A medium beside a line; its name begins with the line's number."""

    name: str
    content: bytes


class SourceWithMedia(NamedTuple):
    """The text of a source without its embedded media, and those."""

    text: str
    media: list[EmbeddedMedium]


def taken_out(source: str, line: int) -> SourceWithMedia:
    """Return the source of this line without the media whose content it has.

    Media that are elsewhere, or of a type that cannot be used, stay in the text. A source that has
    no text besides is called by what it has, such as "[video]".
    """
    media: list[EmbeddedMedium] = []
    kinds: list[str] = []

    def take(element: re.Match[str]) -> str:
        found = _EMBEDDED.search(element[0])
        try:
            content = b64decode(found[1]) if found else b""
        except binascii.Error:
            content = b""
        kind = media_type(content[:HEAD])
        if kind is None:
            return element[0]
        kinds.append(kind.partition("/")[0])
        name = f"{line}-{len(kinds)}.{kind.partition('/')[2]}"
        media.append(EmbeddedMedium(name, content))
        return ""

    text = _ELEMENT.sub(take, source)
    return SourceWithMedia(text if text.strip() else " ".join(f"[{one}]" for one in kinds), media)


@contextmanager
def media_files(media: Sequence[EmbeddedMedium]) -> Iterator[list[tuple[str, Path]]]:
    """Write the media into a temporary folder, and yield their names and paths."""
    with TemporaryDirectory(prefix="pearmut-") as folder:
        files = [(one.name, Path(folder, one.name)) for one in media]
        for one, (_name, path) in zip(media, files, strict=True):
            path.write_bytes(one.content)
        yield files
