"""Bash that runs a block of a page as it stands, with programs that the test answers for.

To start manage.py takes more than a second, and pages have a hundred commands. So `manage.py`,
`docker` and others are a script on the PATH that sends its arguments to the process of the test.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from traceback import format_exc

# What a program printed. If it fails, it raises an exception.
Program = Callable[[list[str]], str]
# Writes its standard input to a file if the last word asks for it, sends the number of its words
# and the words, and gets its exit status and what to print.
SCRIPT = """#!/bin/bash
[ "${!#}" != - ] || cat > .stdin
exec 9<> "/dev/tcp/127.0.0.1/$DOCUMENTED_PROGRAMS"
{ echo $(( $# + 1 )); printf '%s\\0' "${0##*/}" "$@"; } >&9
read -r -u 9 status
cat <&9
exit "$status"
"""


class Shell:
    """A folder in which blocks are run, one after the other."""

    def __init__(self, folder: Path, programs: Mapping[str, Program], real: Iterable[str]) -> None:
        self.folder = folder
        self.environment: dict[str, str] = {}
        self._programs = programs
        # Pages call programs of a clone by their paths.
        bin_folder = folder / ".venv" / "bin"
        bin_folder.mkdir(parents=True)
        for name in programs:
            (bin_folder / name).write_text(SCRIPT)
            (bin_folder / name).chmod(0o755)
        for name in real:
            (bin_folder / name).symlink_to(str(shutil.which(name)))
        self._path = str(bin_folder)

    def run(self, text: str) -> str:
        """Return what the commands print; fail if one of them fails."""
        with socket.create_server(("127.0.0.1", 0)) as server, TemporaryFile() as output:
            server.settimeout(0.02)
            shell = subprocess.Popen(
                ["/bin/bash", "-euo", "pipefail", "-c", text],
                cwd=self.folder,
                env=os.environ
                | self.environment
                | {"PATH": self._path, "DOCUMENTED_PROGRAMS": str(server.getsockname()[1])},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            while shell.poll() is None:
                try:
                    connection, _address = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    self._answer(connection)
            output.seek(0)
            printed = output.read().decode()
        assert shell.returncode == 0, f"{text}\n{printed}"
        return printed

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(60)
        with connection.makefile("rb") as received:
            count = int(received.readline())
            name, *arguments = read_words(received.read1, count)
        try:
            status, printed = 0, self._programs[name](arguments)
        except (Exception, SystemExit):
            status, printed = 1, f"{name} {' '.join(arguments)}:\n{format_exc()}"
        connection.sendall(f"{status}\n{printed}".encode())


def read_words(read: Callable[[], bytes], count: int) -> Iterable[str]:
    """Return so many words. A zero byte ends each."""
    data = b""
    while data.count(b"\0") < count and (piece := read()):
        data += piece
    return data.decode().split("\0")[:-1]
