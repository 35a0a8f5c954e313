"""What docs/api.md says of webhooks."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.installation import REPOSITORY
from tests.webhooks.receiver import Receiver
from webhooks import services, signatures
from webhooks.deliveries import DELAYS, deliver
from webhooks.models import TEST, Event, Webhook

DOCUMENT = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_check_of_signatures_takes_what_is_genuine_and_nothing_else(
    webhook: Webhook, receiver: Receiver
) -> None:
    space: dict[str, Any] = {}
    [program] = re.findall(r"```python\n# verify.py\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(program, space)
    is_genuine = space["is_genuine"]
    secret = signatures.secret_of(webhook)
    deliver(services.send_test(webhook).pk)
    [got] = receiver.got
    assert is_genuine(secret, got.headers, got.body)
    assert is_genuine(
        secret,
        got.headers | {"Webhook-Signature": f"v1,AAAA {got.headers['Webhook-Signature']}"},
        got.body,
    )
    assert not is_genuine(secret, got.headers, got.body + b" ")
    assert not is_genuine(secret, got.headers | {"Webhook-Id": "msg_1"}, got.body)
    assert not is_genuine("whsec_AAAA", got.headers, got.body)
    old = int((timezone.now() - timedelta(minutes=6)).timestamp())
    delivery = webhook.deliveries.get()
    headers = signatures.headers(delivery, timezone.now() - timedelta(minutes=6))
    assert headers["Webhook-Timestamp"] == str(old)
    assert not is_genuine(secret, headers, got.body)


@pytest.mark.parametrize("event", [*Event.values, TEST])
def test_every_event_is_in_the_document(event: str) -> None:
    assert f"`{event}`" in DOCUMENT


def test_the_delays_are_in_the_document() -> None:
    words = "5 seconds, 30 seconds, 2 minutes, 10 minutes, 1 hour, 6 hours and 12 hours"
    assert words in DOCUMENT
    units = {"second": 1, "minute": 60, "hour": 3600}
    told = [int(n) * units[unit] for n, unit in re.findall(r"(\d+) (second|minute|hour)", words)]
    assert told == [delay.total_seconds() for delay in DELAYS]
