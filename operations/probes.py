"""Asking whether other servers answer, without waiting for those that hang, and not too often."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from logging import getLogger
from queue import SimpleQueue
from time import monotonic

from django.db import connection

log = getLogger(__name__)

# Returns OK, or in a few words what is wrong; an exception means that there is no answer.
Question = Callable[[], str]
OK = "ok"
NO_ANSWER = "does not answer"
# Seconds.
PATIENCE = 3.0
KEPT = 2.0


class Asker:
    """Asks one thing in a thread of its own, one time after the other.

    A question that hangs holds up only the next one of its kind. The thread stays: Celery names
    the queue of replies after it, and a new one each time would leave a queue behind.
    """

    def __init__(self, name: str, question: Question) -> None:
        self._name = name
        self._question = question
        self._asked: SimpleQueue[Future[str]] = SimpleQueue()
        self._last: Future[str] | None = None
        self._thread: threading.Thread | None = None

    def ask(self) -> Future[str]:
        """Return what will be the answer; while the last one is awaited, that one."""
        if self._last is None or self._last.done():
            self._last = Future()
            self._asked.put(self._last)
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._work, name=f"asks for {self._name}", daemon=True
            )
            self._thread.start()
        return self._last

    def _work(self) -> None:
        while True:
            future = self._asked.get()
            future.set_result(self._answer())

    def _answer(self) -> str:
        try:
            return self._question()
        except Exception as problem:
            log.warning("No answer (%s): %s", self._name, problem)
            return NO_ANSWER
        finally:
            connection.close()


class Panel:
    """Several questions, asked together; answers are kept for a moment and given to all."""

    def __init__(
        self, questions: Mapping[str, Question], patience: float = PATIENCE, kept: float = KEPT
    ) -> None:
        self._askers = {name: Asker(name, question) for name, question in questions.items()}
        self._patience = patience
        self._kept = kept
        self._found: dict[str, str] = {}
        self._asked = 0.0
        self._asking = threading.Lock()

    def answers(self) -> dict[str, str]:
        """Return by name OK or what is wrong, within `patience` seconds, not older than `kept`.

        While somebody else asks, the answers may be older by as long as that takes.
        """
        if not self._asking.acquire(blocking=not self._found):
            return self._found
        try:
            if not self._found or monotonic() - self._asked >= self._kept:
                self._found = self._ask()
                self._asked = monotonic()
            return self._found
        finally:
            self._asking.release()

    def _ask(self) -> dict[str, str]:
        coming = {name: asker.ask() for name, asker in self._askers.items()}
        deadline = monotonic() + self._patience
        return {name: _await(future, deadline) for name, future in coming.items()}


def _await(future: Future[str], deadline: float) -> str:
    try:
        return future.result(max(0.0, deadline - monotonic()))
    except TooLate:
        return NO_ANSWER
