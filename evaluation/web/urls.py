"""URLs of the overview, the report, links to it, and the metrics."""

from django.urls import path

from evaluation.web.views import metrics, overview, report, results, shared_report

OVERVIEW = "projects/<int:pk>/overview"
REPORT = "projects/<int:pk>/report"
METRICS = "projects/<int:pk>/metrics"
SHARED = "shared/<str:token>"

urlpatterns = [
    path(f"{OVERVIEW}/", overview.overview, name="overview"),
    path(f"{OVERVIEW}/now/", overview.overview_now, name="overview-now"),
    path("projects/<int:pk>/results/", results.results, name="results"),
    path("projects/<int:pk>/results/export.json", results.export_json, name="results-export-json"),
    path(
        "projects/<int:pk>/sentence-level/", results.old_sentence_level, name="old-sentence-level"
    ),
    path(f"{REPORT}/", report.report, name="report"),
    path(f"{REPORT}/state/", report.state, name="report-state"),
    path(f"{REPORT}/refresh/", report.refresh, name="report-refresh"),
    path(f"{REPORT}/schedule/", report.set_schedule, name="report-schedule"),
    path(f"{REPORT}/sharing/", shared_report.sharing, name="report-sharing"),
    path(
        f"{REPORT}/sharing/<int:shared_pk>/revoke/",
        shared_report.revoke,
        name="revoke-shared-report",
    ),
    path(f"{REPORT}/report.json", report.whole, name="report-json"),
    path(f"{REPORT}/report.zip", report.everything, name="report-zip"),
    path(f"{REPORT}/figures/<slug:name>.vl.json", report.figure, name="report-figure"),
    path(f"{REPORT}/figures/<slug:name>.<str:extension>", report.image, name="report-image"),
    path(f"{REPORT}/tables/<slug:name>.<str:extension>", report.table, name="report-table"),
    path(f"{REPORT}/whole-sentences/", results.sentence_level, name="sentence-level"),
    path(f"{REPORT}/sentences/<int:number>/", results.sentence, name="report-sentence"),
    path(f"{SHARED}/", shared_report.report, name="shared-report"),
    path(f"{SHARED}/report.json", shared_report.whole, name="shared-report-json"),
    path(f"{SHARED}/report.zip", shared_report.everything, name="shared-report-zip"),
    path(
        f"{SHARED}/figures/<slug:name>.vl.json", shared_report.figure, name="shared-report-figure"
    ),
    path(
        f"{SHARED}/figures/<slug:name>.<str:extension>",
        shared_report.image,
        name="shared-report-image",
    ),
    path(
        f"{SHARED}/tables/<slug:name>.<str:extension>",
        shared_report.table,
        name="shared-report-table",
    ),
    path(f"{METRICS}/", metrics.metrics, name="metrics"),
    path(f"{METRICS}/state/", metrics.state, name="metrics-state"),
    path(f"{METRICS}/refresh/", metrics.refresh, name="metrics-refresh"),
    path(f"{METRICS}/metrics.json", metrics.whole, name="metrics-json"),
    path(f"{METRICS}/metrics.zip", metrics.everything, name="metrics-zip"),
    path(f"{METRICS}/figures/<slug:name>.vl.json", metrics.figure, name="metrics-figure"),
    path(f"{METRICS}/figures/<slug:name>.<str:extension>", metrics.image, name="metrics-image"),
    path(f"{METRICS}/tables/<slug:name>.<str:extension>", metrics.table, name="metrics-table"),
]
