"""Add systems by the form of the administrators' page."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Project, User
from tests.factories import make_annotator, make_project

# The source is "the old house stands near the river": segments 0-2 and 4-6.
LINKS = "0-0 1-0 2-1 4-2 5-2 6-3\n"
TEXT = "starobylý dům u řeky\n"


@pytest.fixture(autouse=True)
def uploads(settings: Any, tmp_path: Path) -> Iterator[Path]:
    """The folder of uploads; it must be empty after the test."""
    settings.MEDIA_ROOT = tmp_path
    yield tmp_path / "uploads"
    assert list(tmp_path.glob("uploads/*")) == []


@pytest.fixture
def project() -> Project:
    return make_project(queue_order="document")


@pytest.fixture
def boss(client: Client, project: Project) -> User:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def address(name: str, project: Project, *more: int) -> str:
    return reverse(name, args=[project.pk, *more])


def file(name: str, content: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def send(
    client: Client,
    project: Project,
    *,
    name: str = "D",
    text: str | bytes | None = TEXT * 3,
    links: str | bytes | None = LINKS * 3,
    **more: str,
) -> Any:
    fields: dict[str, Any] = {"system_name": name} | more
    if text is not None:
        fields["text_file"] = file("D.out.txt", text)
    if links is not None:
        fields["links_file"] = file("D.links", links)
    return client.post(address("add-system", project), fields)


def page_of(client: Client, project: Project) -> str:
    response = client.get(address("project-systems", project))
    assert response.status_code == 200
    return response.content.decode()


def part_of(page: str) -> str:
    """Return the text of the section about systems."""
    part = page.split('id="systems"')[1].split("</section>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def told(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def state_of(client: Client, project: Project) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(address("systems-state", project)).json()
    return answer
