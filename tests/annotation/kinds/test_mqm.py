"""Marked errors with categories and no score: the rank follows from the errors."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import pieces_of
from annotation.import_export.judgements_import import import_judgements
from annotation.judging.assignment import create_assignment
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import answer_sheet, gold_details, make_practice
from annotation.judging.practice_comparisons import Agreed, ComparedMarks
from annotation.judging.practice_results import agreed_pairs, feedback, practised
from annotation.judging.rank_fields import judgement_fields
from annotation.judging.sheet import current_details, sheet
from annotation.judging.submission import revise, submit
from annotation.kinds import kind_of
from annotation.models import Assignment, Control, ErrorSpan, Placement, Project
from tests.annotation.import_export.exchange_files import archive_file
from tests.annotation.kinds.assessed_project import prepared
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
TEXT = "Starý dům stojí."
MARKED = "0-5 major Accuracy/Mistranslation, 3-9 minor Fluency/Punctuation, source 0-3 minor Other"


@pytest.fixture
def project() -> Project:
    return make_project(kind="mqm", sentences=1, segments={"0 1 2 3 4 5 6": [TEXT]})


@pytest.fixture
def assignment(project: Project) -> Assignment:
    return assign_next(make_annotator(project), project)


def answer(
    assignment: Assignment,
    detail: str,
    store: Callable[..., Any] = submit,
    *,
    rank: int | None = None,
) -> None:
    key = sheet(assignment).segments[0].cards[0].key
    store(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices={} if rank is None else {key: rank},
        details={key: detail},
    )


def test_the_rank_is_that_of_the_points(assignment: Assignment) -> None:
    answer(assignment, MARKED)
    assert Placement.objects.get().rank == 1 + round(10 * (5 + 0.1 + 1))
    assert list(current_details(assignment).values()) == [MARKED]


def test_no_errors_is_an_answer_and_nothing_is_none(assignment: Assignment) -> None:
    with pytest.raises(InvalidJudgement):
        answer(assignment, "")
    answer(assignment, "", rank=1)
    assert Placement.objects.get().rank == 1
    assert not ErrorSpan.objects.exists()


def test_a_revision_takes_errors_back(assignment: Assignment) -> None:
    answer(assignment, MARKED)
    answer(assignment, "", revise, rank=1)
    assert current_details(assignment) == {}


@pytest.mark.parametrize(
    ("detail", "rank"),
    [
        (MARKED, 1),
        ("", 2),
        ("0-99 major Other", None),
        ("source 0-99 major Other", None),
        ("0-5 major Unknown", None),
        ("0-5 major", None),
        ("0-5 fatal Other", None),
    ],
)
def test_it_refuses(assignment: Assignment, detail: str, rank: int | None) -> None:
    with pytest.raises(InvalidJudgement):
        answer(assignment, detail, rank=rank)
    assert not Placement.objects.exists()


def test_a_form_misses_only_cards_without_an_answer(assignment: Assignment) -> None:
    shown = sheet(assignment)
    key = shown.segments[0].cards[0].key

    def is_missing(choices: dict[str, int | None], details: dict[str, str]) -> bool:
        [segment] = judgement_fields(shown, choices, complain=True, details=details)
        return segment.cards[0].missing

    assert is_missing({}, {})
    assert not is_missing({key: 1}, {})
    assert not is_missing({}, {key: MARKED})


def test_at_most_so_many_errors_as_the_project_says() -> None:
    project = make_project(
        kind="mqm",
        sentences=1,
        segments={"0 1 2 3 4 5 6": [TEXT]},
        answer_options="severities: minor\nmost errors: 1\nOther",
    )
    assignment = assign_next(make_annotator(project), project)
    with pytest.raises(InvalidJudgement, match="1 worst"):
        answer(assignment, "0-5 minor Other, 5-6 minor Other")
    answer(assignment, "0-5 minor Other")


def test_practice_counts_errors(project: Project) -> None:
    [card] = answer_sheet(project.sentences.get(), project).segments[0].cards
    practice = make_practice(
        project=project,
        number=1,
        choices={},
        explanations={},
        details={card.key: "0-5 major Other, missing minor Accuracy/Omission"},
    )
    assert list(gold_details(practice, project).values()) == [
        "0-5 major Other, missing minor Accuracy/Omission"
    ]
    assignment = assign_next(make_annotator(project), project, practise=True)
    answer(assignment, "4-9 minor Style/Awkward, source 0-3 minor Other")
    [segment] = feedback(assignment).segments
    assert isinstance(segment, ComparedMarks)
    # The omission is not found, and what is wrong with the source was not expected.
    assert (segment.score, segment.errors) == (Agreed(1, 3), Agreed(1, 2))
    marked = [error.text for error in segment.marked[0].your_errors]
    assert marked == [TEXT[4:9], sheet(assignment).source[:3]]
    done = practised(assignment.annotator, project)
    assert agreed_pairs(done, kind_of(project).answer) == {assignment.pk: Agreed(1, 3)}


def test_a_degraded_translation_needs_more_points(tmp_path: Path) -> None:
    project = prepared(tmp_path, kind="mqm")
    make_controls(project=project, count=4, seed=1)
    annotator = make_annotator(project)
    control = Control.objects.filter(kind="degraded").earliest("pk")
    copied = control.segment.sentence
    assert copied.copy_of
    for kind, sentence, slot, severity in (
        (Assignment.Kind.CONTROL, copied, None, "major"),
        (Assignment.Kind.FIRST, copied.copy_of, 1, "minor"),
    ):
        shown = create_assignment(annotator, project, kind, sentence, slot)
        answer(shown, f"0-1 {severity} Other")
    assert [outcome.passed for outcome in control_outcomes(project)] == [True]


def test_archives_and_json_lines_keep_the_errors(assignment: Assignment, tmp_path: Path) -> None:
    answer(assignment, MARKED)
    project = assignment.project
    restored = import_project(path=archive_file(project, tmp_path), name="restored")
    assert restored.answer_options == project.answer_options
    lines = "".join(map(str, pieces_of(project, "judgements")))
    again = "".join(map(str, pieces_of(restored, "judgements")))
    assert MARKED in lines
    assert lines == again
    file = tmp_path / "lines.jsonl"
    file.write_text(lines)
    assert import_judgements(project=restored, path=file).there_already == 1
