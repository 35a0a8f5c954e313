"""How many queries the requests of one sentence take, in a project large enough for cached counts.

Every query of the request counts: session, account and middleware too, but not the statements
that begin and end transactions.
"""

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
from tests.annotation.kinds.assessed_project import assess, prepared
from tests.annotation.web.judge_page import get_form
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


def test_the_requests_of_a_sentence_take_few_queries(client: Client) -> None:
    project = make_large_project()
    client.force_login(make_annotator(project))
    page = f"/projects/{project.pk}/judge/"
    for count in (18, 11):
        # The first page fills the caches of the project.
        with at_most(count):
            form = get_form(client, page)
        assignment = f"/api/projects/{project.pk}/assignments/{form.hidden['assignment']}"
        choices = {name.removeprefix("card-"): 1 for name in form.radios}
        for base in range(3):
            draft = {"base": base, "choices": choices | {"1-1": 2 - base % 2}}
            with at_most(3):
                response = client.put(
                    f"{assignment}/draft/", draft, content_type="application/json"
                )
            assert response.json() == {"version": base + 1}
        with at_most(6):
            response = client.post(
                f"{assignment}/submission/",
                {"token": str(uuid4()), "choices": choices},
                content_type="application/json",
            )
        assert response.status_code == 201


def test_the_page_of_a_batch_shows_its_progress_with_few_queries(
    client: Client, tmp_path: Path
) -> None:
    project = prepared(tmp_path, batches=True)
    jana = make_annotator(project)
    client.force_login(jana)
    page = f"/projects/{project.pk}/judge/"
    for done in range(3):
        # The first page takes the batch.
        with at_most(23 if done else 27):
            html = client.get(page).content.decode()
        assert f'<progress max="100" value="{done}"' in html
        with at_most(12):
            client.get(page)
        assess(jana, project)
