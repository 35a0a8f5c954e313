"""What workers do."""

from celery import shared_task

from annotation.pipeline import jobs


@shared_task(name=jobs.TASK)
def run_chunk(job_id: int) -> None:
    """Do what is free of the job: a chunk of its stage, if there is one."""
    jobs.step(job_id)
