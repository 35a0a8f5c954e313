"""Each event of a project is stored once, for the webhooks that want it."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from threading import Barrier, Thread

import pytest
from django.core.cache import cache
from django.db import connection
from pytest_django import Settings
from pytest_django.asserts import assertNumQueries

from annotation.common.exceptions import NotPossible
from annotation.models import Assignment, Project
from annotation.projects.administration import set_state
from evaluation.services import quality
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project
from tests.webhooks.receiver import Receiver
from webhooks import event_detection, services, tasks
from webhooks.event_detection import detect_progress, detect_state_changes
from webhooks.models import Delivery, Event, Webhook

pytestmark = pytest.mark.databases
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}


def detect() -> None:
    detect_state_changes()
    detect_progress()


def events() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("event", flat=True))


def judge(webhook: Webhook, *numbers: int) -> None:
    who = webhook.project.memberships.first()
    annotator = who.user if who else make_annotator(webhook.project)
    for number in numbers:
        submit(webhook.project, annotator, number, RANKS)


def change(webhook: Webhook, events: Sequence[str], *, active: bool = True) -> None:
    webhook.refresh_from_db()
    services.change(webhook, address=webhook.address, events=events, active=active)


def test_the_present_state_is_no_event(webhook: Webhook) -> None:
    detect()
    assert events() == []


def test_closing_is_reported_each_time(webhook: Webhook) -> None:
    for state in ("closed", "open", "closed"):
        set_state(project=webhook.project, state=state)
        detect()
        detect()
    assert events() == ["project.closed", "project.closed"]
    message = json.loads(Delivery.objects.earliest("pk").body)
    assert message["type"] == "project.closed"
    assert message["data"]["project"] == {
        "id": webhook.project_id,
        "name": "houses",
        "state": "closed",
    }


def test_the_archive_is_no_event(webhook: Webhook) -> None:
    for state in ("archived", "closed"):
        set_state(project=webhook.project, state=state)
        detect()
    assert events() == []


def test_each_end_of_a_preparation_is_reported(webhook: Webhook) -> None:
    for state in ("preparing", "failed", "preparing", "failed", "preparing", "open"):
        Project.objects.update(state=state)
        detect()
    failed = "project.preparation_failed"
    assert events() == [failed, failed, "project.prepared"]


def test_a_project_that_is_closed_when_prepared_is_reported_as_both(webhook: Webhook) -> None:
    Webhook.objects.update(seen_state="preparing")
    Project.objects.update(state="closed")
    detect()
    assert events() == ["project.prepared", "project.closed"]


def test_shares_are_reported_when_they_are_reached(webhook: Webhook) -> None:
    reported = []
    for numbers in ([1], [2, 3, 4], [5], [6, 7, 8, 9], [10]):
        judge(webhook, *numbers)
        detect()
        detect()
        reported.append(events())
        Delivery.objects.all().delete()
    assert reported == [
        ["project.judged_10"],
        [],
        ["project.judged_50"],
        [],
        ["project.judged_100"],
    ]


def test_judges_are_counted_and_not_sentences(webhook: Webhook) -> None:
    Project.objects.update(judges_per_sentence=2)
    judge(webhook, *range(1, 11))
    detect()
    assert events() == ["project.judged_10", "project.judged_50"]
    petra = make_annotator(webhook.project, "petra")
    second = [submit(webhook.project, petra, number, RANKS).pk for number in range(1, 11)]
    Assignment.objects.filter(pk__in=second).update(kind="first", slot=2)
    detect()
    assert events()[2:] == ["project.judged_100"]


def test_a_paused_project_can_still_reach_a_share(webhook: Webhook) -> None:
    set_state(project=webhook.project, state="closed")
    detect()
    judge(webhook, 1)
    detect()
    assert events() == ["project.closed", "project.judged_10"]


def test_only_wanted_events_are_reported_to_each_webhook(
    webhook: Webhook, receiver: Receiver
) -> None:
    change(webhook, [Event.JUDGED_50])
    services.create(
        project=webhook.project, address=receiver.address + "2", events=[Event.JUDGED_10]
    )
    services.create(project=make_project("another"), address=receiver.address, events=Event.values)
    judge(webhook, *range(1, 7))
    set_state(project=webhook.project, state="closed")
    detect()
    assert sorted(events()) == ["project.judged_10", "project.judged_50"]


def test_events_while_it_was_off_are_not_reported(webhook: Webhook) -> None:
    change(webhook, Event.values, active=False)
    judge(webhook, *range(1, 7))
    detect()
    set_state(project=webhook.project, state="closed")
    change(webhook, Event.values)
    detect()
    assert events() == []


def test_an_added_event_is_reported_from_then_on(webhook: Webhook) -> None:
    change(webhook, [Event.CLOSED])
    judge(webhook, *range(1, 7))
    detect()
    change(webhook, Event.values)
    detect()
    assert events() == []
    judge(webhook, *range(7, 11))
    detect()
    assert events() == ["project.judged_100"]


def test_a_change_undoes_nothing_that_was_detected_meanwhile(webhook: Webhook) -> None:
    change(webhook, [Event.JUDGED_10])
    early = Webhook.objects.select_related("project").get(pk=webhook.pk)
    judge(webhook, 1, 2)
    set_state(project=webhook.project, state="closed")
    detect()
    # A sentence loses the judge that it had.
    Assignment.objects.update(kind="inter", slot=None)
    services.change(early, address=early.address, events=Event.values, active=True)
    early.refresh_from_db()
    assert (early.seen_share, early.seen_state) == (10, "closed")
    detect()
    assert events() == ["project.judged_10"]


def test_a_removed_webhook_cannot_be_changed(webhook: Webhook) -> None:
    Webhook.objects.all().delete()
    with pytest.raises(NotPossible):
        services.change(webhook, address=webhook.address, events=Event.values, active=True)


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_reports(webhook: Webhook) -> None:
    judge(webhook, 1)
    set_state(project=webhook.project, state="closed")
    together = Barrier(5)

    def detect_too() -> None:
        together.wait()
        detect()
        connection.close()

    workers = [Thread(target=detect_too) for _number in range(5)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(events()) == ["project.closed", "project.judged_10"]


def test_the_cost_does_not_grow_with_the_webhooks_of_a_project(
    webhook: Webhook, receiver: Receiver
) -> None:
    judge(webhook, 1, 2)
    detect()
    with assertNumQueries(1):
        detect_state_changes()
    with assertNumQueries(3):
        detect_progress()
    for number in range(5):
        services.create(
            project=webhook.project, address=f"{receiver.address}{number}", events=Event.values
        )
    with assertNumQueries(3):
        detect_progress()


def test_the_task_counts_progress_once_a_minute(webhook: Webhook, settings: Settings) -> None:
    cache.clear()
    judge(webhook, 1)
    tasks.look()
    judge(webhook, 2, 3, 4, 5)
    set_state(project=webhook.project, state="closed")
    tasks.look()
    assert events() == ["project.judged_10", "project.closed"]
    settings.WEBHOOK_HOSTS = []
    set_state(project=webhook.project, state="open")
    tasks.look()
    assert Webhook.objects.get().seen_state == "closed"


def test_due_deliveries_are_sent_even_if_detection_fails(
    webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    sent: list[tuple[int]] = []
    monkeypatch.setattr(tasks.deliver, "apply_async", lambda args, **_options: sent.append(args))
    delivery = services.send_test(webhook)
    monkeypatch.setattr(event_detection, "detect_state_changes", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tasks.look()
    assert sent == [(delivery.pk,)]


@pytest.mark.one_database
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite locks the whole database")
@pytest.mark.django_db(transaction=True)
def test_the_task_leaves_a_locked_database_to_its_next_run(webhook: Webhook) -> None:
    set_state(project=webhook.project, state="closed")
    connection.ensure_connection()
    connection.connection.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        tasks.look()
        assert events() == []
    connection.close()
    tasks.look()
    assert events() == ["project.closed"]


def test_a_flagged_annotator_is_an_event_at_once(webhook: Webhook) -> None:
    jana = make_annotator(webhook.project)
    submit(webhook.project, jana, 1, RANKS, seconds=0.5)
    rule = {"limit": 3, "after": 1, "action": "flag"}
    quality.set_rules(project=webhook.project, rules={"seconds": rule})

    quality.check(webhook.project)
    quality.check(webhook.project)

    (delivery,) = Delivery.objects.all()
    message = json.loads(delivery.body)
    assert message["type"] == "annotator.flagged"
    assert message["data"]["annotator"] == {"id": jana.pk}
    assert message["data"]["flag"] == {
        "rule": "seconds",
        "value": 0.5,
        "limit": 3,
        "sentences": 1,
    }
