"""Discarded judgements: stored, counted nowhere, and restored."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction

from annotation.import_export.exports import placements, thesis_json
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.discarding import (
    discard_judgements,
    restore_judgements,
    restore_sentence,
    return_to_judging,
)
from annotation.judging.drafts import save_draft
from annotation.judging.errors import AlreadySubmitted, NotAvailable
from annotation.judging.submission import revise
from annotation.models import Assignment, Membership, Project, Segment, User
from annotation.projects.exclusion import NotOfProject
from annotation.selectors.annotator_progress import load_status
from annotation.selectors.exclusion import excluded_of
from annotation.selectors.judged_sentences import judged_sentence, last_submission
from annotation.selectors.my_judgements import past_judgements
from annotation.selectors.submitted_work import submitted_work
from tests.annotation.judging.judged_next import judge, submit_all
from tests.annotation.judging.open_sentence import submit_on_one_rank
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.evaluation.projects import submit_control
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

DISCARDED = Assignment.State.DISCARDED


@pytest.fixture
def project() -> Project:
    return make_project(sentences=2)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def petr(project: Project) -> User:
    return make_annotator(project, "petr")


def judge_all(annotator: User, project: Project) -> list[Assignment]:
    judged = []
    while found := judge(annotator, project):
        judged.append(found[0])
    return judged


def states(annotator: User) -> list[tuple[str, int | None]]:
    rows = Assignment.objects.filter(annotator=annotator).order_by("sentence__number", "pk")
    return list(rows.values_list("state", "slot"))


def test_discarded_judgements_are_stored_and_others_judge_the_sentences(
    project: Project, jana: User, petr: User
) -> None:
    judge_all(jana, project)
    assert next_assignment(annotator=petr, project=project) is None

    assert discard_judgements(project=project, by=petr, annotator=jana) == 2

    assert states(jana) == [(DISCARDED, 1)] * 2
    assert Assignment.objects.filter(submissions__judgements__isnull=False).exists()
    assert submitted_work(project).of(jana.pk).judgements == 0
    assert list(thesis_json(project)) == list(thesis_json(make_project("empty")))
    assert len("".join(placements(project)).splitlines()) == 1
    assert last_submission(project) == 0
    found = judged_sentence(project, 1)
    assert found
    assert not found.segments[0].judgements
    assert len(judge_all(petr, project)) == 2
    assert discard_judgements(project=project, by=petr, annotator=jana) == 0


def test_restored_judgements_count_beside_those_that_others_made(
    project: Project, jana: User, petr: User
) -> None:
    judge_all(jana, project)
    discard_judgements(project=project, by=petr, annotator=jana)
    judge(petr, project)

    assert restore_judgements(project=project, by=petr, annotator=jana) == 2

    assert sorted(slot or 0 for _state, slot in states(jana)) == [1, 2]
    assert submitted_work(project).of(jana.pk).judgements == 4
    assert next_assignment(annotator=petr, project=project) is None


def test_an_annotator_can_judge_again_and_the_later_judgement_stays(
    project: Project, jana: User
) -> None:
    judge_all(jana, project)
    discard_judgements(project=project, by=jana, annotator=jana)
    cache.clear()

    again = judge(jana, project)

    assert again
    assert again[0].kind == Assignment.Kind.FIRST
    assert restore_judgements(project=project, by=jana, annotator=jana) == 1
    of_sentence = again[0].sentence.assignments.order_by("pk")
    assert [one.state for one in of_sentence] == [DISCARDED, Assignment.State.SUBMITTED]


def test_a_sentence_is_returned_to_judging(project: Project, jana: User, petr: User) -> None:
    judge_all(jana, project)
    sentence = project.sentences.get(number=1)

    assert return_to_judging(project=project, by=petr, sentence=sentence.pk) == 1

    assert [state for state, _slot in states(jana)] == [DISCARDED, "submitted"]
    # Only who returned the sentence can restore them.
    assert restore_judgements(project=project, by=petr, annotator=jana) == 0
    assert assign_next(jana, project).sentence == sentence
    assert restore_sentence(project=project, by=petr, sentence=sentence.pk) == 0
    other = make_project("other")
    for change in (return_to_judging, restore_sentence):
        with pytest.raises(NotOfProject):
            change(project=other, by=petr, sentence=sentence.pk)


def test_returning_a_sentence_is_undone(project: Project, jana: User) -> None:
    judge_all(jana, project)
    sentence = project.sentences.get(number=1)
    return_to_judging(project=project, by=jana, sentence=sentence.pk)

    assert restore_sentence(project=project, by=jana, sentence=sentence.pk) == 1

    assert states(jana) == [("submitted", 1)] * 2
    assert next_assignment(annotator=jana, project=project) is None


def test_repeats_are_discarded_and_restored_too(project: Project, jana: User) -> None:
    judge_all(jana, project)
    project.intra_rate = 1.0
    project.save()
    judge(jana, project)

    assert discard_judgements(project=project, by=jana, annotator=jana) == 3
    assert restore_judgements(project=project, by=jana, annotator=jana) == 3
    assert submitted_work(project).of(jana.pk).repeats == 1


def test_practice_and_what_is_open_stay(jana: User, project: Project) -> None:
    practise_with(project, 2)
    practise_one(jana, project)
    assign_next(jana, project)

    assert discard_judgements(project=project, by=jana, annotator=jana) == 0

    practice = Assignment.objects.filter(kind="practice")
    assert [one.state for one in practice] == ["submitted"]
    with pytest.raises(IntegrityError), transaction.atomic():
        practice.update(state=DISCARDED, discarded_with_annotator=True)


@pytest.mark.parametrize("with_sentence", [False, True])
def test_controls_are_discarded_and_restored_with_the_others(
    jana: User, project: Project, *, with_sentence: bool
) -> None:
    [control] = make_controls(project=project, count=1, seed=1)
    submit_control(project, jana, 1, passes=True)
    judge_all(jana, project)
    by: dict[str, Any] = {"project": project, "by": jana}
    original = control.copy_of_id
    assert original

    # Controls are not in the counts, which administrators compare with other pages.
    if with_sentence:
        assert return_to_judging(**by, sentence=original) == 1
    else:
        assert discard_judgements(**by, annotator=jana) == 2

    assert Assignment.objects.get(kind="control").state == DISCARDED
    assert [outcome.passed for outcome in control_outcomes(project)] == [True]
    assert excluded_of(project).discarded == (2 if with_sentence else 4)
    if with_sentence:
        assert restore_sentence(**by, sentence=original) == 1
    else:
        assert restore_judgements(**by, annotator=jana) == 2
    assert {one.state for one in Assignment.objects.all()} == {"submitted"}


# --- what stays discarded -----------------------------------------------------------------------


def test_a_repeat_stays_discarded_if_its_sentence_is_judged_again(
    project: Project, jana: User
) -> None:
    judge_all(jana, project)
    Project.objects.filter(pk=project.pk).update(intra_rate=1.0)
    repeat = judge(jana, project)
    assert repeat
    assert repeat[0].kind == Assignment.Kind.INTRA
    Project.objects.filter(pk=project.pk).update(intra_rate=0.0)
    cache.clear()
    sentence = repeat[0].sentence_id
    assert return_to_judging(project=project, by=jana, sentence=sentence) == 2
    judge(jana, project)

    assert restore_sentence(project=project, by=jana, sentence=sentence) == 0

    # Of all that is discarded then, the later judgement is restored, without the earlier repeat.
    return_to_judging(project=project, by=jana, sentence=sentence)
    assert restore_sentence(project=project, by=jana, sentence=sentence) == 1


def test_a_former_version_stays_discarded_if_the_sentence_is_judged_again(
    project: Project, jana: User
) -> None:
    judge_all(jana, project)
    discard_judgements(project=project, by=jana, annotator=jana)
    project.sentences.update(candidate_version=2)
    cache.clear()
    assert len(judge_all(jana, project)) == 2

    assert restore_judgements(project=project, by=jana, annotator=jana) == 0


def test_both_versions_are_restored_if_both_were_discarded(project: Project, jana: User) -> None:
    judge_all(jana, project)
    project.sentences.update(candidate_version=2)
    Segment.objects.filter(token_indices="0 1 2").update(candidate_version=2)
    cache.clear()
    assert len(judge_all(jana, project)) == 2
    discard_judgements(project=project, by=jana, annotator=jana)

    assert restore_judgements(project=project, by=jana, annotator=jana) == 4


@pytest.mark.parametrize("sentence_first", [False, True])
def test_what_was_discarded_in_both_ways_counts_when_both_are_undone(
    project: Project, jana: User, *, sentence_first: bool
) -> None:
    judge_all(jana, project)
    sentence = project.sentences.get(number=1).pk
    by: dict[str, Any] = {"project": project, "by": jana}
    if sentence_first:
        return_to_judging(**by, sentence=sentence)
        assert discard_judgements(**by, annotator=jana) == 1
        assert restore_sentence(**by, sentence=sentence) == 0
        assert restore_judgements(**by, annotator=jana) == 2
    else:
        discard_judgements(**by, annotator=jana)
        assert return_to_judging(**by, sentence=sentence) == 0
        assert restore_judgements(**by, annotator=jana) == 1
        assert restore_sentence(**by, sentence=sentence) == 1
    assert states(jana) == [("submitted", 1)] * 2


def test_a_discarded_judgement_is_not_changed_but_listed(project: Project, jana: User) -> None:
    assignment = assign_next(jana, project)
    submit_all(assignment)
    discard_judgements(project=project, by=jana, annotator=jana)

    with pytest.raises(NotAvailable):
        submit_on_one_rank(assignment, store=revise)
    with pytest.raises(AlreadySubmitted):
        submit_on_one_rank(assignment)
    with pytest.raises(AlreadySubmitted):
        save_draft(annotator=jana, project=project, assignment_id=assignment.pk, base=0, choices={})
    assert list(past_judgements(jana, project)) == [assignment]


def test_a_limit_counts_what_was_discarded(project: Project, jana: User) -> None:
    Membership.objects.filter(user=jana).update(sentence_limit=1)
    judge(jana, project)
    discard_judgements(project=project, by=jana, annotator=jana)

    assert next_assignment(annotator=jana, project=project) is None
    status = load_status(jana, project.pk)
    assert status
    assert (status.assignments, status.most_left) == (0, 0)


def test_only_discarded_assignments_are_marked(project: Project, jana: User) -> None:
    assignment = assign_next(jana, project)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=assignment.pk).update(discarded_with_sentence=True)
