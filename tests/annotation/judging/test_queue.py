"""The queue of sentences."""

import pytest
from django.db import connection

from annotation.judging.queue import sentences_to_judge
from tests.factories import make_project

STEP = 1000
SENTENCES = 2000


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="counts the steps of SQLite's machine")
def test_statistics_do_not_make_sqlite_read_all_sentences_for_each() -> None:
    project = make_project(sentences=SENTENCES)
    connection.cursor().execute("ANALYZE")
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += STEP
        return 0

    connection.connection.set_progress_handler(count, STEP)
    try:
        assert sentences_to_judge(project).count() == SENTENCES
    finally:
        connection.connection.set_progress_handler(None, STEP)
    assert steps < 200 * SENTENCES
