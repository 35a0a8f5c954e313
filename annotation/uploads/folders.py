"""The folders of uploads, which are removed after a day."""

import os
import secrets
import shutil
import time
from datetime import timedelta
from pathlib import Path

from django.db.models import Q
from django.utils import timezone

from annotation.common.uploads_folder import uploads_folder
from annotation.models import Job, Upload

UPLOADS_KEPT = timedelta(days=1)


def folder_of(upload: Upload) -> Path:
    folder = uploads_folder() / upload.token
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def new_path(upload: Upload) -> Path:
    """Return a new path in the upload's folder."""
    return folder_of(upload) / secrets.token_hex(16)


def remove_files(upload: Upload) -> None:
    """Remove the files of an upload, but not its rows."""
    shutil.rmtree(uploads_folder() / upload.token, ignore_errors=True)


def remove(upload: Upload) -> None:
    """Remove the upload, its files first: files without a row are removed by `remove_old`."""
    remove_files(upload)
    Upload.objects.filter(pk=upload.pk).delete()


def remove_old() -> None:
    """Remove uploads that are older than a day, and files as old that belong to none.

    Those of a project are removed once a worker has read them, and not before.
    """
    is_old = Q(created__lt=timezone.now() - UPLOADS_KEPT)
    is_read = Q(project__job__state=Job.State.DONE)
    needed = Upload.objects.filter(project__job__state__in=Job.AT_WORK)
    for upload in Upload.objects.filter(is_old | is_read).exclude(pk__in=needed):
        remove(upload)
    latest = time.time() - UPLOADS_KEPT.total_seconds()
    tokens = set(Upload.objects.values_list("token", flat=True))
    for entry in os.scandir(uploads_folder()):
        if entry.name in tokens or entry.stat(follow_symlinks=False).st_mtime > latest:
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            Path(entry.path).unlink(missing_ok=True)
