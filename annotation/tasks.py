"""Celery tasks of the preparation, the counts and the deletion of projects, and of previews."""

from celery import shared_task

from annotation.common.task_queue import once_in
from annotation.judging import project_counts
from annotation.pipeline import jobs
from annotation.projects import deletion
from annotation.uploads import preview_queue


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
@once_in(5)
def enqueue_pending() -> None:
    """Notify workers of jobs, deletions and previews that no worker does."""
    jobs.enqueue_pending()
    preview_queue.enqueue_pending()


@shared_task(name=project_counts.TASK)
def count_sentences(project_id: int) -> None:
    """Count the sentences of a large project, unless a worker does so or has just done so.

    A count that fails is begun again two minutes later, if a page still asks for it.
    """
    project_counts.count_project(project_id)


@shared_task(
    name=deletion.TASK,
    autoretry_for=jobs.DATABASE_UNAVAILABLE,
    retry_backoff=True,
    max_retries=3,
)
def delete_project(project_id: int) -> None:
    """Delete what is left of a hidden project, unless another worker is doing so."""
    deletion.continue_deletion(project_id, jobs.stopping.is_set)


@shared_task(
    name=preview_queue.TASK,
    autoretry_for=jobs.DATABASE_UNAVAILABLE,
    retry_backoff=True,
    max_retries=3,
)
def compute_preview(preview_id: int) -> None:
    """Compute the preview, if it waits and a slot is free."""
    preview_queue.compute(preview_id)
