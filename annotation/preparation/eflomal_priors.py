"""What eflomal has learned of a text, kept so that another translation can be aligned alone."""

import zlib
from itertools import islice
from pathlib import Path
from typing import IO

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _


def pack_priors(learned: Path, sources: Path, own_lines: int, out: IO[bytes]) -> None:
    """Write to `out`, compressed, those lines of a priors file that can matter again.

    `learned` is what eflomal-makepriors wrote: tab-separated counts of word pairs (LEX), of how
    many words a word is linked to (FERF of source words, FERR of target words, which all come
    after LEX) and of jumps. Only the first `own_lines` of `sources` are ever translated again:
    what the rest taught about other source words is left out.
    """
    with sources.open(encoding="utf-8") as lines:
        source_words = {word for line in islice(lines, own_lines) for word in line.split()}
    target_words: set[str] = set()
    packing = zlib.compressobj(9)
    with learned.open(encoding="utf-8") as counts:
        for line in counts:
            kind, word, *rest = line.split("\t")
            if kind in ("LEX", "FERF"):
                matters = word in source_words
            else:
                matters = kind != "FERR" or word in target_words
            if kind == "LEX" and matters:
                target_words.add(rest[0])
            if matters:
                out.write(packing.compress(line.encode()))
    out.write(packing.flush())


def unpack_priors(packed: bytes) -> bytes:
    """Return the priors file that `pack_priors` packed. Raises InputError where it is damaged."""
    try:
        return zlib.decompress(packed)
    except zlib.error as problem:
        raise InputError(
            _(
                "The priors kept with the project are damaged (%(reason)s): align the whole "
                "project anew."
            ),
            reason=str(problem),
        ) from problem
