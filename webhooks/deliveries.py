"""Messages to webhooks: each attempt is made by one worker, and repeated for almost a day."""

import json
from datetime import timedelta
from typing import Final

from django.db.models import F, QuerySet

from annotation.common.transactions import in_turn, writing
from annotation.process import clock
from webhooks import http_client, signatures
from webhooks.models import Attempt, Delivery, Webhook

# How long after each failed attempt the next one is made: 19 hours in all.
RETRY_DELAYS: Final = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=12),
)
MAX_TRIES: Final = len(RETRY_DELAYS) + 1
# If a worker dies during an attempt, the delivery is due again after this time.
RETRY_LOST_AFTER: Final = timedelta(minutes=2)
# How long ended deliveries are kept.
DELIVERIES_KEPT: Final = timedelta(days=30)
# Deliveries deleted in one transaction, and transactions in one run.
BATCH: Final = 500
MAX_BATCHES: Final = 20
# Deliveries enqueued in one run.
MAX_ENQUEUED: Final = 200


def new_delivery(webhook: Webhook, event: str, **more: object) -> Delivery:
    """Return a message, not stored yet, that is due at once; `more` is added to its data."""
    now = clock.now()
    project = webhook.project
    message = {
        "type": event,
        "timestamp": now.isoformat(),
        "data": {
            "project": {"id": project.pk, "name": project.name, "state": project.state},
            **more,
        },
    }
    body = json.dumps(message, ensure_ascii=False)
    return Delivery(webhook=webhook, event=event, body=body, due=now)


def deliver(delivery_id: int) -> None:
    """Make one attempt and record the result, unless the delivery is not due.

    The claim is a conditional update of `due`: of several workers, one makes the attempt.
    """
    now = clock.now()
    with writing():
        claimed = (
            _of_visible_projects()
            .filter(pk=delivery_id, state=Delivery.State.WAITING, due__lte=now)
            .update(
                due=now + RETRY_LOST_AFTER,
                attempt_count=F("attempt_count") + 1,
                tries=F("tries") + 1,
            )
        )
        if not claimed:
            return
        delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
        attempt = Attempt.objects.create(
            delivery=delivery, number=delivery.attempt_count, started=now
        )
    headers = {"Content-Type": "application/json", "User-Agent": "SegRanks", "Connection": "close"}
    answer = http_client.post(
        delivery.webhook.address,
        delivery.body.encode(),
        headers | signatures.headers(delivery, now),
    )
    ended = clock.now()
    if not answer.error:
        result = {"state": Delivery.State.DELIVERED, "ended": ended}
    elif delivery.tries >= MAX_TRIES:
        result = {"state": Delivery.State.GIVEN_UP, "ended": ended}
    else:
        result = {"due": ended + RETRY_DELAYS[delivery.tries - 1]}
    with writing():
        Attempt.objects.filter(pk=attempt.pk).update(
            finished=ended, status=answer.status, error=answer.error
        )
        # No row matches if another worker has taken over, or the delivery was given up.
        Delivery.objects.filter(
            pk=delivery_id, attempt_count=attempt.number, state=Delivery.State.WAITING
        ).update(**result)


def _of_visible_projects() -> QuerySet[Delivery]:
    """Leave out deliveries of deleted projects.

    By `in` and not by a join: Django moves all conditions of an UPDATE with a join into a subquery,
    and PostgreSQL then does not check them again on a row that another worker has just changed.
    """
    return Delivery.objects.filter(webhook__in=Webhook.objects.filter(project__delete_after=None))


def due_deliveries() -> list[int]:
    """Return the ids of what is due, longest first; give up what has no attempts left."""
    due = _of_visible_projects().filter(state=Delivery.State.WAITING, due__lte=clock.now())
    exhausted = due.filter(tries__gte=MAX_TRIES)
    # On SQLite, an UPDATE waits for other writers even if it changes nothing.
    if exhausted.exists():
        with in_turn():
            give_up(exhausted)
    return list(due.order_by("due").values_list("pk", flat=True)[:MAX_ENQUEUED])


def send_again(delivery: Delivery) -> bool:
    """Start over with an ended delivery; return False if it has not ended."""
    ended = Delivery.objects.filter(pk=delivery.pk).exclude(state=Delivery.State.WAITING)
    return bool(ended.update(state=Delivery.State.WAITING, tries=0, due=clock.now(), ended=None))


def give_up(deliveries: QuerySet[Delivery]) -> None:
    """Make no more attempts for those that wait."""
    deliveries.filter(state=Delivery.State.WAITING).update(
        state=Delivery.State.GIVEN_UP, ended=clock.now()
    )


def clear_old() -> None:
    """Delete what ended more than DELIVERIES_KEPT ago, with its attempts, oldest first."""
    old = Delivery.objects.filter(ended__lt=clock.now() - DELIVERIES_KEPT)
    for _batch in range(MAX_BATCHES):
        ids = list(old.order_by("ended").values_list("pk", flat=True)[:BATCH])
        # The filter again: a delivery may have been sent again meanwhile.
        old.filter(pk__in=ids).delete()
        if len(ids) < BATCH:
            return
