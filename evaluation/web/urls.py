"""URLs of the people, the quality of judgements, the overview, results, report and metrics."""

from django.urls import path

from evaluation.web.views import metrics, overview, people, quality, report, results

PEOPLE = "projects/<int:pk>/people"
PERSON = f"{PEOPLE}/<int:user_pk>"
OVERVIEW = "projects/<int:pk>/overview"
REPORT = "projects/<int:pk>/report"
METRICS = "projects/<int:pk>/metrics"
QUALITY = "projects/<int:pk>/quality"

urlpatterns = [
    path(f"{PEOPLE}/", people.people, name="people"),
    path(f"{PERSON}/", people.person, name="person"),
    path(f"{PERSON}/role/", people.change_role, name="change-role"),
    path(f"{PERSON}/limit/", people.limit_member, name="limit-member"),
    path(f"{PERSON}/pause/", people.pause, name="pause-member"),
    path(f"{PERSON}/discard/", people.discard, name="discard-judgements"),
    path(f"{PERSON}/remove/", people.remove_member, name="remove-member"),
    path(f"{OVERVIEW}/", overview.overview, name="overview"),
    path(f"{OVERVIEW}/now/", overview.overview_now, name="overview-now"),
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
    path(f"{REPORT}/sentences/<int:number>/", results.sentence, name="report-sentence"),
    path(f"{QUALITY}/", quality.quality, name="quality"),
    path(f"{QUALITY}/rules/", quality.change_rules, name="quality-rules"),
    path(f"{QUALITY}/flags/<int:flag_pk>/dismiss/", quality.dismiss, name="quality-dismiss"),
    path(f"{QUALITY}/members/<int:user_pk>/pause/", quality.pause, name="quality-pause"),
    path(f"{QUALITY}/members/<int:user_pk>/resume/", quality.resume, name="quality-resume"),
    path(f"{METRICS}/", metrics.metrics, name="metrics"),
    path(f"{METRICS}/state/", metrics.state, name="metrics-state"),
    path(f"{METRICS}/refresh/", metrics.refresh, name="metrics-refresh"),
    path(f"{METRICS}/metrics.json", metrics.whole, name="metrics-json"),
    path(f"{METRICS}/metrics.zip", metrics.everything, name="metrics-zip"),
    path(f"{METRICS}/figures/<slug:name>.vl.json", metrics.figure, name="metrics-figure"),
    path(f"{METRICS}/tables/<slug:name>.<str:extension>", metrics.table, name="metrics-table"),
]
