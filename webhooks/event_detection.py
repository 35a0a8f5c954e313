"""Detecting what happened to projects that have webhooks.

Workers compare each project with what its webhooks last reported. So judging and preparing never
wait for webhooks, and no event is lost when a process dies after it changed a project. Only flags
of annotators, which workers raise, are reported in the transaction that stores them.
"""

from collections.abc import Iterable

from django.conf import settings
from django.db.models import F

from annotation.common.transactions import writing
from annotation.models import Project
from annotation.selectors.project_progress import submitted_of
from webhooks.deliveries import new_delivery
from webhooks.models import SHARES, Delivery, Event, Webhook

PREPARED = (Project.State.OPEN, Project.State.CLOSED, Project.State.ARCHIVED)


def detect_state_changes() -> None:
    """Store messages about projects whose state has changed. One query if none has."""
    webhooks = Webhook.objects.filter(active=True, project__delete_after=None)
    for webhook in webhooks.select_related("project").exclude(seen_state=F("project__state")):
        before, state = webhook.seen_state, webhook.project.state
        events = []
        if state in PREPARED and before not in PREPARED:
            events.append(Event.PREPARED)
        if state == Project.State.FAILED:
            events.append(Event.PREPARATION_FAILED)
        if state == Project.State.CLOSED and before != Project.State.ARCHIVED:
            events.append(Event.CLOSED)
        _store_events(webhook, events, seen_state=state)


def detect_progress() -> None:
    """Store messages about shares that have been judged. Three queries a project."""
    webhooks = Webhook.objects.filter(
        active=True, project__delete_after=None, project__state__in=PREPARED
    )
    shares: dict[int, int] = {}
    for webhook in webhooks.filter(seen_share__lt=max(SHARES)).select_related("project"):
        if not set(webhook.events) & set(SHARES.values()):
            continue
        if webhook.project_id not in shares:
            shares[webhook.project_id] = share_judged(webhook.project)
        seen, share = webhook.seen_share, shares[webhook.project_id]
        if share > seen:
            events = [event for reached, event in SHARES.items() if seen < reached <= share]
            _store_events(webhook, events, seen_share=share)


def store_flagged(
    *,
    project: Project,
    user_id: int,
    rule: str,
    value: float,
    limit: float,
    sentences: int,
    **_signal: object,
) -> None:
    """Store messages about an annotator who was flagged; the caller is in a transaction."""
    if not settings.WEBHOOK_HOSTS:
        return
    flag = {"rule": rule, "value": value, "limit": limit, "sentences": sentences}
    webhooks = Webhook.objects.filter(active=True, project=project).select_related("project")
    Delivery.objects.bulk_create(
        new_delivery(webhook, Event.FLAGGED, annotator={"id": user_id}, flag=flag)
        for webhook in webhooks
        if Event.FLAGGED in webhook.events
    )


def share_judged(project: Project) -> int:
    """Return the largest of SHARES that is judged, or 0."""
    submitted, wanted = submitted_of(project)
    reached = (share for share in SHARES if wanted and 100 * submitted >= share * wanted)
    return max(reached, default=0)


def seen_now(project: Project, seen_share: int = 0) -> dict[str, object]:
    """Return the fields of a webhook that is to report only what happens from now on."""
    share = share_judged(project) if project.state in PREPARED else 0
    return {"seen_state": project.state, "seen_share": max(share, seen_share)}


def _store_events(webhook: Webhook, events: Iterable[Event], **seen: object) -> None:
    """Store what was seen, and a message for each event that the webhook wants.

    The update is conditional, so of several workers only one stores the messages.
    """
    as_read = {name: getattr(webhook, name) for name in seen}
    with writing():
        if Webhook.objects.filter(pk=webhook.pk, active=True, **as_read).update(**seen):
            Delivery.objects.bulk_create(
                new_delivery(webhook, event) for event in events if event in webhook.events
            )
