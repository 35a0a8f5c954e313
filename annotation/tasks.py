"""Celery tasks of the preparation of projects."""

from celery import shared_task

from annotation.pipeline import jobs


@shared_task(
    name=jobs.TASK,
    autoretry_for=jobs.DATABASE_UNAVAILABLE,
    retry_backoff=True,
    max_retries=3,
)
def run_chunk(job_id: int) -> None:
    """Do one chunk of the job, if one is free."""
    jobs.process_chunk(job_id)


@shared_task(name="annotation.tasks.enqueue_pending")
def enqueue_pending() -> None:
    """Notify workers of jobs that no worker does."""
    jobs.enqueue_pending()
