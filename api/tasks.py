"""Celery tasks of the API; the beat schedule has `delete_expired_answers`."""

from celery import shared_task

from api import idempotency


@shared_task(name="api.tasks.delete_expired_answers")
def delete_expired_answers() -> None:
    """Delete stored answers, which may contain names and email addresses, after a day."""
    idempotency.expired_answers().delete()
