"""Many annotators at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest
from django.db import connection, transaction

from annotation.judging.batches import release_turns
from annotation.judging.control_items import make_controls
from annotation.judging.drafts import Conflict, save_draft
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.sheet import sheet
from annotation.judging.submission import Submitted, submit, submit_and_assign
from annotation.models import (
    Assignment,
    BatchItem,
    BatchTurn,
    Judgement,
    Placement,
    Project,
    Sentence,
    Submission,
    User,
)
from tests.annotation.kinds.assessed_project import assess, prepared, shorten_batches
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

ANNOTATORS, SENTENCES, JUDGES, CONTROLS = 12, 60, 2, 12


def make_one_for_practice(project: Project) -> None:
    page = answer_sheet(project.sentences.get(purpose="judge", number=1), project)
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}
    make_practice(project=project, number=1, choices=choices, explanations={})


def judge_everything(annotator: User, project: Project) -> int:
    """Judge until nothing is left, each submission twice; return the number of sentences.

    What follows a submission is judged next, as in a browser; else a page is loaded.
    """
    judged = 0
    following: Assignment | None = None
    try:
        while assignment := following or next_assignment(annotator=annotator, project=project):
            page = sheet(assignment)
            choices = {card.key: 1 for segment in page.segments for card in segment.cards}
            for created in (True, False):
                submission, after = submit_and_assign(
                    annotator=annotator,
                    project=project,
                    assignment_id=assignment.pk,
                    token=page.token,
                    given=Submitted(choices, {}, {}),
                )
                assert submission.created is created
            following = after and after.assignment
            judged += 1
        return judged
    finally:
        connection.close()


def test_every_sentence_gets_its_judges_and_no_submission_is_lost_or_doubled() -> None:
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
    # The practice sentence is never judged, and practised once by each annotator.
    assert len(judges) == JUDGES * (SENTENCES - 1)
    assert Assignment.objects.filter(kind="practice").count() == ANNOTATORS
    controls = Assignment.objects.filter(kind="control")
    assert controls.exists()
    assert set(Counter(controls.values_list("sentence", "annotator")).values()) == {1}
    assert Submission.objects.count() == judged
    assert Judgement.objects.count() == 2 * judged
    assert Placement.objects.count() == 5 * judged + controls.count()


def test_two_tabs_of_one_annotator_get_the_same_assignment() -> None:
    project = make_project(sentences=20)
    jana = make_annotator(project)

    def open_tab(_tab: int) -> int:
        try:
            assignment = assign_next(jana, project)
            return assignment.pk
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(open_tab, range(6)))) == 1


def test_a_double_click_is_stored_once() -> None:
    project = make_project()
    jana = make_annotator(project)
    assignment = assign_next(jana, project)
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


@pytest.mark.parametrize("base", [0, 1])
def test_only_one_of_several_drafts_with_the_same_base_is_stored(base: int) -> None:
    project = make_project()
    jana = make_annotator(project)
    assignment = assign_next(jana, project)

    def save(base: int, rank: int) -> int | None:
        try:
            return save_draft(
                annotator=jana,
                project=project,
                assignment_id=assignment.pk,
                base=base,
                choices={"1-1": rank},
            )
        except Conflict:
            return None
        finally:
            connection.close()

    if base:
        save(0, 9)
    with ThreadPoolExecutor(4) as pool:
        versions = list(pool.map(save, [base] * 4, range(1, 5)))
    assert sorted(filter(None, versions)) == [base + 1]
    assignment.refresh_from_db()
    assert (assignment.draft_version, assignment.draft_choices) == (
        base + 1,
        {"1-1": 1 + versions.index(base + 1)},
    )


def test_a_batch_that_is_released_while_its_annotator_ends_it_is_not_finished(
    tmp_path: Path,
) -> None:
    project = prepared(tmp_path, sentences=23, batches=True)
    shorten_batches(project)
    jana = make_annotator(project)
    last = BatchItem.objects.latest("position")
    for _item in range(19):
        assess(jana, project)
    output = last.original.sentence_id if last.original else last.sentence_id
    turn = BatchTurn.objects.get()

    def go_on() -> None:
        try:
            next_assignment(annotator=jana, project=project)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            # Locks what Jana gets next, which she has read before it is excluded.
            Sentence.objects.filter(pk__in=(output, last.sentence_id)).update(excluded=True)
            waiting = pool.submit(go_on)
            sleep(0.5)
            release_turns(project, jana)
        waiting.result()

    turn.refresh_from_db()
    assert turn.state == BatchTurn.State.RELEASED
