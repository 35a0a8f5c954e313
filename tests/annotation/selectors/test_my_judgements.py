"""The annotator's own judgements: their order, and the search in them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.judging.submission import submit
from annotation.models import Assignment, Project, Sentence, User
from annotation.selectors.my_judgements import count_past, neighbours, past_judgements
from tests.annotation.judging.open_sentence import submit_on_one_rank
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def judge(user: User, project: Project) -> Assignment:
    assignment = assign_next(user, project)
    submit_on_one_rank(assignment, 1, submit)
    return assignment


def change(assignment: Assignment, **values: Any) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(**values)


def test_neighbours_lead_through_all_that_counts_by_time(
    django_assert_num_queries: Any,
) -> None:
    project = make_project(sentences=6, judges_per_sentence=2)
    jana = make_annotator(project)
    a, b, c, discarded, practised = (judge(jana, project) for _ in range(5))
    judge(make_annotator(project, "petr"), project)
    assign_next(jana, project)
    now = timezone.now()
    change(a, submitted=now)
    # At once: the later assignment is the later one.
    for assignment in (b, c):
        change(assignment, submitted=now - timedelta(hours=1))
    change(discarded, state="discarded", discarded_with_annotator=True)
    change(practised, kind="practice", slot=None)

    by_time = [b.pk, c.pk, a.pk]
    expected = zip(by_time, [None, *by_time], [*by_time[1:], None], strict=False)
    for pk, before, after in expected:
        assignment = Assignment.objects.select_related("project").get(pk=pk)
        with django_assert_num_queries(2):
            assert neighbours(assignment) == (before, after)


def test_words_of_the_source_are_searched_and_all_are_counted() -> None:
    project = make_project(sentences=3)
    jana = make_annotator(project)
    judged = [judge(jana, project) for _ in range(3)]
    Sentence.objects.filter(pk=judged[1].sentence_id).update(text="100 % of the Castles")

    for words in ("castles", "% of"):
        assert list(past_judgements(jana, project, words=words)) == [judged[1]]
        assert count_past(jana, project, words=words) == (1, 3)
    assert count_past(jana, project, words="cottage") == (0, 3)
    assert count_past(jana, project) == (3, 3)
