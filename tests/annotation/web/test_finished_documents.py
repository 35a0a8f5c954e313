"""The list of finished documents on the judging page."""

import re
from pathlib import Path

import pytest
from django.test import Client

from annotation.models import Project
from tests.annotation.kinds.document_project import judge, prepared
from tests.annotation.web.test_query_counts import at_most
from tests.factories import assign_next, make_annotator

pytestmark = pytest.mark.django_db


def listed(html: str) -> list[int]:
    part = html[html.index('class="own-sheets"') :] if 'class="own-sheets"' in html else ""
    return [int(pk) for pk in re.findall(r"/mine/(\d+)/\?judging", part.split("</nav>")[0])]


def test_finished_documents_are_listed_in_their_order(client: Client, tmp_path: Path) -> None:
    project = prepared(tmp_path)
    Project.objects.update(state=Project.State.OPEN)
    jana = make_annotator(project)
    client.force_login(jana)
    page = f"/projects/{project.pk}/judge/"
    assert listed(client.get(page).content.decode()) == []
    done = []
    for _document in range(2):
        assignment = assign_next(jana, project)
        judge(jana, assignment)
        done.append(assignment.pk)
    html = client.get(page).content.decode()
    assert listed(html) == done
    assert client.get(f"/projects/{project.pk}/mine/{done[0]}/?judging").status_code == 200


def test_a_page_that_assigns_a_document_takes_few_queries(client: Client, tmp_path: Path) -> None:
    project = prepared(tmp_path, kind="contrastive_error_spans")
    Project.objects.update(state=Project.State.OPEN, judges_per_sentence=2)
    for name in ("jana", "petr"):
        client.force_login(make_annotator(project, name))
        # The first page fills the caches of the project.
        with at_most(27 if name == "jana" else 24):
            client.get(f"/projects/{project.pk}/judge/")
