"""The folder of media files, which all web processes and workers share.

Each project has a folder with its id for a name, and each file in it its SHA-256.
"""

from pathlib import Path

from django.conf import settings


def media_folder() -> Path:
    """Return the folder of all projects' media; create it, for its owner only, if missing."""
    folder = Path(settings.MEDIA_DIR or Path(settings.DATA_DIR) / "media")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def folder_of_project(project_id: int) -> Path:
    """Return the folder of the project's media, which may not exist."""
    return media_folder() / str(project_id)
