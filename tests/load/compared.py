"""Sentences a second beside an earlier commit and beside Pearmut.

    python -m tests.load.compared [--before CHECKOUT] [--pearmut PROGRAM] [--sqlite]

All are served at once on this machine, as `served.py` does, and are measured in turns: 20
annotators and one, without pause. With CHECKOUT, a folder with another commit, a sentence is three
drafts and its submission, and its page where that commit loads one. With PROGRAM, the installed
`pearmut`, it is what both have: the next sheet and the submission, without drafts. Pearmut serves
each sentence with all systems' translations, to each user so many. Needs the real texts.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from tests.load.figures import machine
from tests.load.served import REAL_TEXTS, ROOT, site
from tests.services import free_port

PEOPLE = (20, 1)
STARTED_WITHIN = 30.0
# Lets so many annotators judge for so many seconds, and returns the sentences a second.
Judge = Callable[[int, float], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--before", type=Path, help="a folder with another commit")
    parser.add_argument("--pearmut", help="the program of Pearmut")
    parser.add_argument("--sqlite", action="store_true", help="one process on SQLite")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--judges", type=int, default=5, help="judges of each sentence")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with ExitStack() as stack:
        made: dict[str, Judge] = {}
        size = options.sentences, options.judges
        roots = {"now": ROOT} | ({"before": options.before.resolve()} if options.before else {})
        for name, root in roots.items():
            served = segranks(*size, root=root, sqlite=options.sqlite)
            judge = stack.enter_context(served)
            if options.before:
                made[f"{name}, three drafts"] = judge(3)
            if options.pearmut and name == "now":
                made["now, no drafts"] = judge(0)
        if options.pearmut:
            made["Pearmut"] = stack.enter_context(pearmut(options.pearmut, options.sentences))
        print("SQLite" if options.sqlite else "PostgreSQL", machine(), flush=True)
        for people in PEOPLE:
            measure(made, people, options.seconds, options.rounds)


def measure(made: dict[str, Judge], people: int, seconds: float, rounds: int) -> None:
    found: dict[str, list[float]] = {name: [] for name in made}
    for judge in made.values():
        judge(people, 2)
    for _round in range(rounds):
        for name, judge in made.items():
            found[name].append(judge(people, seconds))
    print(f"\n{people} without pause: sentences a second in {rounds} turns")
    for name, values in found.items():
        print(f"  {name:22} {' '.join(f'{one:7.1f}' for one in values)}", flush=True)
    middle = {name: statistics.median(values) for name, values in found.items()}
    if "before, three drafts" in middle:
        ratio = middle["now, three drafts"] / middle["before, three drafts"]
        print(f"  now : before           {ratio:7.2f}")
    if "Pearmut" in middle:
        print(f"  now : Pearmut          {middle['now, no drafts'] / middle['Pearmut']:7.2f}")


@contextmanager
def segranks(
    sentences: int, judges: int, *, root: Path, sqlite: bool
) -> Iterator[Callable[[int], Judge]]:
    """Serve a checkout; yield what returns, for a number of drafts, how its annotators judge."""
    with site(sqlite=sqlite, root=root) as made:
        made.make_project(sentences, judges)
        project, sessions = made.sign_in(max(PEOPLE) * 4)
        with made.serving() as server:

            def judging(drafts: int) -> Judge:
                def judge(people: int, seconds: float) -> float:
                    # Each time others, so that no annotator runs out of sentences.
                    some = [sessions.pop(0) for _person in range(people)]
                    sessions.extend(some)
                    order = {"port": server.port, "project": project, "sessions": some}
                    return run(order | {"drafts": drafts, "think": [0, 0]}, seconds, root)

                return judge

            yield judging


@contextmanager
def pearmut(program: str, sentences: int) -> Iterator[Judge]:
    """Serve a campaign of the same texts by Pearmut."""
    source, *outputs = (
        path.read_text(encoding="utf-8").splitlines()[:sentences]
        for path in (REAL_TEXTS / "source.txt", *sorted((REAL_TEXTS / "systems").glob("*.txt")))
    )
    items = [
        [
            {
                "src": text,
                "tgt": {f"system{n}": one for n, one in enumerate(texts)},
                "item_id": str(i),
            }
        ]
        for i, (text, *texts) in enumerate(zip(source, *outputs, strict=True))
    ]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        campaign = {
            "info": {"assignment": "task-based", "protocol": "DA"},
            "campaign_id": "campaign",
            "data": [items] * max(PEOPLE),
        }
        (folder / "campaign.json").write_text(json.dumps(campaign), encoding="utf-8")
        environment = os.environ | {"PEARMUT_ROOT": str(folder)}
        quiet: dict[str, Any] = {"env": environment, "cwd": folder, "stdout": subprocess.DEVNULL}
        subprocess.run([program, "add", "campaign.json"], **quiet, check=True)
        users = list(json.loads((folder / "data" / "progress" / "campaign.json").read_text()))
        port = free_port()
        server = subprocess.Popen(
            [program, "run", "--port", str(port)], **quiet, stderr=subprocess.DEVNULL
        )
        stack.callback(server.wait)
        stack.callback(server.terminate)
        wait(port)

        def judge(people: int, seconds: float) -> float:
            some = [users.pop(0) for _person in range(people)]
            users.extend(some)
            return run({"port": port, "campaign": "campaign", "sessions": some}, seconds, ROOT)

        yield judge


def run(order: dict[str, Any], seconds: float, root: Path) -> float:
    """Let the program `annotators` of the checkout judge; return sentences a second."""
    program = [sys.executable, "-m", "tests.load.annotators"]
    done = subprocess.run(
        program,
        input=json.dumps(order | {"seconds": seconds}),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=root,
    )
    figures = json.loads(done.stdout)
    if figures["errors"]:
        print(figures["errors"], file=sys.stderr)
    sentences: int = figures["sentences"]
    return sentences / seconds


def wait(port: int) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while True:
        try:
            urlopen(f"http://127.0.0.1:{port}/", timeout=1).close()
            return
        except (URLError, ConnectionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()
