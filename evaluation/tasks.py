"""Celery tasks of evaluation."""

from celery import shared_task
from django.db import OperationalError

from annotation.common.task_queue import once_in
from evaluation.services import quality, reports, sentence_summaries


@shared_task(
    name=reports.TASK,
    autoretry_for=(OperationalError,),
    retry_backoff=True,
    max_retries=3,
    time_limit=60 * reports.TIME_LIMIT,
)
def compute_report(report_id: int) -> None:
    """Compute the report, where it is queued."""
    reports.compute(report_id)


@shared_task(name="evaluation.tasks.refresh_reports")
@once_in(5)
def refresh_reports() -> None:
    """Request the reports and checks that are due, and send again what no worker has begun."""
    reports.refresh_due()
    quality.enqueue_due()


@shared_task(
    name=sentence_summaries.TASK,
    autoretry_for=(OperationalError,),
    retry_backoff=True,
    max_retries=3,
)
def summarise_sentences(project_id: int) -> None:
    """Count the sentences of the project that are out of date."""
    sentence_summaries.count_all(project_id)


@shared_task(
    name=quality.TASK, autoretry_for=(OperationalError,), retry_backoff=True, max_retries=3
)
def check_quality(project_id: int) -> None:
    """Flag the annotators who break a rule of the project."""
    quality.check_or_wait(project_id)
