"""Candidates of new systems for segments of a project, in the columns of the file of systems."""

from collections.abc import Collection, Mapping
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.names import Spellings
from annotation.formats.segment_files import SYSTEM_COLUMNS
from annotation.formats.tab_separated import parse_indices, parse_sentence_id, read_columns
from annotation.formats.tokens import TokenizedText

# The number of the sentence and the token positions of a segment.
SegmentKey = tuple[int, tuple[int, ...]]


def read_candidates(
    path: Path, sources: Mapping[int, TokenizedText], segments: Collection[SegmentKey]
) -> dict[str, dict[SegmentKey, str]]:
    """Return the candidates of each system by segment, systems in the order of the file.

    Each line has sentence id, segment, system, candidate and token indices, separated by tabs;
    `sources` are the sentences of the project by number, and `segments` those that it has. Raises
    InputError, with file and line.
    """
    systems: dict[str, dict[SegmentKey, str]] = {}
    lines: dict[tuple[str, SegmentKey], int] = {}
    spellings = Spellings()
    for number, (sentence, words, system, candidate, indices) in read_columns(path, SYSTEM_COLUMNS):
        where = f"{path}, line {number}"
        key = parse_sentence_id(sentence, where), parse_indices(indices, where)
        if key not in segments or not sources[key[0]].are_words(words, key[1]):
            raise InputError(
                f"the project has no segment {words!r} at the token indices {indices!r} of "
                f"sentence {sentence}: give candidates of its own segments, which `manage.py "
                "export_project --format source-segments` writes.",
                where,
            )
        system = spellings.system(system, where)
        if not candidate.strip():
            raise InputError(
                "the candidate is empty: leave out the row if the system has no candidate.", where
            )
        known = systems.setdefault(system, {})
        first = lines.setdefault((system, key), number)
        if known.setdefault(key, candidate) != candidate:
            raise InputError(
                f"{system!r} has a second candidate for the segment {words!r} of sentence "
                f"{sentence}; the first is in line {first}: give one.",
                where,
            )
    return systems
