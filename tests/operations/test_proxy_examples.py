"""The proxies of docs/deployment.md protect gunicorn, and let everything through that it allows.

tests/faults/test_slow_bodies.py starts the real proxies.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.operations.proxy_examples import (
    example,
    in_bytes,
    read_caddyfile,
    read_nginx,
    values,
)

MONITORED = ("healthz", "readyz", "metrics")


def test_caddy_buffers_bodies_and_times_out() -> None:
    whole = read_caddyfile(example("reverse_proxy"))
    timeouts = whole.one("{").one("servers").one("timeouts")
    for name in ("read_header", "read_body"):
        (duration,) = timeouts.one(name).arguments
        assert re.fullmatch(r"[1-9]\d*[sm]", duration)
    site = whole.one("rank.example.org")
    (largest,) = site.one("request_body").one("max_size").arguments
    (buffered,) = site.one("reverse_proxy").one("request_buffers").arguments
    assert settings.MAX_UPLOAD_BYTES < in_bytes(largest) < in_bytes(buffered)
    assert site.one("reverse_proxy").arguments == ["127.0.0.1:8000"]


def test_nginx_buffers_bodies_and_times_out(tmp_path: Path) -> None:
    server = read_nginx(example("proxy_pass"), tmp_path)
    (location,) = [each["block"] for each in server if each.get("args") == ["/"]]
    assert list(values(location, "proxy_request_buffering")) == [["on"]]
    for name in ("client_header_timeout", "client_body_timeout"):
        ((seconds,),) = values(server, name)
        assert re.fullmatch(r"[1-9]\d*s", seconds)
    ((largest,),) = values(server, "client_max_body_size")
    assert in_bytes(largest) > settings.MAX_UPLOAD_BYTES
    assert list(values(location, "proxy_pass")) == [["http://127.0.0.1:8000"]]


def test_nginx_gives_up_a_machine_that_is_off_before_the_page_does() -> None:
    """The page hangs up after 20 seconds, and nginx counts a machine as off only by itself."""
    found = re.search(r"^proxy_connect_timeout (\d+)s;$", example("upstream web"), re.M)
    assert found
    assert int(found[1]) < 10


def test_the_proxies_log_no_urls(tmp_path: Path) -> None:
    """Some links sign in. Both proxies log URLs of requests that fail as errors."""
    log = read_caddyfile(example("reverse_proxy")).one("{").one("log")
    excluded = ["http.log.error", "http.handlers.reverse_proxy"]
    assert log.one("exclude").arguments == excluded
    server = read_nginx(example("proxy_pass"), tmp_path)
    ((name, *form),) = values(server, "log_format")
    ((_file, used),) = values(server, "access_log")
    assert used == name
    logged = set(re.findall(r"\$\w+", "".join(form)))
    assert "$request_id" in logged
    assert logged.isdisjoint({"$request", "$request_uri", "$uri", "$args", "$http_referer"})
    ((_file, level),) = values(server, "error_log")
    assert level == "crit"


def test_nginx_uses_http_1_1(tmp_path: Path) -> None:
    """Over HTTP/1.0, a download that breaks off looks complete."""
    server = read_nginx(example("proxy_pass"), tmp_path)
    (location,) = [each["block"] for each in server if each.get("args") == ["/"]]
    assert list(values(location, "proxy_http_version")) == [["1.1"]]


def test_nginx_replaces_the_headers_that_segranks_trusts(tmp_path: Path) -> None:
    server = read_nginx(example("proxy_pass"), tmp_path)
    (location,) = [each["block"] for each in server if each.get("args") == ["/"]]
    assert dict(values(location, "proxy_set_header")) == {
        "Host": "$host",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "$remote_addr",
        "X-Request-ID": "$request_id",
    }


def test_monitoring_is_for_this_machine_only(tmp_path: Path) -> None:
    site = read_caddyfile(example("reverse_proxy")).one("rank.example.org")
    assert site.one("@inside").arguments == ["path", *(f"/{name}" for name in MONITORED)]
    assert site.one("respond").arguments == ["@inside", "404"]
    server = read_nginx(example("proxy_pass"), tmp_path)
    (hidden,) = [each for each in server if each.get("args", [""])[0] == "~"]
    assert all(re.search(hidden["args"][1], f"/{name}") for name in MONITORED)
    assert list(values(hidden["block"], "return")) == [["404"]]


@pytest.mark.parametrize(
    "wrong", ["rank.example.org {", "}", "rank.example.org {\nreverse_prox 127.0.0.1:8000\n}"]
)
def test_a_wrong_caddyfile_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"braces|directive"):
        read_caddyfile(wrong)
