"""Celery tasks that beat schedules."""

from celery import shared_task
from django.core.management import call_command

from annotation.projects.media import remove_unused_files
from annotation.uploads import folders
from webhooks import deliveries


@shared_task(name="operations.clear_up")
def clear_up() -> None:
    """Delete expired sessions, which Django keeps, old uploads, media and webhook deliveries."""
    call_command("clearsessions")
    folders.remove_old()
    remove_unused_files()
    deliveries.clear_old()
