"""Ten thousand odd requests to all addresses, by all roles: none is answered with a server error.

The requests are the same each time; SEGRANKS_FUZZ_SEED=… sends others, and SEGRANKS_FUZZ_REQUESTS=…
another number of them.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from api.tokens import create_token
from tests.security import requests as valid
from tests.security.addresses import METHODS, Address, addresses
from tests.security.world import WEBHOOK_HOST, World, make_world
from tests.transactions import undone

pytestmark = pytest.mark.django_db
SEED = int(os.environ.get("SEGRANKS_FUZZ_SEED", 20261123))
REQUESTS = int(os.environ.get("SEGRANKS_FUZZ_REQUESTS", 10_000))

TEXTS = [
    "", " ", "x", "0", "-1", "1.5", "1e400", "NaN", "true", "null", "None", "[]", "{}", "../..",
    "é", "\0", "a\0b", "\ud800", "\U0001f600", "\u202e", "\r\nSet-Cookie: a=b", "'", "%", "%s",
    "*/*", "2026-13-45", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999+14:00", "garbage",
    "x" * 5000, "١٢", "1_000", str(2**31), str(2**63), str(10**30), "9" * 5000, "<script>", "a,b",
    "a\nb",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 1.5, -0.0, 1e308, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**400,
    [], {}, [[]], [None], ["x", "x"], {"x": {"x": []}}, {"": ""}, *TEXTS,
]  # fmt: skip
IDS = [
    0, -1, 1, 2, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**30, "x", "%00", "a%00b", "%ED%A0%80", "..",
    "%2e%2e", "é", "%", "1e5", "%20", "x" * 3000, "%2F", "agreement", "csv", "sr_x", "1-2-3",
]  # fmt: skip
PARAMETERS = [
    "limit", "cursor", "offset", "page", "confirm", "zone", "version", "next", "sort", "q", "role",
    "since", "after", "annotator", "system", "sentence", "kind", "state", "resamples", "seed",
    "level", "PROLIFIC_PID", "SESSION_ID", "format", "_popup", "_changelist_filters", "all",
    "o", "e", "p",
    "state__exact", "imported_with__id__exact", "project__id__exact", "term", "app_label",
]  # fmt: skip
CONTENT_TYPES = [
    "application/json", "application/x-www-form-urlencoded", MULTIPART_CONTENT, "text/plain", "",
    "multipart/form-data; boundary=\xe9", "application/json; charset=utf-7", "x", "/",
    "multipart/form-data",
    "application/json; charset=none", "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data; boundary=" + "x" * 300,
]  # fmt: skip
BODIES = [
    b"", b"\0", b"\xff\xfe", b"{", b"[]", b"null", b'"\\ud800"', b'{"a": 1, "a": 2}', b"[" * 3000,
    b'{"x": NaN}', b"1" * 6000, b"a=1&a=2&=&%00=%00&%ff=%ff", b"a" * 100_000,
    b"--" + BOUNDARY.encode() + b"\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb",
    b"--" + BOUNDARY.encode() + b"\r\nContent-Disposition: form-data; name=\"files\"; "
    b"filename=\"\0\"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--" + BOUNDARY.encode()
    + b"--\r\n",
    b"--x--", b"&".join(b"a=1" for _number in range(30_000)),
]  # fmt: skip
# Not Content-Length: servers refuse a wrong one.
HEADERS = [
    "accept", "accept-language", "accept-encoding", "user-agent", "idempotency-key", "range",
    "referer", "if-none-match", "if-modified-since", "origin", "x-request-id", "x-requested-with",
    "host", "x-forwarded-for", "x-csrftoken", "authorization", "cookie", "content-encoding",
]  # fmt: skip
COOKIES = ["sessionid", "csrftoken", "django_language", "messages"]


@dataclass
class Request:
    """A request as the test client sends it."""

    method: str
    path: str
    role: str
    content_type: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = (self.content_type, self.body[:300], self.headers)
        return f"{self.role}: {self.method} {self.path[:300]} {parts}"


@pytest.fixture
def world(db: None, tmp_path: Path) -> Iterator[World]:
    settings = override_settings(
        MEDIA_ROOT=tmp_path, WEBHOOK_HOSTS=[WEBHOOK_HOST], API_RATE=10**9, API_ANONYMOUS_RATE=10**9
    )
    with settings:
        yield make_world()


def test_no_request_is_answered_with_a_server_error(world: World) -> None:
    choices = Random(SEED)
    places = addresses()
    secrets = tokens(world)
    failed: dict[str, tuple[int, str]] = {}
    statuses: Counter[int] = Counter()
    for number in range(REQUESTS):
        request = odd_request(choices, world, choices.choice(places), secrets)
        for name in caches:
            caches[name].clear()
        with undone():
            status, problem = answer_to(world, request)
        statuses[status] += 1
        world.restore_files()
        if problem:
            failed.setdefault(problem, (number, str(request)))
    # Enough of them reach what they ask for.
    assert sum(number for status, number in statuses.items() if 200 <= status < 400) > REQUESTS / 5
    assert not failed, f"SEGRANKS_FUZZ_SEED={SEED}:\n" + "\n\n".join(
        f"{problem}\n  request {number}: {request}" for problem, (number, request) in failed.items()
    )


def answer_to(world: World, request: Request) -> tuple[int, str]:
    """Return the status, 0 for none, and what is wrong with the answer, "" for nothing."""
    client = world.client(request.role, raise_request_exception=False)
    if cookie := request.headers.get("cookie"):
        # The session of the role, and another cookie.
        own = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        request.headers["cookie"] = f"{own}; {cookie}"
    try:
        answer: Any = client.generic(
            request.method,
            request.path,
            request.body,
            content_type=request.content_type,
            headers=request.headers,
        )
        if answer.streaming:
            b"".join(answer.streaming_content)
    except Exception as problem:
        return 0, described(problem)
    status = answer.status_code
    if status < 500:
        return status, ""
    error = answer.exc_info[1] if getattr(answer, "exc_info", None) else None
    return status, described(error) if error else f"{status} {answer.content[:300]!r}"


def described(problem: BaseException) -> str:
    """Return the error with the lines of SegRanks that led to it."""
    ours = [
        f"{place.filename}:{place.lineno}"
        for place in extract_tb(problem.__traceback__)
        if "site-packages" not in place.filename and "/tests/" not in place.filename
    ]
    last = extract_tb(problem.__traceback__)[-1:]
    where = [*ours[-3:], *(f"{place.filename}:{place.lineno}" for place in last)]
    kind = type(problem).__name__
    return f"{kind}: {re.sub(r'[0-9]+', '0', str(problem))[:200]} at {', '.join(where)}"


def tokens(world: World) -> list[str]:
    """Return secrets of API tokens: of an owner and an administrator, and one that only reads."""
    made = [("owner", "write"), ("administrator", "write"), ("observer", "read")]
    users = [(world.people[role], scope) for role, scope in made]
    return [create_token(user=user, name="fuzz", scope=scope)[1] for user, scope in users if user]


def odd_request(choices: Random, world: World, address: Address, secrets: list[str]) -> Request:
    """Return a request to the address with an odd method, value, header or body."""
    parts = choices.choice([world.mine, world.mine, world.mine, world.other])
    valid_ids = known_ids(address, parts)
    path = "/" + re.sub(
        r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)",
        lambda found: str(an_id(choices, valid_ids.get(found[1] or found[2]))),
        address.route,
    ).strip("^$").replace("\\Z", "")
    method = choices.choice(known_methods(address))
    if choices.random() < 0.15:
        method = choices.choice([*METHODS, "HEAD", "OPTIONS", "TRACE", "FOO"])
    request = Request(method, path, choices.choice(["anonymous", *world.sessions]))
    if choices.random() < 0.4:
        request.path += "?" + odd_query(choices)
    if method not in ("GET", "HEAD"):
        request.content_type, request.body = odd_body(choices, address, method, parts)
    for _header in range(choices.choice([0, 0, 1, 2])):
        name = choices.choice(HEADERS)
        value = choices.choice(TEXTS).encode("utf-8", "replace").decode("latin-1")
        request.headers[name] = value.replace("\r", "").replace("\n", "")
        if name == "cookie":
            request.headers[name] = f"{choices.choice(COOKIES)}={request.headers[name]}"
    if address.name.startswith("api-") and choices.random() < 0.5:
        request.headers["authorization"] = f"Bearer {choices.choice(secrets)}"
    if address.name.startswith("api-") and method == "POST" and choices.random() < 0.2:
        request.headers["idempotency-key"] = "once"
    return request


def known_ids(address: Address, parts: Any) -> dict[str, object]:
    try:
        return valid.ids(address, parts)
    except AssertionError:
        # Django's administration: most objects are projects or accounts.
        return dict.fromkeys(address.parameters, parts.project.pk)


def known_methods(address: Address) -> list[str]:
    """Return the methods for which there is a valid request, and GET."""
    known = [method for name, method in valid.API_FIELDS if name == address.name]
    if address.name in valid.JSON_FIELDS:
        known += ["PUT", "POST"]
    return [*known, "POST", "GET"] if not known else [*known, *known, "GET", "DELETE"]


def an_id(choices: Random, known: object) -> object:
    return choices.choice(IDS) if known is None or choices.random() < 0.25 else known


def odd_query(choices: Random) -> str:
    pairs = [
        (choices.choice(PARAMETERS), choices.choice(TEXTS).encode("utf-8", "surrogatepass"))
        for _pair in range(choices.choice([1, 1, 2, 3]))
    ]
    return choices.choice([urlencode(pairs), quote(choices.choice(BODIES)[:2000])])


def odd_body(choices: Random, address: Address, method: str, parts: Any) -> tuple[str, bytes]:
    """Return content type and body: valid fields, some replaced by odd values, or anything."""
    if choices.random() < 0.2:
        return choices.choice(CONTENT_TYPES), choices.choice(BODIES)
    is_json = (address.name, method) in valid.API_FIELDS or address.name in valid.JSON_FIELDS
    if is_json:
        make = valid.API_FIELDS.get((address.name, method)) or valid.JSON_FIELDS[address.name]
        fields = made_odd(choices, make(parts), VALUES)
        return choices.choice(["application/json"] * 9 + CONTENT_TYPES), json.dumps(fields).encode()
    fields = valid.FIELDS[address.name](parts) if address.name in valid.FIELDS else {}
    fields = made_odd(choices, fields, [*TEXTS, *files(), ["x", "y"]])
    if choices.random() < 0.5 and not any(hasattr(value, "read") for value in fields.values()):
        pairs = [
            (name, text.encode("utf-8", "surrogatepass"))
            for name, value in fields.items()
            for text in (value if isinstance(value, list) else [str(value)])
        ]
        return "application/x-www-form-urlencoded", urlencode(pairs).encode()
    sendable = {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None
    }
    return MULTIPART_CONTENT, encode_multipart(BOUNDARY, sendable)


def files() -> list[SimpleUploadedFile]:
    contents = (b"", b"\0", b"\xff", b"one\ntwo\n", b"PK\x03\x04", b"\x1f\x8b\x08", b"a\tb\tc\n")
    return [SimpleUploadedFile("odd.txt", content) for content in contents]


def made_odd(choices: Random, fields: dict[str, Any], values: list[Any]) -> dict[str, Any]:
    """Return the fields with some replaced, left out or added."""
    changed = dict(fields)
    for _change in range(choices.choice([0, 1, 1, 2, 3])):
        name = choices.choice([*changed, "username", "next", "extra", "\ud800", "x" * 300])
        name = name.encode("utf-8", "replace").decode() if values is not VALUES else name
        if choices.random() < 0.2:
            changed.pop(name, None)
        elif isinstance(changed.get(name), dict) and choices.random() < 0.7:
            changed[name] = made_odd(choices, changed[name], values)
        else:
            changed[name] = choices.choice(values)
    return changed
