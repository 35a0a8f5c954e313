"""From an event to the message that arrives, through real workers."""

import hmac
import json
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from segranks.celery import DEFAULT, WEBHOOKS, app
from tests.installation import Installation, wait_until, write_texts
from tests.webhooks.receiver import receiving
from tests.workers import start_worker, state_of
from webhooks.tasks import deliver, look

ADD = (
    "(lambda services, signatures: signatures.secret_of(services.create("
    "project=Project.objects.get(name='News'),"
    " address={!r}, events=['project.prepared', 'project.closed'])))"
    "(__import__('webhooks.services').services, __import__('webhooks.signatures').signatures)"
)
CLOSE = "Project.objects.update(state='closed')"
DELIVERIES = (
    "list(__import__('webhooks.models').models.Delivery.objects"
    ".order_by('pk').values_list('event', 'state', 'attempt_count'))"
)


def test_beat_runs_the_task_and_one_queue_takes_what_it_sends() -> None:
    entry = app.conf.beat_schedule["webhooks"]
    assert entry["task"] == look.name
    for task in (look, deliver):
        assert app.amqp.router.route({}, task.name)["queue"].name == WEBHOOKS
    assert app.amqp.router.route({}, "annotation.tasks.run_job")["queue"].name == DEFAULT


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.postgresql
@pytest.mark.redis
def test_webhooks_do_not_wait_for_a_preparation(servers: Installation, tmp_path: Path) -> None:
    with receiving() as receiver:
        servers.environment |= {"WEBHOOK_HOSTS": receiver.listed, "WEBHOOK_PRIVATE": "1"}
        servers.query("Project.objects.create(name='News', state='open').pk")
        servers.query(ADD.format(receiver.address))
        servers.query(CLOSE)
        start_worker(servers, "--queues", WEBHOOKS, "--pool", "threads", "-n", "webhooks@%h")
        # This worker takes no preparations.
        servers.manage("create_project", "Long", *write_texts(tmp_path / "texts", 3), "--queue")
        look_now = "__import__('webhooks.tasks').tasks.look.delay().id"
        servers.query(look_now)
        servers.query(f"__import__('time').sleep(1) or {look_now}")
        wait_until(lambda: len(receiver.got) == 1)
        assert state_of(servers, "Long") == "preparing"


@pytest.mark.slow
@pytest.mark.process
def test_a_worker_reports_events_and_retries(installed: Installation, tmp_path: Path) -> None:
    with receiving() as receiver:
        receiver.statuses = [503, 200]
        installed.environment |= {"WEBHOOK_HOSTS": receiver.listed, "WEBHOOK_PRIVATE": "1"}
        installed.manage("create_project", "News", *write_texts(tmp_path / "texts", 3), "--queue")
        secret = installed.query(ADD.format(receiver.address))
        installed.up("--no-demo")
        wait_until(lambda: len(receiver.got) == 2)
        installed.query(CLOSE)
        wait_until(lambda: len(receiver.got) == 3)
        wait_until(
            lambda: (
                installed.query(DELIVERIES)
                == [["project.prepared", "delivered", 2], ["project.closed", "delivered", 1]]
            )
        )
    refused, accepted, closed = receiver.got
    assert refused.body == accepted.body
    assert [json.loads(got.body)["type"] for got in (accepted, closed)] == [
        "project.prepared",
        "project.closed",
    ]
    for got in receiver.got:
        signed = f"{got.headers['Webhook-Id']}.{got.headers['Webhook-Timestamp']}.".encode()
        key = b64decode(secret.removeprefix("whsec_"))
        expected = b64encode(hmac.digest(key, signed + got.body, "sha256")).decode()
        assert got.headers["Webhook-Signature"] == f"v1,{expected}"
