"""Kinds with scores: a score is stored as a step of a scale, the highest first."""

import csv
import uuid

import pytest
from django.http import QueryDict

from annotation.import_export.exports import placements
from annotation.import_export.judgement_records import judgement_records
from annotation.judging.drafts import save_draft
from annotation.judging.errors import InvalidJudgement
from annotation.judging.sheet import cards_of, current_ranks, sheet
from annotation.judging.submission import submit
from annotation.kinds import KINDS, kind_of
from annotation.models import Assignment, Judgement, Placement, Project
from annotation.web.forms.judging import read_choices
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
DIRECT = KINDS["direct_assessment"]


@pytest.fixture
def project() -> Project:
    return make_project(kind=DIRECT.name, sentences=1, segments={"0 1 2 3 4 5 6": ["a b", "c d"]})


def answer(assignment: Assignment, scores: dict[str, int], **more) -> None:
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices={key: DIRECT.answer.rank_of(score) for key, score in scores.items()},
        **more,
    )


def test_scores_are_stored_and_exported(project: Project) -> None:
    assignment = assign_next(make_annotator(project), project)
    answer(assignment, {"1-1": 100, "1-2": 0})
    assert current_ranks(assignment) == {"1-1": 1, "1-2": 101}
    assert set(Placement.objects.values_list("ranks_offered", flat=True)) == {101}
    rows = list(csv.DictReader("".join(placements(project)).splitlines()))
    assert sorted((row["rank"], row["score"], row["garbage"]) for row in rows) == [
        ("1", "100", "false"),
        ("101", "0", "false"),
    ]
    [record] = judgement_records([Judgement.objects.get().pk], kind_of(project))
    assert sorted(one["score"] for one in record["placements"]) == [0, 100]


@pytest.mark.parametrize("wrong", [-1, 101])
def test_scores_that_do_not_exist_are_refused(project: Project, wrong: int) -> None:
    assignment = assign_next(make_annotator(project), project)
    with pytest.raises(InvalidJudgement, match=f"{wrong} does not exist: give one from 0 to 100"):
        answer(assignment, {"1-1": wrong, "1-2": 0})


def test_a_detail_is_refused_where_the_kind_has_none(project: Project) -> None:
    assignment = assign_next(make_annotator(project), project)
    with pytest.raises(InvalidJudgement):
        answer(assignment, dict.fromkeys(cards_of(assignment.pk), 5), details={"1-1": "text"})
    with pytest.raises(InvalidJudgement):
        save_draft(
            annotator=assignment.annotator,
            project=project,
            assignment_id=assignment.pk,
            base=0,
            choices={},
            details={"1-1": "text"},
        )


def test_a_form_has_scores() -> None:
    choices, problem = read_choices(QueryDict("score-1-1=73&score-1-2=&card-1-3=4"), DIRECT.answer)
    assert (choices, problem) == ({"1-1": 28, "1-3": 4}, "")
    choices, problem = read_choices(QueryDict("score-1-1=7.5"), DIRECT.answer)
    assert choices == {}
    assert "7.5" in problem


def test_a_long_score_of_a_form_is_quoted_in_part() -> None:
    _choices, problem = read_choices(QueryDict(f"score-1-1={'x' * 50}"), DIRECT.answer)
    assert f"“{'x' * 40}”" in problem


def test_the_source_is_not_shown(project: Project) -> None:
    shown = sheet(assign_next(make_annotator(project), project))
    assert (shown.source, shown.before, shown.after) == ("", "", "")
    assert shown.references
