"""Kinds with a scale: each candidate is placed on a named step by itself."""

import uuid

import pytest

from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.sheet import cards_of, current_ranks, sheet
from annotation.judging.submission import submit
from annotation.kinds import KINDS, kind_of
from annotation.kinds.answers import Steps
from annotation.models import Assignment, ExpectedPlacement, Placement, Project, Segment
from tests.factories import SEGMENTS, assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
SCALES = [kind for kind in KINDS.values() if isinstance(kind.answer, Steps)]


def answer(assignment: Assignment, rank: int | None) -> None:
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices=dict.fromkeys(cards_of(assignment.pk), rank),
    )


@pytest.fixture
def yes_or_no() -> Project:
    """A project whose second segment has one candidate in each sentence."""
    segments = {"0 1 2": SEGMENTS["0 1 2"], "4 5 6": ("u řeky",)}
    return make_project(kind="acceptability", segments=segments)


@pytest.mark.parametrize("kind", SCALES, ids=lambda kind: kind.name)
def test_every_step_can_be_chosen_and_no_other(kind) -> None:
    project = make_project(kind=kind.name, sentences=1, segments={"0 1 2": ["a", "b"]})
    steps = len(kind_of(project).answer.labels)
    assignment = assign_next(make_annotator(project), project)
    for wrong in (None, 0, steps + 1):
        with pytest.raises(InvalidJudgement):
            answer(assignment, wrong)
    answer(assignment, steps)
    assert set(current_ranks(assignment).values()) == {steps}
    assert set(Placement.objects.values_list("ranks_offered", flat=True)) == {steps}


def test_a_segment_with_one_candidate_is_judged(yes_or_no: Project) -> None:
    assignment = assign_next(make_annotator(yes_or_no), yes_or_no)
    assert [len(segment.cards) for segment in sheet(assignment).segments] == [3, 1]


def test_a_sentence_with_single_candidates_only_is_judged() -> None:
    project = make_project(kind="acceptability", sentences=1, segments={"0 1": ["a"]})
    assert len(sheet(assign_next(make_annotator(project), project)).segments) == 1


def test_gold_answers_are_steps(yes_or_no: Project) -> None:
    original = yes_or_no.sentences.get(number=1)
    keys = [
        card.key for segment in answer_sheet(original, yes_or_no).segments for card in segment.cards
    ]
    make_practice(project=yes_or_no, number=1, choices=dict.fromkeys(keys, 3), explanations={})
    assert set(ExpectedPlacement.objects.values_list("rank", "ranks_offered")) == {(3, 3)}


@pytest.mark.parametrize(("step", "passed"), [(1, False), (3, True)])
def test_a_degraded_candidate_passes_below_its_original_or_on_the_worst_step(step, passed) -> None:
    texts = ["one two three four", "five six seven eight", "nine ten eleven twelve"]
    project = make_project(
        kind="acceptability", sentences=4, segments={"0 1 2": texts}, numbered=True, control_rate=1
    )
    make_controls(project=project, count=2, seed=1)
    jana = make_annotator(project)
    for _sentence in range(6):
        answer(assign_next(jana, project), step)
    outcomes = {(outcome.kind, outcome.passed) for outcome in control_outcomes(project)}
    # A duplicate has the same answer in both cases.
    assert outcomes == {("degraded", passed), ("duplicate", True)}


def test_an_archive_keeps_kind_steps_and_gold_answers(yes_or_no: Project, tmp_path) -> None:
    test_gold_answers_are_steps(yes_or_no)
    answer(assign_next(make_annotator(yes_or_no), yes_or_no), 2)
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(yes_or_no)))
    restored = import_project(path=path, name="restored")
    assert restored.kind == "acceptability"
    placements = Placement.objects.filter(judgement__segment__sentence__project=restored)
    assert set(placements.values_list("rank", "ranks_offered")) == {(2, 3)}
    gold = ExpectedPlacement.objects.filter(answer__segment__sentence__project=restored)
    assert set(gold.values_list("rank", "ranks_offered")) == {(3, 3)}


def test_fluency_shows_neither_source_nor_reference() -> None:
    project = make_project(kind="fluency", segments={"0 1 2 3 4 5 6": ["a b", "c d"]})
    shown = sheet(assign_next(make_annotator(project), project))
    assert (shown.source, shown.references, shown.before, shown.after) == ("", [], "", "")
    assert Segment.objects.count() == 3
