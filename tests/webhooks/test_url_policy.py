"""Nothing is sent but to allowed hosts in the open internet, whatever an address pretends."""

import socket
from threading import Event
from time import monotonic

import pytest
from pytest_django import Settings

from webhooks import url_policy
from webhooks.url_policy import NotAllowed, Target, is_open, parse, resolve

CLOSED = (
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.7",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2", "100::1", "not an address",
    "192.88.99.1", "192.31.196.1", "192.52.193.1", "192.175.48.1", "3fff::1", "2620:4f:8000::1",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _hosts(settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = ["Hooks.example.org", "ci.example.org:8443", "2130706433", "[::1]"]
    settings.WEBHOOK_PRIVATE = False


def test_a_listed_host_is_allowed_at_443_only() -> None:
    assert parse("https://hooks.example.org/a?b=c") == Target(
        "https", "hooks.example.org", 443, "/a?b=c"
    )
    assert parse("https://HOOKS.example.org:443").port == 443
    with pytest.raises(NotAllowed, match=r"hooks\.example\.org:8443"):
        parse("https://hooks.example.org:8443/")


def test_a_host_that_is_listed_with_a_port_is_allowed_at_that_one() -> None:
    assert parse("https://ci.example.org:8443/x").named == "ci.example.org:8443"
    with pytest.raises(NotAllowed, match=r"ci\.example\.org:443"):
        parse("https://ci.example.org/x")


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example.org/",
        "ftp://hooks.example.org/",
        "//hooks.example.org/",
        "hooks.example.org",
        "https://",
        "https:///path",
        "https://user@hooks.example.org/",
        "https://hooks.example.org@evil.example/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org:/",
        "https://hooks.example.org#@evil.example/",
        "https://hooks.example.org\\@evil.example/",
        "https://hooks.example.org /",
        "https://hooks.example.org/\r\nX: y",
        "https://evil.example/?hooks.example.org",
        "https://hooks.example.org.evil.example/",
        "https://evilhooks.example.org/",
        "https://hooks.example.org./",
        "https://127.0.0.1/",
        "https://0x7f000001/",
        "https://[::1/",
        "https://žluťoučký.example/",
        "https://hooks.example.org/" + "a" * 500,
    ],
)
def test_everything_else_is_refused_in_a_sentence(address: str) -> None:
    with pytest.raises(NotAllowed, match=r"^[A-Z].*\.$"):
        parse(address)


def test_without_hosts_nothing_is_allowed(settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = []
    with pytest.raises(NotAllowed, match="has to allow it first"):
        parse("https://hooks.example.org/")


@pytest.mark.parametrize("address", CLOSED)
def test_addresses_of_closed_networks_are_none_to_connect_to(address: str) -> None:
    assert not is_open(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1"])
def test_addresses_of_the_open_internet_are(address: str) -> None:
    assert is_open(address)


@pytest.mark.parametrize("address", ["https://2130706433/", "https://[::1]/"])
def test_a_number_that_means_this_machine_is_refused_even_where_it_is_listed(address: str) -> None:
    with pytest.raises(NotAllowed, match="not an address of the open internet"):
        resolve(parse(address))


@pytest.mark.parametrize("second", ["10.0.0.1", "::ffff:127.0.0.1"])
def test_a_name_that_also_leads_into_a_closed_network_is_refused(
    monkeypatch: pytest.MonkeyPatch, second: str
) -> None:
    monkeypatch.setattr(url_policy, "addresses_of", lambda *_host: ["93.184.215.14", second])
    with pytest.raises(NotAllowed, match="leads to"):
        resolve(parse("https://hooks.example.org/"))


def test_a_resolver_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done = Event()

    def keep_silent(*_host: object, **_kind: object) -> list[object]:
        done.wait(5)
        return []

    monkeypatch.setattr(url_policy, "LOOKED_UP_WITHIN", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", keep_silent)
    started = monotonic()
    with pytest.raises(TimeoutError, match="took longer"):
        url_policy.addresses_of("hooks.example.org", 443)
    assert monotonic() - started < 2
    done.set()


@pytest.mark.parametrize(
    ("host", "port", "named"),
    [
        ("example.org", 443, "example.org"),
        ("example.org", 8443, "example.org:8443"),
        ("2a00:1450::1", 443, "[2a00:1450::1]"),
        ("2a00:1450::1", 8443, "[2a00:1450::1]:8443"),
    ],
)
def test_the_host_is_named_as_in_an_address(host: str, port: int, named: str) -> None:
    assert Target("https", host, port, "/").named == named


def test_what_is_for_trying_allows_this_machine_without_tls(settings: Settings) -> None:
    settings.WEBHOOK_PRIVATE = True
    settings.WEBHOOK_HOSTS = ["localhost:80"]
    assert resolve(parse("http://localhost/")) in {"127.0.0.1", "::1"}
