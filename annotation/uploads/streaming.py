"""Files on their way in: to the disk, chunk by chunk, and never more than allowed."""

from contextlib import suppress
from tempfile import NamedTemporaryFile
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest

from annotation.uploads.folders import uploads_folder

# What the parts of a form need besides the bytes of the files.
OVERHEAD = 1_000_000


class NoFiles(FileUploadHandler):
    """Takes no file: what somebody sends to a page that wants none is passed over."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> None:
        return None


class ToDisk(FileUploadHandler):
    """Writes each file into the folder of uploads, under no name that came with it.

    Beyond `limit` bytes of all files together the reading stops, and `exceeded` is set; where a
    file cannot be written it stops too, and `problem` is why.
    """

    def __init__(self, request: HttpRequest, limit: int) -> None:
        super().__init__(request)
        self._left = limit
        self._file: IO[bytes] | None = None
        self.exceeded = False
        self.problem: OSError | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._file = NamedTemporaryFile(  # noqa: SIM115  # closed by the request
            dir=uploads_folder(), prefix="incoming-"
        )

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._left -= len(raw_data)
        if self._left < 0:
            self.exceeded = True
            self.upload_interrupted()
            raise StopUpload
        if self._file:
            try:
                self._file.write(raw_data)
                # What a full disk does not take is to be known here, where the reading can stop.
                self._file.flush()
            except OSError as problem:
                self.problem = problem
                self.upload_interrupted()
                raise StopUpload from problem

    def file_complete(self, file_size: int) -> UploadedFile:
        assert self._file
        self._file.seek(0)
        complete, self._file = self._file, None
        return UploadedFile(complete, self.file_name, self.content_type, file_size)

    def upload_interrupted(self) -> None:
        if self._file:
            # A full disk refuses what is still to be written; the file is removed all the same.
            with suppress(OSError):
                self._file.close()
            self._file = None


def stream_to_disk(request: HttpRequest, limit: int) -> bool:
    """Let the request's files come to the disk; return False where they say they are too large."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > limit + OVERHEAD:
        return False
    request.upload_handlers = [ToDisk(request, limit)]
    return True


def came_whole(request: HttpRequest) -> bool:
    """Read all of the request; return False where the files were more than allowed.

    Raises OSError where they cannot be written, as on a full disk.
    """
    _files = request.FILES
    for handler in request.upload_handlers:
        if isinstance(handler, ToDisk) and handler.problem:
            raise handler.problem
    return not any(getattr(each, "exceeded", False) for each in request.upload_handlers)
