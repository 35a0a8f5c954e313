"""Judgements whose report is looked at, and how it is asked for."""

from collections.abc import Mapping, Sequence

from django.urls import reverse

from evaluation.report.options import ReportOptions
from evaluation.services import stored_reports

FIRST: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
SECOND: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}
PAGES: list[tuple[str, list[object]]] = [
    ("report", []),
    ("report-state", []),
    ("report-json", []),
    ("report-zip", []),
    ("report-figure", ["win-rates"]),
    ("report-table", ["agreement", "tex"]),
    ("report-sentence", [1]),
]


def make(project, **options):
    report = stored_reports.report_of(project, ReportOptions(**options))
    stored_reports.compute(report.pk)
    return report


def page(client, project, **parameters):
    return client.get(reverse("report", args=[project.pk]), parameters).content.decode()
