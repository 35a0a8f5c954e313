"""The pages of findings."""

from django.urls import path

from evaluation.web.views import overview, report, report_files, results, sentence, sentence_level

OVERVIEW = "projects/<int:pk>/overview"
REPORT = "projects/<int:pk>/report"

urlpatterns = [
    path(f"{OVERVIEW}/", overview.overview, name="overview"),
    path(f"{OVERVIEW}/now/", overview.overview_now, name="overview-now"),
    path("projects/<int:pk>/results/", results.results, name="results"),
    path("projects/<int:pk>/results/export.json", results.export_json, name="results-export-json"),
    path("projects/<int:pk>/sentence-level/", sentence_level.sentence_level, name="sentence-level"),
    path(f"{REPORT}/", report.report, name="report"),
    path(f"{REPORT}/state/", report.state, name="report-state"),
    path(f"{REPORT}/refresh/", report.refresh, name="report-refresh"),
    path(f"{REPORT}/schedule/", report.set_schedule, name="report-schedule"),
    path(f"{REPORT}/report.json", report_files.whole, name="report-json"),
    path(f"{REPORT}/report.zip", report_files.everything, name="report-zip"),
    path(f"{REPORT}/figures/<slug:name>.vl.json", report_files.figure, name="report-figure"),
    path(f"{REPORT}/tables/<slug:name>.<str:extension>", report_files.table, name="report-table"),
    path(f"{REPORT}/sentences/<int:number>/", sentence.sentence, name="report-sentence"),
]
