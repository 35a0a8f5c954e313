"""Several scores as plain HTML: all scales of a card are answered before it is submitted."""

import re

import pytest
from django.urls import reverse

from annotation.judging.practice import gold_details, make_practice
from annotation.models import FurtherScore, Job, Placement, Project, Sentence
from tests.annotation.web.judge_page import get_form
from tests.annotation.web.new_project_page import boss, fill_in, page_of, prepare, send, uploads
from tests.factories import assign_next, make_annotator, make_project
from tests.jobs import run_job

__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db

LINES = "Fluency 0-5\nAdequacy 0-100 step 5"


@pytest.fixture
def project():
    return make_project(kind="scores", sentences=2, segments={"0 1": ["dům"]}, answer_options=LINES)


def test_a_form_without_a_score_is_shown_again_with_the_others(client, project):
    client.force_login(make_annotator(project))
    url = reverse("judge", args=[project.pk])
    form = get_form(client, url)
    html = client.post(url, form.hidden | {"part-1-1-2": "80"}).content.decode()
    assert "candidate-missing" in html
    # The scale that has no score, and not the other.
    assert re.findall(r'class="scale is-gap" data-scale="(\w+)"', html) == ["Fluency"]
    assert re.search(r'name="part-1-1-2"[^>]* value="80"', html)
    assert not Placement.objects.exists()
    client.post(url, form.hidden | {"part-1-1-1": "4", "part-1-1-2": "80"})
    assert Placement.objects.get().rank == 2
    assert FurtherScore.objects.get().rank == 5


def test_a_score_that_is_on_no_step_is_refused(client, project):
    client.force_login(make_annotator(project))
    url = reverse("judge", args=[project.pk])
    fields = get_form(client, url).hidden | {"part-1-1-1": "4", "part-1-1-2": "81"}
    assert "81" in client.post(url, fields).content.decode()
    assert not Placement.objects.exists()


def test_a_submission_is_revised_by_scales(client, project):
    client.force_login(make_annotator(project))
    url = reverse("judge", args=[project.pk])
    form = get_form(client, url)
    client.post(url, form.hidden | {"part-1-1-1": "4", "part-1-1-2": "80"})
    assignment = project.assignments.get(state="submitted")
    revision = reverse("revise", args=[project.pk, assignment.pk])
    form = get_form(client, revision)
    assert form.checked == {"part-1-1-1": "4"}
    client.post(revision, form.hidden | {"part-1-1-1": "5", "part-1-1-2": "0"})
    latest = Placement.objects.get(judgement__submission__current=True)
    assert (latest.rank, latest.further_scores.get().rank) == (1, 21)


def test_gold_answers_are_given_on_all_scales(client, project):
    client.force_login(make_annotator(project, "boss", "administrator"))
    url = reverse("new-practice", args=[project.pk]) + "?sentence=1"
    fields = {"sentence": "1", "part-1-1-1": "4", "part-1-1-2": "80"}
    client.post(url, get_form(client, url).hidden | fields)
    practised = Sentence.objects.get(purpose="practice")
    assert gold_details(practised, project) == {"1-1": "Fluency 4, Adequacy 80"}


def test_feedback_compares_each_score(client, project):
    make_practice(
        project=project,
        number=1,
        explanations={},
        choices={"1-1": 2},
        details={"1-1": "Fluency 4, Adequacy 80"},
    )
    annotator = make_annotator(project)
    client.force_login(annotator)
    url = reverse("judge", args=[project.pk])
    assign_next(annotator, project, practise=True)
    client.post(url, get_form(client, url).hidden | {"part-1-1-1": "5", "part-1-1-2": "75"})
    done = project.assignments.get(state="submitted")
    html = client.get(reverse("practice-feedback", args=[project.pk, done.pk])).content.decode()
    compared = re.findall(r'data-scale="(\w+)" data-right="(\w+)"', html)
    assert compared == [("Fluency", "no"), ("Adequacy", "yes")]


def test_the_scales_of_a_new_project_are_checked(client, boss):
    upload = send(client)
    name = "answer_options-scores"
    assert name in page_of(client, upload, "new-project-files")
    refused = client.post(
        reverse("new-project-files", args=[upload.token]),
        {"kind": "scores", name: "Fluency 0-5\nAdequacy", "go-on": ""},
    ).content.decode()
    assert 'id="id_answer_options_error"' in refused
    fill_in(client, upload, kind="scores", **{name: "Fluency 0 – 5\r\n Adequacy 0-100\r\n"})
    prepare(client, upload)
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert (project.state, project.answer_options) == ("open", "Fluency 0-5\nAdequacy 0-100")
