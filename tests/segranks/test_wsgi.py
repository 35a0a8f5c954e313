"""The WSGI application."""

import json
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from annotation.models import User
from segranks.wsgi import application
from tests.factories import make_annotator, make_project
from tests.installation import Installation

HEAVY = {"eflomal", "nltk", "scipy", "stanza", "systran_align", "torch"}
SCRIPT = """
import json, sys
from segranks.wsgi import application
from django.urls import get_resolver
assert get_resolver().url_patterns
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.process
def test_web_processes_import_no_heavy_library(installation: Installation) -> None:
    result = installation.run(sys.executable, "-c", SCRIPT)
    assert HEAVY & set(json.loads(result.stdout)) == set()


def get(address: str, cookies: str = "") -> tuple[str, Iterable[bytes]]:
    """Return the status and the body that is not read yet."""
    statuses: list[str] = []
    request = RequestFactory().get(address, headers={"Cookie": cookies})
    body = application(request.environ, lambda status, _headers: statuses.append(status))
    return statuses[0][:3], body


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_a_first_download_that_is_broken_off_ends_its_snapshot(client: Client) -> None:
    """On PostgreSQL it is read-only, and when the session was last seen is recorded."""
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    status, body = get(
        reverse("export", args=[project.pk, "archive"]), client.cookies.output(header="")
    )
    assert status == "200"
    assert next(iter(body))
    assert snapshot_is_open()
    body.close()  # type: ignore[attr-defined]
    assert not snapshot_is_open()


def snapshot_is_open() -> bool:
    return connection.in_atomic_block or bool(
        connection.vendor == "sqlite" and connection.connection.in_transaction
    )


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_a_thread_answers_after_its_connection_was_closed_inside_a_transaction() -> None:
    def answers() -> list[object]:
        transaction.atomic().__enter__()
        connection.close()
        get(reverse("sign-in"))
        try:
            return [User.objects.exists(), connection.in_atomic_block]
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(answers).result() == [False, False]
