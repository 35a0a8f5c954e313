"""One alignment out of several: a vote of runs, and grow-diag-final of two directions."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

Link = tuple[int, int]

# Links are worked on as single numbers, target * _WIDTH + source: fast to hash, and in the
# order in which symal goes through them.
_WIDTH = 1 << 32
_NEIGHBOURS = (
    -_WIDTH, -1, _WIDTH, 1, -_WIDTH - 1, -_WIDTH + 1, _WIDTH - 1, _WIDTH + 1,
)  # fmt: skip

# Votes for a link that outweigh one vote for none.
_OUTWEIGHS = 0.6


def vote(runs: Sequence[Iterable[Link]], *, of_targets: bool) -> list[Link]:
    """Return the link of each token on which most runs of one direction agree, sorted.

    With `of_targets` each run gives every target token at most one source token, else every
    source token at most one target token. Among equals that of the earliest run is taken. A
    token stays without a link where the votes for its best one are under 0.6 of the runs that
    gave it none.
    """
    token = 1 if of_targets else 0
    found: dict[int, list[Link]] = {}
    for links in runs:
        for link in links:
            found.setdefault(link[token], []).append(link)
    chosen = []
    for links in found.values():
        best = max(links, key=links.count)
        if links.count(best) >= _OUTWEIGHS * (len(runs) - len(links)):
            chosen.append(best)
    return sorted(chosen)


def grow_diag_final(forward: Iterable[Link], reverse: Iterable[Link]) -> list[Link]:
    """Return the symmetrised (source, target) links, sorted.

    `forward` gives every target token at most one source token, `reverse` every source token
    at most one target token. Starting from their intersection, links of their union are
    added that neighbour a link and cover a new token (grow-diag), then any that cover a new
    token, forward before reverse (final). Source: Moses, symal.cpp.
    """
    ahead = {target * _WIDTH + source for source, target in forward}
    back = {target * _WIDTH + source for source, target in reverse}
    links = sorted(ahead & back)
    left = ahead ^ back
    if left:
        sources = {link % _WIDTH for link in links}
        targets = {link // _WIDTH for link in links}
        _grow(links, left, sources, targets)
        for direction in (ahead, back):
            _cover(links, sorted(left & direction), sources, targets)
    return sorted((link % _WIDTH, link // _WIDTH) for link in links)


def _grow(links: list[int], left: set[int], sources: set[int], targets: set[int]) -> None:
    """Go through the links, those added on the way included, until none is added."""
    added = True
    while added and left:
        added = False
        at = 0
        while at < len(links):
            here = links[at]
            for step in _NEIGHBOURS:
                link = here + step
                if link in left and _is_new(link, sources, targets):
                    left.discard(link)
                    insort(links, link)
                    added = True
            at = bisect_left(links, here) + 1


def _cover(links: list[int], more: list[int], sources: set[int], targets: set[int]) -> None:
    links.extend(link for link in more if _is_new(link, sources, targets))


def _is_new(link: int, sources: set[int], targets: set[int]) -> bool:
    """Say whether a link covers a token that none has covered, and note that it now does."""
    target, source = divmod(link, _WIDTH)
    if source in sources and target in targets:
        return False
    sources.add(source)
    targets.add(target)
    return True


# The tokens of a source sentence and of one translation.
Pair = tuple[list[str], list[str]]


def links_to_text(links: Iterable[Link]) -> str:
    """Write links as they are stored and as Pharaoh files hold them: "0-0 1-2"."""
    return " ".join(f"{source}-{target}" for source, target in links)


def links_from_text(text: str) -> list[Link]:
    """Read what `links_to_text` wrote. Raises ValueError for anything else."""
    pairs = (word.split("-") for word in text.split())
    return [(int(source), int(target)) for source, target in pairs]


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
