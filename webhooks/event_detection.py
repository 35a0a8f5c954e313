"""What has happened to projects since they were looked at last, for those who want to know.

It is found by looking, every few seconds, so that nobody who judges or prepares waits for it. What
came and went between two looks was never seen.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from logging import getLogger
from time import monotonic

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Project
from annotation.selectors.judged_sentences import is_judged_since, latest_submission
from annotation.selectors.project_progress import judged_of
from webhooks import deliveries
from webhooks.models import SHARES, Delivery, Event, Webhook

log = getLogger(__name__)

# Seconds.
COUNTED_ANEW = 60.0
PREPARED = (Project.State.OPEN, Project.State.CLOSED)


@dataclass(frozen=True)
class Counted:
    """The share of a project, when it was counted, and until which submission it holds."""

    share: int
    when: float
    until: int


class Shares:
    """What is judged of projects, for one look: each is counted once, where anything is new.

    A paused project is looked at like an open one: what somebody has in hand may be handed in.
    """

    def __init__(self) -> None:
        self._last = latest_submission()
        self._found: dict[int, int] = {}

    def of(self, project: Project) -> int:
        """Return `share_judged`. One query where nobody handed anything in, and two more else.

        What changes it otherwise, as settings, practice and systems, is seen within COUNTED_ANEW.
        """
        if project.pk not in self._found:
            self._found[project.pk] = self._share(project)
        return self._found[project.pk]

    def _share(self, project: Project) -> int:
        # Not by the id alone, which another project could get once this one is gone.
        key = f"share-judged:{project.pk}:{project.created.timestamp()}"
        known: Counted | None = cache.get(key)
        now = monotonic()
        if (
            known is None
            or now - known.when >= COUNTED_ANEW
            or is_judged_since(project, known.until)
        ):
            known = Counted(share_judged(project), now, self._last)
        cache.set(key, replace(known, until=self._last), COUNTED_ANEW)
        return known.share


def look() -> None:
    """Store what is to be told of each project that has webhooks. A query or three for each.

    Those that are off are told of what happens once they are on again.
    """
    if not settings.WEBHOOK_HOSTS:
        return
    webhooks = list(Webhook.objects.filter(active=True).select_related("project"))
    if not webhooks:
        return
    shares = Shares()
    for webhook in webhooks:
        try:
            _look_for(webhook, shares)
        except Exception:
            # What is wrong with one is no reason to tell the others nothing.
            log.exception("What happened cannot be told to %s.", webhook)


def _look_for(webhook: Webhook, shares: Shares) -> None:
    """Store what it is to be told of."""
    share = webhook.seen_share
    if _wants_to_know_more(webhook):
        share = max(share, shares.of(webhook.project))
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
        deliveries.send(delivery.pk)
    return delivery
