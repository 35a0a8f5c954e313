"""Several scores: all scales of a card are answered at once, and each is stored by itself."""

import uuid
from collections.abc import Mapping
from csv import DictReader
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.http import QueryDict

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.formats.pearmut import read_annotations
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import pieces_of
from annotation.import_export.judgements_import import import_judgements
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.drafts import draft_of, save_draft
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import gold_details, make_practice
from annotation.judging.practice_comparisons import Agreed, ComparedSeveralScores
from annotation.judging.practice_results import feedback
from annotation.judging.sheet import current_details, sheet
from annotation.judging.submission import revise, submit
from annotation.kinds import kind_of
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Assignment, FurtherScore, Placement, Project
from annotation.projects.administration import change_answer_options
from annotation.projects.deletion import delete_project
from annotation.web.forms.judging import read_judgement
from tests.annotation.import_export.exchange_files import archive_file, edit_archive
from tests.annotation.kinds.assessed_project import prepared
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
KEY = "1-1"
# XSTS 4 is the second of five ranks, adequacy 80 the fifth of 21.
GIVEN = "Fluency 4, Adequacy 80, XSTS 4"


@pytest.fixture
def project() -> Project:
    return new_project("houses")


def new_project(name: str) -> Project:
    return make_project(
        name,
        kind="scores",
        sentences=2,
        segments={"0 1 2 3 4 5 6": ["Starý dům"]},
        answer_options="Fluency 0-5\nAdequacy 0-100 step 5\nXSTS 1-5",
    )


@pytest.fixture
def assignment(project: Project) -> Assignment:
    return assign_next(make_annotator(project), project)


def answer(
    assignment: Assignment, detail: str = GIVEN, fluency: int = 4, store: Any = submit
) -> None:
    rank = kind_of(assignment.project).answer.rank_of(fluency)
    store(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices={KEY: rank},
        details={KEY: detail},
    )


def test_the_first_score_is_the_rank_and_the_others_are_rows(assignment: Assignment) -> None:
    answer(assignment)
    placement = Placement.objects.get()
    assert (placement.rank, placement.ranks_offered) == (2, 6)
    rows = placement.further_scores.order_by("scale").values_list("scale", "rank", "ranks_offered")
    assert list(rows) == [(2, 5, 21), (3, 2, 5)]
    assert current_details(assignment) == {KEY: GIVEN}


@pytest.mark.parametrize(
    "detail",
    [
        "",
        "Fluency 4, Adequacy 80",
        "Adequacy 82, XSTS 4",
        "Adequacy 80, XSTS 6",
        "Adequacy 80, XSTS 4, XSTS 4",
        "Fluency 3, Adequacy 80, XSTS 4",
        "Adequacy 80, XSTS 4, Style 1",
    ],
)
def test_scores_that_do_not_fit_the_scales_are_refused(assignment: Assignment, detail: str) -> None:
    with pytest.raises(InvalidJudgement):
        answer(assignment, detail)
    assert not Placement.objects.exists()


def test_a_revision_replaces_all_scores(assignment: Assignment) -> None:
    answer(assignment)
    answer(assignment, "Fluency 5, Adequacy 0, XSTS 1", 5, revise)
    assert current_details(assignment) == {KEY: "Fluency 5, Adequacy 0, XSTS 1"}
    assert FurtherScore.objects.count() == 4


def test_a_draft_may_lack_scores(assignment: Assignment) -> None:
    save_draft(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        base=0,
        choices={},
        details={KEY: "Adequacy 80"},
    )
    assignment.refresh_from_db()
    assert draft_of(assignment).details == {KEY: "Adequacy 80"}
    parts = kind_of(assignment.project).answer.parts_of("Adequacy 80")
    assert [part.score for part in parts] == [None, 80, None]


@pytest.mark.parametrize(
    ("posted", "choices", "details"),
    [
        ({"1": "4", "2": "80", "3": "4"}, {KEY: 2}, {KEY: GIVEN}),
        ({"1": "4", "2": "", "3": "4"}, {}, {KEY: "Fluency 4, XSTS 4"}),
    ],
)
def test_a_form_without_a_script_is_read_by_scales(
    project: Project, posted: Mapping[str, str], choices: Any, details: Any
) -> None:
    post = QueryDict(mutable=True)
    post.update({"assignment": "1"} | {f"part-{KEY}-{n}": score for n, score in posted.items()})
    read = read_judgement(post, kind_of(project).answer)
    assert (read.choices, read.details, read.problem) == (choices, details, "")


def test_the_database_refuses_what_is_on_no_scale(assignment: Assignment) -> None:
    answer(assignment)
    placement = Placement.objects.get()
    for scale, rank in [(2, 1), (1, 1), (4, 0), (4, 6)]:
        with pytest.raises(IntegrityError), transaction.atomic():
            FurtherScore.objects.create(
                placement=placement, scale=scale, rank=rank, ranks_offered=5
            )


def test_each_score_counts_in_practice(project: Project) -> None:
    practised = make_practice(
        project=project, number=1, choices={KEY: 2}, explanations={}, details={KEY: GIVEN}
    )
    assert gold_details(practised, project) == {KEY: GIVEN}
    assignment = assign_next(make_annotator(project), project, practise=True)
    # 10 of 100 may differ, and nothing on a scale of five or six scores.
    answer(assignment, "Fluency 4, Adequacy 90, XSTS 3")
    segment = feedback(assignment).segments[0]
    assert isinstance(segment, ComparedSeveralScores)
    assert segment.score == Agreed(2, 3)
    assert [score.is_right for score in segment.cards[0].scores] == [True, True, False]


def test_an_archive_has_all_scores(assignment: Assignment, tmp_path: Path) -> None:
    project = assignment.project
    answer(assignment)
    path = archive_file(project, tmp_path)
    delete_project(project)
    assert not FurtherScore.objects.exists()
    restored = import_project(path=path, name="again")
    answer_of_kind = kind_of(restored).answer
    assert isinstance(answer_of_kind, SeveralScores)
    assert answer_of_kind.scales[1].step == 5
    assert current_details(restored.assignments.get()) == {KEY: GIVEN}


def test_an_archive_with_a_wrong_score_is_refused(assignment: Assignment, tmp_path: Path) -> None:
    answer(assignment)
    path = archive_file(assignment.project, tmp_path)

    def spoil(records: Any) -> None:
        for record in records:
            for submission in record.get("submissions", ()):
                submission["judgements"][0]["details"] = {"0": "Fluency 4, Adequacy 81, XSTS 4"}

    edit_archive(path, spoil)
    with pytest.raises(InputError, match="81"):
        import_project(path=path, name="broken")


def test_ranges_stay_once_a_sentence_is_assigned(assignment: Assignment) -> None:
    project = assignment.project
    labelled = ["Fluency 0-5: a | b | c | d | e | f", "Adequacy 0-100 step 5", "XSTS 1-5"]
    change_answer_options(project=project, options=labelled)
    with pytest.raises(NotPossible):
        change_answer_options(project=project, options=["Fluency 0-6", *labelled[1:]])


def test_one_scale_is_enough() -> None:
    project = make_project(
        kind="scores", sentences=1, segments={"0 1": ["dům"]}, answer_options="XSTS 1-5"
    )
    assignment = assign_next(make_annotator(project), project)
    answer(assignment, "", 3)
    assert Placement.objects.get().rank == 3
    assert current_details(assignment) == {KEY: "XSTS 3"}


def test_the_page_has_a_field_for_each_scale(assignment: Assignment) -> None:
    parts = kind_of(assignment.project).answer.parts_of("")
    assert [part.has_buttons for part in parts] == [True, False, True]
    assert sheet(assignment).segments[0].ranks == range(1, 7)


@pytest.mark.parametrize(("fluency", "passed"), [(1, True), (4, False)])
def test_a_control_passes_by_the_first_scale(tmp_path: Path, fluency: int, passed: bool) -> None:
    project = prepared(tmp_path, kind="scores", scale=("Fluency 0-5", "Adequacy 0-100"))
    annotator = make_annotator(project)
    make_controls(project=project, count=1, seed=1)
    project.control_rate = 1
    project.save()
    while (outcomes := list(control_outcomes(project))) == []:
        assignment = assign_next(annotator, project)
        is_control = assignment.kind == Assignment.Kind.CONTROL
        score = fluency if is_control else 4
        # What the other scale says is not asked.
        answer(assignment, "Adequacy 100", score)
    assert [outcome.passed for outcome in outcomes] == [passed]


def test_annotations_of_pearmut_have_sliders(assignment: Assignment, tmp_path: Path) -> None:
    answer(assignment)
    path = tmp_path / "annotations.jsonl"
    path.write_text("".join(map(str, pieces_of(assignment.project, "pearmut"))))
    (read,) = read_annotations(path)
    assert (read.score, read.errors) == (None, ())
    assert read.sliders == {"Fluency": 4, "Adequacy": 80, "XSTS": 4}


def test_exports_have_all_scores(assignment: Assignment) -> None:
    answer(assignment)
    rows = list(DictReader("".join(map(str, pieces_of(assignment.project, "csv"))).splitlines()))
    assert [row["score Adequacy"] for row in rows] == ["80"]
    assert (rows[0]["score"], rows[0]["detail"]) == ("4", GIVEN)
    assert GIVEN in "".join(map(str, pieces_of(assignment.project, "judgements")))


def test_judgements_of_another_project_are_imported(assignment: Assignment, tmp_path: Path) -> None:
    answer(assignment)
    path = tmp_path / "judgements.jsonl"
    path.write_text("".join(map(str, pieces_of(assignment.project, "judgements"))))
    import_judgements(project=assignment.project, path=path)
    assert Placement.objects.count() == 1
    other = new_project("other")
    import_judgements(project=other, path=path)
    imported = Placement.objects.get(judgement__submission__assignment__project=other)
    assert imported.rank == 2
    assert sorted(imported.further_scores.values_list("scale", "rank")) == [(2, 5), (3, 2)]
    path.write_text(path.read_text().replace("XSTS 4", "XSTS 9"))
    with pytest.raises(InputError, match="XSTS"):
        import_judgements(project=new_project("third"), path=path)
