"""One alignment out of several: a vote of runs, and grow-diag-final of two directions."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence

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
