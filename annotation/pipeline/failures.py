"""Why a job failed: in English for logs and commands, in the reader's language for pages."""

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
    """Return the error to store with a job; errors other than InputError get a sentence."""
    if isinstance(problem, InputError):
        return problem
    first_line = (str(problem).strip().splitlines() or ["no message"])[0]
    return InputError(UNEXPECTED[Job.Task(task)], kind=type(problem).__name__, line=first_line)


def error_message(job: Job) -> LocalizedMessage | None:
    """Return why the job failed in the language of the page; None where it did not fail."""
    if not job.error:
        return None
    said = localize_error(InputError.from_json(job.reason))
    return LocalizedMessage("", 0, with_location(said), said.in_english)
