"""Feedback on practice sentences."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.judging.practice import change_answers
from annotation.models import Assignment, Project
from tests.annotation.judging.practice_setting import (
    WHY,
    address,
    jana,
    page_of,
    practise_one,
    practise_with,
    project,
    require_practice,
)

# Fixtures, which are used by their names.
__all__ = ["jana", "project"]

pytestmark = pytest.mark.django_db


# --- feedback ----------------------------------------------------------------------------------


def feedback_page(client, jana, project, *, right):
    done = practise_one(jana, project, right=right)
    return page_of(client, "practice-feedback", project, done.pk)


def test_feedback_praises_what_is_right(client, jana, project):
    practise_with(project, 2, 3)
    html = feedback_page(client, jana, project, right=True)
    assert "verdict-good" in html
    assert "4 of 4 pairs in the expected order." in html
    assert "belongs" not in html
    assert WHY in html
    assert "<mark>the old house</mark> stands near the river" in html
    assert f'class="button button-main continue" href="{address("practice", project)}"' in html


def test_feedback_marks_what_is_wrong_in_words(client, jana, project):
    practise_with(project, 2)
    html = feedback_page(client, jana, project, right=False)
    assert "0 of 4 pairs in the expected order." in html
    # Both ends of the three, and both of the two.
    assert html.count("belongs higher") == html.count("belongs lower") == 2
    assert html.count('class="order order-right"') == 2
    assert "Start judging" in html


def test_feedback_uses_the_current_answers(client, jana, project):
    (sentence,) = practise_with(project, 2)
    done = practise_one(jana, project, right=False)
    choices = {
        key: {"1-1": 3, "1-2": 2, "1-3": 1, "2-1": 2, "2-2": 1}[key]
        for key in ("1-1", "1-2", "1-3", "2-1", "2-2")
    }
    change_answers(
        project=project, sentence=sentence, choices=choices, explanations={1: "<b>*Now*</b>"}
    )
    html = page_of(client, "practice-feedback", project, done.pk)
    assert "verdict-good" in html
    assert WHY not in html
    assert "&lt;b&gt;<em>Now</em>&lt;/b&gt;" in html


def test_optional_practice_can_be_stopped(client, jana, project):
    practise_with(project, 2, 3, 4)
    assert "Stop practice" in feedback_page(client, jana, project, right=True)
    require_practice()
    assert "Stop practice" not in feedback_page(client, jana, project, right=True)


# --- when it is done ---------------------------------------------------------------------------


def test_finished_practice_is_listed(client, jana, project):
    practise_with(project, 1, 2, 3)
    done = [practise_one(jana, project, right=right) for right in (True, False, True)]
    html = page_of(client, "practice", project)
    assert html.count('class="past-one"') == 3
    assert html.count("tag-good") == 2
    for assignment in done:
        assert address("practice-feedback", project, assignment.pk) in html
    assert re.search(f'button-main" href="{address("judge", project)}">Start judging', html)


def test_the_list_needs_as_many_queries_however_much_was_practised(client, jana, project):
    counts = []
    for numbers in ((1,), (2, 3, 4)):
        practise_with(project, *numbers)
        for _number in numbers:
            practise_one(jana, project)
        with CaptureQueriesContext(connection) as captured:
            page_of(client, "practice", project)
        counts.append(len(captured))
    assert counts[0] >= counts[1]


def test_a_project_without_practice_says_so(client, jana, project):
    html = page_of(client, "practice", project)
    assert 'class="past-one"' not in html
    assert address("judge", project) in html
    assert not Assignment.objects.exists()


def test_a_paused_project_assigns_no_practice_and_keeps_the_list(client, jana, project):
    practise_with(project, 1, 2)
    done = practise_one(jana, project)
    Project.objects.update(state="closed")
    html = page_of(client, "practice", project)
    assert '<p class="notice">' in html
    assert "Start judging" not in html
    assert address("practice-feedback", project, done.pk) in html
    assert not Assignment.objects.filter(state="open").exists()
    assert "Start judging" not in page_of(client, "practice-feedback", project, done.pk)
