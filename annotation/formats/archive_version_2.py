"""Archives of version 2, from before practice, control and systems that came later."""

from typing import Any

from annotation.formats import strict_json
from annotation.formats.archive_reading import (
    CHECKS,
    SEGMENT,
    assignment_parts,
    read_translations,
)
from annotation.formats.archive_records import (
    AssignmentRecord,
    ProjectRecord,
    Record,
    SegmentRecord,
    SentenceRecord,
)
from annotation.formats.archive_version_3 import from_version_3, without

# Tables that had no rows then.
NEW_ROWS = ("answers", "expected_placements", "controls")
NEW_SETTINGS: dict[str, Any] = {"control_rate": 0.0, "practice_required": False}
NEW_OF_SENTENCES: dict[str, Any] = {
    "purpose": "judge",
    "copy_of": None,
    "retired": False,
    "round": 1,
}
NEW_OF_SEGMENTS: dict[str, Any] = {"round": 1, "twins": [], "answer": None, "control": None}
NEW_OF_ASSIGNMENTS: dict[str, Any] = {"round": 1}


PROJECT_2 = without(CHECKS["project"], NEW_SETTINGS)
SENTENCE_2 = without(CHECKS["sentence"], NEW_OF_SENTENCES)
SEGMENT_2 = without(SEGMENT, NEW_OF_SEGMENTS)
ASSIGNMENT_2 = without(CHECKS["assignment"], NEW_OF_ASSIGNMENTS)


def from_version_2(tag: str, value: Any, where: str) -> Record:
    """Return what the record is today. Raise InputError."""
    if tag == "project":
        return ProjectRecord(**strict_json.record(value, where, PROJECT_2), **NEW_SETTINGS)
    if tag == "sentence":
        return _sentence(value, where)
    if tag == "assignment":
        parts = assignment_parts(value, where, ASSIGNMENT_2)
        return AssignmentRecord(**parts, **NEW_OF_ASSIGNMENTS)
    return from_version_3(tag, value, where)


def _sentence(value: Any, where: str) -> SentenceRecord:
    parts = strict_json.record(value, where, SENTENCE_2)
    parts["translations"] = read_translations(parts["translations"], where)
    parts["segments"] = [
        SegmentRecord(**strict_json.record(part, where, SEGMENT_2), **NEW_OF_SEGMENTS)
        for part in parts["segments"]
    ]
    return SentenceRecord(**parts, **NEW_OF_SENTENCES)
