"""From segments to candidates: what each system made of a segment, and who made the same."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from annotation.formats.segment_files import LONGEST_CANDIDATE


def project(
    indices: Collection[int], links: Iterable[tuple[int, int]], target_tokens: Sequence[str]
) -> str:
    """Return the target tokens linked to any of the source positions, in order, space-joined.

    Links are (source, target) pairs of 0-based positions; the result need not be contiguous
    in the target, and is "" where nothing is linked.
    """
    return " ".join(target_tokens[target] for target in sorted(_linked(indices, links)))


def has_gap(indices: Collection[int], links: Iterable[tuple[int, int]]) -> bool:
    """Say whether what is linked to the source positions is not all neighbours in the target."""
    linked = _linked(indices, links)
    return bool(linked) and max(linked) - min(linked) >= len(linked)


def project_visible(
    indices: Collection[int], links: Iterable[tuple[int, int]], target_tokens: Sequence[str]
) -> str:
    """Return what `project` returns, but "" where nobody could see it or it is beyond all bounds.

    Those are texts without a visible character, and hundreds of words linked to six: as good as
    nothing linked.
    """
    text = project(indices, links, target_tokens)
    visible = any(character.isprintable() and character != " " for character in text)
    return text if visible and len(text.encode()) <= LONGEST_CANDIDATE else ""


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


def _linked(indices: Collection[int], links: Iterable[tuple[int, int]]) -> set[int]:
    wanted = set(indices)
    return {target for source, target in links if source in wanted}
