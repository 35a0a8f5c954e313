"""Many annotators at once: on SQLite, and on PostgreSQL when the tests run there."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from annotation.judging.assignment import next_assignment
from annotation.judging.control_items import make_controls
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Judgement, Placement, Project, Submission, User
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db(transaction=True)

ANNOTATORS, SENTENCES, JUDGES, CONTROLS = 50, 600, 2, 40


def make_one_for_practice(project: Project) -> None:
    page = answer_sheet(project.sentences.get(purpose="judge", number=1), project)
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}
    make_practice(project=project, number=1, choices=choices, explanations={})


def judge_everything(annotator: User, project: Project) -> int:
    """Judge until nothing is left, each submission twice; return how many sentences it were."""
    judged = 0
    try:
        while assignment := next_assignment(annotator=annotator, project=project):
            page = sheet(assignment)
            choices = {card.key: 1 for segment in page.segments for card in segment.cards}
            for created in (True, False):
                submission = submit(
                    annotator=annotator,
                    project=project,
                    assignment_id=assignment.pk,
                    token=page.token,
                    choices=choices,
                )
                assert submission.created is created
            judged += 1
        return judged
    finally:
        connection.close()


def test_every_quota_is_exact_and_nothing_is_lost_or_doubled() -> None:
    project = make_project(
        sentences=SENTENCES,
        numbered=True,
        judges_per_sentence=JUDGES,
        intra_rate=0.05,
        inter_rate=0.1,
        control_rate=0.05,
        practice_required=True,
    )
    make_controls(project=project, count=CONTROLS)
    make_one_for_practice(project)
    people = [make_annotator(project, f"annotator{i}") for i in range(ANNOTATORS)]
    with ThreadPoolExecutor(ANNOTATORS) as pool:
        judged = sum(pool.map(judge_everything, people, [project] * ANNOTATORS))
    assert Assignment.objects.count() == judged
    assert not Assignment.objects.exclude(state="submitted").exists()
    firsts = Assignment.objects.filter(kind="first")
    judges = Counter(firsts.values_list("sentence", "annotator"))
    assert set(judges.values()) == {1}
    assert set(Counter(sentence for sentence, _annotator in judges).values()) == {JUDGES}
    # The sentence that serves for practice is judged by nobody, and practised once by each.
    assert len(judges) == JUDGES * (SENTENCES - 1)
    assert Assignment.objects.filter(kind="practice").count() == ANNOTATORS
    controls = Assignment.objects.filter(kind="control")
    assert controls.count() >= 0.04 * judged
    assert set(Counter(controls.values_list("sentence", "annotator")).values()) == {1}
    assert Submission.objects.count() == judged
    assert Judgement.objects.count() == 2 * judged
    assert Placement.objects.count() == 5 * judged + controls.count()


def test_two_tabs_of_one_annotator_get_the_same_assignment() -> None:
    project = make_project(sentences=20)
    jana = make_annotator(project)

    def open_tab(_tab: int) -> int:
        try:
            assignment = next_assignment(annotator=jana, project=project)
            assert assignment
            return assignment.pk
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(open_tab, range(6)))) == 1


def test_a_double_click_is_stored_once() -> None:
    project = make_project()
    jana = make_annotator(project)
    assignment = next_assignment(annotator=jana, project=project)
    assert assignment
    page = sheet(assignment)
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}

    def click(_click: int) -> bool:
        try:
            return submit(
                annotator=jana,
                project=project,
                assignment_id=assignment.pk,
                token=page.token,
                choices=choices,
            ).created
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(click, range(4))) == [False, False, False, True]
    assert Judgement.objects.count() == 2
