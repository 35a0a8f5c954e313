"""Requests that fail because the database is busy, a disk is full, or a row was deleted."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client, RequestFactory
from django.test.client import MULTIPART_CONTENT

from annotation.models import Assignment, Instructions, Membership, Project
from annotation.projects import administration
from annotation.projects.deletion import delete_project
from operations.middleware import failure_response
from tests.api.client import problem_of
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

LONG = "x" * 5000
TABLES = ("assignment", "instructions", "project")


@contextmanager
def busy() -> Iterator[None]:
    """Let another process write, so that this one cannot."""
    with raising("55P03") if connection.vendor == "postgresql" else locked():
        yield


@contextmanager
def full() -> Iterator[None]:
    """Let the database's disk be full."""
    with raising("53100") if connection.vendor == "postgresql" else without_room():
        yield


@contextmanager
def raising(code: str) -> Iterator[None]:
    """Let PostgreSQL refuse to write some tables with this code."""
    tables = ["people_signedin", *(f"annotation_{name}" for name in TABLES)]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{code}'; END $$"
        )
        for table in tables:
            cursor.execute(
                f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION refuse()"
            )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION refuse CASCADE")


@contextmanager
def locked() -> Iterator[None]:
    """Hold SQLite's lock in another connection."""
    connection.ensure_connection()
    connection.connection.execute("PRAGMA busy_timeout = 10")
    path = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
    connection.close()


@contextmanager
def without_room() -> Iterator[None]:
    """Let SQLite's file have no free page, and get no more."""
    connection.ensure_connection()
    execute = connection.connection.execute
    execute("CREATE TABLE filler (content)")
    # The first page of a table can be divided only into two new ones; a later row takes one.
    for _row in range(9):
        execute("INSERT INTO filler VALUES (zeroblob(3000))")
    execute("PRAGMA max_page_count = 1")
    # A large row can need two pages where one is left, which a small row takes.
    for size in (3000, 300, 30):
        with suppress(sqlite3.OperationalError):
            while True:
                execute(f"INSERT INTO filler VALUES (zeroblob({size}))")
    try:
        yield
    finally:
        execute("PRAGMA max_page_count = 1000000")
        execute("DROP TABLE filler")


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def browser(project: Project, client: Client) -> Client:
    client.force_login(make_annotator(project, "jana", "owner"))
    return client


@pytest.mark.parametrize(("state", "status"), [(busy, 503), (full, 507)])
def test_pages_say_that_nothing_was_saved(
    browser: Client, project: Project, state: Any, status: int
) -> None:
    address = f"/projects/{project.pk}/settings/instructions/"
    with state():
        answer = browser.post(address, {"text": LONG})
    assert answer.status_code == status
    assert int(answer["Retry-After"]) > 0
    assert "no-store" in answer["Cache-Control"]
    assert 'class="empty problem"' in answer.content.decode()
    assert not Instructions.objects.exists()
    assert browser.post(address, {"text": LONG}).status_code == 302


@pytest.mark.parametrize(
    ("state", "status", "kind"), [(busy, 503, "unavailable"), (full, 507, "disk_full")]
)
def test_the_api_gets_problem_details(
    browser: Client, project: Project, state: Any, status: int, kind: str
) -> None:
    address = f"/api/v1/projects/{project.pk}/"
    with state():
        answer = browser.patch(address, {"description": LONG}, content_type="application/json")
    problem = problem_of(answer, status)
    assert int(answer["Retry-After"]) > 0
    assert problem["type"] == f"urn:segranks:problem:{kind}"
    assert problem["instance"] == address


def test_the_judging_page_gets_problem_details(browser: Client, project: Project) -> None:
    assert browser.get(f"/projects/{project.pk}/judge/").status_code == 200
    address = f"/api/projects/{project.pk}/assignments/{Assignment.objects.get().pk}/draft/"
    body = {"base": 0, "choices": {"1-1": 1}, "active_seconds": 0}
    with busy():
        answer = browser.put(address, body, content_type="application/json")
    assert problem_of(answer, 503)["instance"] == address


def test_what_fails_in_the_middleware_is_answered_too(browser: Client) -> None:
    """Middleware notes when a session was used, after the view has returned."""
    browser.raise_request_exception = False
    cache.clear()
    with busy():
        answer = browser.get("/")
    assert answer.status_code == 503
    assert "Retry-After" in answer
    assert 'class="empty problem"' in answer.content.decode()


def test_a_row_that_refers_to_a_deleted_one_is_refused() -> None:
    user = make_annotator(make_project("castles"), "petr")
    with pytest.raises(IntegrityError) as raised, transaction.atomic():
        Membership.objects.create(user=user, project_id=2**40, role="owner")
    answer = failure_response(RequestFactory().get("/"), raised.value)
    assert answer
    assert answer.status_code == 409


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_file_that_cannot_be_written_is_answered_with_507(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise OSError(number, "No room")

    monkeypatch.setattr("django.contrib.auth.views.LoginView.dispatch", fail)
    answer = Client().get("/sign-in/")
    assert answer.status_code == 507
    assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/account/", {"cookie": 'sessionid="abc\\000def"'}),
        ("/account/", {"cookie": "sessionid=abc\0def"}),
        ("/account/", {"user-agent": "a\0b"}),
        ("/account/?next=%00", {}),
        ("/account/?%00=1", {}),
        ("/projects/new/%00/", {}),
    ],
)
def test_a_nul_is_refused(client: Client, path: str, headers: dict[str, str]) -> None:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 400
    assert 'class="empty problem"' in answer.content.decode()
    if headers:
        problem_of(client.get("/api/v1/projects/", headers=headers), 400)


@pytest.mark.parametrize("cookie", ["sessionid", "csrftoken", "django_language", "messages"])
def test_a_cookie_that_is_no_text_is_ignored(client: Client, cookie: str) -> None:
    surrogate = "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")
    for value in ('"\\355\\240\\200"', surrogate, "\xff"):
        answer = client.get("/sign-in/", headers={"cookie": f"{cookie}={value}"})
        assert answer.status_code == 200


@pytest.mark.parametrize("prefix", ["", "/api/v1"])
def test_a_project_deleted_during_the_request_is_not_found(
    browser: Client, project: Project, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    change = administration.change_instructions

    def delete_first(**given: Any) -> Any:
        delete_project(project)
        return change(**given)

    monkeypatch.setattr(administration, "change_instructions", delete_first)
    path = "instructions/" if prefix else "settings/instructions/"
    kind = "application/json" if prefix else MULTIPART_CONTENT
    answer = browser.post(
        f"{prefix}/projects/{project.pk}/{path}", {"text": "Be kind."}, content_type=kind
    )
    assert answer.status_code == 404
