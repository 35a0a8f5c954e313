"""What the statements of a submission, with the next sheet, read as a project grows.

    python -m tests.load.growth [--sentences 1000]

On PostgreSQL, filled by `seeder.py` with so many sentences that three annotators have judged, and
with ten times as many: an annotator who is new judges. By the planner's figures (EXPLAIN ANALYZE),
for each statement that reads: the most rows that its scans looked at, and the most blocks of the
database that it touched, in both sizes.
"""

import argparse
import json
import re
from typing import Any

from tests.load.annotators import ADDRESS, FRAME, TOKEN, found, placements
from tests.load.served import site

SHEETS = 8
MEASURE = """
import json, sys
from tests.load.growth import measured
json.dump(measured({sentences}), sys.stdout)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=1000)
    options = parser.parse_args()
    sizes = options.sentences, 10 * options.sentences
    read = []
    for size in sizes:
        with site() as made:
            made.environment["LOG_LEVEL"] = "WARNING"
            made.manage("collectstatic", "--noinput", "-v0")
            read.append(made.ask(MEASURE.format(sentences=size)))
    small, large = read
    print(f"{'':58}rows at {sizes[0]}, {sizes[1]}   blocks at {sizes[0]}, {sizes[1]}")
    for statement in small | large:
        (rows, blocks), (more_rows, more_blocks) = (
            some.get(statement, (0, 0)) for some in (small, large)
        )
        print(f"{statement:58}{rows:8}{more_rows:8}{blocks:12}{more_blocks:8}")


def measured(sentences: int) -> dict[str, tuple[int, int]]:
    """Fill the database, let an annotator judge, and return rows and blocks by statement."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotation.models import Membership, Project, User
    from tests.load.seeder import Size, fill

    settings.ALLOWED_HOSTS = ["testserver"]
    fill(Size(1, sentences, 3))
    Project.objects.update(judges_per_sentence=4, state=Project.State.OPEN)
    project = Project.objects.get()
    newcomer = User.objects.create_user("newcomer")
    Membership.objects.create(user=newcomer, project=project, role="annotator")
    client = Client()
    client.force_login(newcomer)
    # The first page counts the sentences of the project, once a minute.
    sheet = client.get(f"/projects/{project.pk}/judge/").content.decode()
    frame = found(FRAME, sheet)
    most: dict[str, tuple[int, int]] = {}
    for _sheet in range(SHEETS):
        body = {"token": found(TOKEN, sheet), "choices": placements(sheet), "frame": frame}
        address = dict(ADDRESS.findall(sheet))["submission"]
        with CaptureQueriesContext(connection) as captured:
            answer = client.post(address, body, content_type="application/json")
        sheet = answer.json()["next"]
        for query in captured.captured_queries:
            if query["sql"].startswith("SELECT"):
                name, figures = described(query["sql"]), explained(query["sql"])
                before = most.get(name, (0, 0))
                most[name] = max(before[0], figures[0]), max(before[1], figures[1])
    return most


def described(statement: str) -> str:
    """Return the tables of a statement, and what tells statements of the same tables apart."""
    tables = re.findall(r'(?:FROM|JOIN) "(\w+)"', statement)
    names = ", ".join(dict.fromkeys(name.removeprefix("annotation_") for name in tables))
    return f"{names[:48]}{' (locks)' if 'FOR NO KEY' in statement else ''}"


def explained(statement: str) -> tuple[int, int]:
    """Return the rows that the scans of a statement look at, and the blocks that it touches."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}")
        answer = cursor.fetchone()[0]
        transaction.set_rollback(True)
    plan = (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
    return rows_of(plan), plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def rows_of(plan: dict[str, Any]) -> int:
    rows = sum(map(rows_of, plan.get("Plans", [])))
    if "Scan" in plan["Node Type"]:
        each = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
        rows += round(each * plan["Actual Loops"])
    return rows


if __name__ == "__main__":
    main()
