"""Practice and control are in no export and no figure, but for those that are about them."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import strategies as st

from annotation.import_export.export_formats import EXPORT_FORMATS
from annotation.judging.control_items import make_controls
from annotation.kinds import DEFAULT
from annotation.models import Control, Project, User
from annotation.selectors.judgements import project_summaries, project_summary
from evaluation.findings.annotators import AnnotatorWork
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.services.findings import ranking_now, statistics_of
from evaluation.services.loading import load, load_controls
from tests.annotation.import_export.exchange_files import (
    add_practice,
    add_practice_and_controls,
    draft,
    worked_on,
)
from tests.evaluation.projects import revise_control, submit, submit_control
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
RESULTS = sorted(
    one.name for one in EXPORT_FORMATS.values() if one.name != "archive" and one.has_kind(DEFAULT)
)
GARBAGE_OR_RANK = st.none() | st.integers(1, 2)


def everything(project: Project) -> dict[str, Any]:
    """Return all results of the project: exports, reports, counts."""
    statistics = to_json(statistics_of(project))
    # Who judged nothing but control has a row that says so.
    judged = [row["annotator"] for row in statistics["annotators"] if row["judgements"]]
    for part in (statistics, statistics["agreement"]):
        part["annotators"] = [row for row in part["annotators"] if row["annotator"] in judged]
    for row in (statistics["together"], *statistics["annotators"]):
        # Controls are assignments, too.
        del row["controls"], row["controls_passed"], row["assignments"]
    # It counts the control segments.
    del statistics["signature"]
    pieces = {name: list(EXPORT_FORMATS[name].pieces(project)) for name in RESULTS}
    return {
        **{name: b"".join(map(as_bytes, of_format)) for name, of_format in pieces.items()},
        "statistics": statistics,
        "ranking": to_json(ranking_now(project, "ratio_of_wins", ReportOptions())),
        "summary": project_summary(project),
        "summaries": project_summaries(),
    }


def as_bytes(piece: Any) -> bytes:
    return piece.encode() if isinstance(piece, str) else piece


def judged_project() -> Project:
    """Return a project whose sentences 1 and 2 are judged, and three are not."""
    project = make_project("judged", sentences=5)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}, seconds=30)
    submit(project, petr, 1, {"0 1 2": [1, 2, 3], "4 5 6": [2, 1]}, seconds=10)
    submit(project, petr, 2, {"0 1 2": [3, 2, 1], "4 5 6": [2, 1]}, seconds=10)
    return project


def test_practice_and_controls_are_in_no_result():
    project = worked_on()
    before = everything(project)

    add_practice_and_controls(project)

    assert everything(project) == before
    assert project.assignments.exclude(kind__in=["first", "intra", "inter"]).count() == 4


def test_a_draft_of_practice_is_in_no_result():
    project = judged_project()
    before = everything(project)
    add_practice(project, 3, {})

    draft(assign_next(User.objects.get(username="jana"), project, practise=True))

    assert everything(project) == before


@pytest.fixture
def controlled() -> Project:
    """A project with a degraded and a duplicate control: jana passed one of two, petr the first."""
    project = judged_project()
    make_controls(project=project, count=2, seed=1)
    jana, petr = (User.objects.get(username=name) for name in ("jana", "petr"))
    submit_control(project, jana, 1, passes=True)
    submit_control(project, jana, 2, passes=False)
    submit_control(project, petr, 1, passes=True)
    return project


def test_each_kind_of_control_is_counted_by_annotator(controlled):
    kinds = Control.objects.order_by("segment__sentence__number").values_list("kind", flat=True)
    assert list(kinds) == ["degraded", "duplicate"]

    table = load_controls(controlled)

    assert [(name, row.judged, row.passed) for name, row in table.annotators.items()] == [
        ("jana", 2, 1),
        ("petr", 1, 1),
    ]


def test_only_the_last_revision_is_counted(controlled):
    failed = controlled.assignments.get(kind="control", sentence__number=2)

    revise_control(failed, passes=True)
    assert load_controls(controlled).of("jana").share == 1

    revise_control(failed, passes=False)
    assert load_controls(controlled).of("jana").share == 0.5


def test_unidentified_annotators_are_left_out(controlled):
    User.objects.filter(username="petr").update(unidentified=True)

    assert list(load_controls(controlled).annotators) == ["jana"]


def test_an_annotator_of_controls_only_has_a_row(controlled):
    submit_control(controlled, make_annotator(controlled, "eva"), 2, passes=False)

    found = statistics_of(controlled)

    assert found.annotators[0] == AnnotatorWork(
        annotator="eva",
        sentences=0,
        assignments=1,
        judgements=0,
        seconds=None,
        seconds_per_segment=None,
        controls=1,
        controls_passed=0,
    )
    assert found.agreement.annotators[0].annotator == "eva"


def test_the_report_has_the_counts(controlled):
    found = statistics_of(controlled)

    assert (found.together.controls, found.together.controls_passed) == (3, 2)
    assert [(row.annotator, row.controls, row.controls_passed) for row in found.annotators] == [
        ("jana", 2, 1),
        ("petr", 1, 1),
    ]
    assert found.judgements == 6


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_the_table_has_a_column_where_there_is_control(controlled):
    table = printed("statistics", "judged")

    assert "Controls" in table
    assert "|repeats included|3 control segments apart|judgements 6|" in table
    assert json.loads(printed("statistics", "judged", "--json"))["together"]["controls"] == 3


def test_the_table_has_none_where_there_is_no_control():
    judged_project()

    assert "control" not in printed("statistics", "judged").lower()


@pytest.mark.parametrize("more", [0, 4])
def test_the_number_of_queries_is_constant(controlled, more):
    for number in range(more):
        submit_control(controlled, make_annotator(controlled, f"annotator{number}"), 1, passes=True)

    with CaptureQueriesContext(connection) as queries:
        load_controls(controlled)

    assert len(queries) == 4


def test_loaded_judgements_exclude_controls(controlled):
    assert load(controlled).sentence_numbers.tolist() == [1, 2]
    assert len(load(controlled)) == 6
