"""Pages, filters, and how often one may ask."""

import os
import subprocess
import sys
from typing import Any

import pytest
from redis import Redis

from annotation.models import Project, User
from tests.api.conftest import Program, program_of
from tests.api.test_core import problem_of
from tests.factories import make_annotator, make_project

IN_REDIS = {
    "BACKEND": "django.core.cache.backends.redis.RedisCache",
    "OPTIONS": {"serializer": "segranks.cache_serializer.JSONSerializer"},
}


@pytest.fixture
def many(owner: User, project: Project) -> list[int]:
    more = [make_project(f"p{number}", sentences=0) for number in range(11)]
    for one in more:
        one.memberships.create(user=owner, role="owner")
    return [project.pk, *(one.pk for one in more)]


def test_pages_follow_each_other_both_ways(program: Program, many: list[int]) -> None:
    pages, address = [], "/api/v1/projects/?limit=5"
    while address:
        page = program.get(address).json()
        pages.append([row["id"] for row in page["results"]])
        last, address = page, page["next"]
    assert pages == [many[:5], many[5:10], many[10:]]
    before = program.get(last["previous"]).json()
    assert [row["id"] for row in before["results"]] == pages[1]
    first = program.get(before["previous"]).json()
    assert [row["id"] for row in first["results"]] == pages[0]
    assert first["previous"] is None
    assert first["next"]


def test_no_row_is_lost_or_twice_where_some_go(program: Program, many: list[int]) -> None:
    page = program.get("/api/v1/projects/?limit=5").json()
    Project.objects.get(pk=many[2]).memberships.all().delete()
    second = program.get(page["next"]).json()
    assert [row["id"] for row in second["results"]] == many[5:10]


def test_links_keep_the_filters(program: Program, many: list[int]) -> None:
    Project.objects.filter(pk__in=many[::2]).update(state="closed")
    page = program.get("/api/v1/projects/?state=closed&limit=4").json()
    assert [row["id"] for row in page["results"]] == many[:8:2]
    page = program.get(page["next"]).json()
    assert [row["id"] for row in page["results"]] == many[8::2]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("stat=open", "stat"),
        ("state=opened", "state"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=ten", "limit"),
        ("limit=1&limit=2", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=W10=", "cursor"),
        ("cursor=é", "cursor"),
        ("cursor=WzEsIDJd", "cursor"),
        ("name=%00", "name"),
        ("format=html", "format"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused(
    program: Program, query: str, parameter: str
) -> None:
    problem = problem_of(program.send("GET", f"projects/?{query}"), 400)
    assert [error["parameter"] for error in problem["errors"]] == [parameter]


def test_a_list_takes_the_same_queries_however_long(
    owner: User, project: Project, django_assert_max_num_queries: Any
) -> None:
    program = program_of(owner)
    program.send("GET", "projects/")
    for number in range(7):
        make_annotator(project, f"a{number}")
        make_project(f"q{number}", sentences=1).memberships.create(user=owner, role="owner")
    with django_assert_max_num_queries(2):
        assert len(program.send("GET", "projects/").json()["results"]) == 8


def test_who_asks_too_often_is_told_how_long_to_wait(owner: User, settings: Any) -> None:
    settings.API_RATE = 5
    first, second = program_of(owner), program_of(owner)
    codes = [first.send("GET", "projects/").status_code for _time in range(7)]
    # A minute may begin in between.
    assert codes.count(200) in (5, 6, 7)
    for _time in range(6):
        answer = first.send("GET", "projects/")
        if answer.status_code == 429:
            break
    problem_of(answer, 429)
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert second.send("GET", "projects/").status_code == 429
    other = program_of(User.objects.create(username="other"))
    assert other.send("GET", "projects/").status_code == 200


def test_what_is_computed_anew_counts_more(
    program: Program, project: Project, settings: Any
) -> None:
    settings.API_RATE = 25
    path = f"projects/{project.pk}/statistics/"
    codes = [program.send("GET", path).status_code for _time in range(6)]
    # A minute may begin in between.
    assert codes.count(200) in (2, 3, 4)
    assert 429 in codes


def test_wrong_tokens_are_counted_by_where_they_come_from(db: None, settings: Any) -> None:
    settings.API_ANONYMOUS_RATE = 3
    program = Program("sr_wrong")
    codes = [program.send("GET", "projects/").status_code for _time in range(9)]
    assert set(codes) == {401, 429}


def test_nobody_is_turned_away_because_nothing_is_counted(program: Program, settings: Any) -> None:
    settings.CACHES = settings.CACHES | {
        "throttles": IN_REDIS | {"LOCATION": "redis://127.0.0.1:1/0"}
    }
    assert program.send("GET", "projects/").status_code == 200


def test_what_is_in_redis_is_never_unpickled_and_nothing_else_is_there() -> None:
    """As settings are with a Redis that is away."""
    code = (
        "import django; django.setup()\n"
        "from django.core.cache import caches\n"
        "cache = caches['default']\n"
        "assert cache.set('a', {1}) is None and cache.get('a') == {1}\n"
        "serializer = caches['throttles']._cache._serializer\n"
        "print(type(cache).__name__, type(serializer).__module__, type(serializer).__name__)\n"
    )
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "segranks.settings",
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["LocMemCache", "segranks.cache_serializer", "JSONSerializer"]


@pytest.mark.redis
def test_requests_are_counted_in_redis_for_all_processes(
    owner: User, settings: Any, redis_url: str
) -> None:
    settings.API_RATE = 3
    settings.CACHES = settings.CACHES | {"throttles": IN_REDIS | {"LOCATION": redis_url}}
    program = program_of(owner)
    codes = [program.send("GET", "projects/").status_code for _time in range(8)]
    # A minute may begin in between.
    assert 3 <= codes.count(200) <= 6
    assert set(codes) == {200, 429}
    keys = [str(key) for key in Redis.from_url(redis_url).scan_iter()]
    assert all("api-user-" in key for key in keys)
    assert 1 <= len(keys) <= 2
