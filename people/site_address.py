"""The base URL of this installation, for links in mails and messages."""

from pathlib import Path

from django.conf import settings


def site_address() -> str:
    """Return where people reach this installation: SITE_ADDRESS, or where `up` last listened."""
    if settings.SITE_ADDRESS:
        return str(settings.SITE_ADDRESS)
    try:
        return address_file().read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return f"http://127.0.0.1:{settings.PORT}"


def address_file() -> Path:
    return Path(settings.DATA_DIR) / "address"
