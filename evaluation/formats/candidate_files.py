"""Candidates of new systems for segments of a project, in the columns of the file of systems."""

from collections.abc import Mapping
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.segment_files import (
    LONGEST_CANDIDATE,
    SYSTEM_COLUMNS,
    check_system_name,
)
from annotation.formats.tab_separated import parse_indices, parse_sentence_id, read_columns

# The number of the sentence and the token positions of a segment.
SegmentKey = tuple[int, tuple[int, ...]]


def read_candidates(
    path: Path, segments: Mapping[SegmentKey, str]
) -> dict[str, dict[SegmentKey, str]]:
    """Return the candidates of each system by segment, systems in the order of the file.

    Each line has sentence id, segment, system, candidate and token indices, separated by tabs;
    `segments` are the words of the project's segments. Raises InputError, with file and line.
    """
    systems: dict[str, dict[SegmentKey, str]] = {}
    for number, (sentence, words, system, candidate, indices) in read_columns(path, SYSTEM_COLUMNS):
        where = f"{path}, line {number}"
        key = parse_sentence_id(sentence, where), parse_indices(indices, where)
        if segments.get(key) != words:
            raise InputError(
                f"the project has no segment {words!r} at the token indices {indices!r} of "
                f"sentence {sentence}: give candidates of its own segments, which `manage.py "
                "export_project --format source-segments` writes.",
                where,
            )
        check_system_name(system, where)
        if not candidate.strip() or len(candidate.encode()) > LONGEST_CANDIDATE:
            raise InputError(
                f"the candidate is empty, or has more than {LONGEST_CANDIDATE} bytes: leave out "
                "the row if the system has no candidate.",
                where,
            )
        known = systems.setdefault(system, {})
        if known.setdefault(key, candidate) != candidate:
            raise InputError(
                f"{system!r} has a second candidate for the segment {words!r} of sentence "
                f"{sentence}: give one.",
                where,
            )
    return systems
