"""Asking whether others answer: without waiting for those that hang, and not too often."""

import threading
import time

from operations.probes import NO_ANSWER, OK, Panel


def test_answers_are_kept_for_a_moment() -> None:
    asked: list[int] = []

    def question() -> str:
        asked.append(1)
        return OK

    panel = Panel({"server": question}, kept=0.2)
    assert [panel.answers() for _ in range(100)] == [{"server": OK}] * 100
    assert len(asked) == 1
    time.sleep(0.25)
    panel.answers()
    assert len(asked) == 2


def test_who_fails_does_not_answer_and_others_do() -> None:
    def refuse() -> str:
        raise ConnectionRefusedError

    assert Panel({"one": refuse, "other": lambda: OK}).answers() == {"one": NO_ANSWER, "other": OK}


def test_who_hangs_is_asked_once_and_holds_up_nobody() -> None:
    asked: list[int] = []
    released = threading.Event()

    def hang() -> str:
        asked.append(1)
        released.wait(30)
        return OK

    panel = Panel({"one": hang, "other": lambda: OK}, patience=0.2, kept=0.0)
    began = time.monotonic()
    for _ in range(3):
        assert panel.answers() == {"one": NO_ANSWER, "other": OK}
    assert time.monotonic() - began < 10
    assert len(asked) == 1
    released.set()
    patient = time.monotonic() + 10
    while panel.answers()["one"] != OK:
        assert time.monotonic() < patient


def test_while_somebody_asks_others_get_the_last_answers() -> None:
    hangs, released = threading.Event(), threading.Event()

    def question() -> str:
        if hangs.is_set():
            released.wait(30)
        return OK

    panel = Panel({"server": question}, patience=20, kept=0.0)
    panel.answers()
    hangs.set()
    asking = threading.Thread(target=panel.answers)
    asking.start()
    began = time.monotonic()
    while time.monotonic() - began < 0.3:
        assert panel.answers() == {"server": OK} or not asking.is_alive()
        time.sleep(0.05)
    released.set()
    asking.join(30)
