"""From what happens to what arrives, by the worker inside `manage.py up` and its own clock."""

import hmac
import json
from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from segranks.celery import DEFAULT, WEBHOOKS, app
from tests.installation import Installation, wait_until, write_texts
from tests.webhooks.receiver import receiving
from tests.workers import start_worker, state_of
from webhooks import services
from webhooks.deliveries import TELL_AGAIN
from webhooks.models import Webhook
from webhooks.tasks import deliver, look

MAKE = (
    "(lambda hooks, signing: signing.secret_of(hooks.create("
    "project=Project.objects.get(name='News'),"
    " address={!r}, events=['project.prepared', 'project.closed'])))"
    "(__import__('webhooks.services').services, __import__('webhooks.signatures').signatures)"
)
TEST = (
    "__import__('webhooks.services').services.send_test("
    "__import__('webhooks.models').models.Webhook.objects.get()).pk"
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
    with app.connection_for_write() as connection, connection.SimpleQueue(WEBHOOKS) as queue:
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True):
            services.send_test(webhook)
        message = queue.get(timeout=5)
        message.ack()
    expires = datetime.fromisoformat(message.headers["expires"])
    assert timedelta() < expires - datetime.now(UTC) <= TELL_AGAIN


# Blocks the worker of all other tasks, and prints when a webhook is delivered all the same.
BLOCKED = """
import time
from threading import Event
from operations.embedded_worker import EmbeddedWorker
from segranks.celery import app
from webhooks import services as hooks
from webhooks.models import Delivery, Webhook

begun, over = Event(), Event()

@app.task(name="tests.takes_long")
def takes_long():
    begun.set()
    over.wait(60)

worker = EmbeddedWorker()
worker.start()
app.send_task("tests.takes_long")
assert begun.wait(30)
# Neither what fails nor what nobody knows keeps the rest from being done.
app.send_task("webhooks.tasks.deliver", ["no id"])
app.send_task("webhooks.tasks.no_such_task")
delivery = hooks.send_test(Webhook.objects.get())
until = time.monotonic() + 30
while Delivery.objects.get().state == "waiting" and time.monotonic() < until:
    time.sleep(0.05)
print(Delivery.objects.get().state, over.is_set())
over.set()
print(worker.stop())
"""


def test_what_webhooks_do_has_a_queue_of_its_own() -> None:
    for task in (look, deliver):
        route = app.amqp.router.route({}, task.name)
        assert route["queue"].name == WEBHOOKS
    assert app.amqp.router.route({}, "annotation.tasks.run_job")["queue"].name == DEFAULT
    # What is told to one queue comes to no other.
    assert len({(queue.exchange.name, queue.routing_key) for queue in app.conf.task_queues}) == 2


def test_no_long_task_delays_a_webhook_in_one_process(installed: Installation) -> None:
    with receiving() as receiver:
        installed.environment |= {"WEBHOOK_HOSTS": receiver.listed, "WEBHOOK_PRIVATE": "1"}
        installed.query("Project.objects.create(name='News', state='open').pk")
        installed.query(MAKE.format(receiver.address))
        printed = installed.manage("shell", "--no-imports", "-c", BLOCKED).stdout
        assert printed.split() == ["delivered", "False", "True"]
        assert len(receiver.got) == 1


@pytest.mark.postgresql
@pytest.mark.redis
def test_no_long_task_delays_a_webhook_of_workers(servers: Installation, tmp_path: Path) -> None:
    with receiving() as receiver:
        servers.environment |= {"WEBHOOK_HOSTS": receiver.listed, "WEBHOOK_PRIVATE": "1"}
        servers.query("Project.objects.create(name='News', state='open').pk")
        servers.query(MAKE.format(receiver.address))
        start_worker(servers, "--queues", WEBHOOKS, "--pool", "threads", "-n", "webhooks@%h")
        # Nobody prepares it: it waits for a worker of the other queue.
        servers.manage("create_project", "Long", *write_texts(tmp_path / "texts", 3), "--queue")
        servers.query(TEST)
        wait_until(lambda: len(receiver.got) == 1)
        assert state_of(servers, "Long") == "preparing"
        # Without any choice, a worker does both.
        start_worker(servers, "-c1", "-n", "all@%h")
        wait_until(lambda: state_of(servers, "Long") == "open")


def test_a_real_worker_tells_what_happens_and_tries_again(
    installed: Installation, tmp_path: Path
) -> None:
    with receiving() as receiver:
        receiver.statuses = [503, 200]
        installed.environment |= {"WEBHOOK_HOSTS": receiver.listed, "WEBHOOK_PRIVATE": "1"}
        installed.manage("create_project", "News", *write_texts(tmp_path / "texts", 3), "--queue")
        secret = installed.query(MAKE.format(receiver.address))
        installed.up("--no-demo")
        wait_until(lambda: len(receiver.got) == 2)
        installed.query(CLOSE)
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
            installed.query(STATES)
            == [["project.prepared", "delivered", 2], ["project.closed", "delivered", 1]]
        )
    )
