"""How long pages with lists take in an installation that is full.

    python -m tests.load.pages [--projects 1000] [--sentences 100000] [--judges 5] [--times 10]

On PostgreSQL, filled by `seeder.py`: half of all sentences and judgements are in one project, the
one where there is judging, and its pages are looked at, by the administrator of all projects.
Milliseconds of the first look, which counts what is cached afterwards, and of the following
ones (median and largest); the queries of the last; and milliseconds of one more look, more than a
minute later, when it is counted again. In one process, without a network.
"""

import argparse
import os
import statistics
import time

from tests.load.figures import machine
from tests.load.served import site

# Seconds after which figures cached for a minute have expired.
PAUSE = 65


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--projects", type=int, default=1000)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--judges", type=int, default=5)
    parser.add_argument("--times", type=int, default=10)
    options = parser.parse_args()
    with site() as made:
        made.manage("collectstatic", "--noinput", "-v0")
        os.environ |= made.environment | {"LOG_LEVEL": "WARNING"}
        import django

        django.setup()
        from django.db import connection

        from tests.load.seeder import Size, fill

        size = Size(options.projects, options.sentences, options.judges)
        begun = time.perf_counter()
        fill(size)
        print(
            f"{size.projects} projects, {size.sentences} sentences, {size.judgements} judgements,"
            f" filled in {time.perf_counter() - begun:.0f} s; {machine()}"
        )
        try:
            look_at_all(size.projects, options.times)
        finally:
            connection.close()


def look_at_all(largest: int, times: int) -> None:
    from django.test import Client

    from annotation.models import User

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.get(username="annotator1"))
    pages = {
        "projects": "/",
        "more projects": "/?page=2",
        "judge": f"/projects/{largest}/judge/",
        "my judgements": f"/projects/{largest}/mine/",
        "manage": f"/projects/{largest}/settings/systems/",
        "overview": f"/projects/{largest}/overview/",
        "results": f"/projects/{largest}/results/",
        "report": f"/projects/{largest}/report/",
    }
    print(f"{'':16}{'first':>8}{'median':>8}{'most':>8} ms{'queries':>9}")
    for name, address in pages.items():
        look(client, name, address, times)
    time.sleep(PAUSE)
    print(f"\n{'':16}{'later':>8} ms")
    for name, address in pages.items():
        print(f"{name:16}{1000 * ask(client, address):8.0f}", flush=True)
    print(machine())


def look(client, name: str, address: str, times: int) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    seconds = [ask(client, address) for _time in range(times + 1)]
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    first, *others = (1000 * value for value in seconds)
    print(
        f"{name:16}{first:8.0f}{statistics.median(others):8.0f}{max(others):8.0f}"
        f"   {len(queries):9}",
        flush=True,
    )


def ask(client, address: str) -> float:
    begun = time.perf_counter()
    response = client.get(address)
    seconds = time.perf_counter() - begun
    assert response.status_code == 200, (address, response.status_code)
    return seconds


if __name__ == "__main__":
    main()
