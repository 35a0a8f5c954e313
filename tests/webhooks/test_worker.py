"""From what happens to what arrives, by the worker inside `manage.py up` and its own clock."""

import hmac
import json
from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from segranks.celery import app
from tests.installation import Installation, wait_until, write_texts
from tests.webhooks.receiver import receiving
from webhooks import hooks
from webhooks.delivering import TELL_AGAIN
from webhooks.models import Webhook
from webhooks.tasks import deliver, look

MAKE = (
    "(lambda hooks, signing: signing.secret_of(hooks.create(project=Project.objects.get(),"
    " address={!r}, events=['project.prepared', 'project.closed'])))"
    "(__import__('webhooks.hooks').hooks, __import__('webhooks.signing').signing)"
)
CLOSE = "Project.objects.update(state='closed')"
STATES = (
    "list(__import__('webhooks.models').models.Delivery.objects"
    ".order_by('pk').values_list('event', 'state', 'attempts'))"
)


def test_beat_sends_a_task_that_there_is() -> None:
    assert app.conf.beat_schedule["webhooks"]["task"] == look.name
    assert deliver.name == "webhooks.tasks.deliver"


def test_what_waits_for_a_worker_does_not_heap_up() -> None:
    entry = app.conf.beat_schedule["webhooks"]
    assert entry["options"]["expires"] <= entry["schedule"]


@pytest.mark.django_db
def test_what_workers_are_told_is_void_when_they_are_told_again(
    webhook: Webhook, django_capture_on_commit_callbacks: Any
) -> None:
    with app.connection_for_write() as connection, connection.SimpleQueue("celery") as queue:
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True):
            hooks.send_test(webhook)
        message = queue.get(timeout=5)
        message.ack()
    expires = datetime.fromisoformat(message.headers["expires"])
    assert timedelta() < expires - datetime.now(UTC) <= TELL_AGAIN


def test_a_real_worker_tells_what_happens_and_tries_again(
    installation: Installation, tmp_path: Path
) -> None:
    with receiving() as receiver:
        receiver.statuses = [503, 200]
        installation.environment |= {"WEBHOOK_HOSTS": receiver.listed, "WEBHOOK_PRIVATE": "1"}
        installation.manage("migrate", "--verbosity", "0")
        installation.manage(
            "create_project", "News", *write_texts(tmp_path / "texts", 3), "--queue"
        )
        secret = installation.query(MAKE.format(receiver.address))
        installation.up("--no-demo")
        wait_until(lambda: len(receiver.got) == 2)
        installation.query(CLOSE)
        wait_until(lambda: len(receiver.got) == 3)
    refused, taken, closed = receiver.got
    assert refused.body == taken.body
    assert [json.loads(got.body)["type"] for got in (taken, closed)] == [
        "project.prepared",
        "project.closed",
    ]
    for got in receiver.got:
        sent = got.headers
        signed = f"{sent['Webhook-Id']}.{sent['Webhook-Timestamp']}.".encode() + got.body
        key = b64decode(secret.removeprefix("whsec_"))
        expected = b64encode(hmac.digest(key, signed, "sha256")).decode()
        assert sent["Webhook-Signature"] == f"v1,{expected}"
    wait_until(
        lambda: (
            installation.query(STATES)
            == [["project.prepared", "delivered", 2], ["project.closed", "delivered", 1]]
        )
    )
