"""Project segments to candidates, and merge identical candidates of several systems."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.segment_files import LONGEST_CANDIDATE
from annotation.formats.sentence_limits import MOST_TOKENS_OF_SEGMENT, check_whole_sentence


def project(
    indices: Collection[int], links: Iterable[tuple[int, int]], target_tokens: Sequence[str]
) -> str:
    """Return the target tokens linked to any of the source positions, in order, space-joined.

    Links are (source, target) pairs of 0-based positions. The result may have gaps in the target,
    and is "" if nothing is linked.
    """
    return " ".join(target_tokens[target] for target in sorted(linked(indices, links)))


def has_gap(indices: Collection[int], links: Iterable[tuple[int, int]]) -> bool:
    """Return whether the linked target tokens are not contiguous."""
    targets = linked(indices, links)
    return bool(targets) and max(targets) - min(targets) >= len(targets)


def project_visible(
    indices: Collection[int], links: Iterable[tuple[int, int]], target_tokens: Sequence[str]
) -> str:
    """Return the result of `project`, or "" if it has no visible character or is far too long.

    A text beyond LONGEST_CANDIDATE means that hundreds of words are linked to one segment.
    """
    text = project(indices, links, target_tokens)
    return text if _is_visible(text) and len(text.encode()) <= LONGEST_CANDIDATE else ""


def whole_translation(target_tokens: Sequence[str], sentence: int) -> str:
    """Return the candidate for a whole sentence, "" if it has no visible character.

    Raises InputError, with the number of the sentence, beyond LONGEST_CANDIDATE.
    """
    text = " ".join(target_tokens)
    if len(text.encode()) > LONGEST_CANDIDATE:
        raise InputError(
            _(
                "A translation of sentence %(sentence)d is longer than %(most)d bytes, so it "
                "cannot be ranked as a whole: divide the sentence."
            ),
            sentence=sentence,
            most=LONGEST_CANDIDATE,
        )
    return text if _is_visible(text) else ""


def check_whole_texts(
    source: str,
    translation: str,
    number: int,
    *,
    source_tokens: Callable[[str], list[str]],
    target_tokens: Callable[[str], list[str]],
) -> None:
    """Raise InputError where the sentence of this number, or a translation of it, is too long.

    Short texts are not tokenised.
    """
    if len(source) > MOST_TOKENS_OF_SEGMENT:
        check_whole_sentence(len(source_tokens(source)), number)
    # Tokens of one character each are joined by as many spaces.
    if 2 * len(translation.encode()) > LONGEST_CANDIDATE:
        whole_translation(target_tokens(translation), number)


def _is_visible(text: str) -> bool:
    return any(character.isprintable() and character != " " for character in text)


def merge(projected: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the systems of each unique candidate, given the candidate of each system.

    Candidates and systems keep the order of their first occurrence. An empty text is not a
    candidate.
    """
    candidates: dict[str, list[str]] = {}
    for system, candidate in projected.items():
        if candidate:
            candidates.setdefault(candidate, []).append(system)
    return candidates


def linked(indices: Collection[int], links: Iterable[tuple[int, int]]) -> set[int]:
    """Return the target positions that are linked to any of the source positions."""
    wanted = set(indices)
    return {target for source, target in links if source in wanted}
