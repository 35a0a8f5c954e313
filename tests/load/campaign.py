"""How many sentences a second annotators hand in, and how long they wait for answers.

    python -m tests.load.campaign [--sentences 1000] [--judges 5] [--seconds 30] [--sqlite]

Runs what a server runs (`served.py`): gunicorn with 2 processes of 4 threads on PostgreSQL, with a
project of real texts where they are at hand. First a page that does nothing is asked for, to
compare with; then 20 annotators judge without pause; then 200 who take 5 to 15 seconds for a
sentence, in real time and for twice as long. A cycle is a sentence: its page, three drafts and its
submission. In the end it is compared what was confirmed with what is stored; exit status 1 is for a
difference or an error.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.load.annotators import Figures
from tests.load.figures import Cores, machine, waits
from tests.load.served import ROOT, Server, Site, site

WITHOUT_PAUSE, THINKING = 20, 200
THINK = (5, 15)
# Submissions, placements, candidates shown, drafts left behind, and sentences with too many judges.
STORED = """
import json
from django.db.models import Count
from annotation.models import Assignment, Placement, Project, ShownCandidate, Submission
handed_in = Assignment.objects.filter(state="submitted")
judges = handed_in.filter(kind="first").values("sentence").annotate(judges=Count("pk"))
print(json.dumps([
    Submission.objects.count(),
    Placement.objects.count(),
    ShownCandidate.objects.filter(assignment__in=handed_in).count(),
    handed_in.filter(draft_version__gt=0).count(),
    judges.filter(judges__gt=Project.objects.get().judges_per_sentence).count(),
]))
"""


@dataclass
class Campaign:
    """A server, the project that is judged on it, and what came of it so far."""

    server: Server
    project: int
    sentences: int = 0
    errors: int = 0

    def let(self, sessions: list[str], seconds: int, **order: Any) -> None:
        """Let these annotators do something for so long, in a process of its own, and print it."""
        whole = {"port": self.server.port, "project": self.project, "seconds": seconds}
        cores = Cores(self.server.pid)
        with cores.watched():
            figures = run(whole | {"sessions": sessions} | order)
        self.sentences += figures.sentences
        self.errors += sum(figures.errors.values())
        requests = sum(map(len, figures.seconds.values()))
        cycles = figures.sentences / seconds
        print(f"  a second: {cycles:.1f} cycles, {requests / seconds:.0f} requests")
        for line in (*waits(figures.seconds), *map(str, figures.errors.items())):
            print(f"  {line}")
        print(
            f"  cores: web {cores.server:.2f}, load generator {figures.processor / seconds:.2f}, "
            f"whole machine {cores.machine:.2f}; {machine()}",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--judges", type=int, default=5, help="judges of each sentence")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--sqlite", action="store_true", help="one process on SQLite")
    options = parser.parse_args()
    with site(sqlite=options.sqlite) as made:
        texts = made.make_project(options.sentences, options.judges)
        print(f"{options.sentences} sentences ({texts}), {options.judges} judges each; {machine()}")
        return measure(made, options.seconds)


def measure(made: Site, seconds: int) -> int:
    project, sessions = made.sign_in(THINKING)
    some = sessions[:WITHOUT_PAUSE]
    with made.serving() as server:
        campaign = Campaign(server, project)
        print("\n/healthz, to compare with", flush=True)
        campaign.let(some, 5, address="/healthz")
        print("\nfirst sentences, while the server warms up", flush=True)
        campaign.let(some, 3, think=[0, 0])
        made.take_stock()
        print(f"\n{WITHOUT_PAUSE} annotators without pause", flush=True)
        campaign.let(some, seconds, think=[0, 0])
        made.take_stock()
        print(f"\n{THINKING} annotators who think {THINK[0]} to {THINK[1]} s", flush=True)
        campaign.let(sessions, 2 * seconds, think=THINK)
    return check(made, campaign)


def check(made: Site, campaign: Campaign) -> int:
    """Compare what was confirmed with what is stored; return the exit status."""
    submissions, placements, shown, drafts, too_many = made.ask(STORED)
    print(
        f"\n{campaign.sentences} sentences confirmed, {submissions} stored; {placements} placements"
        f" of {shown} candidates; {drafts} drafts left; {too_many} sentences with too many judges;"
        f" {campaign.errors} errors"
    )
    lost = submissions != campaign.sentences or placements != shown
    return int(lost or drafts > 0 or too_many > 0 or campaign.errors > 0)


def run(order: Mapping[str, Any]) -> Figures:
    """Let annotators work by this order (see `annotators.py`) and return what they measured."""
    program = [sys.executable, "-m", "tests.load.annotators"]
    done = subprocess.run(
        program, input=json.dumps(order), stdout=subprocess.PIPE, cwd=ROOT, text=True, check=True
    )
    return Figures(**json.loads(done.stdout))


if __name__ == "__main__":
    sys.exit(main())
