"""`manage.py migrate` while others use the database."""

import sys
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

from tests.installation import Installation

TABLE = "django_content_type"


@pytest.mark.process
@pytest.mark.postgresql
def test_a_migration_that_waits_for_a_lock_lets_others_go_on(
    postgresql_url: str, static_root: Path, tmp_path: Path
) -> None:
    installation = Installation(tmp_path / "data", static_root, DATABASE_URL=postgresql_url)
    installation.manage("migrate", "contenttypes", "0001")
    with (
        closing(psycopg2.connect(postgresql_url)) as backup,
        closing(psycopg2.connect(postgresql_url)) as annotator,
    ):
        backup.cursor().execute(f"SELECT count(*) FROM {TABLE}")
        # Its first migrations need no lock of the table, then that of contenttypes does.
        migrating = installation.start(sys.executable, "manage.py", "migrate", "auth", "0006")
        migrating.wait_for_line("waiting.")
        annotator.cursor().execute(f"SET lock_timeout = '2900ms'; SELECT count(*) FROM {TABLE}")
        annotator.commit()
        backup.commit()
        migrating.wait_for_line("Applying auth.0006_require_contenttypes_0002... OK")
        assert migrating.output.count("Applying auth.0001_initial... OK") == 1
    installation.end()
