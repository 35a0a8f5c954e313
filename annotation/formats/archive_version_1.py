"""Archives of version 1, from before leases, revisions and versions of instructions."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from annotation.formats import archive_version_2, strict_json
from annotation.formats.archive_reading import CHECKS, read_judgements, read_shown
from annotation.formats.archive_records import (
    AssignmentRecord,
    InstructionsRecord,
    ProjectRecord,
    Record,
    SubmissionRecord,
)
from annotation.formats.archive_version_2 import PROJECT_2, from_version_2
from annotation.formats.errors import InputError
from annotation.formats.strict_json import Check, list_of

TAGS = ("project", "system", "account", "sentence", "assignment")
# Tables that had no rows then.
NEW_ROWS = ("instructions", "submissions", "skips", "drafts", *archive_version_2.NEW_ROWS)
# How long a sentence stayed with an annotator was not limited; this is what projects begin with.
LEASE_MINUTES = 240
NEW_SETTINGS: dict[str, Any] = {
    "judges_per_sentence": 1,
    "queue_order": "random",
    "block_size": 10,
    "lease_minutes": LEASE_MINUTES,
    "show_reference": True,
    "show_neighbours": False,
}
PROJECT: dict[str, Check] = {
    **{key: check for key, check in PROJECT_2.items() if key not in NEW_SETTINGS},
    "instructions": strict_json.text,
}
ASSIGNMENT: dict[str, Check] = {
    **{key: CHECKS["assignment"][key] for key in ("sentence", "annotator", "kind")},
    "state": strict_json.one_of("open", "submitted"),
    **{key: CHECKS["assignment"][key] for key in ("created", "shown", "submitted")},
    "shown_candidates": list_of(strict_json.mapping),
    "judgements": list_of(strict_json.mapping),
}


def from_version_1(tag: str, value: Any, where: str) -> Iterator[Record]:
    """Yield what the record is today: of a project, its instructions too. Raise InputError."""
    if tag == "project":
        yield from _project(value, where)
    elif tag == "assignment":
        yield _assignment(value, where)
    else:
        yield from_version_2(tag, value, where)


def _project(value: Any, where: str) -> Iterator[Record]:
    parts = strict_json.record(value, where, PROJECT)
    instructions = parts.pop("instructions")
    project = ProjectRecord(**parts, **NEW_SETTINGS, **archive_version_2.NEW_SETTINGS)
    yield project
    if instructions:
        yield InstructionsRecord(1, instructions, project.created, author=None)


def _assignment(value: Any, where: str) -> AssignmentRecord:
    parts = strict_json.record(value, where, ASSIGNMENT)
    is_open = parts["state"] == "open"
    judgements = read_judgements(parts.pop("judgements"), where)
    submitted = parts["submitted"]
    if is_open and judgements:
        raise InputError(f"{where}: an open assignment has judgements.")
    parts["shown_candidates"] = read_shown(parts["shown_candidates"], where)
    return AssignmentRecord(
        **parts,
        slot=1 if parts["kind"] == "first" else None,
        round=1,
        lease_until=parts["created"] + timedelta(minutes=LEASE_MINUTES) if is_open else None,
        instructions=None,
        skip=None,
        draft=None,
        submissions=[SubmissionRecord(1, True, submitted, None, judgements)] if submitted else [],
    )
