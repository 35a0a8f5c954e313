"""The commands of errors that were marked before."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.factories import make_project


def run(command: str, *arguments: object) -> str:
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def project(db: None) -> Project:
    return make_project(
        kind="error_spans", sentences=1, segments={"0 1 2 3 4 5 6": ["Starý dům", "U řeky"]}
    )


def metric(folder: Path) -> Path:
    path = folder / "metric.jsonl"
    span = {"start": 0, "end": 5, "severity": "minor"}
    path.write_text(json.dumps({"system": "A", "line": 1, "error_spans": [span]}))
    return path


def test_errors_are_imported_with_the_share_of_sheets(project: Project, tmp_path: Path) -> None:
    arguments = project.pk, metric(tmp_path), "--origin", "xcomet"
    printed = run("import_given_spans", *arguments, "--by", "annotator", "--share", 0.25)
    assert "1 error of xcomet in 1 translation." in printed
    project.refresh_from_db()
    assert (project.given_share, project.given_origins.get().by) == (0.25, "annotator")
    with pytest.raises(CommandError, match="already"):
        run("import_given_spans", *arguments)
    with pytest.raises(CommandError, match="from 0 to 1"):
        run("import_given_spans", *arguments, "--share", 2)


def test_there_is_no_second_pass_over_nothing(project: Project) -> None:
    with pytest.raises(CommandError, match="Nothing was judged"):
        run("give_spans_of", project.pk)


def esa(user: str, segment: int, score: int, spans: str, start: float, end: float) -> str:
    spans = '"' + spans.replace('"', '""') + '"'
    row = (user, "A", segment, "TGT", "eng", "deu", score, "news_a#A", False, spans, start, end)
    return ",".join(map(str, row)) + "\n"


GIVEN = '{"start_i":0,"end_i":4,"severity":"minor"}'
OWN = '{"start_i":6,"end_i":8,"severity":"major","error_type":null}'


def test_files_with_and_without_errors_marked_before_are_compared(tmp_path: Path) -> None:
    """The time of a text runs from the end of the answer before it to its own end."""
    given, without = tmp_path / "given.csv", tmp_path / "without.csv"
    given.write_text(
        esa("u1", 1, 90, "[]", 5, 10)
        + esa("u1", 2, 60, f"[{GIVEN},{OWN}]", 35, 40)
        # A pause.
        + esa("u1", 3, 60, f"[{GIVEN}]", 1000, 1001)
    )
    without.write_text(
        esa("u2", 1, 90, "[]", 0, 0)
        + esa("u2", 2, 80, "[]", 20, 50)
        + esa("u2", 3, 70, f"[{OWN}]", 70, 80)
    )
    printed = run("compare_given_spans", given, without, "--output", tmp_path / "out")
    assert "Of 3 errors of the first file, 2 were marked before" in printed
    rows = json.loads((tmp_path / "out/tables/given-errors-work.json").read_text())["rows"]
    first, second, difference = rows
    assert [row["texts"] for row in rows] == [3, 3, None]
    assert (first["marks"], first["seconds"], first["per_mark"]) == (1, 30, 15)
    assert (second["seconds"], second["per_mark"], second["score"]) == (40, 80, 80)
    assert difference["score"] == -10


@pytest.mark.shared
def test_published_work_is_compared(shared: Path, tmp_path: Path) -> None:
    """The figures of docs/error-spans.md."""
    folder = shared / "data/wmt23-en-de/esa"
    files = folder / "esa-ai-1.csv.gz", folder / "esa-1.csv.gz"
    printed = run("compare_given_spans", *files, "--output", tmp_path)
    assert "Of 4449 errors of the first file, 3224 were marked before" in printed
    rows = json.loads((tmp_path / "tables/given-errors-work.json").read_text())["rows"]
    figures = ("marks", "median_seconds", "seconds", "per_mark", "score")
    assert [[round(row[figure], 2) for figure in figures] for row in rows] == [
        [1.65, 28.63, 56.52, 34.37, 76.70],
        [0.43, 27.21, 53.46, 127.47, 82.33],
        [1.22, 1.42, 3.05, -93.10, -5.63],
    ]
