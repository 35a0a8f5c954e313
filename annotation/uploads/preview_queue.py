"""Previews of new projects, which workers compute: at most two at a time, and one a person.

`request` queues a preview and sends a task. A worker claims it by a conditional UPDATE, which the
database refuses while no slot is free, and renews its lease while a program reads and aligns the
texts. The beat task `enqueue_pending` sends the task again for previews that wait, and frees those
whose worker was lost; a preview fails after MAX_ATTEMPTS.
"""

import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from django.conf import settings
from django.db import IntegrityError, InterfaceError, OperationalError
from django.db.models import Q
from msgspec import to_builtins
from msgspec.structs import replace

from annotation.common.claims import (
    RELEASED,
    RENEW_EVERY,
    Claim,
    Interrupted,
    LeaseLost,
    claimable,
    renewing,
    send_again,
)
from annotation.common.task_queue import send_task
from annotation.common.transactions import in_turn, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.file_roles import MEDIA
from annotation.models import StoredPreview, Upload, User
from annotation.pipeline.jobs import stopping
from annotation.uploads import folders, storage
from annotation.uploads.create_project import options
from annotation.uploads.preview_sample import Answer, Request, decode, encode

log = getLogger(__name__)

State = StoredPreview.State

# By name, since the module of the task imports this one.
TASK: Final = "annotation.tasks.compute_preview"
# Seconds after which a preview is terminated, and then killed.
PATIENCE, GRACE = 180.0, 5.0
MAX_ATTEMPTS: Final = 3

UNEXPECTED = _("The preview failed; see the server's log.")


# --- what pages and the API do ------------------------------------------------------------------


def request(upload: Upload) -> StoredPreview:
    """Return the upload's preview; queue it if there is none of these files and settings.

    A preview that replaces another unfinished one of the same person ends that one.
    """
    key = storage.preview_key(upload)
    present = StoredPreview.objects.filter(upload=upload, key=key)
    if found := present.first():
        return found
    with writing():
        # Two requests of a person come one after the other.
        User.objects.select_for_update(no_key=True).get(pk=upload.owner_id)
        if found := present.first():
            return found
        StoredPreview.objects.filter(
            Q(upload=upload) | Q(owner=upload.owner_id, state__in=StoredPreview.UNFINISHED)
        ).delete()
        preview = StoredPreview.objects.create(upload=upload, owner_id=upload.owner_id, key=key)
        send_task(TASK, preview.pk)
    return preview


def request_again(upload: Upload) -> None:
    """Queue the upload's preview once more if it failed."""
    StoredPreview.objects.filter(upload=upload, state=State.FAILED).delete()
    request(upload)


def current(upload: Upload) -> StoredPreview | None:
    """Return the upload's preview of the present files and settings; None if there is none."""
    key = storage.preview_key(upload)
    return StoredPreview.objects.filter(upload=upload, key=key).first()


def count_before(requested: datetime) -> int:
    """Return how many previews are computed now, or were requested before. One query."""
    earlier = Q(state=State.RUNNING) | Q(state=State.WAITING, requested__lt=requested)
    return StoredPreview.objects.filter(earlier).count()


# --- what workers do ----------------------------------------------------------------------------


def enqueue_pending() -> None:
    """Notify workers of the previews that wait, and of those whose worker was lost."""
    problem = InputError(
        _("The preview was begun %(count)d times and not finished: is there enough memory?"),
        count=MAX_ATTEMPTS,
    )
    begun = StoredPreview.objects.filter(state=State.RUNNING, attempts__gte=MAX_ATTEMPTS)
    with in_turn():
        claimable(begun).update(state=State.FAILED, error=problem.to_json(), slot=None, **RELEASED)
    _enqueue_next()


def _enqueue_next() -> None:
    waiting = StoredPreview.objects.order_by("requested")
    send_again(TASK, waiting, most=StoredPreview.MOST_AT_ONCE)


def compute(preview_id: int, *, patience: float | None = None) -> None:
    """Compute the preview and store it, if it waits and fewer than two are computed.

    An error is stored with the preview. Raises OperationalError where the database is away; then
    the lease expires.
    """
    claimed = claim(preview_id)
    if claimed is None:
        return
    upload = claimed.row.upload
    try:
        answer = _compute(upload, claimed, PATIENCE if patience is None else patience)
        if answer.problem:
            raise InputError.from_json(answer.problem)
        if answer.findings is None:
            answer = replace(answer, findings=storage.findings(upload))
        claimed.finish(data=to_builtins(answer), slot=None)
    except LeaseLost:
        # The person has asked for another preview, or removed the upload: its slot is free.
        _enqueue_next()
        return
    except Interrupted:
        claimed.release(slot=None)
        return
    except (OperationalError, InterfaceError):
        raise
    except Exception as problem:
        error = problem if isinstance(problem, InputError) else InputError(UNEXPECTED)
        if error is not problem:
            log.exception("The preview of upload %s could not be made.", upload.pk)
        with suppress(LeaseLost):
            claimed.finish(state=State.FAILED, error=error.to_json(), slot=None)
    if upload.is_temporary:
        folders.remove_files(upload)
    _enqueue_next()


def claim(preview_id: int) -> Claim[StoredPreview] | None:
    """Take a free slot for the preview; None if there is none, or it does not wait."""
    rows = StoredPreview.objects.all()
    preview = rows.select_related("upload").filter(pk=preview_id).first()
    # After so many attempts, `enqueue_pending` lets it fail.
    if preview is None or preview.attempts >= MAX_ATTEMPTS:
        return None
    # One whose worker was lost has a slot, too.
    others = rows.filter(slot__isnull=False).exclude(pk=preview_id)
    taken = set(others.values_list("slot", flat=True))
    for slot in sorted({*range(1, StoredPreview.MOST_AT_ONCE + 1)} - taken):
        # Otherwise another worker took the slot first.
        with suppress(IntegrityError), writing():
            return Claim.take(preview, rows, slot=slot)
    return None


def _compute(upload: Upload, claimed: Claim[StoredPreview], patience: float) -> Answer:
    """Run the program that makes the sample; return its answer."""
    given = storage.uploaded_texts(upload).readable()
    # The hourly task that removes uploads runs on one host only.
    folders.remove_old_copies()
    with renewing(claimed, claimed.renew):
        storage.fetch(given)
    if not all(file.path.exists() for file in given.files if file.role != MEDIA):
        raise InputError(
            _("The uploaded files were deleted, as all are after a day: upload them again.")
        )
    chosen = options(upload, given)
    models = str(settings.STANZA_MODELS) if settings.STANZA_MODELS else None
    asked = Request(given, chosen.parser, chosen.aligner, models)
    with TemporaryDirectory(
        dir=folders.folder_of(upload), prefix="preview-", ignore_cleanup_errors=True
    ) as scratch:
        query, answer = Path(scratch) / "query", Path(scratch) / "answer"
        query.write_bytes(encode(asked))
        _run(query, answer, claimed, patience)
        return decode(answer.read_bytes(), Answer)


def _run(query: Path, answer: Path, claimed: Claim[StoredPreview], patience: float) -> None:
    """Run the program until it ends, and renew the lease meanwhile."""
    command = [sys.executable, "-m", "annotation.uploads.preview_sample", str(query), str(answer)]
    until = monotonic() + patience
    with subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            while True:
                try:
                    _output, said = process.communicate(timeout=min(RENEW_EVERY, patience))
                    break
                except subprocess.TimeoutExpired as expired:
                    if stopping.is_set():
                        raise Interrupted from expired
                    if monotonic() >= until:
                        raise InputError(
                            _(
                                "The preview took too long: choose the parser phrases and the "
                                "aligner systran."
                            )
                        ) from expired
                    claimed.renew()
        except BaseException:
            _stop(process)
            raise
    if process.returncode:
        log.error("The preview could not be made: %s", said.decode(errors="replace"))
        raise InputError(UNEXPECTED)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Terminate the process, which ends its aligner first, or kill it."""
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
