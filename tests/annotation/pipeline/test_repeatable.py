"""The same texts, options and seed are prepared to the same archive."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.installation import REPOSITORY, Installation

pytestmark = pytest.mark.process

SAMPLE = REPOSITORY / "annotation" / "uploads" / "sample_texts"
# Numbers of threads, and the order of sets of strings.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "1"}
MANY_THREADS = {"OMP_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "4", "PYTHONHASHSEED": "2"}


def archive(
    installed: Installation, file: Path, aligner: str, environment: dict[str, str]
) -> list[dict[str, Any]]:
    """Prepare the sample texts; return the records of the archive, without name and time."""
    installed.environment |= environment
    systems = sorted((SAMPLE / "systems").iterdir())
    installed.call(
        "create_project",
        file.name,
        "--languages=en-cs",
        f"--source={SAMPLE / 'source.en.txt'}",
        f"--reference={SAMPLE / 'reference.cs.txt'}",
        *(f"--system={path.stem}={path}" for path in systems),
        f"--aligner={aligner}",
        "--effort=fast",
    )
    installed.call("export_project", file.name, str(file), "--format=archive")
    header, project, *records, _checksum = map(json.loads, file.read_text().splitlines())
    del project["name"], project["created"]
    return [header, project, *records]


def test_threads_and_hashes_do_not_matter(installed: Installation, tmp_path: Path) -> None:
    # Each environment starts one process.
    first, second = (
        {
            aligner: archive(installed, tmp_path / f"{name}-{aligner}", aligner, environment)
            for aligner in ("eflomal", "systran")
        }
        for name, environment in (("one", ONE_THREAD), ("two", MANY_THREADS))
    )
    for aligner, records in first.items():
        assert records == second[aligner]
        assert sum(record["record"] == "sentence" for record in records) == 40
