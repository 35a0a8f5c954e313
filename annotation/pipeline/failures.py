"""Why a job failed: in English for logs and commands, in their own language for people."""

from annotation.common.error_messages import LocalizedMessage, localize_error, with_location
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Job

UNEXPECTED = {
    Job.Task.PREPARE: _(
        "The preparation stopped at an unexpected error, %(kind)s: %(line)s (the server's log has "
        "the details)."
    ),
    Job.Task.ADD_SYSTEM: _(
        "Adding the system stopped at an unexpected error, %(kind)s: %(line)s (the server's log "
        "has the details)."
    ),
}


def reason(problem: Exception, task: str) -> InputError:
    """Return what is to be said of the problem that ended a job: bad input says it itself."""
    if isinstance(problem, InputError):
        return problem
    first_line = (str(problem).strip().splitlines() or ["no message"])[0]
    kind = type(problem).__name__
    return InputError(UNEXPECTED[Job.Task(task)], kind=kind, line=first_line)


def words_of(job: Job) -> LocalizedMessage | None:
    """Return why the job failed in the language of the page; None where it did not."""
    if not job.error:
        return None
    if not job.reason:
        # Of a job that failed before reasons were kept.
        return LocalizedMessage("", 0, job.error, in_english=True)
    said = localize_error(InputError.from_json(job.reason))
    return LocalizedMessage("", 0, with_location(said), said.in_english)
