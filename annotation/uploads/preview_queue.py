"""Previews of new projects, which workers compute: at most two at a time, and one a person.

`request` queues a preview and sends a task. A worker claims it by a conditional UPDATE, which the
database refuses while no slot is free, and renews its lease while a program reads and aligns the
texts. The beat task `enqueue_pending` sends the task again for previews that wait, and frees those
whose worker was lost; a preview fails after MAX_ATTEMPTS.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, InterfaceError, OperationalError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.common.task_queue import ENQUEUE_EVERY, send_task
from annotation.common.transactions import in_turn, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import StoredPreview, Upload, User
from annotation.pipeline.jobs import stopping
from annotation.uploads import folders, preview_sample, storage
from annotation.uploads.create_project import options

log = getLogger(__name__)

State = StoredPreview.State

# By name, since the module of the task imports this one.
TASK: Final = "annotation.tasks.compute_preview"
# Seconds after which a preview is terminated, and then killed.
PATIENCE, GRACE = 180.0, 5.0
LEASE: Final = timedelta(seconds=30)
# Seconds between two renewals, which also notice that the preview is no longer wanted.
RENEW_EVERY: Final = 1.0
MAX_ATTEMPTS: Final = 3

RELEASED: dict[str, Any] = {"slot": None, "lease_until": None}
UNEXPECTED = _("The preview failed; see the server's log.")


class _NotWanted(Exception):
    """The person has asked for another preview, or removed the upload."""


class _Stopping(Exception):
    """This process is stopping: another worker is to compute the preview."""


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
    """Free the previews whose worker was lost, and notify workers of those that wait."""
    now = timezone.now()
    lost = StoredPreview.objects.filter(state=State.RUNNING, lease_until__lt=now)
    with in_turn():
        lost.filter(attempts__lt=MAX_ATTEMPTS).update(state=State.WAITING, **RELEASED)
        problem = InputError(
            _("The preview was begun %(count)d times and not finished: is there enough memory?"),
            count=MAX_ATTEMPTS,
        )
        lost.update(state=State.FAILED, error=problem.to_json(), **RELEASED)
    _enqueue_next()


def _enqueue_next() -> None:
    waiting = StoredPreview.objects.filter(state=State.WAITING).order_by("requested")
    for pk in waiting.values_list("pk", flat=True)[: StoredPreview.MOST_AT_ONCE]:
        send_task(TASK, pk, expires=ENQUEUE_EVERY)


def compute(preview_id: int, *, patience: float | None = None) -> None:
    """Compute the preview and store it, if it waits and fewer than two are computed.

    An error is stored with the preview. Raises OperationalError where the database is away; then
    the lease expires.
    """
    claimed = claim(preview_id)
    if claimed is None:
        return
    upload = claimed.preview.upload
    try:
        result = _compute(upload, claimed, PATIENCE if patience is None else patience)
        if "problem" in result:
            raise InputError.from_json(result["problem"])
        if "findings" not in result:
            result["findings"] = storage.findings(upload).to_json()
        claimed.finish(state=State.MADE, data=result)
    except _NotWanted:
        # Its slot is free.
        _enqueue_next()
        return
    except _Stopping:
        claimed.finish(state=State.WAITING, attempts=F("attempts") - 1)
        return
    except InputError as problem:
        claimed.finish(state=State.FAILED, error=problem.to_json())
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("The preview of upload %s could not be made.", upload.pk)
        claimed.finish(state=State.FAILED, error=InputError(UNEXPECTED).to_json())
    if upload.is_temporary:
        folders.remove_files(upload)
    _enqueue_next()


@dataclass(frozen=True)
class Claim:
    """The right to compute a preview; `started` is unique to it."""

    preview: StoredPreview
    started: datetime

    @property
    def _held(self) -> QuerySet[StoredPreview]:
        return StoredPreview.objects.filter(
            pk=self.preview.pk, state=State.RUNNING, started=self.started
        )

    def renew(self) -> None:
        """Raise _NotWanted if the preview was replaced, or another worker computes it."""
        if not self._held.update(lease_until=timezone.now() + LEASE):
            raise _NotWanted

    def finish(self, **fields: Any) -> None:
        self._held.update(**fields, **RELEASED)


def claim(preview_id: int) -> Claim | None:
    """Take a free slot for the preview; None if there is none, or it does not wait."""
    waiting = StoredPreview.objects.filter(pk=preview_id, state=State.WAITING)
    running = StoredPreview.objects.filter(slot__isnull=False).values_list("slot", flat=True)
    for slot in sorted({*range(1, StoredPreview.MOST_AT_ONCE + 1)} - set(running)):
        now = timezone.now()
        try:
            with writing():
                updated = waiting.update(
                    state=State.RUNNING,
                    slot=slot,
                    started=now,
                    lease_until=now + LEASE,
                    attempts=F("attempts") + 1,
                )
        except IntegrityError:
            # Another worker took the slot first.
            continue
        if not updated:
            return None
        preview = StoredPreview.objects.select_related("upload").filter(pk=preview_id).first()
        return Claim(preview, now) if preview else None
    return None


def _compute(upload: Upload, claimed: Claim, patience: float) -> dict[str, Any]:
    """Run the program that makes the sample; return its answer."""
    given = storage.uploaded_texts(upload).readable()
    if not all(file.path.exists() for file in given.files):
        raise InputError(
            _(
                "The worker cannot read the uploaded files: all servers and workers need the same "
                "folder of uploads (SEGRANKS_UPLOADS)."
            )
        )
    chosen = options(upload, given)
    models = settings.STANZA_MODELS
    asked = {
        "given": preview_sample.given_to_json(given),
        "parser": chosen.parser,
        "aligner": chosen.aligner,
        "models": str(models) if models else None,
    }
    with TemporaryDirectory(
        dir=folders.folder_of(upload), prefix="preview-", ignore_cleanup_errors=True
    ) as scratch:
        query, answer = Path(scratch) / "query", Path(scratch) / "answer"
        query.write_text(json.dumps(asked), encoding="utf-8")
        _run(query, answer, claimed, patience)
        result: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        return result


def _run(query: Path, answer: Path, claimed: Claim, patience: float) -> None:
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
                        raise _Stopping from expired
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
