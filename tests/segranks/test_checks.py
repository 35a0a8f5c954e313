"""Unsafe settings are refused before anything starts."""

import secrets

import pytest
from django.core.exceptions import ImproperlyConfigured

from segranks.checks import refuse_unsafe_settings
from tests.installation import Installation

KEY = secrets.token_urlsafe(50)


def test_it_accepts_debugging_for_this_machine_only() -> None:
    refuse_unsafe_settings(debug=True, hosts=["localhost", "127.0.0.1", "[::1]"], key=KEY)


def test_it_accepts_visitors_without_debugging() -> None:
    refuse_unsafe_settings(debug=False, hosts=["ranks.example.org"], key=KEY)


@pytest.mark.parametrize("host", ["ranks.example.org", "*", "10.0.0.5"])
def test_it_refuses_debugging_with_visitors(host: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DEBUG shows settings"):
        refuse_unsafe_settings(debug=True, hosts=["localhost", host], key=KEY)


@pytest.mark.parametrize("key", ["short", "a" * 80])
def test_it_refuses_a_key_that_can_be_guessed(key: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY can be guessed"):
        refuse_unsafe_settings(debug=False, hosts=["localhost"], key=key)


def test_a_refusal_is_one_sentence_and_nothing_starts(installation: Installation) -> None:
    installation.environment |= {"DEBUG": "1", "ALLOWED_HOSTS": "ranks.example.org"}
    result = installation.manage("up", "--port", "0", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: DEBUG shows settings and code")
    assert len(result.stderr.splitlines()) == 1
    assert not (installation.data / "segranks.sqlite3").exists()


def test_an_installation_behind_https_passes_djangos_checks(installation: Installation) -> None:
    installation.environment |= {"HTTPS": "1", "ALLOWED_HOSTS": "ranks.example.org"}
    result = installation.manage("check", "--deploy", "--fail-level", "WARNING")
    assert "no issues" in result.stdout
