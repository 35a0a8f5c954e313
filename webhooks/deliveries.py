"""Messages on their way: each try is one worker's, and there are more of them for almost a day."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from logging import getLogger
from typing import Final

from celery import current_app
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from webhooks import http_client, signatures
from webhooks.models import Attempt, Delivery

log = getLogger(__name__)

# By name, since the module of the task imports this one.
TASK: Final = "webhooks.tasks.deliver"
# What is tried in vain is tried again so much later, and given up after the last: 19 hours.
DELAYS: Final = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=12),
)
MOST_TRIES: Final = len(DELAYS) + 1
# A worker that has been at a try for so long is taken to be gone: longer than any takes.
LEASE: Final = timedelta(minutes=2)
# Workers are told again of what none of them has begun after so long, when what they were told
# before is void, so that however long no worker has time nothing heaps up.
TELL_AGAIN: Final = timedelta(minutes=5)
# What is delivered or given up is kept for so long, for those who ask how it went.
KEPT: Final = timedelta(days=30)
# Deleted in one transaction, and transactions in one go.
BATCH: Final = 500
MOST_BATCHES: Final = 20
# In one go, of all that is due.
MOST_TOLD: Final = 200
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Type": "application/json",
    "User-Agent": "SegRanks",
    "Connection": "close",
}


def deliver(delivery_id: int) -> None:
    """Try once to deliver it, where it is due and nobody else is at it, and record how it went."""
    now = timezone.now()
    with transaction.atomic():
        mine = Delivery.objects.filter(_free(now), pk=delivery_id, due__lte=now)
        if not mine.update(
            lease_until=now + LEASE, attempts=F("attempts") + 1, tries=F("tries") + 1
        ):
            return
        delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
        attempt = Attempt.objects.create(delivery=delivery, number=delivery.attempts, started=now)
    answer = http_client.post(
        delivery.webhook.address,
        delivery.body.encode(),
        {**_HEADERS, **signatures.headers(delivery, now)},
    )
    with transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(
            finished=timezone.now(), status=answer.status, error=answer.error
        )
        # Unless another has taken over meanwhile, or it was given up.
        Delivery.objects.filter(
            pk=delivery_id, attempts=attempt.number, state=Delivery.State.WAITING
        ).update(lease_until=None, **_outcome(answer, delivery.tries))


def _outcome(answer: http_client.Answer, tries: int) -> dict[str, object]:
    if not answer.error:
        return {"state": Delivery.State.DELIVERED, "ended": timezone.now()}
    if tries >= MOST_TRIES:
        return {"state": Delivery.State.GIVEN_UP, "ended": timezone.now()}
    return {"due": timezone.now() + DELAYS[tries - 1], "told": None}


def send_due() -> None:
    """Tell the workers of what is due and nobody is at; give up what they all died of."""
    now = timezone.now()
    waiting = Delivery.objects.filter(_free(now), due__lte=now)
    give_up(waiting.filter(tries__gte=MOST_TRIES))
    untold = waiting.filter(Q(told__isnull=True) | Q(told__lt=now - TELL_AGAIN))
    for pk in list(untold.order_by("due").values_list("pk", flat=True)[:MOST_TOLD]):
        if untold.filter(pk=pk).update(told=now):
            send(pk)


def send(delivery_id: int) -> None:
    """Tell the workers of it once the transaction is committed."""
    transaction.on_commit(partial(_send_now, delivery_id))


def _send_now(delivery_id: int) -> None:
    try:
        current_app.send_task(TASK, [delivery_id], expires=TELL_AGAIN.total_seconds())
    except BrokerError as problem:
        log.warning("The broker does not answer: delivery %s waits. %s", delivery_id, problem)
        Delivery.objects.filter(pk=delivery_id).update(told=None)


def send_again(delivery: Delivery) -> bool:
    """Begin anew with what is delivered or given up; return False where it is under way."""
    now = timezone.now()
    at_rest = Delivery.objects.filter(pk=delivery.pk).exclude(state=Delivery.State.WAITING)
    with transaction.atomic():
        sent = at_rest.update(state=Delivery.State.WAITING, tries=0, due=now, told=now, ended=None)
        if sent:
            send(delivery.pk)
    return bool(sent)


def give_up(deliveries: QuerySet[Delivery]) -> None:
    """Try no more to deliver those that wait."""
    deliveries.filter(state=Delivery.State.WAITING).update(
        state=Delivery.State.GIVEN_UP, lease_until=None, ended=timezone.now()
    )


def clear_old() -> None:
    """Delete what ended KEPT ago or longer, with its attempts, the oldest first and not too much.

    No message is told once more for that: a webhook remembers what was seen of its project.
    """
    old = Delivery.objects.filter(ended__lt=timezone.now() - KEPT)
    for _batch in range(MOST_BATCHES):
        ids = list(old.order_by("ended").values_list("pk", flat=True)[:BATCH])
        # Unless it was sent again meanwhile.
        old.filter(pk__in=ids).delete()
        if len(ids) < BATCH:
            return


def _free(now: datetime) -> Q:
    """Of what waits: what nobody is at."""
    at_rest = Q(lease_until__isnull=True) | Q(lease_until__lte=now)
    return at_rest & Q(state=Delivery.State.WAITING)
