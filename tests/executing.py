"""A process of an installation that executes code for tests.

One process serves all code of a test, because starting Django takes a second.
"""

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from traceback import format_exc
from typing import TextIO

import django
from django.db import connections


class Executor:
    """The client side of the process."""

    def __init__(self, folder: str, environment: dict[str, str]) -> None:
        self.environment = dict(environment)
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def execute(self, code: str) -> str:
        """Return what the code printed; fail if it raised an exception."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(code) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"The process ended with status {self._process.wait()} at:\n{code}"
        printed, problem = json.loads(answer)
        assert not problem, f"{code}:\n{printed}{problem}"
        return str(printed)

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def main(questions: TextIO, answers: TextIO) -> None:
    """Execute the code of each line; answer with what it printed and its traceback, if any."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "segranks.settings")
    django.setup()
    for line in questions:
        printed, problem = StringIO(), ""
        try:
            with redirect_stdout(printed):
                exec(json.loads(line), {})
        except Exception:
            problem = format_exc()
        finally:
            # Do not keep locks between two pieces of code.
            connections.close_all()
        print(json.dumps([printed.getvalue(), problem]), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
