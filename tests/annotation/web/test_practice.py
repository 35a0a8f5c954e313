"""The practice round as annotators go through it, as plain HTML and without a browser."""

import re

import pytest

from annotation.judging.assignment import release
from annotation.judging.drafts import save_draft
from annotation.judging.practice import retire
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Judgement, Project, Sentence, Skip, Submission
from tests.annotation.judging.practice_setting import (
    WHY,
    address,
    jana,
    open_one,
    page_of,
    practise_one,
    practise_with,
    project,
    require_practice,
    right_choices,
)
from tests.annotation.web.judge_page import Form
from tests.factories import assign_next, make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["jana", "project"]

pytestmark = pytest.mark.django_db


def posted(form, assignment, *, right=True):
    """Return what the form sends; all cards are right, or all on one rank."""
    choices = right_choices(assignment)
    return form.hidden | {f"card-{key}": str(rank if right else 1) for key, rank in choices.items()}


# --- who may -----------------------------------------------------------------------------------


def test_strangers_are_asked_to_sign_in(client, project):
    for name, more in (("practice", []), ("practice-feedback", [1])):
        response = client.get(address(name, project, *more))
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/sign-in/")


def test_only_members_find_it(client, project):
    client.force_login(make_annotator(make_project("other")))
    done = practise_with(project, 1)
    assert client.get(address("practice", project)).status_code == 404
    assert client.get(address("practice-feedback", project, done[0].pk)).status_code == 404
    assert not Assignment.objects.exists()


def test_nothing_is_sent_to_these_pages(client, jana, project):
    practise_with(project, 1)
    assert client.post(address("practice", project)).status_code == 405
    assert client.post(address("practice-feedback", project, 1)).status_code == 405


def test_feedback_is_for_what_one_has_submitted_oneself(client, jana, project):
    practise_with(project, 1, 2)
    page_of(client, "practice", project)
    unfinished = open_one(jana)
    assert client.get(address("practice-feedback", project, unfinished.pk)).status_code == 404
    others = practise_one(make_annotator(project, "petr"), project)
    assert client.get(address("practice-feedback", project, others.pk)).status_code == 404
    own = practise_one(jana, project)
    assert client.get(address("practice-feedback", project, own.pk)).status_code == 200
    other_project = make_project("other")
    make_annotator(other_project)
    assert client.get(address("practice-feedback", other_project, own.pk)).status_code == 404


def test_there_is_no_feedback_of_real_work(client, jana, project):
    practise_with(project, 1)
    form = Form(page_of(client, "judge", project))
    assert client.post(address("judge", project), form.filled()).status_code == 302
    judged = Assignment.objects.get(state="submitted")
    assert client.get(address("practice-feedback", project, judged.pk)).status_code == 404


# --- practising --------------------------------------------------------------------------------


def test_practice_goes_from_sentence_to_feedback_to_the_real_work_without_javascript(
    client, jana, project
):
    practise_with(project, 2, 4)
    require_practice()
    judge = address("judge", project)
    assert address("practice", project) in client.get("/").content.decode()
    for number in (1, 2):
        html = page_of(client, "practice", project)
        assert f"Practice {number} of 2" in html
        assignment = open_one(jana)
        response = client.post(judge, posted(Form(html), assignment))
        feedback = address("practice-feedback", project, assignment.pk)
        assert response.headers["Location"] == feedback
        html = client.get(feedback).content.decode()
        onward = "practice" if number == 1 else "judge"
        assert re.search(
            f'class="button button-main continue" href="{address(onward, project)}"', html
        )
    html = page_of(client, "judge", project)
    assert "Practice" not in html
    assert open_one(jana).kind == "first"
    assert Submission.objects.count() == 2


def test_the_judging_page_shows_required_practice(client, jana, project):
    practise_with(project, 2)
    require_practice()
    html = page_of(client, "judge", project)
    assert "Practice 1 of 1" in html
    assert f'data-next="{address("practice-feedback", project, open_one(jana).pk)}"' in html
    assert f'data-continue="{address("practice", project)}"' in html


def test_the_judging_page_does_not_show_optional_practice(client, jana, project):
    practise_with(project, 2)
    html = page_of(client, "judge", project)
    assert open_one(jana).kind == "first"
    assert f'data-next="{address("judge", project)}"' in html
    assert f'data-continue="{address("judge", project)}"' in html


def test_an_open_sentence_comes_before_practice(client, jana, project):
    practise_with(project, 2)
    begun = assign_next(jana, project)
    save_draft(annotator=jana, project=project, assignment_id=begun.pk, base=0, choices={"1-1": 1})
    response = client.get(address("practice", project))
    assert response.status_code == 302
    assert response.headers["Location"] == address("judge", project)
    assert open_one(jana).pk == begun.pk


def test_practice_takes_the_place_of_a_sentence_that_was_only_shown(client, jana, project):
    practise_with(project, 2)
    shown = assign_next(jana, project)
    page_of(client, "practice", project)
    assert open_one(jana).kind == "practice"
    assert Assignment.objects.get(pk=shown.pk).state == "returned"
    practise_one(jana, project)
    page_of(client, "judge", project)
    kept = open_one(jana)
    assert kept.kind == "first"
    page_of(client, "practice", project)
    assert open_one(jana).pk == kept.pk


def test_a_released_sentence_with_a_draft_comes_before_practice(client, jana, project):
    practise_with(project, 2)
    begun = assign_next(jana, project)
    save_draft(annotator=jana, project=project, assignment_id=begun.pk, base=0, choices={"1-1": 1})
    release(project=project, assignment_id=begun.pk)
    response = client.get(address("practice", project))
    assert response.headers["Location"] == address("judge", project)
    assert open_one(jana).pk == begun.pk


def test_the_open_practice_sentence_is_shown_on_the_judging_page_too(client, jana, project):
    practise_with(project, 2)
    practice = Form(page_of(client, "practice", project))
    judge = page_of(client, "judge", project)
    assert Form(judge).hidden["assignment"] == practice.hidden["assignment"]
    assert "Practice 1 of 1" in judge


def test_a_refused_form_names_the_error_and_keeps_the_choices(client, jana, project):
    practise_with(project, 2)
    data = posted(Form(page_of(client, "practice", project)), open_one(jana))
    left_out = next(name for name in data if name.startswith("card-"))
    response = client.post(
        address("judge", project), {k: v for k, v in data.items() if k != left_out}
    )
    html = response.content.decode()
    assert response.status_code == 400
    assert "1 candidate is not placed yet." in html
    assert "Practice 1 of 1" in html
    assert len(Form(html).checked) == 4
    assert not Judgement.objects.exists()
    again = client.post(address("judge", project), Form(html).hidden | data)
    assert again.headers["Location"].startswith(address("practice", project))


def test_the_same_submission_again_leads_to_its_feedback(client, jana, project):
    practise_with(project, 2)
    data = posted(Form(page_of(client, "practice", project)), open_one(jana))
    first = client.post(address("judge", project), data)
    again = client.post(address("judge", project), data)
    assert first.headers["Location"] == again.headers["Location"]
    assert Submission.objects.count() == 1


def test_a_skipped_practice_sentence_is_passed_over(client, jana, project):
    practise_with(project, 2, 3)
    page_of(client, "practice", project)
    skip = address("skip-sentence", project)
    html = client.get(skip).content.decode()
    assert 'class="form skip-form"' in html
    data = {"skip": open_one(jana).pk, "reason": "other", "comment": ""}
    response = client.post(skip, data)
    assert response.headers["Location"] == f"{address('practice', project)}?skipped"
    assert Skip.objects.count() == 1
    assert "Practice 2 of 2" in page_of(client, "practice", project)


def test_a_retired_sentence_is_not_assigned_and_its_feedback_stays(client, jana, project):
    practise_with(project, 2, 3)
    done = practise_one(jana, project)
    for number in (1, 2):
        retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=number, retired=True)
    assert WHY in page_of(client, "practice-feedback", project, done.pk)
    assert 'class="past-one"' in page_of(client, "practice", project)
    assert not Assignment.objects.filter(state="open").exists()
    assert "Practice round (" not in client.get("/").content.decode()


def test_one_that_is_retired_while_it_is_open_can_be_finished(client, jana, project):
    practise_with(project, 2)
    form = Form(page_of(client, "practice", project))
    retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=1, retired=True)
    assert "Practice 1 of 1" in page_of(client, "practice", project)
    response = client.post(address("judge", project), posted(form, open_one(jana)))
    assert response.status_code == 302
    assert client.get(response.headers["Location"]).status_code == 200


def test_instructions_begin_beside_their_title_until_a_sentence_is_practised(client, jana, project):
    practise_with(project, 1, 2)
    assert "summary-lead" in page_of(client, "practice", project)
    practise_one(jana, project)
    assert "summary-lead" not in page_of(client, "practice", project)


def test_the_page_of_a_practice_sentence_is_that_of_any_other(client, jana, project):
    """Cards, drafts and skipping are there; the sheet is the same."""
    practise_with(project, 1)
    html = page_of(client, "practice", project)
    assignment = open_one(jana)
    form = Form(html)
    assert list(form.radios) == [
        f"card-{card.key}" for segment in sheet(assignment).segments for card in segment.cards
    ]
    for name in ("draft", "submission", "skip"):
        assert address(name, project, assignment.pk) in html


# --- tries -------------------------------------------------------------------------------------


def test_another_try_is_offered_while_one_is_left(client, jana, project):
    practise_with(project, 1)
    Project.objects.update(practice_required=True, practice_share=80, practice_tries=2)
    assert "skip-switch" not in page_of(client, "practice", project)
    again = f'action="{address("practise-again", project)}"'
    practise_one(jana, project, right=False)
    for name in ("practice", "judge"):
        assert again in page_of(client, name, project)
    assert 'data-reason="practice"' in page_of(client, "judge", project)

    response = client.post(address("practise-again", project))
    assert response.headers["Location"] == address("practice", project)
    form = Form(page_of(client, "practice", project))
    assert form.hidden["assignment"] == str(open_one(jana).pk)

    practise_one(jana, project, right=False)
    for name in ("practice", "judge"):
        html = page_of(client, name, project)
        assert again not in html
        assert "0 of" in html
    client.post(address("practise-again", project))
    assert not Assignment.objects.filter(state="open").exists()
