"""The page of a project's webhooks."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests.factories import make_annotator
from tests.webhooks.receiver import Receiver
from webhooks import services, signatures
from webhooks.deliveries import deliver
from webhooks.models import Delivery, Event, Webhook


@pytest.fixture
def boss(client: Client, webhook: Webhook) -> Client:
    client.force_login(make_annotator(webhook.project, "boss", "administrator"))
    return client


def address(name: str, webhook: Webhook, *more: int) -> str:
    ids = [webhook.project_id, *([webhook.pk] if name not in {"webhooks", "new-webhook"} else [])]
    return reverse(name, args=[*ids, *more])


def page(client: Client, webhook: Webhook) -> str:
    response = client.get(address("webhooks", webhook))
    assert response.status_code == 200
    return response.content.decode()


def test_a_new_webhook_shows_its_secret_once(
    boss: Client, webhook: Webhook, receiver: Receiver
) -> None:
    response = boss.post(
        address("new-webhook", webhook),
        {"address": receiver.address + "2", "events": [Event.CLOSED, Event.PREPARED]},
    )
    new = Webhook.objects.latest("pk")
    assert response.headers["Location"] == f"{address('webhooks', webhook)}#webhook-{new.pk}"
    assert (new.events, new.active) == (["project.closed", "project.prepared"], True)
    assert (new.seen_state, new.seen_share) == ("open", 0)
    secret = signatures.secret_of(new)
    assert secret in page(boss, webhook)
    assert secret not in page(boss, webhook)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"events": ["project.closed"]}, "address"),
        ({"address": "ftp://x", "events": ["project.closed"]}, "address"),
        ({"address": "http://10.0.0.1/", "events": ["project.closed"]}, "address"),
        ({"address": "{}"}, "events"),
        ({"address": "{}", "events": ["project.exploded"]}, "events"),
        ({"address": "{}", "events": ["project.closed"]}, "address"),
    ],
)
def test_an_invalid_webhook_is_refused_beside_the_field(
    boss: Client, webhook: Webhook, receiver: Receiver, fields: dict[str, object], field: str
) -> None:
    sent = {name: receiver.address if value == "{}" else value for name, value in fields.items()}
    response = boss.post(address("new-webhook", webhook), sent)
    assert response.status_code == 400
    assert list(response.context["new"].errors) == [field]
    assert Webhook.objects.get() == webhook


def test_a_project_has_at_most_ten(boss: Client, webhook: Webhook, receiver: Receiver) -> None:
    for number in range(services.MAX_WEBHOOKS - 1):
        services.create(
            project=webhook.project, address=f"{receiver.address}{number}", events=[Event.CLOSED]
        )
    assert address("new-webhook", webhook) not in page(boss, webhook)
    response = boss.post(
        address("new-webhook", webhook),
        {"address": f"{receiver.address}more", "events": [Event.CLOSED]},
    )
    assert response.status_code == 400
    assert Webhook.objects.count() == services.MAX_WEBHOOKS


def test_a_webhook_can_be_changed_and_turned_off(
    boss: Client, webhook: Webhook, receiver: Receiver
) -> None:
    boss.post(
        address("change-webhook", webhook),
        {"address": receiver.address + "3", "events": [Event.JUDGED_100]},
    )
    webhook.refresh_from_db()
    assert webhook.address.endswith("3")
    assert (webhook.events, webhook.active) == (["project.judged_100"], False)


@pytest.mark.databases
def test_two_webhooks_cannot_share_an_address(
    boss: Client, webhook: Webhook, receiver: Receiver
) -> None:
    other = services.create(
        project=webhook.project, address=receiver.address + "2", events=[Event.CLOSED]
    )
    response = boss.post(
        address("change-webhook", other), {"address": receiver.address, "events": [Event.CLOSED]}
    )
    assert response.status_code == 400
    other.refresh_from_db()
    assert other.address != receiver.address


def test_a_test_message_is_listed_and_can_be_sent_again(
    boss: Client, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.statuses = [500, 204]
    boss.post(address("test-webhook", webhook))
    delivery = Delivery.objects.get()
    again = address("deliver-webhook-again", webhook, delivery.pk)
    deliver(delivery.pk)
    shown = page(boss, webhook)
    assert "The answer was 500" in shown
    assert again not in shown
    Delivery.objects.update(state="given_up", ended=timezone.now())
    assert again in page(boss, webhook)
    boss.post(again)
    deliver(delivery.pk)
    assert len(receiver.got) == 2


def test_a_refused_button_is_explained(boss: Client, webhook: Webhook) -> None:
    delivery = services.send_test(webhook)
    again = boss.post(address("deliver-webhook-again", webhook, delivery.pk), follow=True)
    Webhook.objects.update(active=False)
    test = boss.post(address("test-webhook", webhook), follow=True)
    for response in (again, test):
        assert [message.level_tag for message in response.context["messages"]] == ["error"]


def test_without_allowed_hosts_the_page_names_the_setting(
    boss: Client, webhook: Webhook, settings: Settings
) -> None:
    settings.WEBHOOK_HOSTS = []
    shown = page(boss, webhook)
    assert "WEBHOOK_HOSTS" in shown
    assert address("new-webhook", webhook) not in shown
    assert webhook.address in shown


def test_the_number_of_queries_does_not_grow(
    boss: Client, webhook: Webhook, receiver: Receiver
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page(boss, webhook)
        return len(asked)

    deliver(services.send_test(webhook).pk)
    before = queries()
    for number in range(3):
        other = services.create(
            project=webhook.project, address=f"{receiver.address}{number}", events=[Event.CLOSED]
        )
        for _test in range(2):
            deliver(services.send_test(other).pk)
    assert queries() == before


def test_only_the_latest_messages_are_listed(boss: Client, webhook: Webhook) -> None:
    for _test in range(services.MAX_SHOWN + 2):
        services.send_test(webhook)
        Delivery.objects.update(state="delivered", ended=timezone.now())
    assert page(boss, webhook).count("/again/") == services.MAX_SHOWN
