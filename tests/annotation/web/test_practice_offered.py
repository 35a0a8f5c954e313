"""How the first page offers practice, which counts nowhere."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.annotation.judging.practice_setting import (
    address,
    jana,
    page_of,
    practise_one,
    practise_with,
    project,
    require_practice,
)

# Fixtures, which are used by their names.
__all__ = ["jana", "project"]

pytestmark = pytest.mark.django_db


def test_the_projects_page_offers_optional_practice(client, jana, project):
    practise_with(project, 1, 2, 3)
    practise_one(jana, project)
    html = client.get("/").content.decode()
    assert "Practice round (2 left)" in html
    assert re.search(f'judge-button button-main" href="{address("judge", project)}"', html)


def test_the_projects_page_leads_to_required_practice(client, jana, project):
    practise_with(project, 1)
    require_practice()
    html = client.get("/").content.decode()
    assert re.search(f'button-main" href="{address("practice", project)}">', html)
    assert address("judge", project) not in html
    # Until it is done, the open one included.
    page_of(client, "practice", project)
    assert address("judge", project) not in client.get("/").content.decode()
    practise_one(jana, project)
    html = client.get("/").content.decode()
    assert address("judge", project) in html
    assert address("practice", project) in html


def test_the_projects_page_needs_no_more_queries_with_practice(client, jana, project):
    # The first page of a process fills its cache.
    client.get("/")
    with CaptureQueriesContext(connection) as without:
        client.get("/")
    practise_with(project, 1, 2)
    practise_one(jana, project)
    with CaptureQueriesContext(connection) as those:
        client.get("/")
    assert len(those) == len(without)


def test_practice_is_not_counted_or_listed_as_judgements(client, jana, project):
    practise_with(project, 1)
    practise_one(jana, project)
    html = client.get("/").content.decode()
    assert 'data-assignments="0">' in html
    assert 'class="past-one"' not in page_of(client, "my-judgements", project)
    html = page_of(client, "judge", project)
    assert 'data-assignments="0" data-left="4"' in html
