"""SegRanks with its own data folder and processes, for tests."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from tests.executing import Executor

REPOSITORY = Path(__file__).resolve().parent.parent
ADDRESS = re.compile(r"http://[\w.\[\]:]+:\d+")
# Generous, because test machines are slow and shared.
WITHIN = 180.0
# Sentences of different words and lengths, so that tests notice if they are mixed up.
TEXT = (
    ("The old house near the river , which was empty for years , is still for sale .",
     "Starý dům u řeky , který už roky nikdo neviděl , je pořád na prodej ."),
    ("Yesterday it rained in the mountains .", "Včera v horách pršelo ."),
    ("My sister sings in a choir with forty other people every Monday evening .",
     "Moje sestra zpívá každé pondělí večer ve sboru se čtyřiceti dalšími lidmi ."),
    ("Trains to the sea leave at noon , and they come back after dark .",
     "Vlaky k moři odjíždějí v poledne a vracejí se po setmění ."),
    ("He reads slowly .", "Čte pomalu ."),
    ("For many children of that village , the school behind the hill was the first one with a "
     "garden of its own .",
     "Pro mnoho dětí z té vesnice byla škola za kopcem první , která měla vlastní zahradu ."),
    ("We bought bread , cheese and three green apples at the market .",
     "Na trhu jsme koupili chléb , sýr a tři zelená jablka ."),
)  # fmt: skip


class Installation:
    """A data folder and the processes that use it."""

    def __init__(self, data: Path, static_root: Path, **environment: str) -> None:
        ours = {"SEGRANKS_DATA": str(data), "STATIC_ROOT": str(static_root)}
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CELERY_BROKER_URL"}
        }
        self.data = data
        self.environment = kept | ours | environment
        self.processes: list[Process] = []
        self._executor: Executor | None = None

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command of manage.py."""
        return self.run(sys.executable, "manage.py", *arguments, check=check)

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        result = subprocess.run(
            command,
            cwd=REPOSITORY,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not check or result.returncode == 0, f"{command}:\n{result.stdout}{result.stderr}"
        return result

    def query(self, expression: str) -> Any:
        """Return the value of a Python expression over the models."""
        code = f"import json; from annotation.models import *; print(json.dumps({expression}))"
        return json.loads(self.execute(code))

    def call(self, *arguments: str) -> str:
        """Return what a command of manage.py prints, without starting a process for it."""
        return self.execute(
            f"from django.core.management import call_command; call_command(*{arguments!r})"
        )

    def execute(self, code: str) -> str:
        """Return what Python code prints in the executor process."""
        if self._executor and self._executor.environment != self.environment:
            self._executor.end()
            self._executor = None
        self._executor = self._executor or Executor(str(REPOSITORY), self.environment)
        return self._executor.execute(code)

    def start(self, *command: str, own_group: bool = False) -> "Process":
        process = Process(command, self.environment, own_group=own_group)
        self.processes.append(process)
        return process

    def up(self, *options: str) -> "Process":
        """Start `manage.py up` on a free port and return once it has printed its address."""
        process = self.start(sys.executable, "manage.py", "up", "--port", "0", *options)
        process.wait_for_line("Press Ctrl-C")
        return process

    def end(self) -> None:
        if self._executor:
            self._executor.end()
        for process in self.processes:
            process.kill()


class Process:
    """A running program whose output is collected.

    With `own_group` it can be killed together with its children.
    """

    def __init__(
        self, command: tuple[str, ...], environment: dict[str, str], *, own_group: bool = False
    ) -> None:
        self.lines: list[str] = []
        self._command = command
        self._own_group = own_group
        self._coming: Queue[str] = Queue()
        self._process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=heed_signals,
            start_new_session=own_group,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def output(self) -> str:
        return "".join(self.lines)

    @property
    def address(self) -> str:
        found = ADDRESS.search(self.output)
        assert found, self.output
        return found.group()

    @property
    def passwords(self) -> dict[str, str]:
        """The user names and passwords that `manage.py up` printed."""
        return dict(re.findall(r"^ {4}(\w+) +(\w+)$", self.output, re.MULTILINE))

    def wait_for_line(self, text: str) -> None:
        deadline = time.monotonic() + WITHIN
        while text not in self.output:
            try:
                self.lines.append(self._coming.get(timeout=0.2))
            except Empty:
                ended = self._process.poll() is not None and self._coming.empty()
                assert not ended, f"It ended before it printed {text!r}:\n{self.output}"
                assert time.monotonic() < deadline, f"It did not print {text!r}:\n{self.output}"

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send the signal and return the exit status."""
        if self._process.poll() is None:
            os.kill(self._signalled, number)
        status = self._process.wait(WITHIN)
        self._reader.join(WITHIN)
        while not self._coming.empty():
            self.lines.append(self._coming.get())
        return status

    def kill(self) -> None:
        if self._own_group:
            self.signal_group(signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait(WITHIN)

    def signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    @property
    def _signalled(self) -> int:
        """The process to signal: `unshare` ignores signals, so it is its child."""
        pid = self._process.pid
        if self._command[0] != "unshare":
            return pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text())

    def has(self, pid: int) -> bool:
        """Return whether the process with this id is in its group."""
        return os.getpgid(pid) == self._process.pid

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._coming.put(line)


def heed_signals() -> None:
    # `nohup` and background jobs make children ignore them.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def write_texts(folder: Path, lines: int) -> list[str]:
    """Write a source and two systems of `lines` lines; return options for create_project."""
    folder.mkdir(exist_ok=True)
    for name, side in (("source", 0), ("north", 1), ("south", 1)):
        text = (TEXT[number % len(TEXT)][side] + "\n" for number in range(lines))
        (folder / name).write_text("".join(text))
    systems = [f"--system={name}={folder / name}" for name in ("north", "south")]
    return ["--languages=en-cs", f"--source={folder / 'source'}", *systems, "--parser=phrases"]


def wait_until(true: Callable[[], object], seconds: float = WITHIN, every: float = 0.1) -> None:
    """Wait until `true()` is true; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "The condition did not become true."
        time.sleep(every)
