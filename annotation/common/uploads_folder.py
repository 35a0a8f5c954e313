"""The folder of uploaded files, which web and workers share."""

from pathlib import Path

from django.conf import settings


def uploads_folder() -> Path:
    """Return the folder of all uploads; create it, readable only by its owner, if missing."""
    folder = Path(settings.UPLOADS_DIR or Path(settings.DATA_DIR) / "uploads")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
