"""Each try is one worker's, is recorded, and is followed by others until it is taken."""

import json
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from tests.webhooks.receiver import Receiver
from webhooks import deliveries, services
from webhooks.deliveries import DELAYS, LEASE, MOST_TRIES, deliver, send_due
from webhooks.models import Attempt, Delivery, Webhook


@pytest.fixture
def delivery(webhook: Webhook) -> Delivery:
    return services.send_test(webhook)


def make_due(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(due=timezone.now())


def test_what_is_taken_is_delivered_and_recorded(delivery: Delivery, receiver: Receiver) -> None:
    deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts, delivery.lease_until) == ("delivered", 1, None)
    attempt = delivery.tried.get()
    assert (attempt.number, attempt.status, attempt.error) == (1, 204, "")
    assert attempt.finished
    assert attempt.finished >= attempt.started
    [got] = receiver.got
    assert json.loads(got.body)["type"] == "test"
    assert got.headers["Content-Type"] == "application/json"


def test_what_is_delivered_is_not_sent_again_by_itself(
    delivery: Delivery, receiver: Receiver
) -> None:
    deliver(delivery.pk)
    deliver(delivery.pk)
    send_due()
    assert len(receiver.got) == 1


def test_it_is_tried_for_a_day_with_growing_delays_and_then_given_up(
    delivery: Delivery, receiver: Receiver
) -> None:
    receiver.statuses = [500]
    for number in range(1, MOST_TRIES + 1):
        before = timezone.now()
        deliver(delivery.pk)
        # Too early.
        deliver(delivery.pk)
        delivery.refresh_from_db()
        assert delivery.attempts == number == len(receiver.got)
        if number < MOST_TRIES:
            assert delivery.state == "waiting"
            assert timedelta(0) <= delivery.due - before - DELAYS[number - 1] < timedelta(seconds=9)
            make_due(delivery)
    assert delivery.state == "given_up"
    assert list(DELAYS) == sorted(DELAYS)
    assert timedelta(hours=18) < sum(DELAYS, timedelta()) < timedelta(days=1)
    assert {got.headers["Webhook-Id"] for got in receiver.got} == {f"msg_{delivery.uid.hex}"}
    assert [one.number for one in delivery.tried.order_by("pk")] == [*range(1, MOST_TRIES + 1)]


def test_what_was_taken_at_last_is_delivered(delivery: Delivery, receiver: Receiver) -> None:
    receiver.statuses = [503, 429, 200]
    for _try in range(3):
        make_due(delivery)
        deliver(delivery.pk)
    delivery.refresh_from_db()
    assert delivery.state == "delivered"
    assert list(delivery.tried.order_by("number").values_list("status", flat=True)) == [
        503,
        429,
        200,
    ]


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_sends(delivery: Delivery, receiver: Receiver) -> None:
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
    assert delivery.tried.count() == 1


def test_an_attempt_has_one_row(delivery: Delivery) -> None:
    Attempt.objects.create(delivery=delivery, number=1, started=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.create(delivery=delivery, number=1, started=timezone.now())


def left_by_a_worker(delivery: Delivery, lease_ends_in: timedelta, tries: int = 1) -> None:
    """Leave the delivery as a worker does that is killed while it sends."""
    now = timezone.now()
    Delivery.objects.filter(pk=delivery.pk).update(
        lease_until=now + lease_ends_in, attempts=1, tries=tries
    )
    Attempt.objects.create(delivery=delivery, number=1, started=now)


def test_what_a_worker_is_at_is_his(delivery: Delivery, receiver: Receiver) -> None:
    left_by_a_worker(delivery, LEASE)
    deliver(delivery.pk)
    assert receiver.got == []


def test_what_a_worker_left_is_sent_by_another(delivery: Delivery, receiver: Receiver) -> None:
    left_by_a_worker(delivery, -timedelta(seconds=1))
    deliver(delivery.pk)
    assert len(receiver.got) == 1
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == ("delivered", 2)
    assert delivery.tried.get(number=1).finished is None


def test_what_all_workers_died_of_is_given_up(delivery: Delivery, receiver: Receiver) -> None:
    left_by_a_worker(delivery, -timedelta(seconds=1), MOST_TRIES)
    send_due()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.lease_until) == ("given_up", None)


def test_workers_are_told_of_what_is_due_and_not_all_the_time(
    delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(deliveries, "send", told.append)
    send_due()
    assert told == []
    Delivery.objects.filter(pk=delivery.pk).update(
        told=timezone.now() - deliveries.TELL_AGAIN - timedelta(seconds=1)
    )
    send_due()
    send_due()
    assert told == [delivery.pk]


def test_what_was_given_up_or_delivered_can_be_sent_again(
    delivery: Delivery, receiver: Receiver
) -> None:
    deliver(delivery.pk)
    services.send_again(Delivery.objects.get(pk=delivery.pk))
    deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts, delivery.tries) == ("delivered", 2, 1)
    first, second = receiver.got
    assert first.body == second.body
    assert first.headers["Webhook-Id"] == second.headers["Webhook-Id"]


def test_what_is_on_its_way_cannot_be_sent_again(delivery: Delivery) -> None:
    with pytest.raises(services.NotPossible, match="on its way already"):
        services.send_again(delivery)


def test_what_waits_is_given_up_where_the_webhook_is_turned_off(
    delivery: Delivery, receiver: Receiver
) -> None:
    webhook = delivery.webhook
    services.change(webhook, address=webhook.address, events=webhook.events, active=False)
    deliver(delivery.pk)
    delivery.refresh_from_db()
    assert delivery.state == "given_up"
    assert receiver.got == []
    webhook.refresh_from_db()
    with pytest.raises(services.NotPossible, match="turn it on"):
        services.send_test(webhook)


def test_tests_cannot_be_heaped_up(webhook: Webhook) -> None:
    for _test in range(services.MOST_WAITING):
        services.send_test(webhook)
    with pytest.raises(services.NotPossible, match="Too much waits"):
        services.send_test(webhook)
