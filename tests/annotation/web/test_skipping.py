"""Sentences that an annotator would rather not judge."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Skip
from tests.annotation.web.judge_page import get_form, jana, project, url
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["jana", "project", "url"]

pytestmark = pytest.mark.django_db


def skip_url(project):
    return reverse("skip-sentence", args=[project.pk])


def test_skipping_asks_for_a_reason_and_goes_on(client, jana, project, url):
    first = get_form(client, url).hidden["assignment"]
    page = client.get(skip_url(project)).content.decode()
    assert f'name="skip" value="{first}"' in page
    data = {"skip": first, "reason": "offensive", "comment": "  rude  "}
    response = client.post(skip_url(project), data)
    assert response.status_code == 302
    assert response.headers["Location"] == f"{url}?skipped"
    assert 'id="skipped"' in client.get(f"{url}?skipped").content.decode()
    skipped = Skip.objects.get()
    assert (str(skipped.assignment_id), skipped.reason, skipped.comment) == (
        first,
        "offensive",
        "rude",
    )
    assert get_form(client, url).hidden["assignment"] != first


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"reason": ""}, 400),
        ({"reason": "boring"}, 400),
        ({"comment": "x" * 2001}, 400),
        ({"skip": "x"}, 400),
        ({"skip": "9" * 30}, 400),
        ({"skip": "424242"}, 409),
    ],
)
def test_it_refuses_an_invalid_skip(client, jana, project, url, change, status):
    data = {"skip": get_form(client, url).hidden["assignment"], "reason": "other"} | change
    assert client.post(skip_url(project), data).status_code == status
    assert not Skip.objects.exists()


def test_it_refuses_to_skip_another_annotators_sentence(client, jana, project, url):
    number = get_form(client, url).hidden["assignment"]
    other = Client()
    other.force_login(make_annotator(project, "petr"))
    response = other.post(skip_url(project), {"skip": number, "reason": "other"})
    assert response.status_code == 409
    assert Assignment.objects.get().state == "open"


def test_skipping_without_an_open_sentence_redirects(client, jana, project, url):
    assert client.get(skip_url(project)).headers["Location"] == url
    stranger = Client()
    stranger.force_login(make_annotator(make_project("castles"), "eve"))
    assert stranger.get(skip_url(project)).status_code == 404
