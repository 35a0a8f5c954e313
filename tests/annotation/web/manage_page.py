"""The page from which administrators run a project, as its tests look at it."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from annotation.judging.assignment import next_assignment
from tests.factories import make_annotator, make_project

SETTINGS = {
    "description": "About houses.",
    "judges_per_sentence": "2",
    "intra_rate": "0.1",
    "inter_rate": "0",
    "control_rate": "0.05",
    "queue_order": "blocks",
    "block_size": "25",
    "lease_minutes": "60",
    "show_neighbours": "on",
}


@pytest.fixture
def project():
    return make_project(intra_rate=0, inter_rate=0)


@pytest.fixture
def boss(client, project):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def take(annotator, project):
    """Return the sentence that the annotator has open now."""
    return next_assignment(annotator=annotator, project=project)


def address(name, project, *more):
    return reverse(name, args=[project.pk, *more])


def page_of(client, project, query=""):
    response = client.get(address("manage-project", project) + query)
    assert response.status_code == 200
    return response.content.decode()


def send(client, view, project, *more, **fields):
    """Post a form that is accepted; return what people are told."""
    response = client.post(address(view, project, *more), fields)
    assert response.status_code == 302
    assert response.headers["Location"].startswith(address("manage-project", project))
    return [str(message) for message in get_messages(response.wsgi_request)]
