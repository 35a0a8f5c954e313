"""What workers do."""

from celery import shared_task

from evaluation.services import stored_reports


@shared_task(name=stored_reports.TASK)
def compute_report(report_id: int) -> None:
    """Compute the report, unless it is not asked for or somebody else does."""
    stored_reports.compute(report_id)


@shared_task(name="evaluation.tasks.refresh_reports")
def refresh_reports() -> None:
    """Ask for the reports that are due by the schedules of their projects."""
    stored_reports.refresh_due()
