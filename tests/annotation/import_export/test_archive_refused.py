import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.annotation.import_export.exchange_files import (
    add_practice_and_controls,
    archive_file,
    judged_here,
    row_counts,
    worked_on,
)
from tests.installation import Installation

pytestmark = pytest.mark.django_db


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    path = archive_file(judged_here(), tmp_path)
    before = row_counts()

    with pytest.raises(CommandError, match="'houses' already: choose another name with --name"):
        call_command("import_project", str(path))

    assert row_counts() == before


def sealed(lines: list[str]) -> str:
    """Return the archive with counts of placements and drafts and a checksum that fit."""
    body = "".join(line + "\n" for line in lines[:-1])
    end = json.loads(lines[-1])
    end["end"]["rows"]["drafts"] = sum(
        json.loads(line).get("assignment", {}).get("draft") is not None for line in lines
    )
    end["end"]["rows"]["placements"] = sum(
        rank is not None
        for line in lines
        for submission in json.loads(line).get("assignment", {}).get("submissions", [])
        for judgement in submission["judgements"]
        for rank in judgement["ranks"]
    )
    end["end"]["sha256"] = hashlib.sha256(body.encode()).hexdigest()
    return body + json.dumps(end) + "\n"


def edit(tag: str, change: Callable[[dict[str, Any]], None]) -> Callable[[list[str]], None]:
    """Return what changes the first record with this tag."""

    def edited(lines: list[str]) -> None:
        at = next(number for number, line in enumerate(lines) if line.startswith(f'{{"{tag}"'))
        value = json.loads(lines[at])
        change(value[tag])
        lines[at] = json.dumps(value)

    return edited


DRAFT = {"version": 1, "choices": {}, "active_seconds": 0, "saved": "2026-01-01T00:00:00+00:00"}


def first_judgement(record: dict[str, Any]) -> dict[str, Any]:
    judgement: dict[str, Any] = record["submissions"][0]["judgements"][0]
    return judgement


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (edit("sentence", lambda r: r["segments"][0]["indices"].append(99)), "index 99 is beyond"),
        (edit("sentence", lambda r: r.update(number=2)), "is refused by the database"),
        (
            edit("sentence", lambda r: r["segments"][0]["projections"].append(["X", 0])),
            "there is no system 'X'",
        ),
        (
            edit("sentence", lambda r: r["segments"][0]["projections"].append(["A", 9])),
            "'A' has a candidate that is not there",
        ),
        (edit("sentence", lambda r: r["translations"][0].update(system="X")), "no system 'X'"),
        (edit("assignment", lambda r: r.update(sentence=99)), "there is no sentence 99"),
        (edit("assignment", lambda r: r.update(annotator="X")), "there is no account 'X'"),
        (
            edit("assignment", lambda r: r.update(submitted=None)),
            "a submitted assignment has a time of",
        ),
        (edit("assignment", lambda r: first_judgement(r).update(segment=7)), "has no segment 7"),
        (edit("assignment", lambda r: first_judgement(r)["ranks"].append(1)), "4 values for the 3"),
        (
            edit("assignment", lambda r: first_judgement(r).update(ranks=[1, 1, 9])),
            "the rank 9 is not from 1 to 3",
        ),
        (
            edit("assignment", lambda r: first_judgement(r).update(ranks=[None] * 3)),
            "nothing is said of the candidates",
        ),
        (edit("assignment", lambda r: r.update(instructions=2)), "there are no instructions 2"),
        (edit("assignment", lambda r: r.update(slot=None)), "a first assignment has a slot"),
        (edit("assignment", lambda r: r.update(kind="intra")), "others have none"),
        (edit("assignment", lambda r: r.update(state="open")), "needs a lease"),
        (
            edit("assignment", lambda r: r.update(state="skipped", submitted=None)),
            "has submissions, others have none",
        ),
        (
            edit("assignment", lambda r: r["submissions"][0].update(current=False)),
            "the last one is current",
        ),
        (edit("assignment", lambda r: r["submissions"][0].update(number=2)), "the numbers 1, 2"),
        (
            edit("assignment", lambda r: r.update(draft=DRAFT | {"choices": {"1-9": 1}})),
            "the draft places '1-9', which was not shown",
        ),
        (edit("account", lambda r: r.update(name="petr")), "there are two accounts 'petr'"),
        (
            edit("account", lambda r: r.update(role=None, most_sentences=3)),
            "who is no member has no number of sentences",
        ),
        (edit("instructions", lambda r: r.update(author="X")), "there is no account 'X'"),
        (edit("instructions", lambda r: r.update(version=2)), "there are no instructions 1"),
        (edit("system", lambda r: r.update(name="B")), "there are two systems 'B'"),
        (edit("project", lambda r: r.update(min_length=7)), "segment lengths are not in order"),
        (edit("project", lambda r: r.update(name="x" * 201)), "'name' is not a text of 1 to 200"),
    ],
)
def test_an_archive_at_odds_with_itself_leaves_nothing(
    tmp_path: Path, forge: Callable[[list[str]], None], message: str
) -> None:
    assert_refused(judged_here(), tmp_path, forge, message)


def assert_refused(
    project: Project, tmp_path: Path, forge: Callable[[list[str]], None], message: str
) -> None:
    path = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()
    lines = path.read_text().splitlines()
    forge(lines)
    path.write_text(sealed(lines))
    before = row_counts()

    with pytest.raises(CommandError) as refusal:
        call_command("import_project", str(path))

    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert row_counts() == before


def edit_copy(
    purpose: str, change: Callable[[dict[str, Any], dict[str, Any]], None]
) -> Callable[[list[str]], None]:
    """Return what changes the first sentence for practice or control, and its segment in hand.

    That is the one with the control, or the first.
    """

    def edited(lines: list[str]) -> None:
        start = f'{{"sentence": {{"purpose": "{purpose}"'
        at = next(number for number, line in enumerate(lines) if line.startswith(start))
        value = json.loads(lines[at])
        segments = value["sentence"]["segments"]
        change(value["sentence"], next((s for s in segments if s["control"]), segments[0]))
        lines[at] = json.dumps(value)

    return edited


def edit_kind(kind: str, change: Callable[[dict[str, Any]], None]) -> Callable[[list[str]], None]:
    """Return what changes the first assignment of this kind."""

    def edited(lines: list[str]) -> None:
        at = next(n for n, line in enumerate(lines) if f'"kind": "{kind}", "state"' in line)
        value = json.loads(lines[at])
        change(value["assignment"])
        lines[at] = json.dumps(value)

    return edited


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (edit("sentence", lambda r: r.update(copy_of=2)), "a sentence to judge is no copy"),
        (edit("sentence", lambda r: r.update(retired=True)), "and is not retired"),
        (
            edit_copy("practice", lambda r, _s: r.update(copy_of=None)),
            "a sentence for practice is a copy of one to judge",
        ),
        (
            edit_copy("control", lambda r, _s: r.update(copy_of=99)),
            "there is no sentence 99 before it that it is a copy of",
        ),
        (
            edit_copy("practice", lambda _r, s: s.update(answer=None)),
            "segment 0 (from 0) is for practice, and has no answer",
        ),
        (
            edit_copy("practice", lambda _r, s: s["answer"]["ranks"].pop()),
            "has an answer of 2 ranks for its 3 candidates",
        ),
        (
            edit_copy("practice", lambda _r, s: s["answer"].update(ranks=[1, 4, 1])),
            "a rank 4 not from 1 to 3",
        ),
        (
            edit_copy("control", lambda _r, s: s.update(answer={"explanation": "", "ranks": []})),
            "has an answer, but nothing to practise",
        ),
        (edit_copy("control", lambda _r, s: s.update(twins=[9])), "a twin 9 that is not there"),
        (
            edit_copy("practice", lambda _r, s: s.update(twins=[1])),
            "has a control or a twin, but is not for control",
        ),
        (
            edit_copy("control", lambda _r, s: s["control"].update(changed=9)),
            "a control with a candidate 9 that is not there",
        ),
        (
            edit_copy(
                "control", lambda _r, s: s["control"].update(changed=s["control"]["original"])
            ),
            "a control that compares a candidate with itself",
        ),
        (
            edit_copy("control", lambda _r, s: s["control"].update(kind="twin")),
            "a control of the kind 'twin', but its candidates are different",
        ),
        (
            edit_copy("control", lambda _r, s: s.update(control=None)),
            "a sentence for control has no segment with a control",
        ),
        (
            edit_copy("control", lambda _r, s: s["candidates"].append(s["candidates"][0])),
            "is refused by the database",
        ),
        (
            edit_kind("practice", lambda r: r.update(sentence=3)),
            "there is no sentence 3 with the purpose practice in the archive",
        ),
        (edit_kind("practice", lambda r: r.update(slot=1)), "others have none"),
        (
            edit_kind("first", lambda r: r.update(kind="control", slot=None, sentence=7)),
            "there is no sentence 7 with the purpose control",
        ),
        (
            edit_kind("control", lambda r: first_judgement(r)["ranks"].__setitem__(0, None)),
            "a judgement for control places all candidates",
        ),
    ],
)
def test_practice_and_control_at_odds_leave_nothing(
    tmp_path: Path, forge: Callable[[list[str]], None], message: str
) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    assert_refused(project, tmp_path, forge, message)


def test_a_copy_before_its_original_is_refused(tmp_path: Path) -> None:
    project = worked_on()
    add_practice_and_controls(project)

    def copies_first(lines: list[str]) -> None:
        sentences = [line for line in lines if line.startswith('{"sentence"')]
        at = lines.index(sentences[0])
        lines[at : at + len(sentences)] = sentences[::-1]

    assert_refused(project, tmp_path, copies_first, "before it that it is a copy of")


def test_a_damaged_archive_is_one_sentence_and_exit_status_one(
    tmp_path: Path, installation: Installation
) -> None:
    path = archive_file(judged_here(), tmp_path)
    path.write_text(path.read_text().replace("river", "RIVER", 1))
    installation.manage("migrate", "-v0")

    run = installation.manage("import_project", str(path), check=False)

    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.splitlines() == [
        f"Error: {path} is damaged or was changed: its checksum is not the one in its last line."
    ]
    assert installation.query("Project.objects.count()") == 0
