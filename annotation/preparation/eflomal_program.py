"""Running eflomal's programs: it is under the GPL, so it is never imported."""

import os
import shutil
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

Words = list[str | Path]


def find_program(name: str) -> Words | None:
    """Return the command that runs a program of eflomal, or None where it is not installed.

    A script of our environment is run by its own Python, since the path in its first line is of
    no use where it holds a space.
    """
    beside = Path(sys.executable).with_name(name)
    if os.access(beside, os.X_OK):
        return [sys.executable, beside]
    found = shutil.which(name)
    return [found] if found else None


def run_program(command: Words, folder: Path, result: Path) -> None:
    """Run a program to its end, its temporary files in `folder`; it is to write `result`.

    Raises InputError, with the last line that it wrote, where it fails.
    """
    # eflomal writes temporary files of its own, as large as the text: with TMPDIR they
    # lie in our folder and go with it, even when it is killed.
    with (folder / "messages").open("w+b") as messages:
        status = _run_to_its_end(["/usr/bin/env", f"TMPDIR={folder}", *command], messages)
        messages.seek(0)
        said = messages.read().decode("utf-8", "replace").split("\n")
    # It ends with status 0 even when its inner program failed and wrote nothing.
    if status != 0 or not result.exists():
        last = next((line.strip() for line in reversed(said) if line.strip()), "no message")
        raise InputError(
            _(
                "eflomal failed with status %(status)d (%(last)s): choose the aligner systran, or "
                "install eflomal again."
            ),
            status=status,
            last=last,
        )


def _run_to_its_end(command: Words, messages: IO[bytes]) -> int:
    """Run a program and return its status; it and its children never outlive us.

    A signal or an exception kills them here; so does the interpreter's end when this runs in
    a thread that nobody waits for.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=messages,
        stderr=messages,
        start_new_session=True,
    )
    kill = weakref.finalize(process, _kill_group, process.pid)
    try:
        status = process.wait()
    except BaseException:
        kill()
        process.wait()
        raise
    kill.detach()
    return status


def _kill_group(process_id: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process_id, signal.SIGKILL)
