"""Messages go to allowed hosts on the public internet only."""

import socket

import pytest
from pytest_django import Settings

from webhooks.url_policy import NotAllowed, check, is_public, resolve

PRIVATE = (
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.7",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2", "100::1", "not an address",
    "fec0::1", "feff::1", "3fff::1", "2606:4700::1111%eth0", "192.88.99.1",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _hosts(settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = ["Hooks.example.org", "ci.example.org:8443", "2130706433", "[::1]"]
    settings.WEBHOOK_PRIVATE = False


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.org/a?b=c",
        "https://HOOKS.example.org:443",
        "https://ci.example.org:8443/x",
    ],
)
def test_a_listed_host_is_allowed(url: str) -> None:
    check(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.org:8443/",
        "https://ci.example.org/x",
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
        "https://[::1/",
        "https://žluťoučký.example/",
        "https://hooks.example.org/" + "a" * 500,
    ],
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(NotAllowed, match=r"^[A-Z].*\.$"):
        check(url)


def test_without_hosts_nothing_is_allowed(settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = []
    with pytest.raises(NotAllowed):
        check("https://hooks.example.org/")


@pytest.mark.parametrize("address", PRIVATE)
def test_it_recognises_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1"])
def test_it_recognises_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["2130706433", "::1"])
def test_a_listed_host_that_means_this_machine_is_refused(host: str) -> None:
    with pytest.raises(NotAllowed):
        resolve(host, 443)


def test_a_name_with_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(0, 0, 0, "", (address, 443)) for address in ("93.184.215.14", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_host, **_kind: found)
    with pytest.raises(NotAllowed):
        resolve("hooks.example.org", 443)


def test_webhook_private_allows_this_machine_without_tls(settings: Settings) -> None:
    settings.WEBHOOK_PRIVATE = True
    settings.WEBHOOK_HOSTS = ["localhost:80"]
    check("http://localhost/")
    assert resolve("localhost", 80) in {"127.0.0.1", "::1"}
