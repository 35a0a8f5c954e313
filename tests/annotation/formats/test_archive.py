import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.archive import archive_lines, check_archive, read_archive
from annotation.formats.archive_evaluation import ReportScheduleRecord, SentenceJudgementRecord
from annotation.formats.archive_records import (
    AccountRecord,
    AnswerRecord,
    AssignmentRecord,
    ControlRecord,
    DraftRecord,
    InstructionsRecord,
    JudgementRecord,
    ProjectRecord,
    Record,
    SegmentRecord,
    SentenceRecord,
    ShownRecord,
    SkipRecord,
    SubmissionRecord,
    SystemRecord,
    TranslationRecord,
)
from annotation.formats.errors import InputError

NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
RECORDS: list[Record] = [
    ProjectRecord(
        name="p",
        description="d",
        source_language="en",
        target_language="cs",
        judges_per_sentence=2,
        queue_order="blocks",
        block_size=5,
        lease_minutes=60,
        show_reference=False,
        show_neighbours=True,
        intra_rate=0.05,
        inter_rate=0.1,
        control_rate=0.2,
        practice_required=True,
        min_length=3,
        max_length=6,
        state="open",
        created=NOW,
        provenance={"b": [1], "a": None},
    ),
    SystemRecord("A"),
    AccountRecord("jana", False, "annotator", 7),
    InstructionsRecord(1, "Be *kind*.", NOW, "jana"),
    SentenceRecord(
        purpose="judge",
        number=1,
        copy_of=None,
        retired=False,
        round=2,
        text="The cat",
        tokens="The cat",
        tree="",
        translations=[TranslationRecord(None, "Kočka", "Kočka", "0-0 1-0")],
        segments=[SegmentRecord([0, 1], 2, ["Kočka", "kočka"], [], [("A", 0)], None, None)],
    ),
    SentenceRecord(
        purpose="practice",
        number=1,
        copy_of=1,
        retired=False,
        round=1,
        text="The cat",
        tokens="The cat",
        tree="",
        translations=[],
        segments=[
            SegmentRecord(
                [0, 1], 1, ["Kočka", "kočka"], [], [], AnswerRecord("Why?", ["garbage", 1]), None
            )
        ],
    ),
    SentenceRecord(
        purpose="control",
        number=1,
        copy_of=1,
        retired=True,
        round=1,
        text="The cat",
        tokens="The cat",
        tree="",
        translations=[],
        segments=[
            SegmentRecord([0, 1], 1, ["Kočka", "Kočka"], [1], [], None, ControlRecord("twin", 0, 1))
        ],
    ),
    AssignmentRecord(
        sentence=1,
        annotator="jana",
        kind="first",
        state="submitted",
        slot=1,
        round=2,
        created=NOW,
        shown=None,
        submitted=NOW,
        lease_until=None,
        instructions=1,
        skip=None,
        draft=None,
        shown_candidates=[ShownRecord(0, [2, 1])],
        submissions=[
            SubmissionRecord(
                1, False, NOW, None, [JudgementRecord(0, NOW, 0.1, 2, ["garbage", 1])]
            ),
            SubmissionRecord(2, True, NOW, 7.5, [JudgementRecord(0, NOW, 0.1, 2, [1, 1])]),
        ],
    ),
    AssignmentRecord(
        sentence=1,
        annotator="jana",
        kind="intra",
        state="skipped",
        slot=None,
        round=1,
        created=NOW,
        shown=NOW,
        submitted=None,
        lease_until=None,
        instructions=None,
        skip=SkipRecord("unclear", "Why?", NOW),
        draft=DraftRecord(3, {"1-1": "garbage", "1-2": 2}, 1.5, NOW),
        shown_candidates=[],
        submissions=[],
    ),
    ReportScheduleRecord("day"),
    SentenceJudgementRecord(1, "judge 1", [("A", 2)]),
]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_it_reads_what_it_wrote(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "".join(archive_lines(RECORDS)))

    check_archive(path)

    assert [record for _where, record in read_archive(path)] == RECORDS


def test_the_version_is_first_and_the_counts_and_checksum_are_last() -> None:
    first, *_others, last = archive_lines(RECORDS)

    assert json.loads(first) == {"segranks_archive": 4}
    end = json.loads(last)["end"]
    assert len(end["sha256"]) == 64
    assert end["rows"] == {
        "accounts": 1,
        "answers": 1,
        "assignments": 2,
        "candidates": 6,
        "controls": 1,
        "drafts": 1,
        "expected_placements": 2,
        "instructions": 1,
        "judgements": 2,
        "placements": 4,
        "projections": 1,
        "projects": 1,
        "report_schedules": 1,
        "segments": 3,
        "sentence_judgements": 1,
        "sentence_placements": 1,
        "sentences": 3,
        "shown_candidates": 2,
        "skips": 1,
        "submissions": 2,
        "systems": 1,
        "translations": 1,
    }


LINES = list(archive_lines(RECORDS))
NEWER = [LINES[0].replace("4", "5"), *LINES[1:]]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "is empty"),
        (["{}\n"], "is not an archive made by"),
        (["nonsense\n"], "is not an archive made by"),
        (["[" * 100_000], "is not an archive made by"),
        (['{"segranks_archive": true}\n', *LINES[1:]], "unknown version True"),
        (NEWER, "version 5, and this SegRanks reads only up to version 4"),
        (LINES[:1], "ends early"),
        (LINES[:-1], "ends early"),
        ([*LINES[:-1], LINES[-1][:-10]], "ends early"),
        ([*LINES[:2], *LINES[3:]], "is damaged or was changed"),
        ([line.replace("Kočka", "Kocka") for line in LINES], "is damaged or was changed"),
    ],
)
def test_it_refuses_what_is_damaged(tmp_path: Path, lines: list[str], message: str) -> None:
    path = write(tmp_path / "a", "".join(lines))

    with pytest.raises(InputError) as refusal:
        check_archive(path)

    assert str(refusal.value).startswith(str(path))
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def forged(values: list[Any], rows: dict[str, int] | None = None) -> str:
    """Return an archive whose checksum is right, whatever the lines hold."""
    text = "".join(json.dumps(value) + "\n" for value in values)
    checksum = hashlib.sha256(text.encode()).hexdigest()
    return text + json.dumps({"end": {"rows": rows or {}, "sha256": checksum}}) + "\n"


HEAD, PROJECT, SYSTEM, ACCOUNT, INSTRUCTIONS, *OTHERS, _END = map(json.loads, LINES)
SENTENCE, PRACTICE, CONTROL, ASSIGNMENT, SKIPPED, SCHEDULE, WHOLE = OTHERS
VERSION_2, VERSION_3 = {"segranks_archive": 2}, {"segranks_archive": 3}


def changed(line: dict[str, Any], **change: Any) -> dict[str, Any]:
    ((tag, record),) = line.items()
    return {tag: record | change}


def with_part(line: dict[str, Any], part: str, **change: Any) -> dict[str, Any]:
    """Return the sentence with another answer or control of its segment."""
    (segment,) = line["sentence"]["segments"]
    return changed(line, segments=[segment | {part: segment[part] | change}])


def drafted(choices: Any) -> dict[str, Any]:
    return changed(SKIPPED, draft=SKIPPED["assignment"]["draft"] | {"choices": choices})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([HEAD], "line 2: 'end' is none of project, system"),
        ([HEAD, SYSTEM], "line 2: 'system' is out of order"),
        ([HEAD, PROJECT, SENTENCE, SYSTEM], "line 4: 'system' is out of order"),
        ([HEAD, PROJECT, PROJECT], "line 3: 'project' is out of order"),
        ([HEAD, PROJECT, {"colour": {}}], "line 3: 'colour' is none of"),
        ([HEAD, PROJECT, [1]], "line 3: an object with exactly one key"),
        ([HEAD, changed(PROJECT, name="")], "line 2: 'name' is not a text of 1 to 200"),
        ([HEAD, changed(PROJECT, intra_rate=2)], "line 2: 'intra_rate' is not a number of 0-1"),
        ([HEAD, changed(PROJECT, state="preparing")], "line 2: 'state' is none of open"),
        ([HEAD, changed(PROJECT, is_staff=True)], "line 2: 'is_staff' is not known here"),
        ([HEAD, PROJECT, changed(ACCOUNT, role="king")], "'role' is none of annotator"),
        ([HEAD, PROJECT, changed(SENTENCE, segments=[1])], "'segments' has an item 1 that"),
        ([HEAD, changed(PROJECT, queue_order="best")], "'queue_order' is none of random"),
        ([HEAD, changed(PROJECT, judges_per_sentence=0)], "'judges_per_sentence' is not from 1"),
        ([HEAD, PROJECT, SENTENCE, INSTRUCTIONS], "line 4: 'instructions' is out of order"),
        ([HEAD, PROJECT, changed(INSTRUCTIONS, version=0)], "'version' is not from 1"),
        ([HEAD, PROJECT, changed(ASSIGNMENT, submissions=[{}])], "'number' is missing"),
        ([HEAD, PROJECT, changed(ASSIGNMENT, judgements=[])], "'judgements' is not known here"),
        ([HEAD, PROJECT, changed(ASSIGNMENT, skip={})], "'reason' is missing"),
        ([HEAD, PROJECT, drafted({"1-1": 0})], "'choices' has at '1-1' what is not from 1"),
        ([HEAD, PROJECT, drafted({"1-1": True})], "at '1-1' what is not a whole number"),
        ([HEAD, PROJECT, drafted([])], "'choices' is not an object"),
        ([HEAD, changed(PROJECT, control_rate=-1)], "'control_rate' is not a number of 0-1"),
        ([HEAD, changed(PROJECT, practice_required=1)], "'practice_required' is neither true"),
        ([HEAD, PROJECT, changed(PRACTICE, purpose="fun")], "'purpose' is none of judge"),
        ([HEAD, PROJECT, changed(PRACTICE, copy_of=0)], "'copy_of' is not from 1"),
        ([HEAD, PROJECT, changed(PRACTICE, retired=None)], "'retired' is neither true nor false"),
        ([HEAD, PROJECT, with_part(PRACTICE, "answer", ranks=[1, 0])], "'ranks' has an item 2"),
        ([HEAD, PROJECT, with_part(PRACTICE, "answer", ranks=[None])], "'ranks' has an item 1"),
        ([HEAD, PROJECT, with_part(PRACTICE, "answer", a=1)], "'a' is not known here"),
        ([HEAD, PROJECT, with_part(CONTROL, "control", kind="odd")], "'kind' is none of degraded"),
        ([HEAD, PROJECT, with_part(CONTROL, "control", changed=-1)], "'changed' is not from 0"),
        ([HEAD, PROJECT, changed(ASSIGNMENT, kind="fun")], "'kind' is none of first"),
        ([HEAD, PROJECT, changed(ACCOUNT, most_sentences=0)], "'most_sentences' is not from 1"),
        ([HEAD, PROJECT, changed(SCHEDULE, every="year")], "'every' is none of never, hour, day"),
        ([HEAD, PROJECT, changed(WHOLE, judge=" ")], "'judge' is not a text of 1 to 200"),
        ([HEAD, PROJECT, changed(WHOLE, ranks=[["A", 6]])], "an item 1 that is not from 1 to 5"),
        ([HEAD, PROJECT, changed(WHOLE, ranks=[["A"]])], "is not a pair of a system and its rank"),
        ([HEAD, PROJECT, WHOLE, SCHEDULE], "line 4: 'report_schedule' is out of order"),
        ([VERSION_3, PROJECT, ACCOUNT], "'most_sentences' is not known here"),
        ([VERSION_3, PROJECT, SCHEDULE], "line 3: 'report_schedule' is none of"),
        ([VERSION_2, PROJECT], "'control_rate' is not known here"),
        ([HEAD, PROJECT], "it has not the rows that its last line counts"),
    ],
)
def test_it_refuses_a_malformed_record(tmp_path: Path, values: list[Any], message: str) -> None:
    path = write(tmp_path / "a", forged(values))
    check_archive(path)

    with pytest.raises(InputError) as refusal:
        list(read_archive(path))

    assert message in str(refusal.value)
