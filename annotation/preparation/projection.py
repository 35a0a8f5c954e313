"""From segments to candidates: what each system made of a segment, and who made the same."""

from collections.abc import Collection, Iterable, Mapping, Sequence

# In bytes of UTF-8: PostgreSQL indexes no longer text, and the index keeps candidates unique.
LONGEST_CANDIDATE = 2600


def project(
    indices: Collection[int], links: Iterable[tuple[int, int]], target_tokens: Sequence[str]
) -> str:
    """Return the target tokens linked to any of the source positions, in order, space-joined.

    Links are (source, target) pairs of 0-based positions; the result need not be contiguous
    in the target, and is "" where nothing is linked.
    """
    wanted = set(indices)
    linked = sorted({target for source, target in links if source in wanted})
    return " ".join(target_tokens[target] for target in linked)


def merge(projected: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the systems that share each candidate, from what each system projected.

    Candidates and systems keep the order of first appearance; nothing projected is no
    candidate.
    """
    candidates: dict[str, list[str]] = {}
    for system, candidate in projected.items():
        if candidate:
            candidates.setdefault(candidate, []).append(system)
    return candidates
