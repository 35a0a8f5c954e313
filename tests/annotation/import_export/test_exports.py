import csv
import gzip
import io
import json
import pickle
import stat
from datetime import datetime
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.import_export.export_formats import EXPORT_FORMATS
from annotation.import_export.exports import thesis_json
from annotation.import_export.judgements_import import import_judgements
from annotation.kinds import DEFAULT
from annotation.models import Assignment, Candidate, Project, Segment, User
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    SYSTEM_ROWS,
    draft,
    export,
    imported_project,
    judge,
    submit_ranks,
    write_json,
    write_lines,
)
from tests.factories import assign_next, make_annotator, make_project
from tests.installation import Installation

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
RANKED = [one.name for one in EXPORT_FORMATS.values() if one.has_kind(DEFAULT)]

HOUSE = JUDGEMENT | {
    "sentence": 1,
    "segment": "the old house",
    "indices": [0, 1, 2],
    "annotator": "eva, ml.",
    "ranks": {"starý dům": 1, "stará  dům": "garbage"},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two judgements of imported segments, one of them in a document."""
    made = imported_project(tmp_path)
    made.sentences.filter(number=7).update(document="talk")
    import_judgements(project=made, path=write_lines(tmp_path / "j", [JUDGEMENT, HOUSE]))
    return made


EXPECTED: dict[str, list[dict[str, int]]] = {
    "1,the old house": [{"starý dům": 1, "stará  dům": 100}],
    "7,small cat": [{"malá kočka": 1, "malý kočka": 3, "kočka": 100}],
}


def test_json_has_the_format_of_the_thesis(project: Project, tmp_path: Path) -> None:
    text = export(project, tmp_path, "json").decode()

    assert json.loads(text) == EXPECTED
    assert list(json.loads(text)) == list(EXPECTED)
    assert '"malá kočka": 1' in text
    assert text == "".join(thesis_json(project))


def test_drafts_are_no_judgements(tmp_path: Path) -> None:
    project = make_project()
    draft(assign_next(make_annotator(project), project))

    assert json.loads(export(project, tmp_path, "json")) == {}
    assert len(export(project, tmp_path, "csv").splitlines()) == 1


def test_a_revised_judgement_replaces_its_predecessor(tmp_path: Path) -> None:
    project = make_project(sentences=1, segments={"3": ["stojí", "stál"]})
    given = assign_next(make_annotator(project), project)
    submit_ranks(given, {})
    submit_ranks(given, {"stál": 2}, again=True)
    submit_ranks(given, {"stál": None}, again=True)

    rows = list(csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode())))

    assert json.loads(export(project, tmp_path, "json")) == {
        "1,stands": [{"stojí": 1, "stál": 100}]
    }
    assert [(row["candidate"], row["rank"], row["garbage"]) for row in rows] == [
        ("stojí", "1", "false"),
        ("stál", "", "true"),
    ]
    revised = given.submissions.get(number=3).created
    assert {datetime.fromisoformat(row["submitted"]) for row in rows} == {revised}
    assert len(pickle.loads(export(project, tmp_path, "pickle"))[1, "stands"]) == 1


def test_segments_with_the_same_words_share_a_key(tmp_path: Path) -> None:
    rows = [
        ("1", "the cat sees the cat", "", "the cat", "kočka", "0 1"),
        ("1", "the cat sees the cat", "", "the cat", "kočku", "3 4"),
    ]
    project = imported_project(tmp_path, rows=rows, systems=None)
    content = {"1,the cat": [{"kočka": 1}, {"kočku": 1}]}
    import_judgements(project=project, path=write_json(tmp_path / "t", content))

    assert json.loads(export(project, tmp_path, "json")) == content


def test_csv_has_a_row_for_each_placement(project: Project, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode())))

    assert [row["candidate"] for row in rows] == [
        "starý dům",
        "stará  dům",
        "malá kočka",
        "malý kočka",
        "kočka",
    ]
    assert rows[0]["annotator"] == "eva, ml."
    assert rows[2] == {
        "project": "house",
        "sentence": "7",
        "segment": "small cat",
        "indices": "1 2",
        "annotator": "jana",
        "assignment_kind": "first",
        "submitted": "2014-05-20T07:15:58.433530+00:00",
        "seconds": "98.0",
        "candidate": "malá kočka",
        "systems": '["A", "B+C"]',
        "order_shown": "",
        "rank": "1",
        "garbage": "false",
        "document": "talk",
        "narrowed": "false",
        "comment": "",
        "score": "",
        "detail": "",
        "source_line": "7",
        "aids": "",
        "media": "",
        "sheet_probability": "",
        "system_probabilities": "",
        "settled": "",
    }
    assert (rows[4]["rank"], rows[4]["garbage"], rows[4]["systems"]) == ("", "true", "[]")


def test_csv_marks_narrowed_judgements(project: Project, tmp_path: Path) -> None:
    Assignment.objects.filter(sentence__number=7).update(decision=1)

    rows = list(csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode())))

    marked = [(row["sentence"], row["narrowed"]) for row in rows]
    assert marked == [("1", "false")] * 2 + [("7", "true")] * 3


def test_csv_has_the_aids_of_the_page(project: Project, tmp_path: Path) -> None:
    Assignment.objects.filter(sentence__number=7).update(aids={"highlights": True})

    rows = list(csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode())))

    assert [row["aids"] for row in rows] == ["", "", *['{"highlights": true}'] * 3]


def test_csv_has_the_order_shown(project: Project, tmp_path: Path) -> None:
    assignment = Assignment.objects.get(sentence__number=7)
    for position, candidate in enumerate(
        Candidate.objects.filter(segment__sentence__number=7).order_by("-pk"), start=1
    ):
        assignment.shown_candidates.create(candidate=candidate, position=position)

    rows = list(csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode())))

    assert [row["order_shown"] for row in rows] == ["", "", "3", "2", "1"]


def test_segments_and_systems_are_equal_to_the_imported_files(
    project: Project, tmp_path: Path
) -> None:
    for name, rows in (("segments", SEGMENT_ROWS), ("systems", SYSTEM_ROWS)):
        written = export(project, tmp_path, name).decode()

        assert [tuple(line.split("\t")) for line in written.splitlines()] == rows
        assert written == (tmp_path / f"{name}.tsv").read_text()


def test_source_segments_include_those_without_candidates(tmp_path: Path) -> None:
    project = make_project(sentences=1)
    Segment.objects.create(sentence=project.sentences.get(), token_indices="3")

    assert export(project, tmp_path, "source-segments").decode().splitlines() == [
        "1\tthe old house\t0 1 2",
        "1\tnear the river\t4 5 6",
        "1\tstands\t3",
    ]


@pytest.mark.parametrize("format_name", RANKED)
def test_it_exports_a_project_without_judgements(tmp_path: Path, format_name: str) -> None:
    written = export(make_project(), tmp_path, format_name)
    # The lines of no judgements are no line.
    assert bool(written) == (format_name not in ("judgements", "preferences"))


@pytest.mark.parametrize("format_name", RANKED)
def test_queries_do_not_grow_within_a_page(tmp_path: Path, format_name: str) -> None:
    counts = []
    for sentences in (2, 20):
        project = make_project(f"of {sentences}", sentences=sentences)
        jana = make_annotator(project)
        for sentence in project.sentences.all():
            judge(project, sentence.segments.earliest("pk"), jana)
        with CaptureQueriesContext(connection) as queries:
            export(project, tmp_path, format_name)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_two_annotators_of_one_name_are_distinguished(tmp_path: Path) -> None:
    project = make_project(sentences=2)
    first, second = project.sentences.order_by("pk")
    judge(
        project,
        first.segments.earliest("pk"),
        User.objects.create(username="a", display_name="Jana"),
    )
    judge(
        project,
        second.segments.earliest("pk"),
        User.objects.create(username="b", display_name="Jana"),
    )

    rows = csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode()))

    assert list(dict.fromkeys(row["annotator"] for row in rows)) == ["Jana", "Jana (2)"]


def test_a_name_with_gz_compresses(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "out.json.gz"

    call_command("export_project", "house", str(path), "--format", "json")
    once = path.read_bytes()
    call_command("export_project", "house", str(path), "--format", "json")

    assert path.read_bytes() == once
    assert json.loads(gzip.decompress(path.read_bytes())) == EXPECTED


def test_a_failure_keeps_the_old_file(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / "segments.tsv"
    path.write_text("before")
    Candidate.objects.filter(text="kočka").update(text="with\ttab")

    with pytest.raises(CommandError, match="contains a tab or a line break"):
        call_command("export_project", "house", str(path), "--format", "segments")

    assert path.read_text() == "before"
    assert list(folder.iterdir()) == [path]


def test_a_new_file_may_be_read_as_the_umask_says(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "new"
    beside = tmp_path / "beside"
    beside.touch()

    call_command("export_project", "house", str(path), "--format", "json")

    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(beside.stat().st_mode)


def test_a_file_that_cannot_be_written_is_one_sentence(project: Project, tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "file", tmp_path):
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export_project", "house", str(path), "--format", "json")


def test_it_refuses_a_project_in_preparation(tmp_path: Path) -> None:
    project = make_project()
    Project.objects.update(state="preparing")

    with pytest.raises(CommandError, match="is not prepared"):
        export(project, tmp_path, "archive")


@pytest.mark.django_db(transaction=True)
def test_an_export_reads_a_snapshot_and_blocks_no_writer() -> None:
    # More than a page, so that the last one is read after the other thread's submission.
    project = make_project(sentences=250)
    jana = make_annotator(project)
    first, *_others, last = (
        sentence.segments.earliest("pk") for sentence in project.sentences.order_by("number")
    )
    judge(project, first, jana)
    export_under_way = thesis_json(project)
    beginning = next(export_under_way)

    def judge_meanwhile() -> None:
        judge(project, last, jana)
        connection.close()

    other = Thread(target=judge_meanwhile)
    other.start()
    other.join()
    text = beginning + "".join(export_under_way)

    assert Assignment.objects.count() == 2
    assert list(json.loads(text)) == ["1,the old house"]
    assert list(json.loads("".join(thesis_json(project)))) == [
        "1,the old house",
        "250,the old house",
    ]


@pytest.mark.process
def test_standard_output_has_only_the_export(tmp_path: Path, installed: Installation) -> None:
    imported = tmp_path / "s"
    imported.write_text("".join("\t".join(row) + "\n" for row in SEGMENT_ROWS))
    installed.manage("import_segments", "house", str(imported), "--languages", "en-cs")

    run = installed.manage("export_project", "house", "-", "--format", "segments")

    assert run.stdout == imported.read_text()
    assert run.stderr == ""


# --- JSON lines -------------------------------------------------------------------------------


def test_exported_lines_are_imported_into_another_project(tmp_path: Path, project: Project) -> None:
    lines = export(project, tmp_path, "judgements")
    assert [json.loads(line) for line in lines.splitlines()] == [
        HOUSE | {"created": "2014-05-20T07:15:58.433530+00:00"},
        JUDGEMENT | {"created": "2014-05-20T07:15:58.433530+00:00"},
    ]
    path = tmp_path / "judgements.jsonl"
    path.write_bytes(lines)
    # The project has them already.
    assert import_judgements(project=project, path=path).there_already == 2
    other = imported_project(tmp_path, "other")
    assert import_judgements(project=other, path=path).judgements == 2
    assert export(other, tmp_path, "judgements") == lines


def test_own_judgements_are_exported_as_the_project_has_them(tmp_path: Path) -> None:
    project = make_project()
    submit_ranks(assign_next(make_annotator(project), project), {})
    path = tmp_path / "own.jsonl"
    path.write_bytes(export(project, tmp_path, "judgements"))
    found = import_judgements(project=project, path=path)
    assert (found.judgements, found.there_already) == (0, 2)


@pytest.mark.parametrize("kind", ["error_spans", "grades"])
def test_scores_steps_and_marks_are_exported(tmp_path: Path, kind: str) -> None:
    project = make_project(sentences=1, kind=kind)
    given = HOUSE | {"created": "2026-05-20T07:15:58.000000+00:00", "seconds": None}
    del given["ranks"]
    if kind == "error_spans":
        given |= {"scores": {"dům": 95, "starý dům": 70}, "details": {"dům": "0-1 minor"}}
    else:
        given |= {"ranks": {"dům": 1, "starý dům": 3}}
    path = write_lines(tmp_path / "given.jsonl", [given])
    import_judgements(project=project, path=path)
    assert json.loads(export(project, tmp_path, "judgements")) == given
