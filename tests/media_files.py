"""Small images, audio and video, made without any program for them."""

import io
import struct
import wave
import zlib
from collections.abc import Iterator

from annotation.models import Media, Project
from annotation.projects.media import add_media


def png(width: int = 2, height: int = 2) -> bytes:
    """Return a grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + b"\x80" * width for _row in range(height))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def wav(seconds: float = 0.1) -> bytes:
    """Return silence."""
    written = io.BytesIO()
    with wave.open(written, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0" * int(8000 * seconds))
    return written.getvalue()


def mp3() -> bytes:
    """Return two frames of MPEG 1, layer III, of 128 kbit/s and 44.1 kHz."""
    return (b"\xff\xfb\x90\x00" + b"\0" * 413) * 2


def mp4(brand: bytes = b"isom") -> bytes:
    """Return the beginning of an ISO base media file."""
    return struct.pack(">I", 20) + b"ftyp" + brand + b"\0\0\0\0" + brand


def webm(kind: bytes = b"webm") -> bytes:
    """Return the header of a Matroska file."""
    document = b"\x42\x82" + bytes([0x80 | len(kind)]) + kind
    return b"\x1a\x45\xdf\xa3" + bytes([0x80 | len(document)]) + document


def opened(files: dict[str, bytes]) -> Iterator[tuple[str, io.BytesIO]]:
    """Yield the files as `add_media` takes them."""
    for name, content in files.items():
        yield name, io.BytesIO(content)


def with_media(project: Project, **files: bytes) -> list[Media]:
    """Add files to the project, "1.png" as `_1_png`."""
    named = {name.lstrip("_").replace("_", "."): content for name, content in files.items()}
    return add_media(project=project, files=opened(named))
