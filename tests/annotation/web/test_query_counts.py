"""How many queries the requests of one sentence take, in a project large enough for cached counts.

Every query of the request counts: session, account and middleware too, but not the statements
that begin and end transactions.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.common.caching import LARGE_PROJECT
from annotation.models import Candidate, Project, Segment, Sentence, Translation
from tests.annotation.kinds.assessed_project import prepared
from tests.annotation.web.judge_page import Form, get_form
from tests.factories import SOURCE, make_annotator, make_project, places

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

TRANSACTIONS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@contextmanager
def at_most(count: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as captured:
        yield
    queries = [one["sql"] for one in captured if not one["sql"].startswith(TRANSACTIONS)]
    assert len(queries) <= count, "\n".join(queries)


def make_large_project() -> Project:
    project = make_project(sentences=1, judges_per_sentence=3)
    sentences = Sentence.objects.bulk_create(
        Sentence(project=project, number=number, text=SOURCE, tokens=places(SOURCE))
        for number in range(2, LARGE_PROJECT + 2)
    )
    Translation.objects.bulk_create(
        Translation(sentence=sentence, reference=1, text="reference", tokens=places("reference"))
        for sentence in sentences
    )
    segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices="0 1 2") for sentence in sentences
    )
    Candidate.objects.bulk_create(
        Candidate(segment=segment, text=text) for segment in segments for text in ("dům", "domek")
    )
    return project


def answer_sheet(client: Client, project: Project, html: str, frame: str) -> str:
    """Submit the sheet for the page with this frame and return the next one."""
    form = Form(html if "<form" in html else f'<form id="judgement">{html}</form>')
    ranked = {name.removeprefix("card-"): 1 for name in form.radios}
    scored = dict.fromkeys(re.findall(r'name="score-([0-9-]+)"', html), 11)
    response = client.post(
        f"/api/projects/{project.pk}/assignments/{form.hidden['assignment']}/submission/",
        {"token": str(uuid4()), "choices": ranked | scored, "frame": frame},
        content_type="application/json",
    )
    assert response.status_code == 201, response.content
    following: str = response.json()["next"]
    return following


def test_the_requests_of_a_sentence_take_few_queries(client: Client) -> None:
    project = make_large_project()
    client.force_login(make_annotator(project))
    page = f"/projects/{project.pk}/judge/"
    # The first page fills the caches of the project.
    with at_most(19):
        client.get(page)
    with at_most(8):
        html = client.get(page).content.decode()
    frame = found_frame(html)
    for _sentence in range(3):
        form = Form(html if "<form" in html else f'<form id="judgement">{html}</form>')
        address = f"/api/projects/{project.pk}/assignments/{form.hidden['assignment']}/draft/"
        draft = {"base": 0, "choices": {"1-1": 2}}
        with at_most(3):
            response = client.put(address, draft, content_type="application/json")
        assert response.json() == {"version": 1}
        # One of them searches for a repeat, which is due, in two queries; where the first sentence
        # that is tried has been judged, two more find another one.
        with at_most(18):
            html = answer_sheet(client, project, html, frame)
    form = get_form(client, page)
    # Without JavaScript.
    with at_most(7):
        client.post(page, form.filled())


@pytest.mark.parametrize("batches", [True, False])
def test_a_sheet_of_one_translation_takes_few_queries(
    client: Client, tmp_path: Path, batches: bool
) -> None:
    project = prepared(tmp_path, sentences=40, batches=batches)
    jana = make_annotator(project)
    client.force_login(jana)
    page = f"/projects/{project.pk}/judge/"
    client.get(page)
    with at_most(10):
        html = client.get(page).content.decode()
    frame = found_frame(html)
    for done in range(4):
        if batches:
            assert f'<progress max="100" value="{done}"' in html
        # Two more where the first sentence that is tried has been judged.
        with at_most(16 if batches else 18):
            html = answer_sheet(client, project, html, frame)


def found_frame(html: str) -> str:
    found = re.search(r'data-frame="([^"]+)"', html)
    assert found
    return found[1]
