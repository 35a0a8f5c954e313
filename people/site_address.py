"""The base URL of this site, for links in emails and messages."""

from pathlib import Path

from django.conf import settings


def site_address() -> str:
    """Return SITE_ADDRESS; if it is not set, where `manage.py up` last listened."""
    if settings.SITE_ADDRESS:
        return str(settings.SITE_ADDRESS)
    try:
        return address_file().read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return f"http://127.0.0.1:{settings.PORT}"


def address_file() -> Path:
    return Path(settings.DATA_DIR) / "address"
