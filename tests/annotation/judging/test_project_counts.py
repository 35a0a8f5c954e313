"""What a worker counts of a large project, and what the queue passes over since."""

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.utils import timezone

from annotation.judging import project_counts, queue
from annotation.judging.assignment import release, skip
from annotation.judging.discarding import discard_judgements
from annotation.judging.project_counts import count_judged, count_project
from annotation.models import Assignment, Project, ProjectCounts, Sentence, User
from annotation.selectors import counts
from annotation.selectors.annotator_progress import statuses_of
from annotation.selectors.submitted_work import recent_judged_sentences
from tests.annotation.judging.judged_next import judge
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture(autouse=True)
def every_project_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_counts, "LARGE_PROJECT", 1)
    monkeypatch.setattr(project_counts, "WINDOW", 3)
    monkeypatch.setattr(queue, "WINDOW", 2)


def large(sentences: int = 8, **settings: Any) -> Project:
    return make_project(sentences=sentences, **settings)


def counted_again(project: Project) -> Project:
    """Count the project as if the last count were long ago; return it as pages read it."""
    long_ago = timezone.now() - timedelta(hours=1)
    ProjectCounts.objects.update(begun=long_ago, counted=long_ago)
    count_project(project.pk)
    cache.clear()
    return Project.objects.select_related("stored_counts").get(pk=project.pk)


def numbers_judged(annotator: User, project: Project, most: int = 20) -> list[int]:
    given = (judge(annotator, project) for _time in range(most))
    return [assignment.sentence.number for assignment, _shown in filter(None, given)]


def passed_over(project: Project) -> list[int]:
    found = project.sentences.filter(passed_over=True).order_by("number")
    return list(found.values_list("number", flat=True))


def test_a_worker_stores_what_a_page_of_a_small_project_counts() -> None:
    project = large(judges_per_sentence=2)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    numbers_judged(jana, project, 5)
    numbers_judged(petr, project, 4)
    assign_next(petr, project)
    project = counted_again(project)
    assert counts.to_judge(project) == 8
    assert counts.free(project) == queue.needing_a_judge(project).count()
    assert recent_judged_sentences([project]) == count_judged([project])


def test_before_the_first_count_all_sentences_are_left() -> None:
    project = large()
    jana = make_annotator(project)
    numbers_judged(jana, project, 3)
    assert counts.to_judge_of([project]) == {project.pk: 8}
    (status,) = statuses_of(jana)
    assert (status.together.judged, status.together.left, status.may_have_more) == (0, 8, True)


def test_what_was_just_counted_is_not_counted_again() -> None:
    project = large()
    count_project(project.pk)
    numbers_judged(make_annotator(project), project, 3)
    count_project(project.pk)
    assert ProjectCounts.objects.get().judged == 0
    # A worker that has begun and is still counting is waited for; one that was killed is not.
    ProjectCounts.objects.update(begun=timezone.now() - timedelta(minutes=1), counted=None)
    count_project(project.pk)
    assert ProjectCounts.objects.get().counted is None
    ProjectCounts.objects.update(begun=timezone.now() - timedelta(minutes=3))
    count_project(project.pk)
    assert ProjectCounts.objects.get().judged == 3


def test_a_count_rests_four_times_as_long_as_it_took() -> None:
    project = large()
    count_project(project.pk)
    numbers_judged(make_annotator(project), project, 3)
    minute_ago = timezone.now() - timedelta(minutes=1)
    ProjectCounts.objects.update(begun=minute_ago, counted=minute_ago, seconds=20)
    count_project(project.pk)
    assert ProjectCounts.objects.get().judged == 0
    ProjectCounts.objects.update(seconds=10)
    count_project(project.pk)
    assert ProjectCounts.objects.get().judged == 3


def test_what_a_setting_frees_is_left_before_the_next_count() -> None:
    project = large(judges_per_sentence=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    numbers_judged(jana, project)
    project = counted_again(project)
    project.judges_per_sentence = 2
    project.save()
    assert queue.is_any_left(petr, project)
    assert not queue.is_any_left(jana, project)


def test_what_discarding_frees_is_assigned_before_the_next_count() -> None:
    project = large(judges_per_sentence=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    numbers_judged(jana, project)
    counted_again(project)
    discard_judgements(project=project, by=jana, annotator=jana)
    assert len(numbers_judged(petr, project)) == 8


@pytest.mark.parametrize("order", Project.QueueOrder.values)
def test_each_annotator_gets_every_sentence_once_whenever_it_is_counted(order: str) -> None:
    project = large(judges_per_sentence=2, queue_order=order, block_size=3)
    people = [make_annotator(project, name) for name in ("jana", "petr", "eva")]
    judged: dict[str, list[int]] = {one.username: [] for one in people}
    while before := sum(map(len, judged.values())) < 16:
        for one in people:
            judged[one.username] += numbers_judged(one, project, 2)
        assert sum(map(len, judged.values())) > before
        counted_again(project)
    assert sum(map(len, judged.values())) == 16
    assert all(len(set(numbers)) == len(numbers) for numbers in judged.values())
    assert passed_over(project) == list(range(1, 9))
    assert not any(next_assignment(annotator=one, project=project) for one in people)
    assert not queue.is_any_left(people[0], project)


def test_the_queue_passes_over_what_needs_no_judge() -> None:
    project = large(queue_order="document")
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    numbers_judged(jana, project, 4)
    opened = assign_next(petr, project)
    counted_again(project)
    assert passed_over(project) == [1, 2, 3, 4, 5]
    # All that is left is open: it may come back.
    numbers_judged(jana, project, 3)
    counted_again(project)
    assert queue.is_any_left(jana, project)
    assert not queue.is_any_free(jana, project)
    release(project=project, assignment_id=opened.pk)
    assert numbers_judged(jana, project) == [5]
    assert not queue.is_any_left(jana, project)


def test_a_skipped_sentence_is_looked_at_again() -> None:
    project = large(queue_order="document", sentences=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    opened = assign_next(jana, project)
    counted_again(project)
    assert next_assignment(annotator=petr, project=project) is None
    skip(annotator=jana, project=project, assignment_id=opened.pk, reason="unclear")
    assert numbers_judged(petr, project) == [1]


def test_what_is_passed_over_wrongly_comes_after_the_next_count() -> None:
    project = large(queue_order="document")
    jana = make_annotator(project)
    project.sentences.update(passed_over=True)
    assert next_assignment(annotator=jana, project=project) is None
    counted_again(project)
    assert passed_over(project) == []
    assert numbers_judged(jana, project) == list(range(1, 9))


def test_more_judges_let_the_queue_look_at_all_sentences_again() -> None:
    project = large()
    numbers_judged(make_annotator(project), project)
    counted_again(project)
    assert passed_over(project) == list(range(1, 9))
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    counted_again(project)
    assert passed_over(project) == []
    assert len(numbers_judged(make_annotator(project, "petr"), project)) == 8


def test_a_new_block_is_begun_behind_those_that_others_have_begun() -> None:
    project = large(sentences=9, queue_order="blocks", block_size=3, judges_per_sentence=2)
    jana, petr, eva = (make_annotator(project, name) for name in ("jana", "petr", "eva"))
    assert numbers_judged(jana, project, 3) == [1, 2, 3]
    assert counted_again(project).stored_counts.new_block == 4
    assert numbers_judged(petr, project, 1) == [4]
    assert numbers_judged(eva, project, 1) == [7]
    assert counted_again(project).stored_counts.new_block is None
    assert numbers_judged(jana, project, 2) == [4, 5]


def test_counting_is_requested_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    project = large()
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, **_options: sent.append((name, args))
    )
    with django_capture_on_commit_callbacks(execute=True):
        for _time in range(2):
            counts.to_judge(project)
    assert sent == [(project_counts.TASK, [project.pk])]


def test_excluded_sentences_and_rows_without_candidates_are_passed_over() -> None:
    project = large()
    Sentence.objects.filter(number=2).update(excluded=True)
    counted_again(project)
    assert passed_over(project) == [2]
    assert not Assignment.objects.exists()
