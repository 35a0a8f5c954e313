"""Create a project by the forms of the browser."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Upload, User
from tests.annotation.uploads import upload_files as files
from tests.previews import make_previews

NEW = "/projects/new/"
DETAILS = {"name": "Houses", "source_language": "en", "target_language": "cs"}

JUDGING = {
    "judges_per_sentence": 1,
    "intra_rate": 5,
    "inter_rate": 5,
    "control_rate": 0,
    "queue_order": "random",
    "shown_references": "first",
    "block_size": 10,
    "lease_minutes": 240,
    "practice_tries": 1,
}


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path / "uploads"


@pytest.fixture
def boss(client: Client) -> User:
    boss = User.objects.create(username="boss", is_superuser=True)
    client.force_login(boss)
    return boss


def sent(contents, paths: bool = True):
    """Return the fields of a form with these files."""
    made = [
        SimpleUploadedFile(
            name.rpartition("/")[2], text if isinstance(text, bytes) else text.encode()
        )
        for name, text in contents.items()
    ]
    return {"files": made} | ({"path": list(contents)} if paths else {})


def send(client, contents=files.TEXTS, **more) -> Upload:
    client.post(NEW, sent(contents, **more))
    return Upload.objects.get()


def fill_in(client, upload, **changes):
    address = reverse("new-project-files", args=[upload.token])
    return client.post(address, DETAILS | {"go-on": ""} | changes)


def choose_lengths(client, upload, **changes):
    fields = {"min_length": 3, "max_length": 6, "go-on": ""} | changes
    return client.post(reverse("new-project-preview", args=[upload.token]), fields)


def prepare(client, upload, **changes):
    """Choose these lengths and settings, and let the project be prepared, and opened then."""
    lengths = {name: changes.pop(name) for name in ("min_length", "max_length") if name in changes}
    choose_lengths(client, upload, **lengths)
    fields = JUDGING | {"open_at_once": "on"} | changes
    return client.post(reverse("new-project-judging", args=[upload.token]), fields)


def previewed(client, upload):
    """Ask for the preview, and return the page once a worker has computed it."""
    page_of(client, upload, "new-project-preview")
    make_previews()
    return page_of(client, upload, "new-project-preview")


def page_of(client, upload, name="new-project-files", **query):
    return client.get(reverse(name, args=[upload.token]), query).content.decode()


def pages_of(upload):
    names = ("files", "preview", "sentences", "add", "discard")
    return [reverse(f"new-project-{name}", args=[upload.token]) for name in names]
