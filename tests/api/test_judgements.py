"""Judgements: in pages, as lines, of one sentence."""

import json
import tracemalloc
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.kinds import DEFAULT
from annotation.models import Assignment, Judgement, Project, Segment, Submission, User
from api.views import judgements
from tests.api.client import RANKS, Program, at, problem_of, program_of
from tests.evaluation.projects import revise, submit
from tests.factories import make_annotator

OTHERS: Mapping[str, Sequence[int | None]] = {"0 1 2": [3, 2, 1], "4 5 6": [2, 1]}


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project, "jana")


@pytest.fixture
def judged(project: Project, jana: User) -> Project:
    """Six judgements: two segments of three sentences each, one of them by another annotator."""
    submit(project, jana, 1, RANKS)
    submit(project, jana, 2, RANKS)
    submit(project, make_annotator(project, "karel"), 1, OTHERS)
    return project


def rows_of(program: Program, project: Project, query: str = "") -> list[dict[str, Any]]:
    answer = program.send("GET", f"projects/{project.pk}/judgements/{query}")
    assert answer.status_code == 200, answer.content
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


def lines_of(program: Program, project: Project, query: str = "") -> list[dict[str, Any]]:
    answer = program.send(
        "GET", f"projects/{project.pk}/judgements/{query}", Accept="application/x-ndjson"
    )
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.getvalue().splitlines()]


def test_a_judgement_has_annotator_and_placements(
    program: Program, judged: Project, jana: User
) -> None:
    row = rows_of(program, judged)[0]
    assert {name: row[name] for name in ("sentence", "words", "annotator", "kind", "version")} == {
        "sentence": 1,
        "words": "the old house",
        "annotator": {"id": jana.pk, "name": "jana"},
        "kind": "first",
        "version": 1,
    }
    assert [
        (placed["text"], placed["systems"], placed["rank"]) for placed in row["placements"]
    ] == [("starý dům", ["A"], 1), ("stará dům", ["B"], 2), ("dům", ["C"], None)]


def test_a_comment_is_with_its_judgement_and_on_the_page_of_the_sentence(
    program: Program, judged: Project, client: Client
) -> None:
    first = Judgement.objects.order_by("pk")[0]
    Judgement.objects.filter(pk=first.pk).update(comment="A <typo>.")
    assert [row["comment"] for row in rows_of(program, judged)[:2]] == ["A <typo>.", ""]
    found = program.send("GET", at(judged, "sentences/1/judged/")).json()
    assert found["segments"][0]["judgements"][0]["comment"] == "A <typo>."
    client.force_login(make_annotator(judged, "boss", "administrator"))
    page = client.get(reverse("sentence", args=[judged.pk, 1])).content.decode()
    assert f'data-judgement="{first.pk}"' in page
    assert "A &lt;typo&gt;." in page


@pytest.mark.databases
def test_pages_and_lines_have_the_same_rows(program: Program, judged: Project) -> None:
    found: list[dict[str, Any]] = []
    address = f"projects/{judged.pk}/judgements/?limit=4"
    while address:
        page = program.send("GET", address).json()
        found += page["results"]
        address = (page["next"] or "").partition("/api/v1/")[2]
    assert len(found) == 6
    assert found == lines_of(program, judged)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("annotator={jana}", 4),
        ("sentence=1", 4),
        ("segment={segment}", 2),
        ("system=C", 3),
        ("system=D", 0),
        ("kind=inter", 2),
        ("kind=first&sentence=2", 2),
        ("since={before}", 6),
        ("since={later}", 0),
        ("until={later}", 6),
        ("until={before}", 0),
        ("after={first}", 5),
    ],
)
def test_each_filter(program: Program, judged: Project, jana: User, query: str, count: int) -> None:
    now = timezone.now()
    written = query.format(
        jana=jana.pk,
        segment=Segment.objects.earliest("pk").pk,
        before=(now - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        later=(now + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        first=Judgement.objects.earliest("pk").pk,
    )
    assert len(rows_of(program, judged, f"?{written}")) == count
    assert len(lines_of(program, judged, f"?{written}")) == count


@pytest.mark.parametrize(
    "query",
    ["annotator=x", "kind=practice", "since=yesterday", "sentence=0", "until=", "color=red"],
)
@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_it_refuses_wrong_filters_in_both_formats(
    program: Program, judged: Project, query: str, accept: str
) -> None:
    answer = program.send("GET", f"projects/{judged.pk}/judgements/?{query}", Accept=accept)
    assert problem_of(answer, 400)["errors"][0]["parameter"] == query.partition("=")[0]


@pytest.mark.parametrize("query", ["limit=5", "cursor=cD0x"])
def test_it_refuses_pages_of_lines(program: Program, judged: Project, query: str) -> None:
    path = f"projects/{judged.pk}/judgements/?{query}"
    assert program.send("GET", path).status_code == 200
    answer = program.send("GET", path, Accept="application/x-ndjson")
    assert problem_of(answer, 400)["errors"][0]["parameter"] == query.partition("=")[0]


def test_only_the_latest_version_is_listed(program: Program, project: Project, jana: User) -> None:
    assignment = submit(project, jana, 1, RANKS)
    revise(assignment, OTHERS)
    rows = rows_of(program, project)
    assert [row["version"] for row in rows] == [2, 2]
    assert [placed["rank"] for placed in rows[0]["placements"]] == [3, 2, 1]


def test_practice_and_control_are_left_out(program: Program, judged: Project) -> None:
    Assignment.objects.filter(sentence__number=2).update(kind="control", slot=None)
    assert {row["sentence"] for row in rows_of(program, judged)} == {1}


def test_a_page_takes_the_same_queries_for_many_rows(program: Program, judged: Project) -> None:
    def queries(limit: int) -> int:
        with CaptureQueriesContext(connection) as asked:
            rows_of(program, judged, f"?limit={limit}")
        return len(asked)

    # The first one remembers when the token was used.
    queries(1)
    assert queries(1) == queries(6)


@pytest.mark.databases
def test_lines_take_the_same_memory_for_many_rows(
    program: Program, project: Project, jana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten times as many judgements, and the most that is held at once stays as it was."""
    monkeypatch.setattr(judgements, "CHUNK", 50)
    first, now = submit(project, jana, 1, RANKS), timezone.now()
    segment = Segment.objects.earliest("pk")

    def grow_to(count: int) -> None:
        more = range(Judgement.objects.count(), count)
        given = Assignment.objects.bulk_create(
            Assignment(
                project=project,
                sentence=first.sentence,
                annotator=jana,
                kind="intra",
                state="submitted",
                created=now,
                submitted=now,
            )
            for _number in more
        )
        submissions = Submission.objects.bulk_create(
            Submission(assignment=assignment, created=now) for assignment in given
        )
        Judgement.objects.bulk_create(
            Judgement(submission=submission, segment=segment, created=now)
            for submission in submissions
        )

    def most_held() -> int:
        tracemalloc.start()
        rows = judgements.find_judgements(project, {})
        count = sum(1 for _line in judgements.stream_lines(rows, DEFAULT))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == Judgement.objects.count()
        return most

    grow_to(250)
    # Once for what is made once.
    most_held()
    few = most_held()
    grow_to(2500)
    # All at once would be thirty times as much.
    assert most_held() < 4 * few


def test_all_judgements_of_a_sentence(program: Program, project: Project) -> None:
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]})
    submit(project, karel, 1, {"0 1 2": [2, 1, 3], "4 5 6": [1, 2]})
    observer = program_of(make_annotator(project, "observer", "observer"), "read")
    found = observer.send("GET", at(project, "sentences/1/judged/")).json()
    assert found["number"] == 1
    first = found["segments"][0]
    assert "".join(piece["text"] for piece in first["pieces"]) == found["source"]
    assert [(row["annotator"], row["repeat"]) for row in first["judgements"]] == [
        ("jana", False),
        ("karel", True),
    ]
    ranks = sorted(
        [tuple(given["rank"] for given in one["ranks"]) for one in first["candidates"]], key=str
    )
    assert ranks == sorted([(1, 2), (2, 1), (None, 3)], key=str)
    ids = [row["id"] for row in first["judgements"]]
    for one in first["candidates"]:
        assert [given["judgement"] for given in one["ranks"]] == ids
        assert one["systems"]
    # The worst by their mean place, the garbage, comes last.
    assert [given["rank"] for given in first["candidates"][-1]["ranks"]] == [None, 3]
