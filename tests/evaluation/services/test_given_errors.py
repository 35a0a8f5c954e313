"""Errors of files and of earlier judgements are given to annotators, and reports count them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.judging.given_errors import given_details
from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import KINDS
from annotation.models import Assignment, Candidate, GivenErrors, GivenOrigin, Project
from evaluation.findings.given_errors import ChangedErrors, GivenErrorsFound
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import tables
from evaluation.services.given_errors import (
    GivenFile,
    give_errors_of_annotators,
    import_given_errors,
)
from evaluation.services.report_kinds import make_report
from tests.annotation.kinds.assessed_project import prepared
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db
ESA = KINDS["error_spans"]
SOURCE = ["The  old house.", "By the river."]
OUTPUTS = ["Starý dům 🏠 stojí.", "U řeky."]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Systems A and B have the same texts, C and D others."""
    folder = tmp_path / "project"
    folder.mkdir()
    return prepared(folder, kind=ESA.name, sentences=2, source=SOURCE, A=OUTPUTS, B=OUTPUTS)


def bring(project: Project, path: Path, **options: Any) -> GivenFile:
    return import_given_errors(
        project=project, path=path, **{"name": "xcomet", "by": "program"} | options
    )


def metric(folder: Path, *objects: dict[str, Any]) -> Path:
    path = folder / "metric.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    return path


def marked(line: int, *spans: dict[str, Any], system: str = "A") -> dict[str, Any]:
    return {"system": system, "line": line, "error_spans": list(spans)}


def span(start: int, end: int, severity: str = "minor", **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "severity": severity, **more}


def given(project: Project) -> dict[str, str]:
    rows = GivenErrors.objects.filter(origin__project=project)
    return dict(rows.values_list("candidate__text", "detail"))


def test_errors_of_a_metric_are_found_by_system_and_line(project: Project, tmp_path: Path) -> None:
    stored = bring(
        project,
        metric(
            tmp_path,
            # The blank before a word does not belong to it.
            marked(1, span(5, 9, "critical", text=" dům", confidence=0.4)),
            marked(2),
        ),
    )
    assert given(project) == {OUTPUTS[0]: "6-9 major", OUTPUTS[1]: ""}
    assert (stored.texts, stored.errors) == (2, 1)


def test_a_list_of_a_system_with_the_same_text_is_counted(project: Project, tmp_path: Path) -> None:
    stored = bring(project, metric(tmp_path, marked(1), marked(1, span(0, 5), system="B")))
    assert given(project) == {OUTPUTS[0]: ""}
    assert stored.lists == 1


def test_errors_of_a_campaign_are_found_by_texts_and_counted_as_javascript_does(
    project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "campaign.json"
    item = {
        "src": "The old house.",
        "tgt": {"A": OUTPUTS[0], "C": "not asked for"},
        # The house is two units long, and the token "[missing]" is the number behind the text.
        "error_spans": {
            "A": [
                {"start_i": 13, "end_i": 17, "severity": "major"},
                {"start_i": 19, "end_i": 19, "severity": "minor"},
            ]
        },
    }
    path.write_text(json.dumps({"campaign_id": "c", "info": {}, "data": [[item]]}))
    bring(project, path)
    assert given(project) == {OUTPUTS[0]: "12-17 major, missing minor"}


HEADING = "system\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def mqm(folder: Path, *rows: Sequence[str]) -> Path:
    path = folder / "mqm.tsv"
    path.write_text("\n".join((HEADING, *map("\t".join, rows))) + "\n")
    return path


def test_errors_of_mqm_are_found_by_texts(project: Project, tmp_path: Path) -> None:
    stored = bring(
        project,
        mqm(
            tmp_path,
            ("A", "1", "r1", SOURCE[0], "<v>Starý</v> dům 🏠 stojí.", "Style", "Minor"),
            ("A", "1", "r1", "The  <v>old</v> house.", OUTPUTS[0], "Omission", "Major"),
            ("A", "1", "r1", SOURCE[0], "Starý </v>dům 🏠 stojí.", "Style", "Minor"),
            ("B", "2", "r2", SOURCE[1], OUTPUTS[1], "No-error", "No-error"),
        ),
    )
    assert given(project) == {OUTPUTS[0]: "0-5 minor, missing major", OUTPUTS[1]: ""}
    assert (stored.texts, stored.errors, stored.unplaced) == (2, 2, 1)


def test_one_of_two_raters_of_a_text_is_chosen(project: Project, tmp_path: Path) -> None:
    path = mqm(
        tmp_path,
        ("A", "2", "r1", SOURCE[1], "<v>U</v> řeky.", "Style", "Minor"),
        ("A", "2", "r2", SOURCE[1], "U <v>řeky</v>.", "Style", "Minor"),
    )
    with pytest.raises(InputError, match=r"mqm\.tsv, line 3: r1 and r2 marked"):
        bring(project, path)
    assert not GivenOrigin.objects.exists()
    bring(project, path, marker="r2")
    assert given(project) == {OUTPUTS[1]: "2-6 minor"}
    with pytest.raises(InputError, match="no errors by r3"):
        bring(project, path, marker="r3", name="other")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (marked(1, system="X"), "line 2: there is no system “X” in the project"),
        (marked(3), "line 2: the project has no translation of line 3 by A"),
        (marked(1, span(0, 99)), "line 2: the error from 0 to 99 is not within the text “Starý"),
        (marked(1, span(3, 3)), "line 2: the error from 3 to 3 is not within"),
        (marked(1, span(0, 5, text="Malý")), "line 2: “Malý” is not what stands from 0 to 5"),
        (marked(1, span(0, 5, "odd")), "line 2: the severity 'odd' is unknown"),
        ({"system": "A"}, "line 2: .*line"),
    ],
)
def test_what_does_not_fit_the_project_is_refused_with_its_place(
    project: Project, tmp_path: Path, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        bring(project, metric(tmp_path, marked(2), wrong))
    assert not GivenOrigin.objects.exists()


def test_other_texts_and_other_files_are_refused(project: Project, tmp_path: Path) -> None:
    path = mqm(tmp_path, ("A", "1", "r1", SOURCE[0], "Jiný text.", "Style", "Minor"))
    with pytest.raises(InputError, match=r"line 2: A has no such translation .*Jiný text"):
        bring(project, path)
    path.write_text("a text\n")
    with pytest.raises(InputError, match="neither a campaign of Pearmut"):
        bring(project, path)
    with pytest.raises(NotPossible, match="not marked"):
        bring(make_project(), path)


# --- a second pass, and the report -------------------------------------------------------------


def judge_all(project: Project, name: str, detail: str, *, score: int = 70) -> None:
    """Mark this, or what is given where it is "given", in each text."""
    annotator = make_annotator(project, name)
    while assignment := next_assignment(annotator=annotator, project=project):
        cards = cards_of(assignment.pk)
        shown = given_details(assignment, cards)
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices=dict.fromkeys(cards, ESA.answer.rank_of(score)),
            details=shown if detail == "given" else dict.fromkeys(cards, detail),
            active_seconds=20,
        )


def test_errors_of_annotators_are_given_by_number(project: Project) -> None:
    judge_all(project, "jana", "0-1 minor")
    (origin,) = give_errors_of_annotators(project=project, judged_in=project)
    assert (origin.name, origin.by) == ("annotator 1", "annotator")
    assert set(given(project).values()) == {"0-1 minor"}
    assert (
        len(given(project)) == Candidate.objects.filter(segment__sentence__project=project).count()
    )
    with pytest.raises(InputError, match="no annotator “petr”"):
        give_errors_of_annotators(project=project, judged_in=project, annotator="petr")


def test_errors_are_given_in_another_project_where_it_has_the_same_texts(
    project: Project, tmp_path: Path
) -> None:
    judge_all(project, "jana", "0-1 minor")
    Project.objects.update(name="first")
    folder = tmp_path / "second"
    folder.mkdir()
    other = prepared(folder, kind=ESA.name, sentences=2, source=SOURCE, A=OUTPUTS)
    give_errors_of_annotators(project=other, judged_in=project, annotator="jana")
    assert {text: given(other).get(text) for text in OUTPUTS} == dict.fromkeys(OUTPUTS, "0-1 minor")


def found_in(project: Project) -> GivenErrorsFound | None:
    report = make_report(project, ReportOptions(resamples=100)).data
    assert {"given-errors", "given-errors-work"} <= {one.name for one in tables(report)} or (
        report.given_errors is None
    )
    return report.given_errors


def test_the_report_counts_what_annotators_made_of_given_errors(
    project: Project, tmp_path: Path
) -> None:
    Project.objects.update(judges_per_sentence=4)
    project.refresh_from_db()
    judge_all(project, "early", "")
    assert found_in(project) is None
    bring(
        project, metric(tmp_path, marked(1, span(0, 5), span(6, 9, "major")), marked(2, span(0, 1)))
    )
    judge_all(project, "jana", "0-5 major", score=50)
    Project.objects.update(given_share=0)
    project.refresh_from_db()
    judge_all(project, "petr", "0-2 minor, 3-4 minor", score=80)
    # Imported judgements showed nothing here.
    judge_all(project, "imported", "")
    Assignment.objects.filter(annotator__username="imported").update(shown=None)
    found = found_in(project)
    assert found is not None
    # "U" was given and "U řek" submitted; the texts of C and D have no list.
    assert found.by_origin == (ChangedErrors("xcomet", 2, 3, 0, 1, 1, 1, 0),)
    assert [one.name for one in found.by_system] == ["A", "B"]
    work = found.work
    assert (work.given.texts, work.without.texts) == (2, 2)
    assert (work.given.marks.value, work.without.marks.value) == (1, 2)
    assert work.difference.score.value == -30


def test_kept_errors_are_counted_as_they_were_given(project: Project, tmp_path: Path) -> None:
    bring(project, metric(tmp_path, marked(1, span(0, 5)), marked(2)))
    judge_all(project, "jana", "given")
    found = found_in(project)
    assert found is not None
    assert found.by_origin == (ChangedErrors("xcomet", 2, 1, 1, 0, 0, 0, 0),)
    assert found.by_origin[0].unchanged == 1
