"""What is ready-made is planned once by each connection to PostgreSQL, and answers as ever."""

from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.common.compiled_queries import ReadyMadeChange, ReadyMadeRead
from annotation.models import Project, Sentence
from tests.factories import make_project

pytestmark = pytest.mark.django_db(transaction=True)


def planned() -> list[str]:
    """Return what this connection has planned, without the numbers; SQLite plans nothing ahead."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_prepared_statements")
        return [name.rpartition("_")[0] for (name,) in cursor.fetchall()]


def once(name: str) -> list[str]:
    return [name] if connection.vendor == "postgresql" else []


def numbers_from(name: str) -> ReadyMadeRead[int]:
    def build(project: Project, number: int) -> QuerySet[Sentence, int]:
        later = Sentence.objects.filter(project=project, number__gte=number, retired=False)
        return later.order_by("number").values_list("number", flat=True)

    build.__name__ = name
    return ReadyMadeRead(build)


def test_it_is_planned_once_and_by_each_connection() -> None:
    project = make_project(sentences=3)
    numbers = numbers_from("once")
    assert [numbers(project, 1), numbers(project, 3)] == [[1, 2, 3], [3]]
    assert [name for name in planned() if name == "once"] == once("once")
    connection.close()
    assert numbers(project, 2) == [2, 3]
    assert [name for name in planned() if name == "once"] == once("once")


def test_it_is_there_after_a_transaction_that_was_undone() -> None:
    project = make_project(sentences=2)
    numbers = numbers_from("undone")
    with transaction.atomic():
        assert numbers(project, 2) == [2]
        transaction.set_rollback(True)
    assert numbers(project, 1) == [1, 2]


def test_constants_are_written_out_whatever_stands_in_them() -> None:
    project = make_project(sentences=1)
    strange = "50 % of $1, 'so' \\ %s"

    @ReadyMadeChange
    def call(sentence: Sentence, number: int) -> Any:
        return Sentence.objects.filter(pk=sentence.pk), {"number": number, "tokens": strange}

    sentence = project.sentences.get()
    assert call(sentence, 7) == 1
    assert list(project.sentences.values_list("number", "tokens")) == [(7, strange)]


def test_where_clients_take_turns_at_connections_nothing_is_planned_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = make_project(sentences=2)
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    assert numbers_from("turns")(project, 1) == [1, 2]
    assert "turns" not in planned()
