"""What happens to a project is told once, to those who want to know, from then on."""

import json
from collections.abc import Mapping, Sequence
from threading import Barrier, Thread
from time import monotonic
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings
from pytest_django.asserts import assertNumQueries

from annotation.models import Assignment, Project
from annotation.projects.administration import set_state
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project
from tests.webhooks.receiver import Receiver
from webhooks import event_detection, services, tasks
from webhooks.event_detection import COUNTED_ANEW, look, tell
from webhooks.models import Delivery, Event, Webhook

RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}


def events() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("event", flat=True))


def go_to(webhook: Webhook, state: str) -> None:
    Project.objects.filter(pk=webhook.project_id).update(state=state)


def judge(webhook: Webhook, *numbers: int) -> None:
    who = webhook.project.memberships.first()
    annotator = who.user if who else make_annotator(webhook.project)
    for number in numbers:
        submit(webhook.project, annotator, number, RANKS)


def test_nothing_is_told_of_what_was_so_before(webhook: Webhook) -> None:
    look()
    assert events() == []


def test_closing_is_told_each_time(webhook: Webhook) -> None:
    for state in ("closed", "open", "closed"):
        set_state(project=webhook.project, state=state)
        look()
        look()
    assert events() == ["project.closed", "project.closed"]
    message = json.loads(Delivery.objects.earliest("pk").body)
    assert message["type"] == "project.closed"
    assert message["data"]["project"] == {
        "id": webhook.project_id,
        "name": "houses",
        "state": "closed",
    }


def test_how_preparation_ends_is_told(webhook: Webhook) -> None:
    for state in ("preparing", "failed", "preparing", "failed", "preparing", "open"):
        go_to(webhook, state)
        look()
    assert events() == [
        "project.preparation_failed",
        "project.preparation_failed",
        "project.prepared",
    ]


def test_what_is_paused_as_soon_as_it_is_prepared_is_told_as_both(webhook: Webhook) -> None:
    Webhook.objects.update(seen_state="preparing")
    go_to(webhook, "closed")
    look()
    assert events() == ["project.prepared", "project.closed"]


def test_shares_are_told_once_they_are_reached(webhook: Webhook) -> None:
    told = []
    for number in range(1, 11):
        judge(webhook, number)
        look()
        look()
        told.append(events())
        Delivery.objects.all().delete()
    empty: list[str] = []
    assert told == [
        ["project.judged_10"],
        *[empty] * 3,
        ["project.judged_50"],
        *[empty] * 4,
        ["project.judged_100"],
    ]


def test_shares_that_are_reached_at_once_are_all_told(webhook: Webhook) -> None:
    judge(webhook, *range(1, 7))
    look()
    assert events() == ["project.judged_10", "project.judged_50"]


def test_only_what_is_wanted_is_told(webhook: Webhook) -> None:
    services.change(webhook, address=webhook.address, events=[Event.JUDGED_50], active=True)
    judge(webhook, *range(1, 7))
    set_state(project=webhook.project, state="closed")
    look()
    assert events() == ["project.judged_50"]


def test_what_happened_while_it_was_off_is_not_told(webhook: Webhook) -> None:
    services.change(webhook, address=webhook.address, events=Event.values, active=False)
    judge(webhook, *range(1, 7))
    look()
    set_state(project=webhook.project, state="closed")
    webhook.refresh_from_db()
    services.change(webhook, address=webhook.address, events=Event.values, active=True)
    look()
    assert events() == []


def test_a_new_event_is_told_from_then_on(webhook: Webhook) -> None:
    services.change(webhook, address=webhook.address, events=[Event.CLOSED], active=True)
    judge(webhook, *range(1, 7))
    look()
    webhook.refresh_from_db()
    services.change(webhook, address=webhook.address, events=Event.values, active=True)
    look()
    assert events() == []
    judge(webhook, *range(7, 11))
    look()
    assert events() == ["project.judged_100"]


def test_who_changes_a_webhook_undoes_nothing_that_was_seen_meanwhile(webhook: Webhook) -> None:
    services.change(webhook, address=webhook.address, events=[Event.JUDGED_10], active=True)
    early = Webhook.objects.select_related("project").get(pk=webhook.pk)
    judge(webhook, 1, 2)
    set_state(project=webhook.project, state="closed")
    look()
    # As where a sentence lost what it was judged for.
    Assignment.objects.update(kind="inter", slot=None)
    services.change(early, address=early.address, events=Event.values, active=True)
    early.refresh_from_db()
    assert (early.seen_share, early.seen_state) == (10, "closed")
    look()
    assert events() == ["project.judged_10"]


def test_what_is_removed_meanwhile_cannot_be_changed(webhook: Webhook) -> None:
    Webhook.objects.all().delete()
    with pytest.raises(services.NotPossible, match="not there any more"):
        services.change(webhook, address=webhook.address, events=Event.values, active=True)


def test_what_was_told_already_keeps_nobody_else_from_being_told(
    webhook: Webhook, receiver: Receiver
) -> None:
    judge(webhook, 1, 2)
    look()
    Webhook.objects.update(seen_share=0)
    services.create(project=make_project("another"), address=receiver.address, events=Event.values)
    Project.objects.update(state="closed")
    look()
    assert sorted(events()) == ["project.closed", "project.closed", "project.judged_10"]


def test_what_is_wrong_with_one_is_told_to_the_log_and_the_others_are_told(
    webhook: Webhook,
    receiver: Receiver,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services.create(project=make_project("another"), address=receiver.address, events=Event.values)
    Project.objects.update(state="closed")
    told = event_detection.tell

    def broken(which: Webhook, event: str, key: str) -> Delivery:
        if which == webhook:
            raise ZeroDivisionError
        return told(which, event, key)

    monkeypatch.setattr(event_detection, "tell", broken)
    look()
    assert events() == ["project.closed"]
    assert f"cannot be told to {webhook}" in caplog.text
    monkeypatch.undo()
    look()
    assert events() == ["project.closed"] * 2


def test_what_is_due_is_sent_whatever_is_wrong_with_looking(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivery = services.send_test(webhook)
    Delivery.objects.update(told=None)
    monkeypatch.setattr(event_detection, "look", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tasks.look()
    delivery.refresh_from_db()
    assert delivery.told


def test_places_are_counted_and_not_sentences(webhook: Webhook) -> None:
    Project.objects.update(judges_per_sentence=2)
    webhook.project.refresh_from_db()
    judge(webhook, *range(1, 11))
    look()
    assert events() == ["project.judged_10", "project.judged_50"]
    petra = make_annotator(webhook.project, "petra")
    second = [submit(webhook.project, petra, number, RANKS).pk for number in range(1, 11)]
    places = Assignment.objects.filter(pk__in=second)
    places.exclude(pk=second[0]).update(kind="first", slot=2)
    look()
    assert len(events()) == 2
    places.update(kind="first", slot=2)
    # Nobody handed that in: it is counted when it is counted anew.
    cache.clear()
    look()
    assert events()[2:] == ["project.judged_100"]


def test_all_webhooks_of_a_project_are_told(webhook: Webhook, receiver: Receiver) -> None:
    services.create(
        project=webhook.project, address=receiver.address + "2", events=[Event.JUDGED_10]
    )
    services.create(project=make_project("another"), address=receiver.address, events=Event.values)
    judge(webhook, 1, 2)
    look()
    assert events() == ["project.judged_10"] * 2


@pytest.mark.django_db(transaction=True)
def test_who_look_at_the_same_time_tell_once(webhook: Webhook) -> None:
    set_state(project=webhook.project, state="closed")
    together = Barrier(5)

    def look_too() -> None:
        together.wait()
        look()
        connection.close()

    lookers = [Thread(target=look_too) for _number in range(5)]
    for looker in lookers:
        looker.start()
    for looker in lookers:
        looker.join()
    assert events() == ["project.closed"]


def test_the_database_holds_an_event_once(webhook: Webhook) -> None:
    told = tell(webhook, Event.PREPARED, "once")
    assert tell(webhook, Event.PREPARED, "once") == told
    told.pk, told.uid = None, uuid4()
    with pytest.raises(IntegrityError), transaction.atomic():
        told.save(force_insert=True)


def test_nothing_is_looked_at_where_webhooks_are_off(webhook: Webhook, settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = []
    set_state(project=webhook.project, state="closed")
    with assertNumQueries(0):
        look()


def test_a_paused_project_reaches_what_is_handed_in_then(webhook: Webhook) -> None:
    who = make_annotator(webhook.project)
    look()
    set_state(project=webhook.project, state="closed")
    look()
    submit(webhook.project, who, 1, RANKS)
    look()
    assert events() == ["project.closed", "project.judged_10"]


@pytest.mark.parametrize("state", ["open", "closed"])
def test_what_is_handed_in_elsewhere_is_not_counted_here(webhook: Webhook, state: str) -> None:
    judge(webhook, 1, 2)
    go_to(webhook, state)
    look()
    other = make_project("castles")
    with CaptureQueriesContext(connection) as idle:
        look()
    submit(other, make_annotator(other, "karel"), 1, RANKS)
    with assertNumQueries(len(idle)):
        look()
    # Neither is it asked about twice.
    with assertNumQueries(len(idle)):
        look()
    judge(webhook, *range(3, 6))
    look()
    assert "project.judged_50" in events()


def test_what_changes_a_share_otherwise_is_seen_within_a_minute(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    Project.objects.update(judges_per_sentence=2)
    webhook.project.refresh_from_db()
    judge(webhook, *range(1, 6))
    look()
    assert events() == ["project.judged_10"]
    Project.objects.update(judges_per_sentence=1)
    look()
    now = monotonic() + COUNTED_ANEW
    monkeypatch.setattr(event_detection, "monotonic", lambda: now)
    look()
    assert events() == ["project.judged_10", "project.judged_50"]


def test_it_costs_the_same_however_many_webhooks_a_project_has(
    webhook: Webhook, receiver: Receiver
) -> None:
    judge(webhook, 1, 2)
    look()
    with assertNumQueries(3):
        look()
    for number in range(5):
        services.create(
            project=webhook.project,
            address=f"{receiver.address}{number}",
            events=Event.values,
        )
    with assertNumQueries(3):
        look()
