import pytest
from django.urls import reverse

from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}, seconds=30)
    submit(project, petr, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}, seconds=10)
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


@pytest.mark.parametrize(
    ("former", "present"), [("results", "report"), ("old-sentence-level", "sentence-level")]
)
def test_former_pages_redirect_permanently(client, project, boss, former, present):
    response = client.get(reverse(former, args=[project.pk]))

    assert response.status_code == 301
    assert response["Location"] == reverse(present, args=[project.pk])
