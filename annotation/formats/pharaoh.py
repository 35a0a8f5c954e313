"""Word alignments as Pharaoh and Moses write them: "0-0 1-2 2-1", a sentence a line."""

import re
from collections.abc import Iterable

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

Link = tuple[int, int]

# At most six digits: no sentence is longer, and a larger number is not an index.
_LINK = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")


def parse_links(line: str, where: str) -> list[Link]:
    """Return the links of a line: (source, target) pairs of 0-based positions, sorted.

    An empty line has none. Raises InputError, beginning with `where` ("FILE, line 3"), for
    anything else.
    """
    return sorted({_link(word, where) for word in line.split()})


def require_inside(
    links: Iterable[Link], *, source_length: int, target_length: int, where: str
) -> None:
    """Raise InputError for the first link that points beyond the tokens of its sentence."""
    for source, target in links:
        if source >= source_length or target >= target_length:
            raise InputError(
                _(
                    "the link %(source)d-%(target)d points beyond the sentence, which has "
                    "%(source_tokens)d source and %(target_tokens)d target tokens (positions count "
                    "from 0); give links that belong to these tokens."
                ),
                where,
                source=source,
                target=target,
                source_tokens=source_length,
                target_tokens=target_length,
            )


def _link(word: str, where: str) -> Link:
    match = _LINK.fullmatch(word)
    if match is None:
        raise InputError(
            _(
                "%(word)r is not a link; write source-target positions that count from 0, such as "
                "0-0 1-2."
            ),
            where,
            word=word,
        )
    return int(match[1]), int(match[2])
