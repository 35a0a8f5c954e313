"""The folders of uploads, which are removed after a day."""

import os
import secrets
import shutil
import time
from datetime import timedelta
from pathlib import Path

from django.db.models import Q

from annotation.common import stored_files
from annotation.models import Job, Upload
from annotation.process import clock

UPLOADS_KEPT = timedelta(days=1)


def name_of(upload: Upload) -> str:
    """Return the name of the upload's folder in the storage."""
    return f"{stored_files.UPLOADS}/{upload.token}"


def folder_of(upload: Upload) -> Path:
    """Return this host's folder of the upload."""
    return stored_files.own_folder(name_of(upload))


def new_path(upload: Upload) -> Path:
    """Return a new path in the upload's folder."""
    return folder_of(upload) / secrets.token_hex(16)


def remove_files(upload: Upload) -> None:
    """Remove the files of an upload, but not its rows."""
    stored_files.delete_folder(name_of(upload))


def remove(upload: Upload) -> None:
    """Remove the upload, its files first: files without a row are removed by `remove_old`."""
    remove_files(upload)
    Upload.objects.filter(pk=upload.pk).delete()


def remove_old() -> None:
    """Remove uploads that are older than a day, and files as old that belong to none.

    Those of a project are removed once a worker has read them, and not before.
    """
    is_old = Q(created__lt=clock.now() - UPLOADS_KEPT)
    is_read = Q(project__job__state=Job.State.DONE)
    needed = Upload.objects.filter(project__job__state__in=Job.AT_WORK)
    for upload in Upload.objects.filter(is_old | is_read).exclude(pk__in=needed):
        remove(upload)
    # Before the rows are read: the row of an upload is there before its folder.
    found = stored_files.folders_in(stored_files.UPLOADS)
    tokens = set(Upload.objects.values_list("token", flat=True))
    for token in found:
        folder = f"{stored_files.UPLOADS}/{token}"
        if token not in tokens and _are_old(stored_files.files_in(folder)):
            stored_files.delete_folder(folder)
    remove_old_copies()


def remove_old_copies() -> None:
    """Remove what this host has had for a day: copies of removed uploads, and unfinished files."""
    kept = set(Upload.objects.values_list("token", flat=True))
    _remove_old_entries(stored_files.own_folder(stored_files.UPLOADS), kept=kept)
    _remove_old_entries(stored_files.incoming(), kept=set())


def _are_old(names: list[str]) -> bool:
    """Return whether there are files, and all are old; an empty folder is an old copy or new."""
    return bool(names) and all(stored_files.is_older(name, UPLOADS_KEPT) for name in names)


def _remove_old_entries(folder: Path, kept: set[str]) -> None:
    """Remove what this host's folder has had for a day, but for entries of these names."""
    latest = time.time() - UPLOADS_KEPT.total_seconds()
    for entry in os.scandir(folder):
        if entry.name in kept or entry.stat(follow_symlinks=False).st_mtime > latest:
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            Path(entry.path).unlink(missing_ok=True)
