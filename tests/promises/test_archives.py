"""Archives of former releases can be read, and exported again with nothing lost."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from tests.promises.archives import RELEASED

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
FOLDERS = sorted(RELEASED.glob("*/*/"))
# Keys and columns may be added to these; all others keep their bytes.
JSON = ("json",)
JSON_LINES = ("judgements", "ratings", "preferences", "pearmut")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name} {path.name}")
def test_a_released_archive_is_restored_and_exported_as_then(folder: Path, tmp_path: Path) -> None:
    former = gzip.decompress((folder / "archive.gz").read_bytes())
    (tmp_path / "archive").write_bytes(former)

    project = import_project(path=tmp_path / "archive")

    def exported(name: str) -> bytes:
        written = io.BytesIO()
        export_project(project=project, format_name=name, to=written)
        return written.getvalue()

    records = lines(former)[1:-1]
    kinds = {record["record"] for record in records}
    now = [record for record in lines(exported("archive")) if record["record"] in kinds]
    assert is_kept(records, now)
    for file in folder.iterdir():
        if file.name != "archive.gz":
            before, after = (
                read(file.name, text) for text in (file.read_bytes(), exported(file.name))
            )
            assert is_kept(before, after), file.name
            if file.name == "csv":
                assert [name for name in after[0] if name in before[0]] == list(before[0])


def read(name: str, content: bytes) -> Any:
    """Return what an export has, so that keys and columns may be added where that is possible."""
    if name == "csv":
        heading, *rows = csv.reader(io.StringIO(content.decode()))
        return [dict(zip(heading, row, strict=True)) for row in rows]
    if name in JSON:
        return json.loads(content)
    return lines(content) if name in JSON_LINES else content


def lines(content: bytes) -> list[Any]:
    return [json.loads(line) for line in content.splitlines()]


def is_kept(former: Any, now: Any) -> bool:
    """Return whether `now` has all of `former`. It may have more keys."""
    if isinstance(former, dict) and isinstance(now, dict):
        return all(key in now and is_kept(value, now[key]) for key, value in former.items())
    if isinstance(former, list) and isinstance(now, list):
        return len(former) == len(now) and all(map(is_kept, former, now))
    return bool(former == now)
