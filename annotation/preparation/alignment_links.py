"""Links between the words of two sentences, and the text that they are stored as."""

from collections.abc import Iterable

from annotation.preparation.symmetrization import Link

# The tokens of a source sentence and of one translation.
Pair = tuple[list[str], list[str]]


def links_to_text(links: Iterable[Link]) -> str:
    """Write links as they are stored and as Pharaoh files hold them: "0-0 1-2"."""
    return " ".join(f"{source}-{target}" for source, target in links)


def links_from_text(text: str) -> list[Link]:
    """Read what `links_to_text` wrote. Raises ValueError for anything else."""
    pairs = (word.split("-") for word in text.split())
    return [(int(source), int(target)) for source, target in pairs]
