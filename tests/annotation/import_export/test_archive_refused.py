from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.models import Project
from tests.annotation.import_export.exchange_files import (
    add_practice_and_controls,
    archive_file,
    edit_archive,
    first_record,
    judged_here,
    row_counts,
    worked_on,
)
from tests.annotation.kinds.assessed_project import assess, prepared
from tests.factories import make_annotator, places

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

Record = dict[str, Any]
Change = Callable[[list[Any]], None]


def edit(record: str, change: Callable[[Record], None], **values: Any) -> Change:
    """Return what changes the first record of this kind with these values."""
    return lambda lines: change(first_record(lines, record, **values))


def replace(record: str, **values: Any) -> Change:
    return edit(record, lambda found: found.update(values))


def segment(purpose: str, change: Callable[[Record], None]) -> Change:
    """Return what changes a segment for this purpose: the first one, or the one with a control."""

    def edited(lines: list[Any]) -> None:
        segments = first_record(lines, "sentence", purpose=purpose)["segments"]
        change(next((part for part in segments if part["control"]), segments[0]))

    return edited


def judgement(change: Callable[[Record], None], **values: Any) -> Change:
    return edit("assignment", lambda r: change(r["submissions"][0]["judgements"][0]), **values)


def copies_first(lines: list[Any]) -> None:
    sentences = [line for line in lines if line["record"] == "sentence"]
    at = lines.index(sentences[0])
    lines[at : at + len(sentences)] = sentences[::-1]


DRAFT = {"version": 1, "choices": {"1-9": 1}, "active_seconds": 0, "saved": "2026-01-01T00:00:00Z"}
CASES: list[tuple[Change, str]] = [
    (replace("project", min_length=7), "min_length is greater than max_length"),
    (replace("project", kind="guess"), "does not know the kind of judgement 'guess'"),
    (replace("system", name="B\u00a0"), "there are two systems 'B'; the first is in "),
    (replace("account", name=" petr"), "there are two accounts 'petr'; the first is in "),
    (replace("account", name="\u200b"), "Expected visible characters in `name`"),
    (replace("project", target_language="xx"), "'xx' is not a known language code"),
    (replace("account", role=None, sentence_limit=3), "an account without a role has no limit"),
    (
        replace("account", role=None, sentence_limit=None, paused=True),
        "an account without a role is not paused",
    ),
    (replace("instructions", author="X"), "there is no account 'X'"),
    (replace("instructions", version=2), "there are two versions 2"),
    # Sentences.
    (replace("sentence", number=2), ", line 15 to line 22: the database refuses a record"),
    (replace("sentence", copy_of=2), "a sentence to judge is no copy"),
    (replace("sentence", retired=True), "is not retired"),
    (
        edit("sentence", lambda r: r.update(copy_of=None), purpose="control"),
        "a sentence for control is a copy of one to judge",
    ),
    (
        segment("practice", lambda part: part["answer"].update(last_ranks={"0": 99})),
        "the answer's last rank 99 is not from 1",
    ),
    (
        segment("practice", lambda part: part["answer"].update(reasons={"9": [{"en": "x"}]})),
        "there is no candidate 9",
    ),
    (
        edit("sentence", lambda r: r.update(copy_of=99), purpose="control"),
        "a copy of sentence 99, which has to come before it",
    ),
    (
        edit("sentence", lambda r: r.update(document="news"), purpose="practice"),
        "a sentence for practice has no document",
    ),
    (
        edit("sentence", lambda r: r.update(excluded=True), purpose="control"),
        "a sentence for control is not excluded",
    ),
    (
        segment("judge", lambda s: s.update(excluded_candidates=[9])),
        "there is no candidate 9",
    ),
    (
        segment("judge", lambda s: s.update(excluded_candidates=[0, 0])),
        "an excluded candidate is listed twice",
    ),
    (replace("sentence", document="a\tb"), "the name of the document 'a\\tb' cannot be used"),
    (copies_first, "which has to come before it"),
    (edit("sentence", lambda r: r["translations"][0].update(system="X")), "no system 'X'"),
    (
        edit("sentence", lambda r: r["translations"][0].update(system=None, reference=None)),
        "either a system or the number of a reference",
    ),
    (
        replace("sentence", text="w " * 2001, tokens=places("w " * 2001)),
        "at most 2000 are possible",
    ),
    (edit("sentence", lambda r: r["translations"][0].update(text="w" * 20_001)), "20000 char"),
    (replace("sentence", tokens="0-3 2-4"), "are not places in it"),
    (
        edit("sentence", lambda r: r["translations"][0].update(alignment="0-99")),
        "the link 0-99 points beyond the sentence",
    ),
    (
        edit("sentence", lambda r: r["segments"].extend(r["segments"] * 200)),
        "sentence 1 has more than 200 segments",
    ),
    (
        segment("judge", lambda s: s["candidates"].extend(map(str, range(20_000)))),
        "sentence 1 has more than 20000 candidates",
    ),
    (segment("judge", lambda s: s["indices"].append(99)), "the token index 99 is beyond"),
    (segment("judge", lambda s: s["projections"].append(["X", 0])), "there is no system 'X'"),
    (segment("judge", lambda s: s["projections"].append(["A", 9])), "there is no candidate 9"),
    (segment("practice", lambda s: s.update(answer=None)), "with candidates has an answer"),
    (segment("practice", lambda s: s["answer"]["ranks"].pop()), "2 ranks for 3 candidates"),
    (
        segment("practice", lambda s: s["answer"].update(ranks=[1, 4, 1])),
        "the answer's rank 4 is not from 1 to 3",
    ),
    (segment("practice", lambda s: s.update(duplicates=[1])), "only segments for control"),
    (
        segment("control", lambda s: s.update(answer={"explanation": "", "ranks": []})),
        "has an answer, others have none",
    ),
    (segment("control", lambda s: s.update(duplicates=[9])), "there is no candidate 9"),
    (segment("control", lambda s: s["control"].update(changed=9)), "there is no candidate 9"),
    (
        segment("control", lambda s: s["control"].update(changed=s["control"]["original"])),
        "compares a candidate with itself",
    ),
    (
        segment("control", lambda s: s["control"].update(kind="duplicate")),
        "the candidates of a duplicate control are different",
    ),
    (segment("control", lambda s: s.update(control=None)), "has no segment with a control"),
    (
        segment("control", lambda s: s["candidates"].append(s["candidates"][0])),
        "the database refuses a record",
    ),
    # Assignments.
    (replace("assignment", sentence=99), "there is no sentence 99"),
    (
        edit("assignment", lambda r: r.update(sentence=3), kind="practice"),
        "there is no sentence 3 with the purpose practice",
    ),
    (replace("assignment", annotator="X"), "there is no account 'X'"),
    (replace("assignment", instructions=9), "there are no instructions 9"),
    (replace("assignment", slot=None), "a first assignment has a slot"),
    (replace("assignment", kind="intra"), "others have none"),
    (replace("assignment", state="open"), "an open assignment needs a lease"),
    (
        edit("assignment", lambda r: r.update(decision=1), kind="control"),
        "an assignment for control shows the candidates of all systems",
    ),
    (replace("assignment", submitted=None), "a submitted assignment has a time of submission"),
    (
        replace("assignment", state="skipped", submitted=None),
        "a submitted assignment has submissions, others have none",
    ),
    (
        edit("assignment", lambda r: r["submissions"][-1].update(current=False)),
        "the last one is current",
    ),
    (edit("assignment", lambda r: r["submissions"][0].update(number=2)), "the numbers 1, 2"),
    (replace("assignment", draft=DRAFT), "a submitted assignment has no draft"),
    (
        edit("assignment", lambda r: r.update(draft=DRAFT), state="open"),
        "the draft places '1-9', which was not shown",
    ),
    (
        edit("assignment", lambda r: r.update(state="discarded"), kind="practice"),
        "an assignment for practice is discarded with its sentence only",
    ),
    (
        replace("assignment", discarded_with_sentence=True),
        "only a discarded assignment is discarded with its sentence or annotator",
    ),
    (replace("reservation", sentence=99), "there is no sentence 99"),
    (replace("reservation", annotator="X"), "there is no account 'X'"),
    (replace("reservation", by="X"), "there is no account 'X'"),
    (judgement(lambda j: j.update(segment=7)), "has no segment 7"),
    (judgement(lambda j: j["ranks"].append(1)), "4 values for the 3 candidates"),
    (judgement(lambda j: j.update(ranks=[1, 1, 9])), "the rank 9 is not from 1 to 3"),
    (judgement(lambda j: j.update(ranks=[None] * 3)), "there is no value for any candidate"),
    (
        judgement(lambda j: j["ranks"].__setitem__(0, None), kind="control"),
        "a judgement for control places all candidates",
    ),
]


def test_it_refuses_an_archive_that_contradicts_itself_and_stores_nothing(tmp_path: Path) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    path = archive_file(project, tmp_path)
    content = path.read_bytes()
    Project.objects.update(name="elsewhere")
    before = row_counts()
    for change, message in CASES:
        path.write_bytes(content)

        with pytest.raises(InputError) as refusal:
            import_project(path=edit_archive(path, change))

        assert message in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert row_counts() == before, message


def batch(change: Callable[[Record], None]) -> Change:
    return edit("batch", change)


def item(role: str, **values: Any) -> Change:
    """Return what changes the first item with this role of a batch."""

    def change(record: Record) -> None:
        next(one for one in record["items"] if one["role"] == role).update(values)

    return batch(change)


def other_control(role: str) -> Change:
    """Return what puts another control sentence of the same role at the place of the first one."""

    def change(record: Record) -> None:
        first, *others = [one for one in record["items"] if one["role"] == role]
        first["sentence"] = next(
            one["sentence"] for one in others if one["original"] != first["original"]
        )

    return batch(change)


def exchange_controls(record: Record) -> None:
    """Let a degraded output and a reference change places."""
    one, other = (
        next(item for item in record["items"] if item["role"] == role)
        for role in ("degraded", "reference")
    )
    one["sentence"], other["sentence"] = other["sentence"], one["sentence"]


def another_batch(lines: list[Any]) -> None:
    first = first_record(lines, "batch")
    lines.insert(lines.index(first), first)


def twice(record: Record) -> None:
    record["items"].append(record["items"][0] | {"role": "output", "original": None})


def turn_of(**values: Any) -> Change:
    return batch(lambda record: record["turns"].append(record["turns"][0] | values))


def further(**values: Any) -> Change:
    """Return what changes the last further translation of a line."""

    def change(lines: list[Any]) -> None:
        first_record(lines, "sentence", purpose="judge", number=18).update(values)

    return change


BATCH_CASES: list[tuple[Change, str]] = [
    (further(source_line=7), "a further translation of line 7, which has to come before it"),
    (further(text="x" * 500), "with the same text and tokens"),
    (another_batch, "there are two batches 1"),
    (batch(twice), "there are two items at position"),
    (item("output", sentence=99), "there is no sentence 99"),
    (item("output", original=2), "is an output, which is of no other"),
    (item("repeat", original=None), "is not of an output of the batch"),
    (item("repeat", original=999), "is not of an output of the batch"),
    (item("repeat", sentence=18), "is not a repeat of the output at position"),
    (other_control("degraded"), "is not a degraded copy of the output at position"),
    (other_control("reference"), "is not the reference of the output at position"),
    (batch(exchange_controls), "is not a degraded copy of the output at position"),
    (turn_of(annotator="X"), "there is no account 'X'"),
    (turn_of(slot=2), "the annotator 'jana' has two turns"),
    (turn_of(annotator="petr"), "two annotators have turns at slot 1"),
]


def test_it_refuses_batches_that_contradict_the_archive_and_stores_nothing(tmp_path: Path) -> None:
    project = prepared(tmp_path, batches=True)
    jana = make_annotator(project)
    make_annotator(project, "petr")
    assess(jana, project)
    path = archive_file(project, tmp_path)
    content = path.read_bytes()
    Project.objects.update(name="elsewhere")
    before = row_counts()
    for change, message in BATCH_CASES:
        path.write_bytes(content)

        with pytest.raises(InputError) as refusal:
            import_project(path=edit_archive(path, change))

        assert message in str(refusal.value)
        assert row_counts() == before, message


def test_it_refuses_a_name_that_is_taken(tmp_path: Path) -> None:
    path = archive_file(judged_here(), tmp_path)
    before = row_counts()

    with pytest.raises(CommandError, match="choose another name"):
        call_command("import_project", str(path))

    assert row_counts() == before
