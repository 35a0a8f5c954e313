import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.judging.control_items import make_controls
from annotation.models import User
from tests.evaluation.projects import submit, submit_control
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
NAMES = [("api-statistics", "statistics"), ("api-ranking", "rank_systems")]


@pytest.fixture
def project():
    project = make_project()
    submit(project, make_annotator(project, "petr"), 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 2]})
    return project


@pytest.mark.parametrize(("name", "command"), NAMES)
def test_it_answers_what_the_command_prints(client, project, name, command):
    client.force_login(make_annotator(project, "boss", "administrator"))
    printed = StringIO()
    call_command(command, "houses", "--json", stdout=printed)

    response = client.get(reverse(name, args=[project.pk]))

    assert response.json() == json.loads(printed.getvalue())


def test_it_answers_how_control_was_passed(client, project):
    make_controls(project=project, count=1, seed=1)
    submit_control(project, User.objects.get(username="petr"), 1, passes=True)
    client.force_login(make_annotator(project, "boss", "administrator"))

    answer = client.get(reverse("api-statistics", args=[project.pk])).json()

    assert (answer["controls"], answer["controls_passed"], answer["judgements"]) == (1, 1, 2)


@pytest.mark.parametrize(("name", "_command"), NAMES)
def test_annotators_may_not_read_it(client, project, name, _command):
    client.force_login(make_annotator(project))

    assert client.get(reverse(name, args=[project.pk])).status_code == 403


@pytest.mark.parametrize(("name", "_command"), NAMES)
def test_another_projects_administrator_does_not_find_it(client, project, name, _command):
    client.force_login(make_annotator(make_project("other"), "boss", "administrator"))

    assert client.get(reverse(name, args=[project.pk])).status_code == 404


@pytest.mark.parametrize(("name", "_command"), NAMES)
def test_strangers_are_refused(client, project, name, _command):
    assert client.get(reverse(name, args=[project.pk])).status_code == 403


@pytest.mark.parametrize(("name", "_command"), NAMES)
def test_it_only_reads(client, project, name, _command):
    client.force_login(make_annotator(project, "boss", "administrator"))

    assert client.post(reverse(name, args=[project.pk])).status_code == 405


@pytest.mark.parametrize(("name", "_command"), NAMES)
def test_nothing_judged_is_null(client, name, _command):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))

    assert client.get(reverse(name, args=[project.pk])).status_code == 200
