"""A judged project, and whoever may see its report."""

import pytest

from tests.evaluation.projects import submit
from tests.evaluation.report_pages.setting import FIRST, SECOND
from tests.factories import make_annotator, make_project


@pytest.fixture
def project():
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for number in (1, 2):
        submit(project, jana, number, FIRST, seconds=30)
        submit(project, petr, number, SECOND, seconds=10)
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss
