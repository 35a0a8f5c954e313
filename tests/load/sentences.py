"""Time the list of sentences: `python -m tests.load.sentences [--sentences 100000]`.

In an SQLite database of its own, or with `--postgresql` in that of `served.py`, with two judges a
sentence: seconds to count all sentences, then milliseconds and queries of the page for each filter
and sort, its first and a late page, of a sentence in the order of the list, and of documents, first
without any and then in documents of ten lines; the best of three.
"""

import argparse
import os
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import Project

JUDGES = 2
TIMES = 3
SKIPPED_EVERY = 50
# Of a document.
LINES = 10
SORTS = ("number", "agreement", "most-judges", "fewest-judges", "skips", "last-judged")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    if options.postgresql:
        from tests.load.served import site

        with site() as made:
            run(made.environment, options.sentences)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run({"SEGRANKS_DATA": folder}, options.sentences)


def run(environment: dict[str, str], sentences: int) -> None:
    os.environ |= environment | {"ALLOWED_HOSTS": "testserver", "LOG_LEVEL": "WARNING"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "segranks.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    call_command("migrate", verbosity=0)
    try:
        measure(Client(), sentences)
    finally:
        connection.close()


def measure(client: "Client", sentences: int) -> None:
    from annotation.models import Project, User
    from evaluation.services.sentence_summaries import count_all
    from tests.load.seeder import Size, fill

    fill(Size(projects=1, sentences=sentences, judges=JUDGES))
    project = Project.objects.get()
    skip(project)
    client.force_login(User.objects.create(username="boss", is_superuser=True))
    begun = time.perf_counter()
    count_all(project.pk)
    print(f"{sentences} sentences counted in {time.perf_counter() - begun:.1f} s")
    list_page = f"/projects/{project.pk}/sentences/"
    system, other = project.systems.values_list("pk", flat=True)
    annotator = User.objects.get(username="annotator2").pk
    filters = {
        "no filter": "",
        "no filter, last page": f"page={sentences // 50}",
        "words in the source": "q=house",
        "words in no source": "q=nowhere",
        "words in translations": "q=budova&translations=on",
        "words in no translation": "q=nowhere&translations=on",
        **{
            f"state {state}": f"state={state}"
            for state in ("unjudged", "progress", "complete", "nothing", "practice", "excluded")
        },
        "judged by": f"by={annotator}",
        "disputed": "disputed=on",
        "skipped": "skipped=on",
        "commented": "commented=on",
        "open": "open=on",
        "system has its own": f"system={system}",
        "system differs": f"system={system}&differs={other}",
        **{f"sort {sort}": f"sort={sort}" for sort in SORTS},
        "sort agreement, last page": f"sort=agreement&page={sentences // 50}",
        "disputed, by agreement": "disputed=on&sort=agreement",
    }
    for name, query in filters.items():
        view(client, name, f"{list_page}?{query}")
    middle = sentences // 2
    for name in ("", "sort=agreement", "disputed=on&sort=agreement", "q=house"):
        view(client, f"sentence, {name or 'no filter'}", f"{list_page}{middle}/?{name}")
    documents(client, project, "no documents")
    for number in range(1, sentences, LINES):
        of_document = project.sentences.filter(number__range=(number, number + LINES - 1))
        of_document.update(document=f"document {number}")
    documents(client, project, "documents")


def documents(client: "Client", project: "Project", name: str) -> None:
    page = f"/projects/{project.pk}/documents/"
    middle = project.sentences.count() // 2
    view(client, f"{name}, list", page)
    view(client, f"{name}, late in the list", f"{page}?page=90")
    view(client, f"{name}, words", f"{page}?q=house")
    view(client, f"{name}, words nowhere", f"{page}?q=nowhere")
    view(client, f"{name}, one in the middle", f"{page}{middle}/")


def skip(project: "Project") -> None:
    """Let an annotator skip some sentences."""
    from django.utils import timezone

    from annotation.models import Assignment, Skip, User

    now, annotator = timezone.now(), User.objects.get(username="annotator40")
    skipped = Assignment.objects.bulk_create(
        Assignment(
            project=project,
            sentence_id=pk,
            annotator=annotator,
            kind="first",
            state="skipped",
            slot=JUDGES + 1,
            created=now,
        )
        for number, pk in project.sentences.values_list("number", "pk")
        if number % SKIPPED_EVERY == 0
    )
    Skip.objects.bulk_create(Skip(assignment=one, reason="other", created=now) for one in skipped)


def clock() -> float:
    from django.db import connection

    # PostgreSQL works in a process of its own.
    return time.process_time() if connection.vendor == "sqlite" else time.perf_counter()


def view(client: "Client", name: str, address: str) -> None:
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    times = []
    for _time in range(TIMES):
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            begun = clock()
            response = client.get(address)
            times.append(clock() - begun)
        assert response.status_code == 200, response
    print(f"{name:28}{1000 * min(times):8.0f} ms{len(queries):4} queries")


if __name__ == "__main__":
    main()
