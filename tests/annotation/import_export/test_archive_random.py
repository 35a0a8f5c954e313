import pytest
from hypothesis import HealthCheck, given, settings

from annotation.formats.archive import archive_lines
from annotation.formats.archive_records import Record
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.projects.deletion import delete_project
from tests.annotation.import_export.exchange_files import row_counts
from tests.annotation.import_export.random_archives import archives


@pytest.mark.django_db
@pytest.mark.databases
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(records=archives())
def test_a_restored_archive_is_exported_unchanged(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record]
) -> None:
    path = tmp_path_factory.mktemp("archive") / "a"
    written = b"".join(archive_lines(records))
    path.write_bytes(written)

    project = import_project(path=path)

    assert b"".join(archive(project)) == written
    delete_project(project)
    assert not any(row_counts().values())
