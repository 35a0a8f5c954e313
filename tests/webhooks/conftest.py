"""A project with a webhook, and a server that receives its messages."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.factories import make_project
from tests.webhooks.receiver import Receiver, receiving
from webhooks import services
from webhooks.models import Event, Webhook


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    with receiving() as listening:
        settings.WEBHOOK_HOSTS = [listening.listed]
        settings.WEBHOOK_PRIVATE = True
        yield listening


@pytest.fixture
def webhook(db: None, receiver: Receiver) -> Webhook:
    return services.create(
        project=make_project(sentences=10), address=receiver.address, events=Event.values
    )
