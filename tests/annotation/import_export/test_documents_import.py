"""Judgements of documents that were made elsewhere: a sheet is one submission."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from annotation.formats.assessment_lines import read_assessment_lines
from annotation.formats.errors import InputError, raise_error
from annotation.import_export.export_formats import export_project
from annotation.import_export.judgements_import import import_judgements
from annotation.models import (
    Assignment,
    ErrorSpan,
    Judgement,
    Placement,
    Project,
    Sentence,
    Submission,
)
from tests.annotation.kinds.document_project import judge, prepared
from tests.factories import assign_next, make_annotator

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

SPANS = '[{"start_i": 0, "end_i": 0, "severity": "major", "error_type": null}]'


def appraise(
    path: Path, sheets: Iterable[tuple[str, str, int]], *, start: int = 1, whole: bool = False
) -> Path:
    """Write what jana judged: the system, the document as Appraise has it, and how many items."""
    rows = []
    item = start
    for system, document, count in sheets:
        for _paragraph in range(count):
            time = f"{1700000000 + 10 * item}.5"
            row = ["jana", f"wmt.{system}", item, "TGT", "eng", "ces", item, document, False]
            rows.append([*row, SPANS, time, time])
            item += 1
        if whole:
            time = f"{1700000000 + 10 * item}.5"
            row = ["jana", f"wmt.{system}", item, "TGT", "eng", "ces", 99, document, True]
            rows.append([*row, "[]", time, time])
            item += 1
    # Appraise has the latest first.
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(reversed(rows))
    return path


def submissions(project: Project) -> list[tuple[str, str, list[tuple[int | None, int]]]]:
    """Return kind, document and the numbers and scores of each submission, in order of time."""
    found = []
    for one in Submission.objects.filter(assignment__project=project).order_by("created"):
        placed = Placement.objects.filter(judgement__submission=one).order_by(
            "judgement__created", "judgement__segment__sentence__number"
        )
        rows = [
            (sentence, 101 - (rank or 0))
            for sentence, rank in placed.values_list(
                "judgement__segment__sentence__source_line", "rank"
            )
        ]
        found.append((one.assignment.kind, one.assignment.sentence.document, rows))
    return found


def test_a_document_of_a_system_is_one_submission(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    path = appraise(tmp_path / "a.csv", [("B", "news 1#B", 3), ("B", "talk 2#B", 2)])
    imported = import_judgements(project=project, path=path)
    assert (imported.judgements, imported.annotators, imported.left_out) == (5, 1, {})
    assert [(kind, document) for kind, document, _rows in submissions(project)] == [
        ("first", "news 1"),
        ("first", "talk 2"),
    ]
    for assignment in Assignment.objects.filter(project=project):
        assert assignment.sentence.sheet is None
    scored = Placement.objects.filter(candidate__text="B has 2 .")
    assert list(scored.values_list("rank", flat=True)) == [101 - 2]
    assert ErrorSpan.objects.filter(start=0, end=1, severity="major").count() == 5
    again = import_judgements(project=project, path=path)
    assert (again.judgements, again.there_already) == (0, 5)


def test_a_copy_of_a_document_is_a_repeat_by_the_same_annotator(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    sheets = [("A", "news 1#A", 3), ("A", "note 3#A", 1), ("A", "news 1#A#duplicate2", 3)]
    import_judgements(project=project, path=appraise(tmp_path / "a.csv", sheets))
    assert [(kind, document) for kind, document, _rows in submissions(project)] == [
        ("first", "news 1"),
        ("first", "note 3"),
        ("intra", "news 1"),
    ]


def test_the_name_of_a_document_may_have_the_separator(tmp_path: Path) -> None:
    documents = ("en_#_news_#_1", "en_#_news_#_1", "C#D", "C#D")
    project = prepared(tmp_path, documents=documents)
    sheets = [("C", "en_#_news_#_1#C", 2), ("A", "C#D#A#dup1", 2)]
    imported = import_judgements(project=project, path=appraise(tmp_path / "a.csv", sheets))
    assert imported.judgements == 4
    assert not imported.left_out


def test_what_cannot_be_placed_is_counted(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    sheets = [
        ("A", "news 1#A", 2),
        ("A", "tutorial#A", 4),
        ("Z", "note 3#Z", 1),
        ("A", "note 3#A", 1),
    ]
    path = appraise(tmp_path / "a.csv", sheets)
    first, *others = path.read_text().splitlines()
    bad = first.replace("TGT", "BAD").replace("#A", "#A#bad1")
    revised = first.replace("1700000080.5", "1700000999.5").replace('""major""', '""undecided""')
    path.write_text("\n".join([first, *others, bad, revised]) + "\n")
    imported = import_judgements(project=project, path=path)
    assert imported.judgements == 1
    assert imported.left_out == {
        "controls": 1,
        "replaced": 1,
        "parts": 2,
        "documents": 4,
        "systems": 1,
        "marks": 1,
    }


@pytest.mark.parametrize("rated", [False, True])
def test_scores_of_whole_documents_are_kept_where_they_are_asked(
    tmp_path: Path, rated: bool
) -> None:
    project = prepared(tmp_path, kind="document_sqm", rate_documents=rated)
    path = appraise(tmp_path / "a.csv", [("A", "talk 2#A", 2)], whole=True)
    path.write_text(path.read_text().replace(f'"{SPANS}"'.replace('"', '""')[1:-1], "[]"))
    rows = [row[:9] + row[10:] for row in csv.reader(path.read_text().splitlines())]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    imported = import_judgements(project=project, path=path)
    assert imported.judgements == 2 + rated
    assert imported.left_out.get("wholes", 0) == (not rated)
    assert Judgement.objects.filter(segment__of_document=True).count() == rated


def test_several_systems_are_not_judged_one_at_a_time(tmp_path: Path) -> None:
    project = prepared(tmp_path, kind="contrastive_error_spans")
    path = appraise(tmp_path / "a.csv", [("A", "talk 2#A", 2)])
    with pytest.raises(InputError, match="one system of a document at a time"):
        import_judgements(project=project, path=path)


@pytest.mark.parametrize("format_name", ["judgements", "esa", "da"])
@pytest.mark.parametrize("kind", ["document_error_spans", "contrastive_error_spans"])
def test_exports_of_documents_return(tmp_path: Path, kind: str, format_name: str) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    project, copy = (
        prepared(folder, kind=kind, name=folder.name, rate_documents=True) for folder in folders
    )
    annotator = make_annotator(project, "jana")
    for _sheet in range(3):
        judge(annotator, assign_next(annotator, project))
    path = tmp_path / "judgements"
    export_project(project=project, format_name=format_name, to=path)
    import_judgements(project=copy, path=path)

    def figures(of: Project) -> list[tuple[object, ...]]:
        rows = Placement.objects.filter(judgement__submission__assignment__project=of)
        return sorted(
            rows.values_list(
                "judgement__submission__assignment__sentence__number",
                "judgement__submission__assignment__kind",
                "judgement__segment__sentence__number",
                "judgement__segment__of_document",
                "candidate__text",
                "rank",
            )
        )

    assert figures(copy) == figures(project)
    assert Assignment.objects.filter(project=copy).count() == 3
    assert Submission.objects.filter(assignment__project=copy).count() == 3
    heads = Sentence.objects.filter(project=copy, assignments__isnull=False)
    assert not heads.exclude(sheet=None).exists()


def test_a_line_of_appraise_has_document_system_and_copy(tmp_path: Path) -> None:
    path = appraise(tmp_path / "a.csv", [("A.B", "x#y#A.B#bad5#duplicate1", 1)])
    (line,) = read_assessment_lines(path, raise_error)
    assert (line.document, line.system, line.sheet) == ("x#y", "A.B", "x#y#A.B#bad5#duplicate1")
    assert json.loads(SPANS)[0]["end_i"] == 0
    assert line.spans
    assert (line.spans[0].start, line.spans[0].end) == (0, 0)
