"""URLs of the sentences, people, quality, overview, report, links to it, and metrics."""

from django.urls import URLPattern, path

from evaluation.web.views import (
    documents,
    given_errors,
    metrics,
    overview,
    people,
    plan,
    quality,
    report,
    score_files,
    sentence_level,
    sentences,
    sharing,
    stored_report,
)
from evaluation.web.views.stored_report import ReportPage

PEOPLE = "projects/<int:pk>/people"
PERSON = f"{PEOPLE}/<int:user_pk>"
OVERVIEW = "projects/<int:pk>/overview"
REPORT = "projects/<int:pk>/report"
METRICS = "projects/<int:pk>/metrics"
SENTENCES = "projects/<int:pk>/sentences"
DOCUMENTS = "projects/<int:pk>/documents"
QUALITY = "projects/<int:pk>/quality"
GIVEN_ERRORS = "projects/<int:pk>/settings/marked-before"
SHARED = "shared/<str:token>"
# Of a page's files; figures come first, since images would match them too.
FIGURE = "figures/<slug:name>.vl.json"
IMAGE = "figures/<slug:name>.<str:extension>"
TABLE = "tables/<slug:name>.<str:extension>"


def files_of(page: ReportPage) -> list[URLPattern]:
    """Return the URLs of a page's state and files."""
    base, of_page = f"projects/<int:pk>/{page.name}", {"page": page}
    return [
        path(f"{base}/{address}", view, of_page, name=f"{page.name}-{name}")
        for name, address, view in (
            ("state", "state/", stored_report.state),
            ("json", f"{page.name}.json", stored_report.whole),
            ("zip", f"{page.name}.zip", stored_report.everything),
            ("figure", FIGURE, stored_report.figure),
            ("image", IMAGE, stored_report.image),
            ("table", TABLE, stored_report.table),
        )
    ]


urlpatterns = [
    path("plan/", plan.plan, name="plan"),
    path(f"{PEOPLE}/", people.people, name="people"),
    path(f"{PERSON}/", people.person, name="person"),
    path(f"{PERSON}/role/", people.change_role, name="change-role"),
    path(f"{PERSON}/limit/", people.limit_member, name="limit-member"),
    path(f"{PERSON}/pause/", people.pause, name="pause-member"),
    path(f"{PERSON}/practice/", people.let_practise_again, name="let-practise-again"),
    path(f"{PERSON}/discard/", people.discard, name="discard-judgements"),
    path(f"{PERSON}/remove/", people.remove_member, name="remove-member"),
    path(f"{OVERVIEW}/", overview.overview, name="overview"),
    path(f"{OVERVIEW}/now/", overview.overview_now, name="overview-now"),
    path(f"{SENTENCES}/", sentences.sentences, name="sentences"),
    path(f"{SENTENCES}/<int:number>/", sentences.sentence, name="sentence"),
    path(f"{SENTENCES}/<int:number>/return/", sentences.return_sentence, name="return-sentence"),
    path(f"{DOCUMENTS}/", documents.documents, name="documents"),
    path(f"{DOCUMENTS}/<int:number>/", documents.document, name="document"),
    path(f"{REPORT}/", report.report, name="report"),
    path(f"{REPORT}/paper.zip", report.paper, name="report-paper"),
    path(f"{REPORT}/refresh/", report.refresh, name="report-refresh"),
    path(f"{REPORT}/schedule/", report.set_schedule, name="report-schedule"),
    path(f"{REPORT}/sharing/", sharing.sharing, name="report-sharing"),
    path(
        f"{REPORT}/sharing/<int:shared_pk>/revoke/",
        sharing.revoke,
        name="revoke-shared-report",
    ),
    path(f"{REPORT}/whole-sentences/", sentence_level.sentence_level, name="sentence-level"),
    path(f"{QUALITY}/", quality.quality, name="quality"),
    path(f"{QUALITY}/rules/", quality.change_rules, name="quality-rules"),
    path(f"{QUALITY}/flags/<int:flag_pk>/dismiss/", quality.dismiss, name="quality-dismiss"),
    *files_of(report.PAGE),
    path(f"{SHARED}/", sharing.report, name="shared-report"),
    *(
        path(f"{SHARED}/{address}", view, name=f"shared-report-{name}")
        for name, address, view in (
            ("json", "report.json", sharing.whole),
            ("zip", "report.zip", sharing.everything),
            ("figure", FIGURE, sharing.figure),
            ("image", IMAGE, sharing.image),
            ("table", TABLE, sharing.table),
        )
    ),
    path(f"{GIVEN_ERRORS}/", given_errors.given_errors, name="given-errors"),
    path(f"{GIVEN_ERRORS}/second-pass/", given_errors.second_pass, name="second-pass"),
    path(
        f"{GIVEN_ERRORS}/<int:origin_pk>/remove/", given_errors.remove, name="remove-given-errors"
    ),
    path(f"{SHARED}/documents/", documents.shared_documents, name="shared-documents"),
    path(f"{SHARED}/documents/<int:number>/", documents.shared_document, name="shared-document"),
    path(f"{METRICS}/", metrics.metrics, name="metrics"),
    path(f"{METRICS}/refresh/", metrics.refresh, name="metrics-refresh"),
    path(f"{METRICS}/mt-metrics-eval.zip", metrics.eval_set, name="metrics-eval-set"),
    path(f"{METRICS}/scores/", score_files.add, name="add-scores"),
    path(f"{METRICS}/scores/<int:score_file_pk>/remove/", score_files.remove, name="remove-scores"),
    *files_of(metrics.PAGE),
]
