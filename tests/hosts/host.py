"""A host: its own network, file systems, name and processes, and the program that it runs.

    unshare --net --mount --uts --ipc --pid --fork --kill-child --mount-proc \
        python -m tests.hosts.host NAME NAMES IMAGE SIZE

The first process of the host makes its file systems: all of the machine is read-only but for a
SIZE of memory of its own, IMAGE is at /srv/segranks, and the file NAMES is /etc/hosts. Then it
starts and restarts a program as Docker does with `restart: unless-stopped`, by orders: lines of
JSON on standard input, each answered by a line. When standard input ends, everything in the host
ends.
"""

import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

IMAGE = "/srv/segranks"
# Where programs write; the rest of the machine is read-only.
WRITABLE = ("/tmp", "/var/tmp", "/var/lib", "/var/log", "/run", "/dev/shm")
# Docker waits so long before it starts a program again, and twice as long each time until the
# program has run for `SETTLED`.
FIRST_WAIT, LONGEST_WAIT, SETTLED = 0.1, 60.0, 10.0
NOBODY = 65534


class Supervisor:
    """The first process of a host."""

    def __init__(self) -> None:
        self._started: dict[str, Any] | None = None
        self._pid = 0
        self._since = 0.0
        self._wait = FIRST_WAIT
        self._due: float | None = None

    def run(self) -> None:
        """Obey orders, reap processes and restart the program until standard input ends."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        unread = b""
        print("ready", flush=True)
        while True:
            wait = None if self._due is None else max(self._due - time.monotonic(), 0)
            ready, _, _ = select.select([0, woken], [], [], wait)
            if woken in ready:
                os.read(woken, 4096)
            self._reap()
            if 0 in ready:
                read = os.read(0, 2**16)
                if not read:
                    return
                *lines, unread = (unread + read).split(b"\n")
                for line in lines:
                    print(json.dumps(self._obey(**json.loads(line))), flush=True)
            if self._due is not None and self._due <= time.monotonic():
                self._start()

    def _obey(self, do: str, **order: Any) -> object:
        if do == "start":
            self._started, self._wait = order, FIRST_WAIT
            self._start()
        elif do == "stop":
            return self._stop(order["number"], order["within"])
        elif do == "signal":
            self._signal(order["number"])
        elif do == "get":
            return _status(order["port"], order["path"])
        elif do == "image":
            subprocess.run(["umount", "--lazy", IMAGE], check=True)
            _bind(order["folder"], IMAGE)
        return self._pid

    def _start(self) -> None:
        assert self._started
        self._due, self._since = None, time.monotonic()
        self._pid = subprocess.Popen(
            self._started["command"],
            cwd=self._started["folder"],
            env=self._started["environment"],
            user=self._started.get("user"),
            stdin=subprocess.DEVNULL,
            stdout=2,
            start_new_session=True,
        ).pid

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._pid, number)

    def _stop(self, number: int, within: float) -> float:
        """End the program, and do not start it again; return the seconds that it took."""
        self._started = self._due = None
        began = time.monotonic()
        if not self._pid:
            return 0.0
        with suppress(ProcessLookupError):
            # Docker signals the first process only.
            (self._signal if number == signal.SIGKILL else self._signal_first)(number)
        while self._pid:
            if time.monotonic() - began > within:
                self._signal(signal.SIGKILL)
            time.sleep(0.05)
            self._reap()
        return time.monotonic() - began

    def _signal_first(self, number: int) -> None:
        os.kill(self._pid, number)

    def _reap(self) -> None:
        while True:
            try:
                pid, _status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid == self._pid:
                self._signal(signal.SIGKILL)
                self._pid = 0
                if self._started:
                    if time.monotonic() - self._since > SETTLED:
                        self._wait = FIRST_WAIT
                    self._due = time.monotonic() + self._wait
                    self._wait = min(2 * self._wait, LONGEST_WAIT)


def _status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": "127.0.0.1"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def _bind(what: str, where: str) -> None:
    subprocess.run(["mount", "--bind", what, where], check=True)


def _make_file_systems(names: str, image: str, size: str) -> None:
    _bind(image, IMAGE)
    _bind(names, "/etc/hosts")
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for where in (mount[4] for mount in mounts):
        if where != "/" and not where.startswith(("/proc", "/sys", "/dev")):
            # What cannot be made read-only is so already, or is hidden by another.
            subprocess.run(
                ["mount", "-o", "remount,bind,ro", where], stderr=subprocess.DEVNULL, check=False
            )
    subprocess.run(["mount", "-o", "remount,bind,ro", "/"], check=True)
    for folder in WRITABLE:
        options = f"size={size},mode=1777"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)


class Host:
    """A host, as the harness sees it."""

    def __init__(self, name: str, *, names: Path, image: Path, size: str, log: IO[bytes]) -> None:
        self.name = name
        apart = ["unshare", "--net", "--mount", "--uts", "--ipc", "--pid", "--fork"]
        apart += ["--kill-child", "--mount-proc"]
        program = [sys.executable, "-m", "tests.hosts.host", name, str(names), str(image), size]
        self._process = subprocess.Popen(
            [*apart, *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            # Ctrl-C is for the harness only.
            start_new_session=True,
        )
        self.log = Path(log.name)
        assert self._process.stdout
        assert self._process.stdout.readline() == b"ready\n", self.log.read_text()
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        # The id of its first process.
        self.pid = int(children.read_text())

    def order(self, do: str, **order: Any) -> Any:
        """Give an order and return its answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"do": do, **order}).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"{self.name} has ended:\n{self.log.read_text()[-3000:]}"
        return json.loads(answer)

    def start(
        self,
        command: list[str],
        environment: dict[str, str],
        *,
        folder: str = "/",
        user: int | None = None,
    ) -> None:
        """Start a program, and again whenever it ends by itself."""
        self.order("start", command=command, environment=environment, folder=folder, user=user)

    def stop(self, number: signal.Signals = signal.SIGTERM, within: float = 90.0) -> float:
        """End the program; return the seconds that it took."""
        return float(self.order("stop", number=number, within=within))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the program."""
        self.order("signal", number=number)

    def status(self, path: str, port: int = 8000) -> int:
        """Return the status of an answer that the host gets from itself, 0 for none."""
        return int(self.order("get", port=port, path=path))

    def command(
        self,
        *command: str,
        environment: dict[str, str] | None = None,
        user: int | None = None,
        folder: str = IMAGE,
    ) -> list[str]:
        """Return what runs a command in the host."""
        enter = ["nsenter", f"--target={self.pid}", "--mount", "--uts", "--ipc", "--net", "--pid"]
        enter += [f"--setuid={user}", f"--setgid={user}"] if user else []
        variables = [f"{name}={value}" for name, value in (environment or os.environ).items()]
        return [*enter, "env", "--ignore-environment", f"--chdir={folder}", *variables, *command]

    def run(
        self,
        *command: str,
        environment: dict[str, str] | None = None,
        user: int | None = None,
        given: str = "",
        folder: str = IMAGE,
        check: bool = True,
    ) -> str:
        """Run a command in the host and return what it printed."""
        done = subprocess.run(
            self.command(*command, environment=environment, user=user, folder=folder),
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not check or done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
        return done.stdout


if __name__ == "__main__":
    _name, _names, _image, _size = sys.argv[1:]
    socket.sethostname(_name)
    _make_file_systems(_names, _image, _size)
    Supervisor().run()
