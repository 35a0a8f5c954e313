"""The files that programs which align words read: a sentence a line, words as they count them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.preparation.alignment_links import Pair
from annotation.preparation.symmetrization import Link

# eflomal leaves longer sentences out (1023 tokens is the most it takes).
_LONGEST = 1023


def write_pairs(pairs: Iterable[Pair], source_path: Path, target_path: Path) -> bytearray:
    """Append the pairs that can be aligned, and return for every pair whether it was one."""
    usable = bytearray()
    with (
        source_path.open("a", encoding="utf-8") as sources,
        target_path.open("a", encoding="utf-8") as targets,
    ):
        for source, target in pairs:
            alignable = 0 < len(source) <= _LONGEST and 0 < len(target) <= _LONGEST
            usable.append(alignable)
            if alignable:
                sources.write(_line(source))
                targets.write(_line(target))
    return usable


def in_order(usable: bytearray, links: Iterator[list[Link]]) -> Iterator[list[Link]]:
    """Yield the links of every pair: those of the next line where it was written, else none."""
    try:
        for alignable in usable:
            yield next(links) if alignable else []
    except StopIteration:
        raise InputError(_("The aligner left sentences out: run the preparation again.")) from None


def _line(tokens: list[str]) -> str:
    return " ".join(_word(token) for token in tokens) + "\n"


def _word(token: str) -> str:
    """Return a token as aligners count it: lowercased, one word, never their separator."""
    word = "_".join(token.lower().split()) or "_"
    return "_" if word == "|||" else word
