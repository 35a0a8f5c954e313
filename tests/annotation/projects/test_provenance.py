"""What is read of a project's provenance: a restored archive may have anything there."""

import json
from typing import Any

import pytest
from msgspec import to_builtins

from annotation.formats.strict_json import encode
from annotation.models import Project
from annotation.preparation.statistics import Quality
from annotation.projects.provenance import (
    AddedSystem,
    MergeCounts,
    Program,
    Shown,
    SourceFile,
    append_entry,
    provenance_of,
    record_added,
    record_files,
)


def test_an_entry_that_does_not_fit_leaves_the_others_in_their_places() -> None:
    added = [{"system": "A"}, 7, {"system": "B", "judge": "5"}, {"system": "C\u200b"}]
    project = Project(provenance={"files": {"source": {"name": "a"}, "x": 5}, "added": added})

    made = provenance_of(project)

    assert made.files == {"source": SourceFile("a")}
    assert made.added == (AddedSystem("A"), None, AddedSystem("B"), AddedSystem("C"))


def test_a_part_that_does_not_fit_leaves_the_others_of_its_entry() -> None:
    when = "2026-01-01T00:00:00+00:00"
    decision = {"when": when, "by": 3, "decided": ["A"], "undecided": ["B"], "shown": None}
    added = {"system": "A", "sampled": [[1, "0 1"], [0, "0"], 5], "counts": {"known": 10**400}}
    project = Project(provenance={"decisions": [decision], "added": [added]})

    made = provenance_of(project)

    assert made.added == (AddedSystem("A", sampled=((1, "0 1"),)),)
    (read,) = made.decisions
    assert read
    assert (read.decided, read.undecided, read.by, read.shown) == (("A",), ("B",), "", Shown())


def test_the_counts_of_the_preparation_are_read() -> None:
    quality = Quality(projections=10, projected=9, segments=5, sentences=2, uncut=1)
    project = Project(provenance={"quality": to_builtins(quality)})

    assert provenance_of(project).quality == quality


@pytest.mark.parametrize("stored", [{}, {"quality": "good"}, {"quality": {"better": 1}}])
def test_without_counts_of_the_preparation_there_is_no_quality(stored: dict[str, Any]) -> None:
    assert provenance_of(Project(provenance=stored)).quality is None


def test_writing_keeps_what_does_not_fit() -> None:
    project = Project(provenance={"other": [1], "added": [None], "files": {"x": 5}})
    entry = AddedSystem("D", "d.txt", judge=5, seed=0)

    append_entry(project, "added", entry)
    counted = AddedSystem("D", aligner=Program("systran"), counts=MergeCounts(new=3))
    record_added(project, counted)
    record_files(project, {"documents": SourceFile("a", "b")})

    counts = {"known": 0, "new": 3, "missing": 0, "reassigned": 0}
    assert project.provenance == {
        "other": [1],
        "added": [None, {"system": "D", "aligner": {"name": "systran"}, "counts": counts}],
        "files": {"x": 5, "documents": {"name": "a", "sha256": "b"}},
    }


def test_an_added_system_is_stored_without_what_is_not_known() -> None:
    entry = AddedSystem("D", "d.txt", judge=5, seed=0, sampled=((1, "0 1"),))

    stored = json.loads(encode(entry))

    assert stored == {
        "system": "D", "name": "d.txt", "judge": 5, "seed": 0, "sampled": [[1, "0 1"]],
    }  # fmt: skip
