"""The records of an archive as dataclasses, and as JSON; `archive_reading` reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from annotation.formats.archive_evaluation import ReportScheduleRecord, SentenceJudgementRecord


@dataclass(frozen=True)
class ProjectRecord:
    """The project itself; `provenance` says how it was made."""

    tag: ClassVar = "project"
    name: str
    description: str
    source_language: str
    target_language: str
    judges_per_sentence: int
    queue_order: str
    block_size: int
    lease_minutes: int
    show_reference: bool
    show_neighbours: bool
    intra_rate: float
    inter_rate: float
    control_rate: float
    practice_required: bool
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
    """Whoever may judge or has judged; `role` is None for who is no member.

    `most_sentences` is how many a member is given at most, None for as many as there are.
    """

    tag: ClassVar = "account"
    name: str
    unidentified: bool
    role: str | None
    most_sentences: int | None

    def rows(self) -> dict[str, int]:
        return {"accounts": 1}


@dataclass(frozen=True)
class InstructionsRecord:
    """One version of the project's instructions; `author` is None where nobody is known."""

    tag: ClassVar = "instructions"
    version: int
    text: str
    created: datetime
    author: str | None

    def rows(self) -> dict[str, int]:
        return {"instructions": 1}


@dataclass(frozen=True)
class TranslationRecord:
    """`system` is None for the reference."""

    system: str | None
    text: str
    tokens: str
    alignment: str


@dataclass(frozen=True)
class AnswerRecord:
    """Where each candidate of a segment for practice belongs: a rank, or "garbage"."""

    explanation: str
    ranks: list[int | str]


@dataclass(frozen=True)
class ControlRecord:
    """What a segment for control tests, by the positions of two of its candidates."""

    kind: str
    original: int
    changed: int


@dataclass(frozen=True)
class SegmentRecord:
    """`projections` are (system, position of its candidate, or None where nothing was linked).

    `twins` are the positions of candidates that are the text of another once more.
    """

    indices: list[int]
    round: int
    candidates: list[str]
    twins: list[int]
    projections: list[tuple[str, int | None]]
    answer: AnswerRecord | None
    control: ControlRecord | None


@dataclass(frozen=True)
class SentenceRecord:
    """`copy_of` is the number of the sentence to judge that one for practice or control copies."""

    tag: ClassVar = "sentence"
    purpose: str
    number: int
    copy_of: int | None
    retired: bool
    round: int
    text: str
    tokens: str
    tree: str
    translations: list[TranslationRecord]
    segments: list[SegmentRecord]

    def rows(self) -> dict[str, int]:
        answers = [segment.answer for segment in self.segments if segment.answer]
        return {
            "sentences": 1,
            "translations": len(self.translations),
            "segments": len(self.segments),
            "candidates": sum(len(segment.candidates) for segment in self.segments),
            "projections": sum(len(segment.projections) for segment in self.segments),
            "answers": len(answers),
            "expected_placements": sum(len(answer.ranks) for answer in answers),
            "controls": sum(segment.control is not None for segment in self.segments),
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
class SubmissionRecord:
    """The first handing in of an assignment, which has the number 1, or a revision."""

    number: int
    current: bool
    created: datetime
    active_seconds: float | None
    judgements: list[JudgementRecord]


@dataclass(frozen=True)
class SkipRecord:
    """Why the annotator did not judge the sentence."""

    reason: str
    comment: str
    created: datetime


@dataclass(frozen=True)
class DraftRecord:
    """Placements that are not submitted; `choices` are ranks or "garbage" by keys of cards."""

    version: int
    choices: dict[str, int | str]
    active_seconds: float
    saved: datetime


@dataclass(frozen=True)
class AssignmentRecord:
    """One sentence given to one annotator; `instructions` is the version that was shown.

    The kinds "practice" and "control" mean the sentence for it with this number.
    """

    tag: ClassVar = "assignment"
    sentence: int
    annotator: str
    kind: str
    state: str
    slot: int | None
    round: int
    created: datetime
    shown: datetime | None
    submitted: datetime | None
    lease_until: datetime | None
    instructions: int | None
    skip: SkipRecord | None
    draft: DraftRecord | None
    shown_candidates: list[ShownRecord]
    submissions: list[SubmissionRecord]

    def rows(self) -> dict[str, int]:
        judgements = [judgement for made in self.submissions for judgement in made.judgements]
        return {
            "assignments": 1,
            "skips": int(self.skip is not None),
            "drafts": int(self.draft is not None),
            "shown_candidates": sum(_filled(shown.positions) for shown in self.shown_candidates),
            "submissions": len(self.submissions),
            "judgements": len(judgements),
            "placements": sum(_filled(judgement.ranks) for judgement in judgements),
        }


def _filled(values: Sequence[object]) -> int:
    return len(values) - values.count(None)


Record = (
    ProjectRecord
    | SystemRecord
    | AccountRecord
    | InstructionsRecord
    | SentenceRecord
    | AssignmentRecord
    | ReportScheduleRecord
    | SentenceJudgementRecord
)
# In the order in which an archive has them.
RECORDS: dict[str, type[Record]] = {
    record.tag: record
    for record in (
        ProjectRecord,
        SystemRecord,
        AccountRecord,
        InstructionsRecord,
        SentenceRecord,
        AssignmentRecord,
        ReportScheduleRecord,
        SentenceJudgementRecord,
    )
}


def plain(value: object) -> Any:
    """Return what `json` writes for a record, or for a part of one that it does not know."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    # The fields of a dataclass, in their order: `asdict` would copy all that is in them.
    return vars(value)
