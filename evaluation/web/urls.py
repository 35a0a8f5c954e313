"""URLs of the overview, the sentences, the results, the report and the metrics."""

from django.urls import URLPattern, path

from evaluation.web.views import (
    metrics,
    overview,
    report,
    results,
    score_files,
    sentences,
    stored_report,
)
from evaluation.web.views.stored_report import ReportPage

OVERVIEW = "projects/<int:pk>/overview"
REPORT = "projects/<int:pk>/report"
METRICS = "projects/<int:pk>/metrics"
SENTENCES = "projects/<int:pk>/sentences"


def files_of(page: ReportPage) -> list[URLPattern]:
    """Return the URLs of a page's state and files."""
    base, of_page = f"projects/<int:pk>/{page.name}", {"page": page}
    return [
        path(f"{base}/{address}", view, of_page, name=f"{page.name}-{name}")
        for name, address, view in (
            ("state", "state/", stored_report.state),
            ("json", f"{page.name}.json", stored_report.whole),
            ("zip", f"{page.name}.zip", stored_report.everything),
            ("figure", "figures/<slug:name>.vl.json", stored_report.figure),
            ("table", "tables/<slug:name>.<str:extension>", stored_report.table),
        )
    ]


urlpatterns = [
    path(f"{OVERVIEW}/", overview.overview, name="overview"),
    path(f"{OVERVIEW}/now/", overview.overview_now, name="overview-now"),
    path(f"{SENTENCES}/", sentences.sentences, name="sentences"),
    path(f"{SENTENCES}/<int:number>/", sentences.sentence, name="sentence"),
    path(f"{SENTENCES}/<int:number>/return/", sentences.return_sentence, name="return-sentence"),
    path("projects/<int:pk>/results/", results.results, name="results"),
    path("projects/<int:pk>/sentence-level/", results.sentence_level, name="sentence-level"),
    path(f"{REPORT}/", report.report, name="report"),
    path(f"{REPORT}/refresh/", report.refresh, name="report-refresh"),
    path(f"{REPORT}/schedule/", report.set_schedule, name="report-schedule"),
    path(f"{REPORT}/sentences/<int:number>/", sentences.moved, name="report-sentence"),
    *files_of(report.PAGE),
    path(f"{METRICS}/", metrics.metrics, name="metrics"),
    path(f"{METRICS}/refresh/", metrics.refresh, name="metrics-refresh"),
    path(f"{METRICS}/scores/", score_files.add, name="add-scores"),
    path(f"{METRICS}/scores/<int:score_file_pk>/remove/", score_files.remove, name="remove-scores"),
    *files_of(metrics.PAGE),
]
