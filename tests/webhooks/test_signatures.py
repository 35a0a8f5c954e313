"""Signatures that any library of Standard Webhooks takes, by secrets that no table holds."""

import hmac
import time
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

import pytest
from pytest_django import Settings

from tests.webhooks.receiver import Receiver
from webhooks import services, signatures
from webhooks.deliveries import deliver
from webhooks.models import Delivery, Webhook

AT = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


def test_what_is_signed_is_id_time_and_body(webhook: Webhook) -> None:
    delivery = Delivery(webhook=webhook, uid=UUID(int=7), body='{"žluť": 1}')
    headers = signatures.headers(delivery, AT)
    assert headers["Webhook-Id"] == "msg_" + "0" * 31 + "7"
    assert headers["Webhook-Timestamp"] == "1795176000"
    key = b64decode(signatures.secret_of(webhook).removeprefix("whsec_"))
    signed = f'{headers["Webhook-Id"]}.1795176000.{{"žluť": 1}}'.encode()
    expected = b64encode(hmac.new(key, signed, sha256).digest()).decode()
    assert headers["Webhook-Signature"] == f"v1,{expected}"


def test_the_published_example_has_this_signature(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the specification's reference libraries."""
    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = b'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}'
    published = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert b64encode(hmac.digest(key, signed, "sha256")).decode() == published
    monkeypatch.setattr(signatures, "_key", lambda _webhook: key)
    monkeypatch.setattr(Delivery, "signed_as", "msg_p5jXN8AQM9LWM0D4loKWxJek")
    delivery = Delivery(webhook=webhook, body='{"test": 2432232314}')
    headers = signatures.headers(delivery, datetime.fromtimestamp(1614265330, UTC))
    assert headers["Webhook-Signature"] == f"v1,{published}"


def test_a_key_is_long_enough_and_anothers_is_another(webhook: Webhook) -> None:
    first = signatures.secret_of(webhook)
    assert len(b64decode(first.removeprefix("whsec_"))) == 32
    services.renew_secret(webhook)
    webhook.refresh_from_db()
    assert signatures.secret_of(webhook) != first


def test_the_database_alone_gives_no_secret_away(webhook: Webhook, settings: Settings) -> None:
    secret = signatures.secret_of(webhook)
    stored = str(list(Webhook.objects.values()))
    assert secret.removeprefix("whsec_") not in stored
    settings.SECRET_KEY = "another" * 10
    assert signatures.secret_of(webhook) != secret


def test_each_try_is_signed_with_the_time_of_that_try(webhook: Webhook, receiver: Receiver) -> None:
    deliver(services.send_test(webhook).pk)
    assert abs(int(receiver.got[0].headers["Webhook-Timestamp"]) - time.time()) < 5
