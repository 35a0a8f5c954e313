"""Texts that programs send to make a project."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.annotation.uploads.upload_files import NORTH, REFERENCE, SOURCE, SOUTH
from tests.api.conftest import Program

DETAILS = {"name": "News", "source_language": "en", "target_language": "cs", "parser": "phrases"}


def file(name: str, text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def texts() -> dict[str, Any]:
    return {
        "source": file("en.txt", SOURCE),
        "reference": file("human.txt", REFERENCE),
        "systems": [file("north.txt", NORTH), file("south.txt", SOUTH)],
    }


def create(program: Program, **more: Any) -> Any:
    return program.post("/api/v1/projects/", DETAILS | texts() | more)
