"""How many requests are allowed."""

from typing import Any

import pytest
from redis import Redis

from annotation.models import Project, User
from segranks.service_options import shared_cache
from tests.api.client import Program, at, problem_of, program_of


def test_it_limits_all_tokens_of_a_person_together(owner: User, settings: Any) -> None:
    settings.API_RATE = 3
    first, second = program_of(owner), program_of(owner)
    assert [first.send("GET", "projects/").status_code for _time in range(3)] == [200] * 3
    answer = second.send("GET", "projects/")
    problem_of(answer, 429)
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    other = program_of(User.objects.create(username="other"))
    assert other.send("GET", "projects/").status_code == 200


def test_it_counts_refused_requests(program: Program, settings: Any) -> None:
    settings.API_RATE = 2
    codes = [program.send("GET", "projects/999999/").status_code for _time in range(3)]
    assert codes == [404, 404, 429]


def test_it_limits_computations_more(program: Program, project: Project, settings: Any) -> None:
    settings.API_RATE = 20
    path = at(project, "statistics/")
    assert [program.send("GET", path).status_code for _time in range(3)] == [200, 200, 429]
    assert program.send("GET", "projects/").status_code == 200


def test_it_limits_wrong_tokens_by_address(db: None, settings: Any) -> None:
    settings.API_ANONYMOUS_RATE = 2
    program = Program("sr_wrong")
    codes = [program.send("GET", "projects/").status_code for _time in range(3)]
    assert codes == [401, 401, 429]


def test_a_visitor_counts_once_through_forged_and_neighbouring_addresses(
    db: None, settings: Any
) -> None:
    settings.API_ANONYMOUS_RATE, settings.PROXIES = 2, 1
    forwarded = ("192.0.2.1, 2001:db8::1", "192.0.2.2, 2001:db8::2", "2001:db8::3")
    program = Program("sr_wrong")
    codes = [
        program.send("GET", "projects/", X_Forwarded_For=addresses).status_code
        for addresses in forwarded
    ]
    assert codes == [401, 401, 429]
    answer = program.send("GET", "projects/", X_Forwarded_For="2001:db8::1, 192.0.2.1")
    assert answer.status_code == 401


def test_requests_pass_while_the_cache_is_unreachable(program: Program, settings: Any) -> None:
    unreachable = shared_cache("redis://127.0.0.1:1/0", "throttles")
    settings.CACHES = settings.CACHES | {"throttles": unreachable}
    assert program.send("GET", "projects/").status_code == 200


@pytest.mark.redis
def test_requests_are_counted_in_redis(owner: User, settings: Any, redis_url: str) -> None:
    # Tests of workers, which may come before, leave their queues there.
    Redis.from_url(redis_url).flushdb()
    settings.API_RATE = 2
    settings.CACHES = settings.CACHES | {"throttles": shared_cache(redis_url, "throttles")}
    program = program_of(owner)
    codes = [program.send("GET", "projects/").status_code for _time in range(3)]
    assert codes == [200, 200, 429]
    keys = [str(key) for key in Redis.from_url(redis_url).scan_iter()]
    assert len(keys) == 1
    assert "throttle_user_" in keys[0]
