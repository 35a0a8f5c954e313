"""Images, audio and video beside a source: their types by content, and the lines they belong to."""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import read_lines

LONGEST_NAME: Final = 200
# Media beside one line: more would hide the text.
MOST_OF_LINE: Final = 8
# Bytes that tell the type of a file.
HEAD: Final = 4096
# The types that browsers show or play without a plug-in, and run no script of.
MEDIA_TYPES: Final = frozenset(
    {
        *("image/png", "image/jpeg", "image/webp", "image/gif"),
        *("audio/mpeg", "audio/wav", "audio/ogg", "audio/mp4"),
        *("video/mp4", "video/webm"),
    }
)
# Of content, in hexadecimal digits.
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\0]*\S[^\0]*\Z")]


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """How long an annotator played a file before a submission, as files and the API have it.

    To go on after a pause is no new one of the `plays`.
    """

    name: Name
    sha256: Sha256
    seconds: Annotated[float, Meta(ge=0)]
    plays: Annotated[int, Meta(ge=1, le=2**31 - 1)]


_STARTS: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
# The brand of an ISO base media file; QuickTime, HEIC and AVIF have others.
_BRANDS: Final = {
    **dict.fromkeys((b"M4A ", b"M4B "), "audio/mp4"),
    **dict.fromkeys(
        (b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"dash"),
        "video/mp4",
    ),
}
_EBML: Final = b"\x1a\x45\xdf\xa3"
_WEBM: Final = re.compile(rb"\x42\x82(?:[\x80-\x8f]|\x40.|\x01.{7})webm", re.S)
_OGG: Final = b"OggS"
# Headers of the streams of an Ogg file that has only sound.
_OGG_AUDIO: Final = (b"\x01vorbis", b"OpusHead", b"\x7fFLAC", b"Speex   ")
_OGG_VIDEO: Final = b"\x80theora"
# The tag before the first frame of an MP3, whose version and size are in this range.
_ID3: Final = re.compile(rb"ID3[\x02-\x04][^\xff][\x00-\xff][\x00-\x7f]{4}", re.S)

# "12.mp4", "012-2.png", "12 a street.jpg".
_LINE_IN_NAME: Final = re.compile(r"0*([1-9][0-9]{0,8})(?:[-_ ].*)?", re.S)
_LINE: Final = re.compile(r"0*[1-9][0-9]{0,8}")

NO_MEDIUM: Final = _(
    "the content is of none of the types that can be used: give PNG, JPEG, WebP, GIF, MP3, WAV, "
    "OGG, M4A, MP4 or WebM."
)
TOO_LARGE: Final = _("the file has more than %(limit)d MB: give a smaller one.")
NO_LINE: Final = _(
    "the name does not begin with the number of a line, as 12.mp4 and 12-2.png do: rename the "
    "file, or give a table with the line of each file."
)


def media_type(head: bytes) -> str | None:
    """Return the type of the file that begins with these bytes, None for one that is refused.

    Names and endings do not matter. Gives `HEAD` bytes, or the whole of a shorter file. Refused are
    all that browsers do not show by themselves, and markup (SVG, HTML), which can have scripts.
    """
    for start, found in _STARTS.items():
        if head.startswith(start):
            return found
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12])
    if head.startswith(_EBML):
        return "video/webm" if _WEBM.search(head) else None
    if head.startswith(_OGG):
        has_sound = any(stream in head for stream in _OGG_AUDIO)
        return "audio/ogg" if has_sound and _OGG_VIDEO not in head else None
    return "audio/mpeg" if _ID3.match(head) or _is_frame(head) else None


def _is_frame(head: bytes) -> bool:
    """Return whether these bytes begin a frame of MPEG audio, layer III, that another follows."""
    size = _frame_size(head)
    return size is not None and (len(head) <= size or _frame_size(head[size:]) is not None)


def _frame_size(frame: bytes) -> int | None:
    """Return how many bytes a frame of layer III has, None if these do not begin one."""
    if len(frame) < 4 or frame[0] != 0xFF or frame[1] & 0xE0 != 0xE0:
        return None
    version, layer = frame[1] >> 3 & 3, frame[1] >> 1 & 3
    rate, frequency, padding = frame[2] >> 4, frame[2] >> 2 & 3, frame[2] >> 1 & 1
    if version == 1 or layer != 1 or rate in (0, 15) or frequency == 3:
        return None
    first = version == 3
    kilobits = (_RATES_1 if first else _RATES_2)[rate]
    hertz = (44_100, 48_000, 32_000)[frequency] // (1 if first else 2 if version == 2 else 4)
    return (144_000 if first else 72_000) * kilobits // hertz + padding


# By the number in the header, of MPEG 1 and of MPEG 2 and 2.5.
_RATES_1: Final = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_RATES_2: Final = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)


def line_in_name(name: str) -> int | None:
    """Return the line of the source that the name of a file begins with, None if with none."""
    stem = re.split(r"[/\\]", name)[-1].rpartition(".")[0]
    found = _LINE_IN_NAME.fullmatch(stem)
    return int(found[1]) if found else None


def read_media_table(path: Path) -> dict[str, list[int]]:
    """Return the lines of the source by the name of a file, from a table of lines and names.

    Each line of the table has the number of a line, a tab, and the name of a file. A file can be
    beside several lines, and a line can have several files. Raises InputError, with file and line.
    """
    lines: dict[str, list[int]] = {}
    for number, text in enumerate(read_lines(path), start=1):
        where = f"{path}, line {number}"
        line, tab, name = text.partition("\t")
        if not tab or "\t" in name or not name.strip() or not _LINE.fullmatch(line.strip()):
            raise InputError(
                _("expected the number of a line of the source, a tab, and the name of a file."),
                where,
            )
        of_file = lines.setdefault(name.strip(), [])
        if int(line) in of_file:
            raise InputError(
                _("the file %(name)s is beside line %(line)d already: leave out one of the two."),
                where,
                name=name.strip(),
                line=int(line),
            )
        of_file.append(int(line))
    return lines


def lines_of_media(
    names: Sequence[str],
    table: Mapping[str, Collection[int]] | None,
    on_error: OnError,
    also_given: Collection[str] = (),
) -> dict[str, Collection[int]]:
    """Return the lines of the source by the names of files.

    `table` has them by name, and names exactly these files and those `also_given`, whose lines are
    known; without it, a name begins with its line. Reports each name that is left without a line,
    recurs, or is only in the table.
    """
    lines: dict[str, Collection[int]] = {}
    for name, count in Counter(names).items():
        if count > 1:
            on_error(InputError(_("two files have this name: rename one of them."), name))
        if table is None:
            line = line_in_name(name)
            if line is None:
                on_error(InputError(NO_LINE, name))
            lines[name] = [line] if line else []
        else:
            if name not in table:
                on_error(
                    InputError(_("the table does not name this file: add a line for it."), name)
                )
            lines[name] = table.get(name, [])
    for name in sorted((table or {}).keys() - {*names, *also_given}):
        on_error(
            InputError(
                _("the table names this file, which was not given: add it, or leave out its line."),
                name,
            )
        )
    return lines


def check_lines_of_media(
    places: Iterable[tuple[str, int]],
    known: Container[int],
    on_error: OnError,
    stored: Mapping[int, int] | None = None,
) -> None:
    """Report each (name, line) whose line is not a `known` one, or has too many media.

    `stored` counts, by line, the media that it has besides.
    """
    counts = Counter(stored)
    for name, line in places:
        counts[line] += 1
        if line not in known:
            on_error(InputError(_("the source has no text in line %(line)d."), name, line=line))
        elif counts[line] > MOST_OF_LINE:
            on_error(
                InputError(
                    _("with this file, line %(line)d would have more than %(most)d media."),
                    name,
                    line=line,
                    most=MOST_OF_LINE,
                )
            )
