"""Reports that are requested while another transaction waits for the same rows."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest
from django.db import connection, transaction

from annotation.models import Project, User
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.models import StoredReport
from evaluation.services import reports
from tests.factories import make_annotator, make_project

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.databases,
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time."),
]
OPTIONS = ReportOptions(resamples=100)


def look_for_deadlocks_after(timeout: str) -> None:
    """Have the database look for a deadlock when this connection has waited for so long."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('deadlock_timeout', %s, false)", [timeout])


def request_elsewhere(project: Project, by: User) -> int:
    try:
        look_for_deadlocks_after("3s")
        return reports.report_of(project, OPTIONS, by=by).pk
    finally:
        connection.close()


def someone_waits() -> bool:
    """Tell whether another connection waits for this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks "
            "WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


def test_a_report_is_requested_again_after_a_deadlock() -> None:
    project = make_project()
    olga = make_annotator(project, "olga", "owner")
    with ThreadPoolExecutor(1) as pool:
        # The request finds the deadlock, and not this transaction, which waits by then.
        look_for_deadlocks_after("60s")
        with transaction.atomic():
            fields = {"key": OPTIONS.key, "options": to_json(OPTIONS)}
            same = StoredReport.objects.create(project=project, **fields)
            requested = pool.submit(request_elsewhere, project, olga)
            # It has locked the person, and waits for the report.
            while not someone_waits():
                sleep(0.01)
            User.objects.select_for_update(no_key=True).get(pk=olga.pk)
        assert requested.result(timeout=30) == same.pk
    connection.close()
