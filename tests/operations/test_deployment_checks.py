"""`manage.py check --deploy` warns of a site without TLS, and says it once."""

import pytest
from django.core.checks import run_checks
from pytest_django import Settings


@pytest.mark.parametrize("https", [True, False])
def test_a_site_without_https_is_warned_of(settings: Settings, https: bool) -> None:
    settings.HTTPS = https
    found = [
        message.id for message in run_checks(tags=["security"], include_deployment_checks=True)
    ]
    assert ("segranks.W001" in found) is not https
