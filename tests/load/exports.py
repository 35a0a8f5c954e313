"""Seconds and memory of exports of a million placements, while annotators work.

    python -m tests.load.exports [--sentences 50000] [--annotators 20] [--formats csv archive]

On PostgreSQL, filled by `seeder.py` with one project of twenty placements a sentence. Each export
is a process of `manage.py export_project`; its memory is the peak of that process, as in
`exchange.py`, and its growth is the difference to an export of a hundred sentences. Each export
runs alone, and again while annotators judge through gunicorn without a pause, whose figures follow
it.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.load import campaign
from tests.load.exchange import FORMATS, run
from tests.load.figures import machine, waits
from tests.load.served import Site, site

JUDGES = 5
SMALL = 100
# Seconds of judging between two checks whether the export has finished.
ROUND = 5
# One judge more than in the generated data, so that there are sentences to judge.
FILL = f"""
from tests.load.seeder import Size, fill
fill(Size(projects=1, sentences={{}}, judges={JUDGES}))
from annotation.models import Placement, Project
Project.objects.update(judges_per_sentence={JUDGES + 1})
print(Placement.objects.count())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    options = parser.parse_args()
    with site() as made:
        made.ask(FILL.format(SMALL))
        small = {name: export(made, name)[1] for name in options.formats}
    with site() as made:
        placements = made.ask(FILL.format(options.sentences))
        print(f"{placements} placements; {machine()}", flush=True)
        for name in options.formats:
            report(f"{name}, alone", *export(made, name), small[name])
        project, sessions = made.sign_in(options.annotators)
        with made.serving() as server:
            order = {"port": server.port, "project": project, "sessions": sessions}
            for name in options.formats:
                beside(made, name, order | {"think": [0, 0], "seconds": ROUND}, small[name])
        print(machine())


def beside(made: Site, name: str, order: Mapping[str, Any], small: float) -> None:
    """Print the figures of an export, and of annotators who judge at the same time."""
    rounds = []
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        exporting = pool.submit(export, made, name)
        while not exporting.done():
            rounds.append(campaign.run(order))
    passed = time.monotonic() - begun
    report(f"{name}, while others judge", *exporting.result(), small)
    seconds: dict[str, list[float]] = defaultdict(list)
    for figures in rounds:
        for kind, values in figures.seconds.items():
            seconds[kind] += values
    sentences = sum(figures.sentences for figures in rounds)
    errors = sum((Counter(figures.errors) for figures in rounds), Counter())
    print(f"  {sentences / passed:.1f} sentences a second, {sum(errors.values())} errors")
    for line in (*waits(seconds), *map(str, errors.items())):
        print(f"  {line}", flush=True)


def report(what: str, seconds: float, peak: float, small: float) -> None:
    growth = peak - small
    print(f"{what:36}{seconds:7.1f} s {peak:5.0f} MiB, {growth:+.0f} MiB", flush=True)


def export(made: Site, name: str) -> tuple[float, float]:
    """Return seconds and peak MiB of an export in this format."""
    file = str(made.folder / f"out-{name}")
    return run(["export_project", "1", file, "--format", name], made.environment)


if __name__ == "__main__":
    main()
