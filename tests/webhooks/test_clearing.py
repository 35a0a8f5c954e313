"""Deliveries that ended long ago are cleared away, and nothing is told again for that."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from operations.tasks import clear_up
from segranks.celery import app
from tests.webhooks.receiver import Receiver
from tests.webhooks.test_event_detection import events, judge
from webhooks import deliveries as delivering
from webhooks import services
from webhooks.deliveries import KEPT, clear_old, deliver
from webhooks.event_detection import look
from webhooks.models import Attempt, Delivery, Event, Webhook


def end(delivery: Delivery, ago: timedelta) -> None:
    ended = timezone.now() - ago
    Delivery.objects.filter(pk=delivery.pk).update(state="delivered", ended=ended)


def test_beat_has_it_done() -> None:
    assert app.conf.beat_schedule["clearing"]["task"] == clear_up.name


def test_what_ended_long_ago_is_cleared_away_with_its_attempts(
    webhook: Webhook, receiver: Receiver
) -> None:
    old, new, waiting = (services.send_test(webhook) for _time in range(3))
    for delivery in (old, new):
        deliver(delivery.pk)
    assert Attempt.objects.count() == 2
    end(old, KEPT + timedelta(minutes=1))
    end(new, KEPT - timedelta(minutes=1))
    # It waits since long ago, and has no end yet.
    Delivery.objects.filter(pk=waiting.pk).update(due=timezone.now() - 2 * KEPT)
    clear_up()
    assert set(Delivery.objects.values_list("pk", flat=True)) == {new.pk, waiting.pk}
    assert Attempt.objects.get().delivery_id == new.pk


def test_how_it_ends_is_noted(webhook: Webhook, receiver: Receiver) -> None:
    delivered, given_up = services.send_test(webhook), services.send_test(webhook)
    assert delivered.ended is None
    before = timezone.now()
    deliver(delivered.pk)
    services.change(webhook, address=webhook.address, events=Event.values, active=False)
    for delivery in (delivered, given_up):
        delivery.refresh_from_db()
        assert delivery.ended
        assert before <= delivery.ended <= timezone.now()
    assert given_up.state == "given_up"
    Webhook.objects.update(active=True)
    given_up.webhook.refresh_from_db()
    services.send_again(given_up)
    given_up.refresh_from_db()
    assert (given_up.state, given_up.ended) == ("waiting", None)


def test_what_was_told_is_not_told_again_once_it_is_cleared(webhook: Webhook) -> None:
    judge(webhook, 1, 2)
    look()
    assert events() == ["project.judged_10"]
    end(Delivery.objects.get(), 2 * KEPT)
    clear_old()
    assert events() == []
    judge(webhook, 3)
    look()
    assert events() == []


def test_much_is_cleared_bit_by_bit(webhook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "BATCH", 2)
    monkeypatch.setattr(delivering, "MOST_BATCHES", 2)
    deliveries = [services.send_test(webhook) for _time in range(7)]
    for age, delivery in enumerate(deliveries):
        end(delivery, KEPT + timedelta(days=1 + age))
    clear_old()
    # The oldest went first.
    left = set(Delivery.objects.values_list("pk", flat=True))
    assert left == {delivery.pk for delivery in deliveries[:3]}
    clear_old()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(("state", "ended"), [("waiting", True), ("delivered", False)])
def test_the_database_knows_what_has_an_end(webhook: Webhook, state: str, ended: bool) -> None:
    delivery = services.send_test(webhook)
    when = timezone.now() if ended else None
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(state=state, ended=when)


@pytest.mark.django_db(transaction=True)
def test_what_ended_before_that_was_noted_is_kept_as_long(webhook: Webhook) -> None:
    delivery, waiting = services.send_test(webhook), services.send_test(webhook)
    try:
        call_command("migrate", "webhooks", "0001", verbosity=0)
        Delivery.objects.defer("ended").filter(pk=delivery.pk).update(state="delivered")
    finally:
        call_command("migrate", "webhooks", verbosity=0)
    delivery.refresh_from_db()
    waiting.refresh_from_db()
    assert delivery.ended
    assert timezone.now() - delivery.ended < timedelta(minutes=5)
    assert waiting.ended is None
