"""Django's upload handlers for pages that take files, within a quota, and pages that take none."""

from contextlib import suppress
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import (
    FileUploadHandler,
    SkipFile,
    StopUpload,
    TemporaryFileUploadHandler,
)
from django.http import HttpRequest

from annotation.common import stored_files

# What a request has besides the bytes of the files.
OVERHEAD = 1_000_000


class NoFiles(FileUploadHandler):
    """Drops every file: the default, for pages that take none."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise SkipFile


class IncomingFile(TemporaryUploadedFile):
    """A temporary file on the disk of this host's files; that of others may be small."""

    def __init__(self, *args: Any) -> None:
        file = NamedTemporaryFile(dir=stored_files.incoming(), prefix="request-")  # noqa: SIM115
        UploadedFile.__init__(self, file, *args)


class QuotaHandler(TemporaryFileUploadHandler):
    """Writes files to the disk, up to `limit` bytes of all files together.

    Beyond that, or if a file cannot be written, it stops reading and keeps the `problem`: to raise
    it here would make the CSRF check fail.
    """

    def __init__(self, request: HttpRequest, limit: int) -> None:
        super().__init__(request)
        self.left = limit
        self.exceeded = False
        self.problem: OSError | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        FileUploadHandler.new_file(self, *args, **kwargs)
        self.file = IncomingFile(
            self.file_name, self.content_type, 0, self.charset, self.content_type_extra
        )

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.left -= len(raw_data)
        if self.left < 0:
            self.exceeded = True
            raise StopUpload
        try:
            super().receive_data_chunk(raw_data, start)
            # A full disk must show here, where the reading can stop.
            self.file.flush()
        except OSError as problem:
            self.problem = problem
            with suppress(OSError):
                self.file.close()
            raise StopUpload from problem


def stream_to_disk(request: HttpRequest, limit: int) -> bool:
    """Let the request's files be written to disk; return False if they are larger than `limit`."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > limit + OVERHEAD:
        return False
    request.upload_handlers = [QuotaHandler(request, limit)]
    return True


def came_whole(request: HttpRequest) -> bool:
    """Read the whole request; return False if the files exceeded the limit.

    Raises OSError if they cannot be written, as on a full disk.
    """
    _files = request.FILES
    for handler in request.upload_handlers:
        if isinstance(handler, QuotaHandler):
            if handler.problem:
                raise handler.problem
            return not handler.exceeded
    return True
