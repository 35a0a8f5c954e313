"""What `manage.py check --deploy` says besides Django's own checks."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security, deploy=True)
def warn_without_https(app_configs: Any, **_options: Any) -> list[CheckMessage]:
    """Warn of a site without TLS, in place of Django's warnings of each setting for it."""
    if settings.HTTPS:
        return []
    return [
        Warning(
            "HTTPS is off, so passwords and texts cross the network unencrypted: this is only for "
            "trying SegRanks on this machine.",
            hint=(
                "For a site that others use, generate the settings with `make secrets "
                "SITE=rank.example.org`, the host name of the site, and put a proxy with TLS in "
                "front of it (docs/deployment.md)."
            ),
            id="segranks.W001",
        )
    ]
