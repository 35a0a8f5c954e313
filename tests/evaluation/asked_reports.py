"""A judged project whose report is asked for, and what workers are told of it."""

from collections.abc import Mapping, Sequence

import pytest
from celery import current_app

from evaluation.report.options import ReportOptions
from evaluation.services import stored_reports
from evaluation.tasks import compute_report
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
FEW = ReportOptions(resamples=20)


@pytest.fixture
def project():
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, RANKS)
    submit(project, petr, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
    return project


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """The messages to workers that were sent once the transactions inside were committed."""
    messages = []
    monkeypatch.setattr(
        current_app,
        "send_task",
        lambda name, arguments: messages.append((name, *arguments)),
    )

    def during(work, *arguments):
        messages.clear()
        with django_capture_on_commit_callbacks(execute=True):
            work(*arguments)
        return list(messages)

    return during


def asked(project, options=FEW):
    return stored_reports.report_of(project, options)


def made(project, options=FEW):
    report = asked(project, options)
    compute_report(report.pk)
    report.refresh_from_db()
    return report
