"""Load the pages of administrators in tests, and post their forms."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from tests.factories import make_annotator, make_project

SETTINGS = {
    "description": "About houses.",
    "judges_per_sentence": "2",
    "intra_rate": "10",
    "inter_rate": "0",
    "control_rate": "5",
    "queue_order": "blocks",
    "shown_references": "first",
    "block_size": "25",
    "lease_minutes": "60",
    "practice_tries": "1",
    "show_neighbours": "on",
    "show_whole_translations": "on",
}


@pytest.fixture
def project():
    return make_project(intra_rate=0, inter_rate=0)


@pytest.fixture
def boss(client, project):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def address(name, project, *more):
    return reverse(name, args=[project.pk, *more])


def page_of(client, name, project, query=""):
    response = client.get(address(name, project) + query)
    assert response.status_code == 200
    return response.content.decode()


def send(client, view, project, *more, **fields):
    """Post a form that is accepted; return the messages."""
    response = client.post(address(view, project, *more), fields)
    assert response.status_code == 302
    return [str(message) for message in get_messages(response.wsgi_request)]
