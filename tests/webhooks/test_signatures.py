"""Signatures of Standard Webhooks, with secrets that no table contains."""

import hmac
import re
from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from tests.installation import REPOSITORY
from tests.webhooks.receiver import Receiver
from webhooks import services, signatures
from webhooks.deliveries import RETRY_DELAYS, deliver
from webhooks.models import TEST, Delivery, Event, Webhook

DOCUMENT = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")


def test_it_signs_the_published_example(webhook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of the specification's reference libraries."""
    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    published = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    monkeypatch.setattr(signatures, "_secret_key", lambda _webhook: key)
    monkeypatch.setattr(Delivery, "signed_as", "msg_p5jXN8AQM9LWM0D4loKWxJek")
    delivery = Delivery(webhook=webhook, body='{"test": 2432232314}')
    headers = signatures.headers(delivery, datetime.fromtimestamp(1614265330, UTC))
    assert headers["Webhook-Signature"] == f"v1,{published}"


def test_a_secret_is_a_key_of_32_bytes_and_can_be_replaced(webhook: Webhook) -> None:
    first = signatures.secret_of(webhook)
    assert len(b64decode(first.removeprefix("whsec_"))) == 32
    services.renew_secret(webhook)
    webhook.refresh_from_db()
    assert signatures.secret_of(webhook) != first


def test_the_database_alone_reveals_no_secret(webhook: Webhook, settings: Settings) -> None:
    secret = signatures.secret_of(webhook)
    stored = str(list(Webhook.objects.values()))
    assert secret.removeprefix("whsec_") not in stored
    settings.SECRET_KEY = "another" * 10
    assert signatures.secret_of(webhook) != secret


def test_the_documented_program_accepts_genuine_messages_only(
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
    two = {"Webhook-Signature": f"v1,AAAA {got.headers['Webhook-Signature']}"}
    assert is_genuine(secret, got.headers | two, got.body)
    assert not is_genuine(secret, got.headers, got.body + b" ")
    assert not is_genuine(secret, got.headers | {"Webhook-Id": "msg_1"}, got.body)
    assert not is_genuine("whsec_AAAA", got.headers, got.body)
    old = signatures.headers(webhook.deliveries.get(), timezone.now() - timedelta(minutes=6))
    assert not is_genuine(secret, old, got.body)


def test_the_documentation_has_all_events_and_delays() -> None:
    for event in [*Event.values, TEST]:
        assert f"`{event}`" in DOCUMENT
    words = "5 seconds, 30 seconds, 2 minutes, 10 minutes, 1 hour, 6 hours and 12 hours"
    assert words in re.sub(r"\s+", " ", DOCUMENT)
    units = {"second": 1, "minute": 60, "hour": 3600}
    seconds = [int(n) * units[unit] for n, unit in re.findall(r"(\d+) (second|minute|hour)", words)]
    assert seconds == [delay.total_seconds() for delay in RETRY_DELAYS]


def test_what_is_signed_is_id_time_and_body(webhook: Webhook) -> None:
    delivery = Delivery(webhook=webhook, body='{"žluť": 1}')
    headers = signatures.headers(delivery, datetime(2026, 11, 20, 12, tzinfo=UTC))
    assert headers["Webhook-Id"] == f"msg_{delivery.uid.hex}"
    assert headers["Webhook-Timestamp"] == "1795176000"
    key = b64decode(signatures.secret_of(webhook).removeprefix("whsec_"))
    signed = f'{headers["Webhook-Id"]}.1795176000.{{"žluť": 1}}'.encode()
    expected = b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert headers["Webhook-Signature"] == f"v1,{expected}"
