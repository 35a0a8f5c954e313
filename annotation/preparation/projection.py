"""Project segments to candidates, and merge identical candidates of several systems."""

from collections.abc import Collection, Iterable, Mapping

from annotation.formats.tokens import TokenizedText


def project_segment(
    positions: Collection[int], links: Iterable[tuple[int, int]], target: TokenizedText
) -> str:
    """Return the slice of the target that is linked to any of the source positions.

    Links are (source, target) pairs of 0-based positions. The result is "" if nothing visible is
    linked.
    """
    return visible(target.slice(sorted(linked(positions, links))))


def has_gap(positions: Collection[int], links: Iterable[tuple[int, int]]) -> bool:
    """Return whether the linked target tokens are not contiguous."""
    targets = linked(positions, links)
    return bool(targets) and max(targets) - min(targets) >= len(targets)


def visible(text: str) -> str:
    """Return the text if it has a visible character, else ""."""
    is_visible = any(character.isprintable() and not character.isspace() for character in text)
    return text if is_visible else ""


def merge(projected: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the systems of each unique candidate, given the candidate of each system.

    Only texts that are the same character for character are one candidate. Candidates and systems
    keep the order of their first occurrence. An empty text is not a candidate.
    """
    candidates: dict[str, list[str]] = {}
    for system, candidate in projected.items():
        if candidate:
            candidates.setdefault(candidate, []).append(system)
    return candidates


def linked(positions: Collection[int], links: Iterable[tuple[int, int]]) -> set[int]:
    """Return the target positions that are linked to any of the source positions."""
    wanted = set(positions)
    return {target for source, target in links if source in wanted}
