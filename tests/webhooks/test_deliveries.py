"""Each attempt is made by one worker, recorded, and repeated until the message is accepted."""

import json
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.common.exceptions import NotPossible
from operations.tasks import clear_up
from tests.webhooks.receiver import Receiver
from webhooks import deliveries, services
from webhooks.deliveries import (
    DELIVERIES_KEPT,
    MAX_TRIES,
    RETRY_DELAYS,
    clear_old,
    deliver,
    due_deliveries,
)
from webhooks.models import Attempt, Delivery, Webhook

pytestmark = pytest.mark.databases


@pytest.fixture
def delivery(webhook: Webhook) -> Delivery:
    return services.send_test(webhook)


def make_due(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(due=timezone.now())


def end(delivery: Delivery, ago: timedelta) -> None:
    ended = timezone.now() - ago
    Delivery.objects.filter(pk=delivery.pk).update(state="delivered", ended=ended)


def test_an_accepted_message_is_delivered_once_and_recorded(
    delivery: Delivery, receiver: Receiver
) -> None:
    deliver(delivery.pk)
    deliver(delivery.pk)
    assert due_deliveries() == []
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempt_count) == ("delivered", 1)
    assert delivery.ended
    attempt = delivery.attempts.get()
    assert (attempt.number, attempt.status, attempt.error) == (1, 204, "")
    assert attempt.finished
    assert attempt.finished >= attempt.started
    [got] = receiver.got
    assert json.loads(got.body)["type"] == "test"
    assert got.headers["Content-Type"] == "application/json"


def test_it_retries_for_a_day_with_growing_delays_and_gives_up(
    delivery: Delivery, receiver: Receiver
) -> None:
    receiver.statuses = [500]
    for number in range(1, MAX_TRIES + 1):
        before = timezone.now()
        deliver(delivery.pk)
        # Too early: nothing is sent.
        deliver(delivery.pk)
        delivery.refresh_from_db()
        assert delivery.attempt_count == number == len(receiver.got)
        if number < MAX_TRIES:
            assert delivery.state == "waiting"
            late = delivery.due - before - RETRY_DELAYS[number - 1]
            assert timedelta(0) <= late < timedelta(seconds=9)
            make_due(delivery)
    assert (delivery.state, delivery.ended is None) == ("given_up", False)
    assert list(RETRY_DELAYS) == sorted(RETRY_DELAYS)
    assert timedelta(hours=18) < sum(RETRY_DELAYS, timedelta()) < timedelta(days=1)
    assert {got.headers["Webhook-Id"] for got in receiver.got} == {f"msg_{delivery.uid.hex}"}
    assert [one.number for one in delivery.attempts.order_by("pk")] == [*range(1, MAX_TRIES + 1)]


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_makes_the_attempt(delivery: Delivery, receiver: Receiver) -> None:
    together = Barrier(6)

    def work() -> None:
        together.wait()
        deliver(delivery.pk)
        connection.close()

    workers = [Thread(target=work) for _number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(receiver.got) == 1
    assert delivery.attempts.count() == 1


def killed_during_an_attempt(delivery: Delivery, tries: int = 1) -> None:
    """Leave the delivery as a worker does that is killed while it sends."""
    now = timezone.now()
    Delivery.objects.filter(pk=delivery.pk).update(
        due=now + deliveries.RETRY_LOST_AFTER, attempt_count=1, tries=tries
    )
    Attempt.objects.create(delivery=delivery, number=1, started=now)


def test_another_worker_retries_what_a_killed_worker_left(
    delivery: Delivery, receiver: Receiver
) -> None:
    killed_during_an_attempt(delivery)
    deliver(delivery.pk)
    assert receiver.got == []
    make_due(delivery)
    assert due_deliveries() == [delivery.pk]
    deliver(delivery.pk)
    assert len(receiver.got) == 1
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempt_count) == ("delivered", 2)
    assert delivery.attempts.get(number=1).finished is None


def test_a_delivery_without_attempts_left_is_given_up(delivery: Delivery) -> None:
    killed_during_an_attempt(delivery, MAX_TRIES)
    make_due(delivery)
    assert due_deliveries() == []
    delivery.refresh_from_db()
    assert delivery.state == "given_up"


def test_an_ended_delivery_can_be_sent_again_with_the_same_id(
    delivery: Delivery, receiver: Receiver
) -> None:
    with pytest.raises(NotPossible):
        services.send_again(delivery)
    deliver(delivery.pk)
    services.send_again(Delivery.objects.get(pk=delivery.pk))
    assert Delivery.objects.get(pk=delivery.pk).ended is None
    deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempt_count, delivery.tries) == ("delivered", 2, 1)
    first, second = receiver.got
    assert first.body == second.body
    assert first.headers["Webhook-Id"] == second.headers["Webhook-Id"]


def test_turning_a_webhook_off_gives_up_its_messages(
    delivery: Delivery, receiver: Receiver
) -> None:
    webhook = delivery.webhook
    services.change(webhook, address=webhook.address, events=webhook.events, active=False)
    deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.ended is None) == ("given_up", False)
    assert receiver.got == []
    webhook.refresh_from_db()
    with pytest.raises(NotPossible):
        services.send_test(webhook)


def test_a_webhook_has_a_limited_number_of_waiting_messages(webhook: Webhook) -> None:
    for _test in range(services.MAX_WAITING):
        services.send_test(webhook)
    with pytest.raises(NotPossible):
        services.send_test(webhook)


def test_old_deliveries_are_deleted_with_their_attempts(webhook: Webhook) -> None:
    old, new, waiting = (services.send_test(webhook) for _time in range(3))
    for delivery in (old, new):
        deliver(delivery.pk)
    end(old, DELIVERIES_KEPT + timedelta(minutes=1))
    end(new, DELIVERIES_KEPT - timedelta(minutes=1))
    Delivery.objects.filter(pk=waiting.pk).update(due=timezone.now() - 2 * DELIVERIES_KEPT)
    clear_up()
    assert set(Delivery.objects.values_list("pk", flat=True)) == {new.pk, waiting.pk}
    assert Attempt.objects.get().delivery_id == new.pk


def test_old_deliveries_are_deleted_in_batches_oldest_first(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "BATCH", 2)
    monkeypatch.setattr(deliveries, "MAX_BATCHES", 2)
    tests = [services.send_test(webhook) for _time in range(7)]
    for age, delivery in enumerate(tests):
        end(delivery, DELIVERIES_KEPT + timedelta(days=1 + age))
    clear_old()
    left = set(Delivery.objects.values_list("pk", flat=True))
    assert left == {delivery.pk for delivery in tests[:3]}
    clear_old()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(("state", "ended"), [("waiting", True), ("delivered", False)])
def test_the_database_checks_that_ended_deliveries_have_an_end(
    delivery: Delivery, state: str, ended: bool
) -> None:
    when = timezone.now() if ended else None
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(state=state, ended=when)
