"""The records of an archive as dataclasses, to and from JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, ClassVar

from annotation.formats import strict_json
from annotation.formats.judgement_lines import GARBAGE, LONGEST_ANNOTATOR_NAME
from annotation.formats.segment_files import LONGEST_SYSTEM_NAME
from annotation.formats.strict_json import Check, Wrong, list_of, nullable, text, whole
from annotation.formats.tab_separated import LONGEST_INDICES

SMALL = 32_767
LONGEST_PROJECT_NAME = 200


@dataclass(frozen=True)
class ProjectRecord:
    """The project itself; `provenance` says how it was made."""

    tag: ClassVar = "project"
    name: str
    description: str
    source_language: str
    target_language: str
    instructions: str
    intra_rate: float
    inter_rate: float
    min_length: int
    max_length: int
    state: str
    created: datetime
    provenance: dict[str, Any]

    def rows(self) -> dict[str, int]:
        return {"projects": 1}


@dataclass(frozen=True)
class SystemRecord:
    tag: ClassVar = "system"
    name: str

    def rows(self) -> dict[str, int]:
        return {"systems": 1}


@dataclass(frozen=True)
class AccountRecord:
    """Whoever may judge or has judged; `role` is None for who is no member."""

    tag: ClassVar = "account"
    name: str
    unidentified: bool
    role: str | None

    def rows(self) -> dict[str, int]:
        return {"accounts": 1}


@dataclass(frozen=True)
class TranslationRecord:
    """`system` is None for the reference."""

    system: str | None
    text: str
    tokens: str
    alignment: str


@dataclass(frozen=True)
class SegmentRecord:
    """`projections` are (system, position of its candidate, or None where nothing was linked)."""

    indices: list[int]
    candidates: list[str]
    projections: list[tuple[str, int | None]]


@dataclass(frozen=True)
class SentenceRecord:
    tag: ClassVar = "sentence"
    number: int
    text: str
    tokens: str
    tree: str
    translations: list[TranslationRecord]
    segments: list[SegmentRecord]

    def rows(self) -> dict[str, int]:
        return {
            "sentences": 1,
            "translations": len(self.translations),
            "segments": len(self.segments),
            "candidates": sum(len(segment.candidates) for segment in self.segments),
            "projections": sum(len(segment.projections) for segment in self.segments),
        }


@dataclass(frozen=True)
class ShownRecord:
    """The place of each candidate of a segment, from 1; None for one that was not shown."""

    segment: int
    positions: list[int | None]


@dataclass(frozen=True)
class JudgementRecord:
    """What each candidate of a segment got: a rank, "garbage", or None for one not placed."""

    segment: int
    created: datetime
    seconds: float | None
    ranks_offered: int
    ranks: list[int | str | None]


@dataclass(frozen=True)
class AssignmentRecord:
    """One sentence given to one annotator; `kind` is first, intra or inter."""

    tag: ClassVar = "assignment"
    sentence: int
    annotator: str
    kind: str
    state: str
    created: datetime
    shown: datetime | None
    submitted: datetime | None
    shown_candidates: list[ShownRecord]
    judgements: list[JudgementRecord]

    def rows(self) -> dict[str, int]:
        return {
            "assignments": 1,
            "shown_candidates": sum(_filled(shown.positions) for shown in self.shown_candidates),
            "judgements": len(self.judgements),
            "placements": sum(_filled(judgement.ranks) for judgement in self.judgements),
        }


def _filled(values: Sequence[object]) -> int:
    return sum(value is not None for value in values)


Record = ProjectRecord | SystemRecord | AccountRecord | SentenceRecord | AssignmentRecord


def to_json(record: Record) -> dict[str, Any]:
    """Return the record as a value that `json` writes, always with its keys in the same order."""
    return {name: _plain(value) for name, value in asdict(record).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


# --- reading ---------------------------------------------------------------------------------


def from_json(tag: str, value: Any, where: str) -> Record:
    """Return the record of this tag. Raise InputError where a key or a value is not of it."""
    if tag == "sentence":
        return _sentence(value, where)
    if tag == "assignment":
        return _assignment(value, where)
    record: Record = RECORDS[tag](**strict_json.record(value, where, CHECKS[tag]))
    return record


def _sentence(value: Any, where: str) -> SentenceRecord:
    parts = strict_json.record(value, where, CHECKS["sentence"])
    parts["translations"] = [
        TranslationRecord(**strict_json.record(part, where, TRANSLATION))
        for part in parts["translations"]
    ]
    parts["segments"] = [
        SegmentRecord(**strict_json.record(part, where, SEGMENT)) for part in parts["segments"]
    ]
    return SentenceRecord(**parts)


def _assignment(value: Any, where: str) -> AssignmentRecord:
    parts = strict_json.record(value, where, CHECKS["assignment"])
    parts["shown_candidates"] = [
        ShownRecord(**strict_json.record(part, where, SHOWN)) for part in parts["shown_candidates"]
    ]
    parts["judgements"] = [
        JudgementRecord(**strict_json.record(part, where, JUDGEMENT))
        for part in parts["judgements"]
    ]
    return AssignmentRecord(**parts)


def _candidate(value: Any) -> str:
    candidate = text(value)
    if not candidate:
        raise Wrong("is an empty text")
    return candidate


def _indices(value: Any) -> list[int]:
    indices: list[int] = list_of(whole(0))(value)
    ascending = all(a < b for a, b in pairwise(indices))
    if not indices or not ascending or len(" ".join(map(str, indices))) > LONGEST_INDICES:
        raise Wrong("are not ascending token positions")
    return indices


def _projection(value: Any) -> tuple[str, int | None]:
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong("is not a pair of a system and the position of its candidate")
    return text(value[0]), nullable(whole(0))(value[1])


def _rank(value: Any) -> int | str | None:
    return value if value in (None, GARBAGE) else whole(1, SMALL)(value)  # type: ignore[no-any-return]


SHARE = strict_json.number(0, 1)
LANGUAGE = strict_json.name(35)
CHECKS: dict[str, dict[str, Check]] = {
    "project": {
        "name": strict_json.name(LONGEST_PROJECT_NAME),
        "description": text,
        "source_language": LANGUAGE,
        "target_language": LANGUAGE,
        "instructions": text,
        "intra_rate": SHARE,
        "inter_rate": SHARE,
        "min_length": whole(1, SMALL),
        "max_length": whole(1, SMALL),
        "state": strict_json.one_of("open", "closed", "failed"),
        "created": strict_json.moment,
        "provenance": strict_json.mapping,
    },
    "system": {"name": strict_json.name(LONGEST_SYSTEM_NAME)},
    "account": {
        "name": strict_json.name(LONGEST_ANNOTATOR_NAME),
        "unidentified": strict_json.flag,
        "role": nullable(strict_json.one_of("annotator", "administrator")),
    },
    "sentence": {
        "number": whole(1),
        "text": text,
        "tokens": text,
        "tree": text,
        "translations": list_of(strict_json.mapping),
        "segments": list_of(strict_json.mapping),
    },
    "assignment": {
        "sentence": whole(1),
        "annotator": text,
        "kind": strict_json.one_of("first", "intra", "inter"),
        "state": strict_json.one_of("open", "submitted"),
        "created": strict_json.moment,
        "shown": nullable(strict_json.moment),
        "submitted": nullable(strict_json.moment),
        "shown_candidates": list_of(strict_json.mapping),
        "judgements": list_of(strict_json.mapping),
    },
}
TRANSLATION: dict[str, Check] = {
    "system": nullable(text),
    "text": text,
    "tokens": text,
    "alignment": text,
}
SEGMENT: dict[str, Check] = {
    "indices": _indices,
    "candidates": list_of(_candidate),
    "projections": list_of(_projection),
}
SHOWN: dict[str, Check] = {
    "segment": whole(0),
    "positions": list_of(nullable(whole(1, SMALL))),
}
JUDGEMENT: dict[str, Check] = {
    "segment": whole(0),
    "created": strict_json.moment,
    "seconds": nullable(strict_json.number(0)),
    "ranks_offered": whole(1, SMALL),
    "ranks": list_of(_rank),
}
RECORDS: dict[str, type[Any]] = {
    record.tag: record
    for record in (ProjectRecord, SystemRecord, AccountRecord, SentenceRecord, AssignmentRecord)
}
