"""What is remembered is new enough, and nobody waits for it longer than needed."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import psycopg2
import pytest
import time_machine
from django.core.cache import cache
from django.db import OperationalError, connection

from annotation.common.stale_cache import recall, recall_each
from annotation.models import User

NOON = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)
MINUTE = 60.0


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    cache.clear()
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock
    cache.clear()


class Counting:
    """Finds how often it was asked; in other threads than the test's, once it may."""

    def __init__(self) -> None:
        self.times = 0
        self.may = threading.Event()
        self.problem: Exception | None = None

    def __call__(self) -> int:
        if threading.current_thread() is not threading.main_thread():
            assert self.may.wait(10)
        if self.problem:
            raise self.problem
        self.times += 1
        return self.times


@pytest.fixture
def count() -> Counting:
    return Counting()


def end_threads() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("found anew"):
            thread.join(10)
            assert not thread.is_alive()


def ask(count: Callable[[], int], *, waiting: bool = False) -> int:
    return recall("sentences", count, MINUTE, waiting=waiting)


def test_it_is_found_once_in_its_time(count: Counting, clock: time_machine.Traveller) -> None:
    assert [ask(count), ask(count)] == [1, 1]
    clock.shift(59)
    assert ask(count) == 1
    assert count.times == 1


def test_what_is_a_little_older_is_found_anew_beside(
    count: Counting, clock: time_machine.Traveller
) -> None:
    ask(count)
    clock.shift(61)
    # The thread waits, and those who ask do not; nor does each of them start another.
    assert [ask(count) for _time in range(5)] == [1] * 5
    count.may.set()
    end_threads()
    assert ask(count) == count.times == 2
    clock.shift(61)
    assert ask(count) == 2
    end_threads()
    assert ask(count) == count.times == 3


def test_what_is_much_older_is_forgotten(count: Counting, clock: time_machine.Traveller) -> None:
    ask(count)
    clock.shift(2 * 60 + 1)
    assert ask(count) == 2


def test_some_wait_for_what_is_new(count: Counting, clock: time_machine.Traveller) -> None:
    ask(count)
    assert ask(count, waiting=True) == 1
    clock.shift(61)
    assert ask(count, waiting=True) == 2
    assert ask(count) == 2


@pytest.mark.django_db
def test_in_a_transaction_it_is_never_older(count: Counting, clock: time_machine.Traveller) -> None:
    ask(count)
    clock.shift(61)
    assert ask(count) == 2


def test_a_database_that_is_away_leaves_what_is_known(
    count: Counting, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    ask(count)
    clock.shift(61)
    count.problem = OperationalError("the server closed the connection")
    count.may.set()
    assert ask(count) == 1
    end_threads()
    assert "could not be found anew: the server closed the connection" in caplog.text
    count.problem = None
    assert ask(count) == 1
    end_threads()
    # Not with each question, but after a while.
    assert ask(count) == 1
    clock.shift(31)
    assert ask(count) == 1
    end_threads()
    assert ask(count) == 2


def test_what_is_not_worth_it_any_more_is_forgotten(
    count: Counting, clock: time_machine.Traveller
) -> None:
    def ask_while_below_two() -> int:
        return recall("sentences", count, MINUTE, worth=lambda found: found < 2)

    count.may.set()
    assert [ask_while_below_two(), ask_while_below_two()] == [1, 1]
    clock.shift(61)
    assert ask_while_below_two() == 1
    end_threads()
    assert ask_while_below_two() == 3


@pytest.mark.django_db(transaction=True)
def test_beside_means_on_a_connection_that_ends(clock: time_machine.Traveller) -> None:
    connections = []

    def count() -> int:
        found = User.objects.count()
        connections.append(connection.connection)
        return found

    assert ask(count) == 0
    User.objects.create(username="jana")
    clock.shift(61)
    assert ask(count) == 0
    end_threads()
    assert ask(count) == 1
    here, beside = connections
    assert here is connection.connection
    assert beside is not here
    with pytest.raises((psycopg2.InterfaceError, sqlite3.ProgrammingError)):
        beside.cursor()


def test_what_is_not_worth_it_is_found_each_time(count: Counting) -> None:
    def only_from_three() -> int:
        return recall("sentences", count, MINUTE, worth=lambda found: found >= 3)

    assert [only_from_three() for _time in range(5)] == [1, 2, 3, 3, 3]


def test_several_are_found_together(clock: time_machine.Traveller) -> None:
    asked: list[list[str]] = []

    def find(keys: object) -> dict[str, str]:
        assert isinstance(keys, list)
        asked.append(sorted(keys))
        return {key: f"{key}{len(asked)}" for key in keys}

    def ask_for(*keys: str) -> dict[str, str]:
        return recall_each(keys, find, MINUTE, worth=lambda key, _found: key != "d")

    assert ask_for("a", "b") == {"a": "a1", "b": "b1"}
    assert ask_for("a", "c", "d") == {"a": "a1", "c": "c2", "d": "d2"}
    assert ask_for("a", "c", "d") == {"a": "a1", "c": "c2", "d": "d3"}
    clock.shift(61)
    assert ask_for("a", "b", "e")["a"] == "a1"
    end_threads()
    assert ask_for("a", "b", "c")["b"] != "b1"
    end_threads()
    assert sorted(asked) == [["a", "b"], ["a", "b"], ["c"], ["c", "d"], ["d"], ["e"]]
