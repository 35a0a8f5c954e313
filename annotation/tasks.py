"""What workers do."""

from celery import shared_task

from annotation import jobs


@shared_task(name=jobs.TASK)
def run_job(job_id: int) -> None:
    """Do the job, unless it is finished or somebody else does it."""
    jobs.run(job_id)
