"""Media of a project by the API."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Media, Project
from tests.api.client import Program, problem_of
from tests.media_files import png, wav


@pytest.fixture(autouse=True)
def media(tmp_path_factory: pytest.TempPathFactory, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")
    return Path(settings.MEDIA_ROOT)


def test_media_are_added_listed_read_and_removed(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/media/"
    files = [SimpleUploadedFile("1.png", png()), SimpleUploadedFile("says.wav", wav())]
    table = SimpleUploadedFile("lines.tsv", b"1\t1.png\n2\tsays.wav\n")
    made = program.post(f"/api/v1/{path}", {"file": files, "table": table})
    assert made.status_code == 201
    assert [row["line"] for row in made.json()["results"]] == [1, 2]
    rows = program.send("GET", path).json()["results"]
    assert [(row["name"], row["media_type"]) for row in rows] == [
        ("1.png", "image/png"),
        ("says.wav", "audio/wav"),
    ]
    one = f"{path}{rows[1]['id']}/"
    assert b"".join(program.send("GET", one)) == wav()
    assert program.send("DELETE", one).status_code == 204
    problem_of(program.send("GET", one), 404)
    assert Media.objects.get().name == "1.png"


def test_a_refusal_names_the_file(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/media/"
    files = [SimpleUploadedFile("1.png", png()), SimpleUploadedFile("2.svg", b"<svg/>")]
    answer = program.post(f"/api/v1/{path}", {"file": files})
    assert "2.svg" in problem_of(answer, 400)["detail"]
    assert not Media.objects.exists()
