"""How administrators make practice sentences, as plain HTML and without a browser."""

import re

import pytest

from annotation.judging.practice import answers
from annotation.models import Answer, Assignment, ExpectedPlacement, Project
from tests.annotation.judging.practice_setting import (
    WHY,
    address,
    copies,
    found,
    page_of,
    practise_one,
    practise_with,
    send,
)
from tests.annotation.web.judge_page import Form
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db

RIGHT = {"card-1-1": "1", "card-1-2": "2", "card-1-3": "garbage", "card-2-1": "2", "card-2-2": "1"}
CHOICES = {"1-1": 1, "1-2": 2, "1-3": None, "2-1": 2, "2-2": 1}


@pytest.fixture
def project():
    return make_project(sentences=6)


@pytest.fixture
def boss(client, project):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def test_sentences_that_may_serve_are_offered(client, project, boss):
    practise_with(project, 1)
    assign_next(make_annotator(project), project)
    taken = Assignment.objects.get().sentence.number
    html = page_of(client, "new-practice", project)
    offered = [int(number) for number in re.findall(r'href="\?sentence=(\d+)"', html)]
    assert offered == [number for number in range(2, 7) if number != taken]


def test_the_first_fifty_are_offered(client):
    project = make_project("many", sentences=52, segments={"0 1": ("a", "b")})
    client.force_login(make_annotator(project, "boss", "administrator"))
    html = page_of(client, "new-practice", project)
    assert len(re.findall(r'href="\?sentence=', html)) == 50


def test_no_sentences_are_offered_if_none_can_become_practice(client, boss, project):
    practise_with(project, *range(1, 7))
    assert 'class="past-one' not in page_of(client, "new-practice", project)


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "1.5", "9" * 30])
def test_a_number_that_is_none_is_refused(client, project, boss, number):
    response = client.get(address("new-practice", project), {"sentence": number})
    assert response.status_code == 400
    said = "Enter the number of a line: a whole number from 1."
    assert re.findall(r"<ul class=\"errorlist\".*?<li>(.*?)</li>", response.content.decode()) == [
        said
    ]
    response = client.post(address("new-practice", project), {"sentence": number} | RIGHT)
    assert response.status_code == 400
    assert not copies("practice").exists()


@pytest.mark.parametrize(
    ("number", "said"), [("1", "Line 1 cannot be used"), ("77", "There is no line 77")]
)
def test_a_sentence_that_cannot_serve_is_refused(client, project, boss, number, said):
    practise_with(project, 1)
    response = client.get(address("new-practice", project), {"sentence": number})
    assert response.status_code == 400
    html = response.content.decode()
    assert said in html
    assert f'value="{number}"' in html


def test_a_practice_sentence_is_made(client, project, boss):
    html = page_of(client, "new-practice", project, query="?sentence=3")
    form = Form(html)
    assert list(form.radios) == list(RIGHT)
    assert form.checked == {}
    assert form.hidden["sentence"] == "3"
    assert html.count("<textarea") == 2
    data = RIGHT | {"sentence": "3", "why-1": " One.\r\nTwo. ", "why-2": ""}
    assert send(client, "new-practice", project, **data) == ["Line 3 is now practice."]
    (made,) = copies("practice")
    assert made.copy_of.number == 3
    assert answers(made, project) == (CHOICES, ["One.\nTwo.", ""])
    html = page_of(client, "practice-sentences", project)
    assert address("change-practice", project, made.number) in html


def test_cards_are_stored_where_they_were_seen(client, project, boss):
    html = page_of(client, "new-practice", project, query="?sentence=3")
    seen = re.findall(r'data-card="([\d-]+)">\s*<legend><bdi[^>]*>(.*?)</bdi>', html)
    send(client, "new-practice", project, **RIGHT, sentence="3")
    stored = {
        placement.candidate.text: placement.rank
        for placement in ExpectedPlacement.objects.select_related("candidate")
    }
    assert stored == {text: CHOICES[key] for key, text in seen}


WRONG = [
    ({"card-2-2": None}, "1 candidate is not placed yet."),
    ({"card-1-1": "4"}, "Rank 4 does not exist: choose one from 1 to 3."),
    ({"card-1-1": "x"}, "A placement cannot be read: please reload the page."),
    ({"card-9-9": "1"}, "Some of the placed candidates are not on this page"),
    ({"why-2": "x" * 2001}, "This explanation is too long. The limit is 2000 characters."),
]


@pytest.mark.parametrize(("change", "said"), WRONG)
def test_a_refused_form_names_the_error_and_keeps_all_values(client, project, boss, change, said):
    practise_with(project, 1)
    fields = RIGHT | {"sentence": "3", "why-1": "<b>kept</b>"} | change
    data = {name: value for name, value in fields.items() if value is not None}
    for name, more in (("new-practice", []), ("change-practice", [1])):
        response = client.post(address(name, project, *more), data)
        html = response.content.decode()
        assert response.status_code == 400
        assert found(r'role="alert">\s*<p>([^<]*)', html)[1].startswith(said)
        assert "&lt;b&gt;kept&lt;/b&gt;</textarea>" in html
        assert Form(html).checked["card-1-2"] == "2"
        assert data.get("why-2", "") in html
    assert copies("practice").count() == 1
    assert [answer.explanation for answer in Answer.objects.order_by("pk")] == [WHY, ""]


def test_a_long_explanation_is_as_long_as_it_was_written(client, project, boss):
    lines = "x\n" * 1000
    send(
        client,
        "new-practice",
        project,
        **RIGHT,
        **{"why-1": lines.replace("\n", "\r\n")},
        sentence="3",
    )
    assert Answer.objects.order_by("pk")[0].explanation == lines.strip()


def test_a_sentence_assigned_meanwhile_is_refused_and_the_form_keeps_its_values(
    client, project, boss
):
    Project.objects.update(queue_order="document")
    project.refresh_from_db()
    data = RIGHT | {"sentence": "1", "why-1": "kept"}
    assign_next(make_annotator(project), project)
    response = client.post(address("new-practice", project), data)
    html = response.content.decode()
    assert response.status_code == 400
    assert "Line 1 cannot be used for practice" in html
    assert "kept</textarea>" in html
    assert not copies("practice").exists()
    assert (
        client.post(address("new-practice", project), data | {"sentence": "77"}).status_code == 404
    )


def test_answers_are_changed(client, project, boss):
    practise_with(project, 1)
    html = page_of(client, "change-practice", project, 1)
    assert set(Form(html).checked) == set(RIGHT)
    assert f"{WHY}</textarea>" in html
    messages = send(client, "change-practice", project, 1, **RIGHT, **{"why-2": "Another."})
    assert messages == ["Answers of line 1 saved. Feedback uses them from now on."]
    assert answers(copies("practice").get(), project) == (CHOICES, ["", "Another."])


def test_drafts_of_older_answers_in_the_browser_do_not_replace_newer_answers(client, project, boss):
    practise_with(project, 1)

    def kept_under():
        html = page_of(client, "change-practice", project, 1)
        return found(r'(?s)data-draft-owner="([^"]*)".*data-sentence="([^"]*)"', html).groups()

    before = kept_under()
    assert kept_under() == before
    send(client, "change-practice", project, 1, **RIGHT)
    assert kept_under()[0] == before[0]
    assert kept_under()[1] != before[1]


def test_a_practice_sentence_is_taken_out_and_put_back(client, project, boss):
    practise_with(project, 3)
    practise_one(make_annotator(project), project)
    page_of(client, "practice-sentences", project)
    send(client, "retire-practice", project, 1, retired="yes", confirmed="yes")
    assert copies("practice").get().retired
    page_of(client, "practice-sentences", project)
    send(client, "retire-practice", project, 1, retired="no")
    assert not copies("practice").get().retired


def test_required_practice_is_a_setting(client, project, boss):
    page_of(client, "practice-sentences", project)
    settings = {
        "description": "",
        "judges_per_sentence": "1",
        "intra_rate": "0",
        "inter_rate": "0",
        "control_rate": "10",
        "queue_order": "random",
        "shown_references": "first",
        "block_size": "10",
        "lease_minutes": "60",
        "practice_tries": "2",
        "practice_share": "80",
    }
    send(client, "project-settings", project, **settings, practice_required="on")
    stored = Project.objects.get()
    assert stored.practice_required
    assert (stored.practice_share, stored.practice_tries) == (80, 2)
    assert stored.control_rate == 0.1
