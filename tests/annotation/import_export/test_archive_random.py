"""Any archive that could have been made here is restored and written again unchanged."""

import pytest
from hypothesis import HealthCheck, given, settings

from annotation.formats.archive import archive_lines
from annotation.formats.archive_records import Record
from annotation.import_export.exports import FORMATS
from annotation.import_export.imports import import_project
from annotation.projects.deletion import delete_project
from tests.annotation.import_export.exchange_files import row_counts
from tests.annotation.import_export.random_archives import archives


@pytest.mark.django_db
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(records=archives())
def test_it_comes_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record]
) -> None:
    path = tmp_path_factory.mktemp("archive") / "a"
    written = "".join(archive_lines(records))
    path.write_text(written, encoding="utf-8", newline="")

    project = import_project(path=path)

    assert "".join(str(line) for line in FORMATS["archive"](project)) == written
    delete_project(project)
    assert not any(row_counts().values())
