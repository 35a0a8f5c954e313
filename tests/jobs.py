"""Jobs done in the test's own process, as workers do them."""

from annotation.pipeline.jobs import Outcome, process_chunk
from annotation.pipeline.stages.plan import STAGE_FUNCTIONS, StageFunctions


def run_job(job_id: int, functions: StageFunctions = STAGE_FUNCTIONS) -> Outcome:
    """Do all that is free of the job, chunk by chunk; return the last chunk's outcome."""
    last = Outcome.NOTHING_TO_DO
    while (outcome := process_chunk(job_id, functions)) is not Outcome.NOTHING_TO_DO:
        last = outcome
        if outcome is not Outcome.DONE:
            break
    return last
