"""What has happened to projects since they were looked at last, for those who want to know.

It is found by looking, every few seconds, so that nobody who judges or prepares waits for it. What
came and went between two looks was never seen.
"""

import json
from collections.abc import Iterator
from logging import getLogger

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Project
from annotation.work import judged_of
from webhooks import delivering
from webhooks.models import SHARES, Delivery, Event, Webhook

log = getLogger(__name__)

PREPARED = (Project.State.OPEN, Project.State.CLOSED)


def look() -> None:
    """Store what is to be told of each project that has webhooks. Two queries for each that judges.

    Those that are off are told of what happens once they are on again.
    """
    if not settings.WEBHOOK_HOSTS:
        return
    shares: dict[int, int] = {}
    for webhook in Webhook.objects.filter(active=True).select_related("project"):
        try:
            _look_for(webhook, shares)
        except Exception:
            # What is wrong with one is no reason to tell the others nothing.
            log.exception("What happened cannot be told to %s.", webhook)


def _look_for(webhook: Webhook, shares: dict[int, int]) -> None:
    """Store what it is to be told of; `shares` are those of projects that were counted already."""
    share = webhook.seen_share
    if _wants_to_know_more(webhook):
        pk = webhook.project_id
        if pk not in shares:
            shares[pk] = share_judged(webhook.project)
        share = max(share, shares[pk])
    if (webhook.project.state, share) != (webhook.seen_state, webhook.seen_share):
        _see(webhook, share)


def share_judged(project: Project) -> int:
    """Return the largest of SHARES that is judged, or 0."""
    judged, wanted = judged_of(project)
    reached = [share for share in SHARES if wanted and 100 * judged >= share * wanted]
    return max(reached, default=0)


def as_seen_now(project: Project, seen_share: int = 0) -> dict[str, object]:
    """Return the fields of a webhook that is to be told of what happens from now on."""
    share = share_judged(project) if project.state in PREPARED else 0
    return {"seen_state": project.state, "seen_share": max(share, seen_share)}


def _wants_to_know_more(webhook: Webhook) -> bool:
    of_interest = {event for share, event in SHARES.items() if share > webhook.seen_share}
    return webhook.project.state in PREPARED and bool(of_interest & set(webhook.events))


def _see(webhook: Webhook, share: int) -> None:
    """Remember what is seen, and store what it is to be told of: once, whoever else looks now."""
    state = webhook.project.state
    unchanged = Webhook.objects.filter(
        pk=webhook.pk, active=True, seen_state=webhook.seen_state, seen_share=webhook.seen_share
    )
    changed = int(state != webhook.seen_state)
    with transaction.atomic():
        if not unchanged.update(seen_state=state, seen_share=share, changes=F("changes") + changed):
            return
        for event in _events(webhook, share):
            if event in webhook.events:
                tell(webhook, event, _key(event, webhook.changes + changed))


def _events(webhook: Webhook, share: int) -> Iterator[Event]:
    before, after = webhook.seen_state, webhook.project.state
    if before != after:
        if after in PREPARED and before not in PREPARED:
            yield Event.PREPARED
        if after == Project.State.FAILED:
            yield Event.PREPARATION_FAILED
    for reached, event in SHARES.items():
        if webhook.seen_share < reached <= share:
            yield event
    if before != after == Project.State.CLOSED:
        yield Event.CLOSED


def _key(event: Event, changes: int) -> str:
    """A share is reached once; a state may come again."""
    return event.value if event in SHARES.values() else f"{event.value}:{changes}"


def tell(webhook: Webhook, event: str, key: str) -> Delivery:
    """Store the message unless it is there; tell the workers once the transaction is committed."""
    now = timezone.now()
    project = webhook.project
    message = {
        "type": event,
        "timestamp": now.isoformat(),
        "data": {"project": {"id": project.pk, "name": project.name, "state": project.state}},
    }
    body = json.dumps(message, ensure_ascii=False)
    delivery, is_new = Delivery.objects.get_or_create(
        webhook=webhook,
        key=key,
        defaults={"event": event, "body": body, "due": now, "told": now},
    )
    if is_new:
        delivering.send(delivery.pk)
    return delivery
