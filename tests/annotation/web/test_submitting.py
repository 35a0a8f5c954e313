"""What the judging page sends, saved and submitted, and what of it is refused."""

import re

import pytest
from django.test import Client

from annotation.judging.drafts import save_draft
from annotation.models import Assignment, Judgement, Placement, ShownCandidate
from tests.annotation.web.judge_page import Form, get_form, jana, project, url
from tests.factories import make_annotator

# Fixtures, which are used by their names.
__all__ = ["jana", "project", "url"]

pytestmark = pytest.mark.django_db


# --- submitting --------------------------------------------------------------------------------


def stored_by_card():
    """Return what is stored of the one submitted sentence, as the form had it."""
    shown = ShownCandidate.objects.filter(assignment__state="submitted")
    places = dict(shown.values_list("candidate", "position"))
    segments = sorted(Judgement.objects.values_list("segment", flat=True))
    return {
        f"card-{segments.index(row.candidate.segment_id) + 1}-{places[row.candidate_id]}": str(
            row.rank or "garbage"
        )
        for row in Placement.objects.select_related("candidate")
    }


def test_submitting_stores_the_choices_and_redirects(client, jana, project, url):
    form = get_form(client, url)
    data = form.hidden | {
        name: values[-1 - i % 2] for i, (name, values) in enumerate(form.radios.items())
    }
    response = client.post(url, data)
    assert response.status_code == 302
    assert response.headers["Location"] == url
    assert stored_by_card() == {
        name: value for name, value in data.items() if name.startswith("card-")
    }
    assert get_form(client, url).hidden["assignment"] != form.hidden["assignment"]


def test_the_same_form_twice_is_stored_once(client, jana, url):
    data = get_form(client, url).filled()
    assert client.post(url, data).status_code == 302
    assert client.post(url, data).status_code == 302
    assert Placement.objects.count() == 5


def test_it_refuses_another_form_of_a_submitted_sentence(client, jana, url):
    one, two = get_form(client, url), get_form(client, url)
    client.post(url, one.filled("1"))
    response = client.post(url, two.filled("2"))
    assert response.status_code == 409
    assert "submitted this before" in response.content.decode()
    assert set(Placement.objects.values_list("rank", flat=True)) == {1}


def test_it_marks_unplaced_candidates_and_keeps_the_other_choices(client, jana, url):
    form = get_form(client, url)
    data = form.filled("garbage")
    left_out = next(iter(form.radios))
    del data[left_out]
    response = client.post(url, data)
    html = response.content.decode()
    again = Form(html)
    assert response.status_code == 400
    assert 'role="alert"' in html
    assert html.count('class="missing"') == 1
    assert again.checked == {name: "garbage" for name in form.radios if name != left_out}
    assert again.hidden["assignment"] == form.hidden["assignment"]
    assert not Judgement.objects.exists()
    assert client.post(url, again.filled()).status_code == 302


def changed(**changes):
    def change(form, data):
        card, other = list(form.radios)[:2]
        return data | {
            {"card": card, "other": other}.get(name, name): value for name, value in changes.items()
        }

    return change


@pytest.mark.parametrize(
    "change",
    [
        changed(card="0"),
        changed(card="4"),
        changed(card="-1"),
        changed(card="1.0"),
        changed(card="١"),
        changed(card="first"),
        changed(card=""),
        changed(card="9" * 400),
        changed(card=["1", "2"]),
        changed(**{"card-99999": "1"}),
        changed(**{"card-1-4": "1"}),
        changed(**{"card-3-1": "1"}),
        changed(**{"card-0-0": "1"}),
        changed(**{"card-1-1-1": "1"}),
        changed(**{"card-1": "1"}),
        changed(**{"card-999999999999999999": "1"}),
        changed(**{"card-" + "9" * 300: "1"}),
        changed(**{"card-x": "1"}),
        changed(token=""),
        changed(token="not-a-token"),
        changed(assignment=""),
        changed(assignment="x"),
        changed(assignment="9" * 300),
    ],
)
def test_it_refuses_invalid_forms_and_stores_nothing(client, jana, url, change):
    form = get_form(client, url)
    response = client.post(url, change(form, form.filled()))
    assert response.status_code == 400
    assert re.search(
        r'role="alert">\s*<p>\w|<h1>This was not saved</h1>\s*<p>\w', response.content.decode()
    )
    assert not Judgement.objects.exists()
    assert Assignment.objects.get().state == "open"


def test_a_candidate_posted_under_two_spellings_of_its_number_is_refused(client, jana, url):
    form = get_form(client, url)
    card = next(iter(form.radios))
    response = client.post(url, form.filled() | {card.replace("card-", "card-0"): "2"})
    assert response.status_code == 400
    assert not Judgement.objects.exists()


def test_it_refuses_another_annotators_sentence(client, jana, project, url):
    petr = make_annotator(project, "petr")
    data = get_form(client, url).filled()
    other = Client()
    other.force_login(petr)
    response = other.post(url, data)
    assert response.status_code == 403
    assert not Judgement.objects.exists()


def test_a_sentence_that_does_not_exist_is_refused(client, jana, url):
    data = get_form(client, url).filled() | {"assignment": "424242"}
    assert client.post(url, data).status_code == 403
    assert not Judgement.objects.exists()


def test_it_refuses_a_post_without_a_csrf_token(project, url):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(make_annotator(project))
    response = careful.post(
        url, get_form(careful, url).filled() | {"csrfmiddlewaretoken": "x" * 32}
    )
    assert response.status_code == 403
    assert "empty problem" in response.content.decode()
    assert not Judgement.objects.exists()


def test_ten_megabytes_are_refused(client, jana, url):
    response = client.post(url, {"token": "x" * 10_000_000})
    assert response.status_code == 400
    assert not Judgement.objects.exists()


def test_ten_thousand_fields_are_refused(client, jana, url):
    response = client.post(url, {f"card-{i}": "1" for i in range(10_000)})
    assert response.status_code == 400


# --- what was saved ----------------------------------------------------------------------------


def save(annotator, project, choices):
    return save_draft(
        annotator=annotator,
        project=project,
        assignment_id=Assignment.objects.get(annotator=annotator, state="open").pk,
        base=0,
        choices=choices,
        active_seconds=7.5,
    )


def test_the_page_shows_the_stored_draft(client, jana, project, url):
    assert 'data-version="0"' in client.get(url).content.decode()
    save(jana, project, {"1-1": 2, "2-1": "garbage"})
    html = client.get(url).content.decode()
    assert Form(html).checked == {"card-1-1": "2", "card-2-1": "garbage"}
    assert 'data-version="1" data-active="7.5"' in html


def test_posted_choices_win_over_the_draft(client, jana, project, url):
    form = get_form(client, url)
    save(jana, project, {"1-1": 2, "1-2": 2})
    html = client.post(url, form.hidden | {"card-1-1": "3"}).content.decode()
    assert Form(html).checked == {"card-1-1": "3"}
    assert 'data-posted="yes"' in html
