"""URLs of the overview, the sentences, the results, the report and the metrics."""

from django.urls import path

from evaluation.web.views import metrics, overview, report, results, sentences

OVERVIEW = "projects/<int:pk>/overview"
REPORT = "projects/<int:pk>/report"
METRICS = "projects/<int:pk>/metrics"
SENTENCES = "projects/<int:pk>/sentences"

urlpatterns = [
    path(f"{OVERVIEW}/", overview.overview, name="overview"),
    path(f"{OVERVIEW}/now/", overview.overview_now, name="overview-now"),
    path(f"{SENTENCES}/", sentences.sentences, name="sentences"),
    path(f"{SENTENCES}/<int:number>/", sentences.sentence, name="sentence"),
    path(f"{SENTENCES}/<int:number>/return/", sentences.return_sentence, name="return-sentence"),
    path("projects/<int:pk>/results/", results.results, name="results"),
    path("projects/<int:pk>/results/export.json", results.export_json, name="results-export-json"),
    path("projects/<int:pk>/sentence-level/", results.sentence_level, name="sentence-level"),
    path(f"{REPORT}/", report.report, name="report"),
    path(f"{REPORT}/state/", report.state, name="report-state"),
    path(f"{REPORT}/refresh/", report.refresh, name="report-refresh"),
    path(f"{REPORT}/schedule/", report.set_schedule, name="report-schedule"),
    path(f"{REPORT}/report.json", report.whole, name="report-json"),
    path(f"{REPORT}/report.zip", report.everything, name="report-zip"),
    path(f"{REPORT}/figures/<slug:name>.vl.json", report.figure, name="report-figure"),
    path(f"{REPORT}/tables/<slug:name>.<str:extension>", report.table, name="report-table"),
    path(f"{REPORT}/sentences/<int:number>/", sentences.moved, name="report-sentence"),
    path(f"{METRICS}/", metrics.metrics, name="metrics"),
    path(f"{METRICS}/state/", metrics.state, name="metrics-state"),
    path(f"{METRICS}/refresh/", metrics.refresh, name="metrics-refresh"),
    path(f"{METRICS}/metrics.json", metrics.whole, name="metrics-json"),
    path(f"{METRICS}/metrics.zip", metrics.everything, name="metrics-zip"),
    path(f"{METRICS}/figures/<slug:name>.vl.json", metrics.figure, name="metrics-figure"),
    path(f"{METRICS}/tables/<slug:name>.<str:extension>", metrics.table, name="metrics-table"),
]
