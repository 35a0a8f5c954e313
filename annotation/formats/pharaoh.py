"""Word alignments as Pharaoh and Moses write them: "0-0 1-2 2-1", a sentence a line.

Stored links, and those of archives, tell besides in which direction an aligner found them.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

Link = tuple[int, int]

# At most six digits: no sentence is longer, and a larger number is not an index.
_LINK = re.compile(r"([0-9]{1,6})([-<>])([0-9]{1,6})")
_BOTH, _FORWARD, _REVERSE = "-", ">", "<"


class Links(NamedTuple):
    """The links of a sentence and its translation, as an aligner found them in each direction.

    `forward` has at most one link of each target token, `reverse` at most one of each source token.
    Links that have no direction, as those of files, are in both.
    """

    forward: tuple[Link, ...] = ()
    reverse: tuple[Link, ...] = ()

    @classmethod
    def without_direction(cls, links: Iterable[Link]) -> Self:
        known = tuple(sorted(links))
        return cls(known, known)

    @classmethod
    def stored(cls, text: str) -> Self:
        """Return the links of what `text` has written, sorted. Raise ValueError for other texts."""
        forward, reverse = set(), set()
        for word in text.split():
            match = _LINK.fullmatch(word)
            if match is None:
                raise ValueError(f"{word!r} is not a link")
            link = int(match[1]), int(match[3])
            if match[2] != _REVERSE:
                forward.add(link)
            if match[2] != _FORWARD:
                reverse.add(link)
        return cls(tuple(sorted(forward)), tuple(sorted(reverse)))

    @property
    def text(self) -> str:
        """The links as they are stored: "0-0 1>1 2<0", where > is forward only, < reverse only."""
        ahead, back = set(self.forward), set(self.reverse)
        return " ".join(
            f"{link[0]}{_BOTH if link in ahead & back else _FORWARD if link in ahead else _REVERSE}"
            f"{link[1]}"
            for link in sorted(ahead | back)
        )

    def require_inside(self, *, source_length: int, target_length: int, where: str) -> None:
        """Raise InputError for the first link that points beyond the tokens of its sentence."""
        for source, target in (*self.forward, *self.reverse):
            if source >= source_length or target >= target_length:
                raise InputError(
                    _(
                        "the link %(source)d-%(target)d points beyond the sentence, which has "
                        "%(source_tokens)d source and %(target_tokens)d target tokens (positions "
                        "count from 0); give links that belong to these tokens."
                    ),
                    where,
                    source=source,
                    target=target,
                    source_tokens=source_length,
                    target_tokens=target_length,
                )


def parse_links(line: str, where: str, *, one_way: bool = False) -> Links:
    """Return the links of a line of a file; an empty line has none.

    With `one_way`, links may have one direction, as archives write them. Raises InputError,
    beginning with `where` ("FILE, line 3"), for anything else.
    """
    for word in line.split():
        match = _LINK.fullmatch(word)
        if match is None or (match[2] != _BOTH and not one_way):
            raise InputError(
                _(
                    "%(word)r is not a link; write source-target positions that count from 0, such "
                    "as 0-0 1-2."
                ),
                where,
                word=word,
            )
    return Links.stored(line)
