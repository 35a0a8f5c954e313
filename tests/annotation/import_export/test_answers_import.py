"""Imports of judgements into projects whose annotators give scores, answers and details."""

import csv
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.import_export.exports import placements
from annotation.import_export.judgements_import import import_judgements
from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.models import Assignment, ErrorSpan, Project
from tests.annotation.import_export.exchange_files import row_counts
from tests.annotation.kinds.assessed_project import assess_all, prepared
from tests.annotation.kinds.edited_project import OUTPUTS, edited_project
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

# Of what was imported: neither the project nor ids, order and times to the microsecond.
FIGURES = ("sentence", "segment", "indices", "annotator", "assignment_kind", "candidate", "systems")
ANSWERS = ("rank", "score", "detail")


def table(project: Project) -> list[tuple[str, ...]]:
    rows = csv.DictReader("".join(placements(project)).splitlines())
    return sorted(tuple(row[name] for name in FIGURES + ANSWERS) for row in rows)


def as_lines(project: Project, path: Path) -> Path:
    """Write the table of placements as JSON lines."""
    lines: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in csv.DictReader("".join(placements(project)).splitlines()):
        key = tuple(row[name] for name in ("sentence", "indices", "annotator", "submitted"))
        line = lines.setdefault(
            key,
            {
                "sentence": int(row["sentence"]),
                "segment": row["segment"],
                "indices": [int(index) for index in row["indices"].split()],
                "annotator": row["annotator"].removeprefix("'"),
                "created": row["submitted"],
                "seconds": None,
                "details": {},
            },
        )
        answers, answer = ("scores", row["score"]) if row["score"] else ("ranks", row["rank"])
        line.setdefault(answers, {})[row["candidate"]] = int(answer)
        if row["detail"]:
            line["details"][row["candidate"]] = row["detail"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines.values()))
    return path


def marked_project(name: str, *, judged: bool) -> Project:
    project = make_project(
        name,
        kind="error_spans",
        sentences=2,
        segments={"0 1 2 3 4 5 6": ["Ahoj 😀 světe .", "Nazdar"]},
    )
    if judged:
        annotator, answer = make_annotator(project, "=jana"), kind_of(project).answer
        for details in ({"1-1": "0-1 minor, missing major", "1-2": "5-6 major"}, {}):
            assignment = assign_next(annotator, project)
            assert len(cards_of(assignment.pk)) == 2
            submit(
                annotator=annotator,
                project=project,
                assignment_id=assignment.pk,
                token=str(uuid4()),
                choices={
                    "1-1": answer.read_score("70"),
                    "1-2": answer.read_score("31"),
                },
                details=details,
            )
    return project


@pytest.mark.parametrize("format_name", ["da", "lines"])
def test_scores_of_single_translations_return(tmp_path: Path, format_name: str) -> None:
    (tmp_path / "a").mkdir()
    project = prepared(tmp_path / "a")
    for name in ("jana", "petr"):
        assess_all(make_annotator(project, name), project)
    Project.objects.update(name="First")
    (tmp_path / "b").mkdir()
    copy = prepared(tmp_path / "b")
    path = tmp_path / "judgements"
    if format_name == "da":
        export_project(project=project, format_name="da", to=path)
        first = path.read_text().splitlines()[0]
        with path.open("a") as file:
            file.write(first.replace(",TGT,", ",BAD,") + "\n")
    else:
        as_lines(project, path)
    imported = import_judgements(project=copy, path=path)
    assert imported.left_out.get("controls", 0) == (format_name == "da")
    assert imported.format == {"da": "CSV of scores", "lines": "JSON lines"}[format_name]
    assert table(project)
    assert table(copy) == table(project)


@pytest.mark.parametrize("format_name", ["esa", "lines"])
def test_marked_errors_return(tmp_path: Path, format_name: str) -> None:
    project = marked_project("marked", judged=True)
    copy = marked_project("copy", judged=False)
    path = tmp_path / "judgements"
    if format_name == "esa":
        export_project(project=project, format_name="esa", to=path)
    else:
        as_lines(project, path)
    import_judgements(project=copy, path=path)
    assert table(copy) == table(project)
    of_copy = ErrorSpan.objects.filter(placement__candidate__segment__sentence__project=copy)
    assert of_copy.count() == 3


@pytest.mark.parametrize("format_name", ["da", "esa", "lines"])
def test_scores_are_imported_once(tmp_path: Path, format_name: str) -> None:
    project = marked_project("marked", judged=True)
    path = tmp_path / "judgements"
    if format_name == "lines":
        as_lines(project, path)
    else:
        export_project(project=project, format_name=format_name, to=path)
    copy = marked_project("copy", judged=False)
    part = tmp_path / "part"
    whole = path.read_text().splitlines(keepends=True)
    # The first sheet, of two outputs.
    part.write_text("".join(whole[: 1 if format_name == "lines" else 2]))
    assert import_judgements(project=copy, path=part).judgements == 1

    imported = import_judgements(project=copy, path=path)

    assert (imported.judgements, imported.there_already) == (1, 1)
    # To the project where people gave these answers, and to the one that an archive restored.
    export_project(project=project, format_name="archive", to=tmp_path / "archive")
    restored = import_project(path=tmp_path / "archive", name="restored")
    for known in (copy, project, restored):
        again = import_judgements(project=known, path=path)
        assert (again.judgements, again.there_already) == (0, 2)


def test_scores_without_their_marks_are_known(tmp_path: Path) -> None:
    project = marked_project("marked", judged=True)
    copy = marked_project("copy", judged=False)
    for format_name in ("esa", "da"):
        export_project(project=project, format_name=format_name, to=tmp_path / format_name)
    import_judgements(project=copy, path=tmp_path / "esa")

    assert import_judgements(project=copy, path=tmp_path / "da").there_already == 2


def test_a_score_that_is_stored_otherwise_is_named_with_its_line(tmp_path: Path) -> None:
    project = marked_project("marked", judged=True)
    copy = marked_project("copy", judged=False)
    path = tmp_path / "rows"
    export_project(project=project, format_name="esa", to=path)
    import_judgements(project=copy, path=path)
    rows = list(csv.reader(path.read_text().splitlines()))
    rows[0][9] = '[{"start_i": 2, "end_i": 3, "severity": "minor"}]'
    rows[1][6] = "32"
    rows[3][6] = "33"
    with path.open("w") as file:
        csv.writer(file).writerows(rows)
    before = row_counts()

    with pytest.raises(ValueError, match="3 problems:") as refusal:
        import_judgements(project=copy, path=path)

    for line, number in zip(str(refusal.value).splitlines()[1:], (1, 2, 4), strict=True):
        assert line.startswith(f"{path}, line {number}: the project has this judgement of '=jana'")
        assert "with another answer about" in line
    assert row_counts() == before


def test_edits_return(tmp_path: Path) -> None:
    project = edited_project()
    copy = make_project(
        "copy",
        kind="post_editing",
        sentences=1,
        segments={"0 1 2 3 4 5 6": OUTPUTS},
        judges_per_sentence=2,
    )
    path = as_lines(project, tmp_path / "judgements")
    imported = import_judgements(project=copy, path=path)
    assert table(copy) == table(project)
    again = import_judgements(project=copy, path=path)
    assert (again.judgements, again.there_already) == (0, imported.judgements)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ranks": {"Nazdar": 1}, "scores": None}, "annotators of this project give scores"),
        ({"scores": {"Nazdar": 101}}, "the score 101 of the candidate 'Nazdar' is not from 0 to"),
        ({"scores": {"Nic": 1}}, "has no candidate 'Nic'"),
        ({"scores": {}}, "no candidate of the segment"),
        ({"details": {"Nazdar": "5-9 major"}}, "the candidate 'Nazdar': The marked error 5-9"),
        ({"details": {"Nic": "0-1 major"}}, "'Nic' has a detail but no answer"),
        ({"sentence": 9}, "the project has no sentence 9"),
    ],
)
def test_every_line_that_is_wrong_is_named(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    project = marked_project("marked", judged=True)
    copy = marked_project("copy", judged=False)
    first, second = as_lines(project, tmp_path / "judgements").read_text().splitlines()
    path = tmp_path / "wrong"
    wrong = [json.dumps(json.loads(first) | change), "{", second, second]
    path.write_text("\n".join(wrong) + "\n")
    before = row_counts()
    with pytest.raises(ValueError, match="3 problems:") as refusal:
        import_judgements(project=copy, path=path)
    one, two, three = str(refusal.value).splitlines()[1:]
    assert one.startswith(f"{path}, line 1: ")
    assert message in one
    assert two.startswith(f"{path}, line 2: this is not JSON")
    assert three.startswith(f"{path}, line 4: line 3 is a judgement of the same segment")
    assert row_counts() == before


def test_every_row_that_is_wrong_is_named(tmp_path: Path) -> None:
    project = marked_project("marked", judged=True)
    copy = marked_project("copy", judged=False)
    path = tmp_path / "rows"
    export_project(project=project, format_name="esa", to=path)
    rows = list(csv.reader(path.read_text().splitlines()))
    wrong = [
        ([*rows[0][:1], "O'Neill", *rows[0][2:]], 'no translation of sentence 1 by "O\'Neill"'),
        ([*rows[0][:3], "DOC", *rows[0][4:]], "the type is 'DOC'"),
        ([*rows[1][:6], "101", *rows[1][7:]], "the score 101 of the candidate"),
        ([*rows[2][:6], "5.5", *rows[2][7:]], "the score, '5.5', is not a whole number"),
        (rows[3][:5], "there are 5 columns"),
    ]
    with path.open("w") as file:
        csv.writer(file).writerows(row for row, _message in wrong)
    before = row_counts()
    with pytest.raises(ValueError, match="5 problems:") as refusal:
        import_judgements(project=copy, path=path)
    for number, (line, (_row, message)) in enumerate(
        zip(str(refusal.value).splitlines()[1:], wrong, strict=True), start=1
    ):
        assert line.startswith(f"{path}, line {number}: ")
        assert message in line
    assert row_counts() == before


def test_repeats_of_an_annotator_are_theirs(tmp_path: Path) -> None:
    project = marked_project("marked", judged=True)
    copy = marked_project("copy", judged=False)
    path = tmp_path / "rows"
    export_project(project=project, format_name="da", to=path)
    rows = list(csv.reader(path.read_text().splitlines()))
    again = [
        [*row[:3], "CHK", *row[4:9], *(f"{float(time) + 60:.3f}" for time in row[9:])]
        for row in rows
    ]
    with path.open("w") as file:
        csv.writer(file).writerows(rows + again)
    import_judgements(project=copy, path=path)
    kinds = Assignment.objects.filter(project=copy).values_list("kind", flat=True)
    assert sorted(kinds) == ["first", "first", "intra", "intra"]
