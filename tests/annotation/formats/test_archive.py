import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.archive import archive_lines, check_archive, read_archive
from annotation.formats.archive_records import (
    AccountRecord,
    AnswerPart,
    AssignmentRecord,
    ControlPart,
    DraftPart,
    InstructionsRecord,
    JudgementPart,
    ProjectRecord,
    Record,
    ReportScheduleRecord,
    SegmentPart,
    SentenceJudgementRecord,
    SentenceRecord,
    ShownPart,
    SkipPart,
    SubmissionPart,
    SystemRecord,
    TranslationPart,
)
from annotation.formats.errors import InputError
from tests.annotation.import_export.exchange_files import seal_archive

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
        shown_references="none",
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
        purpose="control",
        number=1,
        copy_of=1,
        retired=True,
        candidate_version=2,
        text="The cat",
        tokens="0-3 4-7",
        tree="",
        translations=[TranslationPart(None, 1, "Kočka", "0-5", "0-0 1-0")],
        segments=[
            SegmentPart(
                indices=[0, 1],
                candidate_version=2,
                candidates=["Kočka", "Kočka"],
                duplicates=[1],
                projections=[("A", 0)],
                answer=AnswerPart("Why?", ["garbage", 1]),
                control=ControlPart("duplicate", 0, 1),
            )
        ],
        document="news",
    ),
    AssignmentRecord(
        sentence=1,
        annotator="jana",
        kind="first",
        state="submitted",
        slot=1,
        candidate_version=2,
        created=NOW,
        shown=None,
        submitted=NOW,
        lease_until=None,
        instructions=1,
        skip=SkipPart("unclear", "Why?", NOW),
        draft=DraftPart(3, {"1-1": "garbage", "1-2": 2}, 1.5, NOW),
        shown_candidates=[ShownPart(0, [2, None])],
        submissions=[
            SubmissionPart(1, True, NOW, 7.5, [JudgementPart(0, NOW, 0.1, 2, ["garbage", None])])
        ],
    ),
    ReportScheduleRecord("day"),
    SentenceJudgementRecord(1, "judge 1", [("A", 2)]),
]


LINES = list(archive_lines(RECORDS))
HEAD, PROJECT, SYSTEM, ACCOUNT, _INSTRUCTIONS, SENTENCE, *OTHERS = map(json.loads, LINES)
ASSIGNMENT, SCHEDULE, RANKING, _END = OTHERS
DRAFT = ASSIGNMENT["draft"]


def test_it_reads_what_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"".join(LINES))

    check_archive(path)

    assert [record for _where, record in read_archive(path)] == RECORDS
    assert HEAD == {"record": "segranks-archive", "version": 1}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "is empty"),
        ([b"{}\n"], "is not an archive"),
        ([b"[" * 100_000], "is not an archive"),
        ([b'{"record":"segranks-archive","version":true}\n', *LINES[1:]], "is not an archive"),
        (
            [LINES[0].replace(b"1", b"2"), *LINES[1:]],
            "version 2, and this SegRanks reads",
        ),
        (LINES[:1], "is cut short"),
        ([*LINES[:-1], LINES[-1][:-10]], "is cut short"),
        ([*LINES[:2], *LINES[3:]], "is damaged or was changed"),
        ([line.replace(b"Why", b"who") for line in LINES], "is damaged or was changed"),
    ],
)
def test_it_refuses_a_damaged_archive(tmp_path: Path, lines: list[bytes], message: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"".join(lines))

    with pytest.raises(InputError) as refusal:
        check_archive(path)

    assert str(refusal.value).startswith(str(path))
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_it_refuses_a_pipe(tmp_path: Path) -> None:
    """The second reading would wait for ever."""
    os.mkfifo(tmp_path / "a")

    with pytest.raises(InputError, match="is not a regular file"):
        check_archive(tmp_path / "a")


def in_segment(**change: Any) -> Any:
    (segment,) = SENTENCE["segments"]
    return SENTENCE | {"segments": [segment | change]}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([HEAD], "line 2: this record is out of order"),
        ([HEAD, SYSTEM], "line 2: this record is out of order"),
        ([HEAD, PROJECT, PROJECT], "line 3: this record is out of order"),
        ([HEAD, PROJECT, SENTENCE, SYSTEM], "line 4: this record is out of order"),
        ([HEAD, PROJECT, RANKING, SCHEDULE], "line 4: this record is out of order"),
        ([HEAD, PROJECT, {"record": "colour"}], "line 3: Invalid value 'colour' - at `$.record`"),
        ([HEAD, PROJECT, [1]], "line 3: Expected `object`"),
        ([HEAD, PROJECT | {"name": " "}], "line 2: Expected `str` matching"),
        ([HEAD, PROJECT | {"intra_rate": 2}], "Expected `float` <= 1.0 - at `$.intra_rate`"),
        ([HEAD, PROJECT | {"state": "preparing"}], "'preparing' - at `$.state`"),
        ([HEAD, PROJECT | {"is_staff": True}], "unknown field `is_staff`"),
        ([HEAD, PROJECT | {"practice_required": 1}], "got `int` - at `$.practice_required`"),
        ([HEAD, PROJECT | {"created": "2026-01-02T03:04:05"}], "timezone component - at `$.creat"),
        ([HEAD, PROJECT | {"created": "0001-01-01T00:00:00+01:00"}], "1 to 9999 in `created`"),
        ([HEAD, PROJECT | {"description": "\0"}], "line 2: a text contains a NUL character"),
        ([HEAD, PROJECT, {**ACCOUNT, "role": "king"}], "'king' - at `$.role`"),
        ([HEAD, PROJECT, SENTENCE | {"segments": [1]}], "got `int` - at `$.segments[0]`"),
        ([HEAD, PROJECT, in_segment(indices=[1, 0])], "ascending token positions"),
        ([HEAD, PROJECT, in_segment(candidates=[""])], "length >= 1 - at `$.segments[0].cand"),
        ([HEAD, PROJECT, in_segment(projections=[["A"]])], "at `$.segments[0].projections[0]`"),
        (
            [HEAD, PROJECT, ASSIGNMENT | {"submissions": [{}]}],
            "missing required field `number`",
        ),
        (
            [
                HEAD,
                PROJECT,
                ASSIGNMENT | {"draft": DRAFT | {"choices": {"1-1": True}}},
            ],
            "bool",
        ),
    ],
)
def test_it_refuses_a_malformed_record(tmp_path: Path, values: list[Any], message: str) -> None:
    path = seal_archive(tmp_path / "a", values)
    check_archive(path)

    with pytest.raises(InputError) as refusal:
        list(read_archive(path))

    assert message in str(refusal.value)


def test_it_refuses_a_key_that_is_given_twice(tmp_path: Path) -> None:
    path = seal_archive(tmp_path / "a", [HEAD, PROJECT])
    path.write_text(path.read_text().replace('"name":', '"name": "q", "name":'))

    with pytest.raises(InputError, match="line 2: The key 'name' is given twice"):
        list(read_archive(path))


def test_it_keeps_a_backslash_that_looks_like_an_escaped_character(tmp_path: Path) -> None:
    path = seal_archive(tmp_path / "a", [HEAD, PROJECT | {"description": "\\u0000"}])

    ((_where, record),) = read_archive(path)

    assert record.description == "\\u0000"  # type: ignore[union-attr]
