"""Files with which people try to create a project: our own sentences, freely licensed."""

import io
import zipfile
from pathlib import Path
from typing import Final

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.kinds import DEFAULT
from annotation.models import Upload, User
from annotation.uploads import storage

SAMPLE_TEXTS: Final = Path(__file__).parent / "sample_texts"
SAMPLE_FILES: Final = (
    "source.en.txt",
    "reference.cs.txt",
    "systems/Alfa.txt",
    "systems/Cyril.txt",
    "systems/Dana.txt",
)
LANGUAGES: Final = {"source_language": "en", "target_language": "cs"}


def sample_zip() -> bytes:
    """Return the files and their README as a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("README.md", *SAMPLE_FILES):
            archive.write(SAMPLE_TEXTS / name, f"segranks-sample/{name}")
    return packed.getvalue()


def sample_upload(owner: User, name: str, kind: str = DEFAULT.name) -> Upload:
    """Start a project of this name and kind with the files. Raise TooMany."""
    upload = storage.new_upload(owner)
    texts = ((file, (SAMPLE_TEXTS / file).read_bytes()) for file in SAMPLE_FILES)
    storage.take(upload, ((file, SimpleUploadedFile(file, text)) for file, text in texts))
    storage.change(upload, roles={}, values={"name": name, "kind": kind, **LANGUAGES})
    return upload
