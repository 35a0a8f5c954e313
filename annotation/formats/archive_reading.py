"""The records of an archive, read strictly from JSON."""

from itertools import pairwise
from typing import Any

from annotation.formats import strict_json
from annotation.formats.archive_records import (
    RECORDS,
    AnswerRecord,
    AssignmentRecord,
    ControlRecord,
    DraftRecord,
    JudgementRecord,
    Record,
    SegmentRecord,
    SentenceRecord,
    ShownRecord,
    SkipRecord,
    SubmissionRecord,
    TranslationRecord,
)
from annotation.formats.judgement_lines import GARBAGE, LONGEST_ANNOTATOR_NAME
from annotation.formats.segment_files import LONGEST_SYSTEM_NAME
from annotation.formats.strict_json import Check, Wrong, list_of, nullable, text, whole
from annotation.formats.tab_separated import LONGEST_INDICES

SMALL = 32_767
LONGEST_PROJECT_NAME = 200
LONGEST_JUDGE = 200


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
    parts["translations"] = read_translations(parts["translations"], where)
    parts["segments"] = [_segment(part, where) for part in parts["segments"]]
    return SentenceRecord(**parts)


def read_translations(values: list[Any], where: str) -> list[TranslationRecord]:
    return [TranslationRecord(**strict_json.record(part, where, TRANSLATION)) for part in values]


def _segment(value: Any, where: str) -> SegmentRecord:
    parts = strict_json.record(value, where, SEGMENT)
    if parts["answer"] is not None:
        parts["answer"] = AnswerRecord(**strict_json.record(parts["answer"], where, ANSWER))
    if parts["control"] is not None:
        parts["control"] = ControlRecord(**strict_json.record(parts["control"], where, CONTROL))
    return SegmentRecord(**parts)


def _assignment(value: Any, where: str) -> AssignmentRecord:
    return AssignmentRecord(**assignment_parts(value, where, CHECKS["assignment"]))


def assignment_parts(value: Any, where: str, checks: dict[str, Check]) -> dict[str, Any]:
    parts = strict_json.record(value, where, checks)
    parts["shown_candidates"] = read_shown(parts["shown_candidates"], where)
    parts["submissions"] = [_submission(part, where) for part in parts["submissions"]]
    if parts["skip"] is not None:
        parts["skip"] = SkipRecord(**strict_json.record(parts["skip"], where, SKIP))
    if parts["draft"] is not None:
        parts["draft"] = DraftRecord(**strict_json.record(parts["draft"], where, DRAFT))
    return parts


def _submission(value: Any, where: str) -> SubmissionRecord:
    parts = strict_json.record(value, where, SUBMISSION)
    parts["judgements"] = read_judgements(parts["judgements"], where)
    return SubmissionRecord(**parts)


def read_shown(values: list[Any], where: str) -> list[ShownRecord]:
    return [ShownRecord(**strict_json.record(value, where, SHOWN)) for value in values]


def read_judgements(values: list[Any], where: str) -> list[JudgementRecord]:
    return [JudgementRecord(**strict_json.record(value, where, JUDGEMENT)) for value in values]


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


def _system_rank(value: Any) -> tuple[str, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong("is not a pair of a system and its rank")
    return text(value[0]), whole(1, 5)(value[1])


def _rank(value: Any) -> int | str:
    return value if value == GARBAGE else whole(1, SMALL)(value)  # type: ignore[no-any-return]


def _choices(value: Any) -> dict[str, int | str]:
    choices = strict_json.mapping(value)
    for key, place in choices.items():
        if place != GARBAGE:
            try:
                whole(1, SMALL)(place)
            except Wrong as problem:
                raise Wrong(f"has at {key!r} what {problem}") from None
    return choices


SHARE = strict_json.number(0, 1)
LANGUAGE = strict_json.name(35)
CHECKS: dict[str, dict[str, Check]] = {
    "project": {
        "name": strict_json.name(LONGEST_PROJECT_NAME),
        "description": text,
        "source_language": LANGUAGE,
        "target_language": LANGUAGE,
        "judges_per_sentence": whole(1, SMALL),
        "queue_order": strict_json.one_of("random", "document", "blocks"),
        "block_size": whole(1, SMALL),
        "lease_minutes": whole(1),
        "show_reference": strict_json.flag,
        "show_neighbours": strict_json.flag,
        "intra_rate": SHARE,
        "inter_rate": SHARE,
        "control_rate": SHARE,
        "practice_required": strict_json.flag,
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
        "role": nullable(strict_json.one_of("annotator", "observer", "administrator", "owner")),
        "most_sentences": nullable(whole(1)),
    },
    "instructions": {
        "version": whole(1),
        "text": text,
        "created": strict_json.moment,
        "author": nullable(text),
    },
    "sentence": {
        "purpose": strict_json.one_of("judge", "practice", "control"),
        "number": whole(1),
        "copy_of": nullable(whole(1)),
        "retired": strict_json.flag,
        "round": whole(1, SMALL),
        "text": text,
        "tokens": text,
        "tree": text,
        "translations": list_of(strict_json.mapping),
        "segments": list_of(strict_json.mapping),
    },
    "assignment": {
        "sentence": whole(1),
        "annotator": text,
        "kind": strict_json.one_of("first", "intra", "inter", "practice", "control"),
        "state": strict_json.one_of("open", "submitted", "returned", "skipped"),
        "slot": nullable(whole(1, SMALL)),
        "round": whole(1, SMALL),
        "created": strict_json.moment,
        "shown": nullable(strict_json.moment),
        "submitted": nullable(strict_json.moment),
        "lease_until": nullable(strict_json.moment),
        "instructions": nullable(whole(1)),
        "skip": nullable(strict_json.mapping),
        "draft": nullable(strict_json.mapping),
        "shown_candidates": list_of(strict_json.mapping),
        "submissions": list_of(strict_json.mapping),
    },
    "report_schedule": {"every": strict_json.one_of("never", "hour", "day")},
    "sentence_judgement": {
        "sentence": whole(1),
        "judge": strict_json.name(LONGEST_JUDGE),
        "ranks": list_of(_system_rank),
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
    "round": whole(1, SMALL),
    "candidates": list_of(_candidate),
    "twins": list_of(whole(0)),
    "projections": list_of(_projection),
    "answer": nullable(strict_json.mapping),
    "control": nullable(strict_json.mapping),
}
ANSWER: dict[str, Check] = {
    "explanation": text,
    "ranks": list_of(_rank),
}
CONTROL: dict[str, Check] = {
    "kind": strict_json.one_of("degraded", "twin"),
    "original": whole(0),
    "changed": whole(0),
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
    "ranks": list_of(nullable(_rank)),
}
SUBMISSION: dict[str, Check] = {
    "number": whole(1, SMALL),
    "current": strict_json.flag,
    "created": strict_json.moment,
    "active_seconds": nullable(strict_json.number(0)),
    "judgements": list_of(strict_json.mapping),
}
SKIP: dict[str, Check] = {
    "reason": strict_json.one_of("unclear", "wrong-segment", "offensive", "technical", "other"),
    "comment": text,
    "created": strict_json.moment,
}
DRAFT: dict[str, Check] = {
    "version": whole(0),
    "choices": _choices,
    "active_seconds": strict_json.number(0),
    "saved": strict_json.moment,
}
