"""Jobs and deletions done in the test's own process, as workers do them."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from annotation.models import Project
from annotation.pipeline.jobs import Outcome, process_chunk
from annotation.pipeline.stages.plan import STAGE_FUNCTIONS, StageFunctions
from annotation.projects.deletion import continue_deletion


def run_job(job_id: int, functions: StageFunctions = STAGE_FUNCTIONS) -> Outcome:
    """Do all that is free of the job, chunk by chunk; return the last chunk's outcome.

    Outside a transaction it works in a thread: a lost lease kills the programs of the thread that
    works, and the servers of the tests belong to the main thread.
    """
    if connection.in_atomic_block:
        return _run(job_id, functions)
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(_run_and_disconnect, job_id, functions).result()


def _run_and_disconnect(job_id: int, functions: StageFunctions) -> Outcome:
    try:
        return _run(job_id, functions)
    finally:
        connection.close()


def _run(job_id: int, functions: StageFunctions) -> Outcome:
    last = Outcome.NOTHING_TO_DO
    while (outcome := process_chunk(job_id, functions)) is not Outcome.NOTHING_TO_DO:
        last = outcome
        if outcome is not Outcome.DONE:
            break
    return last


def run_deletions() -> None:
    """Delete what is left of the hidden projects."""
    for pk in Project.with_hidden.exclude(delete_after=None).values_list("pk", flat=True):
        continue_deletion(pk)
