"""How heavy and how fast the judging page is: `python -m tests.load.judging [--sentences 200]`.

In an SQLite database of its own, on the demo's texts many times over: what the page and all that it
loads weigh, gzipped; queries and milliseconds of showing and of handing in a sentence; and how many
sentences a second one annotator and eight at once hand in, without a network between.
"""

import argparse
import gzip
import os
import re
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {f"{i} {i + 1} {i + 2}": tuple(f"překlad {word}" for word in "abcdef") for i in range(3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SEGRANKS_DATA": folder, "STATIC_ROOT": f"{folder}/static"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "segranks.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        measure(options.sentences, Path(folder) / "static")


def measure(sentences: int, static: Path) -> None:
    from tests.factories import make_annotator, make_project

    project = make_project("load", sentences=sentences, segments={}, intra_rate=0, inter_rate=0)
    fill(project)
    people = [make_annotator(project, f"annotator{i}") for i in range(9)]
    weigh(project, people[0], static)
    alone = judge(project, people[0], sentences // 4)
    shows, submits, queries = zip(*alone, strict=True)
    print(f"showing      {1000 * statistics.median(shows):6.1f} ms, {queries[0][0]} queries")
    print(f"handing in   {1000 * statistics.median(submits):6.1f} ms, {queries[0][1]} queries")
    one = len(alone) / (sum(shows) + sum(submits))
    start = time.perf_counter()
    with ThreadPoolExecutor(8) as pool:
        done = sum(
            len(part) for part in pool.map(lambda who: judge(project, who, 10**6), people[1:])
        )
    eight = done / (time.perf_counter() - start)
    print(f"one annotator {one:.0f} sentences a second")
    print(f"eight at once {eight:.0f} sentences a second, {eight / one:.2f} x")


def fill(project) -> None:
    from annotation.models import Candidate, Segment

    segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices=indices)
        for sentence in project.sentences.all()
        for indices in TEXTS
    )
    Candidate.objects.bulk_create(
        Candidate(segment=segment, text=text)
        for segment in segments
        for text in TEXTS[segment.token_indices]
    )


def judge(project, annotator, most: int):
    """Judge through the views; return seconds of showing and of submitting, and queries of each."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(annotator)
    page = f"/projects/{project.pk}/judge/"
    figures: list[tuple[float, float, tuple[int, int]]] = []
    try:
        while len(figures) < most:
            with CaptureQueriesContext(connection) as first:
                start = time.perf_counter()
                shown = client.get(page).content.decode()
                showing = time.perf_counter() - start
            keys = set(re.findall(r'name="card-([0-9-]+)"', shown))
            if not keys:
                return figures
            number = re.search(r'name="assignment"[^>]*value="([0-9]+)"', shown)
            assert number
            address = f"/api/projects/{project.pk}/assignments/{number[1]}/submission/"
            body = {"token": str(uuid4()), "choices": dict.fromkeys(keys, 1)}
            with CaptureQueriesContext(connection) as second:
                start = time.perf_counter()
                answer = client.post(address, body, content_type="application/json")
                figures.append((showing, time.perf_counter() - start, (len(first), len(second))))
            assert answer.status_code == 201, answer.content
        return figures
    finally:
        connection.close()


def weigh(project, annotator, static: Path) -> None:
    """Print what a browser loads for the page: itself, its styles, its scripts and theirs."""
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(annotator)
    page = client.get(f"/projects/{project.pk}/judge/").content
    waiting = re.findall(r'(?:src|href)="/static/([^"]+\.(?:js|css|svg))"', page.decode())
    weights = {"page": len(gzip.compress(page))}
    while waiting:
        name = waiting.pop()
        if name not in weights:
            content = (static / name).read_bytes()
            weights[name] = len(gzip.compress(content))
            for found in re.findall(r'(?:from|import)\s*"(\.[^"]+\.js)"', content.decode()):
                path = (static / name).parent / found
                waiting.append(str(path.resolve().relative_to(static.resolve())))
    for name, size in sorted(weights.items(), key=lambda item: -item[1]):
        print(f"{size / 1000:8.1f} kB  {name}")
    print(f"{sum(weights.values()) / 1000:8.1f} kB  gzipped, all together")


if __name__ == "__main__":
    main()
