"""Word links: votes, symmetrisation (grow-diag-final), and aligners' files."""

from array import array
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pharaoh import Link, Links

# A link is handled as one number, target * _WIDTH + source, which is fast to hash and sorts in the
# order of symal.
_WIDTH = 1 << 32
_NEIGHBOURS = (
    -_WIDTH, -1, _WIDTH, 1, -_WIDTH - 1, -_WIDTH + 1, _WIDTH - 1, _WIDTH + 1,
)  # fmt: skip

# The votes for a link that outweigh one vote for none.
_OUTWEIGHS = 0.6


def vote(runs: Sequence[Iterable[Link]], *, of_targets: bool) -> list[Link]:
    """Return the link of each token for which most runs of one direction vote, sorted.

    With `of_targets` each run links every target token to at most one source token, else every
    source token to at most one target token. In a tie the earliest run wins. A token has no link
    if the votes for its best one are fewer than 0.6 times the runs that gave it none.
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


def grow_diag_final(found: Links) -> list[Link]:
    """Return the symmetrised (source, target) links, sorted; links without direction are all kept.

    Starting from their intersection, links of their union are added
    that are next to a link and cover a new token (grow-diag), then all that cover a new token,
    forward before reverse (final). Source: Moses, symal.cpp.
    """
    if found.forward == found.reverse:
        return sorted(found.forward)
    ahead = {target * _WIDTH + source for source, target in found.forward}
    back = {target * _WIDTH + source for source, target in found.reverse}
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
    """Visit the links, including those added meanwhile, until none is added."""
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
    """Return whether a link covers a new token, and mark its tokens as covered."""
    target, source = divmod(link, _WIDTH)
    if source in sources and target in targets:
        return False
    sources.add(source)
    targets.add(target)
    return True


# The tokens of a source sentence and of one translation.
Pair = tuple[list[str], list[str]]


# eflomal skips longer sentences.
_LONGEST = 1023
# The place of a pair that cannot be aligned.
_NOWHERE = -1


def write_pairs(pairs: Iterable[Pair], source_path: Path, target_path: Path) -> "array[int]":
    """Append each distinct pair that can be aligned to the files, as one line in each.

    Returns for each pair the line where it is, from 0, for `in_order`. Of each distinct pair, only
    a digest is in memory.
    """
    places = array("q")
    known: dict[bytes, int] = {}
    with (
        source_path.open("a", encoding="utf-8") as sources,
        target_path.open("a", encoding="utf-8") as targets,
    ):
        for source, target in pairs:
            if not (0 < len(source) <= _LONGEST and 0 < len(target) <= _LONGEST):
                places.append(_NOWHERE)
                continue
            lines = aligned_lines((source, target))
            digest = blake2b("".join(lines).encode(), digest_size=16).digest()
            if digest not in known:
                known[digest] = len(known)
                sources.write(lines[0])
                targets.write(lines[1])
            places.append(known[digest])
    return places


def distinct_pairs(places: "array[int]") -> int:
    """Return how many lines `write_pairs` has written."""
    return max(places, default=_NOWHERE) + 1


def in_order(places: "array[int]", links: Iterator[Links]) -> Iterator[Links]:
    """Yield the links of every pair, given those of every line that `write_pairs` has written.

    In memory are the links of pairs that come again.
    """
    uses = Counter(places)
    kept: dict[int, Links] = {}
    try:
        for place in places:
            uses[place] -= 1
            if place == _NOWHERE:
                yield Links()
                continue
            found = kept.pop(place) if place in kept else next(links)
            if uses[place]:
                kept[place] = found
            yield found
    except StopIteration:
        raise InputError(_("The aligner left sentences out: run the preparation again.")) from None


def aligned_lines(pair: Pair) -> tuple[str, str]:
    """Return a pair as lines for an aligner; pairs with equal lines get equal links."""
    source, target = pair
    return _token_line(source), _token_line(target)


def _token_line(tokens: list[str]) -> str:
    return " ".join(_word(token) for token in tokens) + "\n"


def _word(token: str) -> str:
    """Return a token for an aligner: lowercased, without spaces, never its separator."""
    word = "_".join(token.lower().split()) or "_"
    return "_" if word == "|||" else word
