"""Telling workers that there is something to do."""

from pathlib import Path
from threading import Event

import pytest
from celery import current_app
from kombu.exceptions import OperationalError as BrokerError

from annotation.models import (
    Job,
    Project,
)
from annotation.pipeline import chunks, dispatcher, jobs
from annotation.pipeline.stages import plan
from annotation.pipeline.stages.segments import AT_A_TIME
from tests.annotation.pipeline.setting import make_job


def test_workers_are_sent_for_where_a_stage_begins_and_each_goes_on(
    job: Job, small: None, sent: list[int]
) -> None:
    assert jobs.step(job.pk)
    # Three chunks were left to others as it began, and it goes on itself.
    assert sent == [job.pk] * 4
    sent.clear()
    assert jobs.step(job.pk)
    assert sent == [job.pk]


def test_a_small_project_does_not_wait_for_a_large_one(
    transactional_db: None, sent: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SENTENCES", 1)
    monkeypatch.setitem(AT_A_TIME, "phrases", 1)
    large = make_job(tmp_path, lines=30)
    Project.objects.update(name="Large")
    jobs.send_now(large.pk)
    for _message in range(5):
        jobs.step(sent.pop(0))
    small = make_job(tmp_path, lines=1)
    jobs.send_now(small.pk)
    turns = 0
    while Job.objects.get(pk=small.pk).state != Job.State.DONE:
        jobs.step(sent.pop(0))
        turns += 1
    # Its four chunks each wait for what the lanes of the large one, of two stages at most, do.
    assert turns <= 4 * 2 * (jobs.LANES + 1) + 4
    assert Job.objects.get(pk=large.pk).state == Job.State.RUNNING


def test_the_scout_tells_once_and_again_after_a_while(
    job: Job, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[tuple[object, ...], float] = {}
    for _look in range(5):
        dispatcher.tell(told)
    assert sent == [job.pk]
    monkeypatch.setattr(dispatcher, "TELL_AGAIN", 0.0)
    dispatcher.tell(told)
    assert sent == [job.pk] * 2
    # Somebody works on it now.
    assert chunks.claim(job.pk)
    dispatcher.tell(told)
    assert sent == [job.pk] * 2


def test_the_scout_tells_later_where_the_broker_was_away(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[tuple[object, ...], float] = {}

    def away(_name: str, args: list[int]) -> None:
        raise BrokerError("Nobody is there.")

    with monkeypatch.context() as patch:
        patch.setattr(current_app, "send_task", away)
        dispatcher.tell(told)
    sent: list[list[int]] = []
    monkeypatch.setattr(current_app, "send_task", lambda _name, args: sent.append(args))
    dispatcher.tell(told)
    assert sent == [[job.pk]]


@pytest.mark.django_db(transaction=True)
def test_the_scout_goes_on_whatever_a_client_of_the_broker_does(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[list[int]] = []
    found = Event()

    def send(_name: str, args: list[int]) -> None:
        sent.append(args)
        if len(sent) == 1:
            # So one did whose connection another thread had just thrown away.
            raise AttributeError("'NoneType' object has no attribute 'client'")
        found.set()

    monkeypatch.setattr(current_app, "send_task", send)
    scout = dispatcher.Scout(0.01)
    scout.start()
    assert found.wait(10)
    scout.stop()
    scout.join(10)
    assert sent == [[job.pk]] * 2
