"""The security headers of responses."""

import json
import sys
from typing import Any

import pytest
from django.test import Client

from tests.installation import Installation

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}
SAFE = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
# Requests to a site behind a proxy that terminates TLS, and over plain HTTP.
SCRIPT = """
import json
import django
django.setup()
from django.test import Client
there = {"host": "rank.example.org"}
page = Client().get("/sign-in/", headers=there | {"x-forwarded-proto": "https"})
plain = Client().get("/sign-in/", headers=there)
stranger = Client().get("/sign-in/", headers={"host": "evil.example.org"})
print(json.dumps({
    "headers": dict(page.headers),
    "cookies": [cookie.OutputString() for cookie in page.cookies.values()],
    "plain": [plain.status_code, plain.get("Location")],
    "stranger": stranger.status_code,
}))
"""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/sign-in/", "/", "/nowhere/", "/admin/login/", "/api/v1/projects/1/ranking/"]
)
def test_every_page_has_a_strict_content_security_policy(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert {name: headers.get(name) for name in SAFE} == SAFE
    policy = headers["Content-Security-Policy"]
    assert set(policy.split("; ")) == POLICY
    assert "unsafe" not in policy


def test_health_checks_have_nosniff(client: Client) -> None:
    headers = client.get("/healthz").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Type"] == "application/json"


def responses(installation: Installation, **environment: str) -> dict[str, Any]:
    installation.environment |= {"DJANGO_SETTINGS_MODULE": "segranks.settings", **environment}
    return dict(json.loads(installation.run(sys.executable, "-c", SCRIPT).stdout))


@pytest.mark.process
def test_https_redirects_and_sets_secure_cookies(
    installation: Installation,
) -> None:
    seen = responses(installation, HTTPS="1", ALLOWED_HOSTS="rank.example.org")
    assert seen["headers"]["Strict-Transport-Security"] == "max-age=31536000"
    assert seen["plain"] == [301, "https://rank.example.org/sign-in/"]
    assert seen["stranger"] == 400
    assert seen["cookies"]
    for cookie in seen["cookies"]:
        assert "Secure" in cookie
        assert "SameSite=Lax" in cookie


@pytest.mark.process
@pytest.mark.slow
def test_a_site_without_https_sends_no_hsts(installation: Installation) -> None:
    seen = responses(installation, ALLOWED_HOSTS="rank.example.org")
    assert "Strict-Transport-Security" not in seen["headers"]
    assert seen["plain"][0] == 200
