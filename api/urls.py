"""The addresses of the API, and of the pages about it."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from api.views import (
    assignments,
    checks,
    crowd,
    exports,
    findings,
    instructions,
    invitations,
    jobs,
    judged,
    judgements,
    members,
    overview,
    pages,
    payment,
    personal,
    practice,
    preparation,
    project_preview,
    projects,
    report_contents,
    reports,
    schema,
    systems,
    texts,
    webhooks,
)

PROJECT = "projects/<int:pk>"
MEMBER = f"{PROJECT}/members/<int:user_pk>"
PRACTICE = f"{PROJECT}/practice"
REPORT = f"{PROJECT}/reports/<int:report_pk>"
WEBHOOK = f"{PROJECT}/webhooks/<int:webhook_pk>"


class Whatever(StringConverter):
    """What is not there, line ends and nothing at all too."""

    regex = r"[\s\S]*"


register_converter(Whatever, "whatever")

VERSION_1 = [
    path("openapi.json", schema.Schema.as_view(), name="api-schema"),
    path("openapi.yaml", schema.YamlSchema.as_view(), name="api-schema-yaml"),
    path("projects/", projects.Projects.as_view(), name="api-projects"),
    path("projects/preview/", project_preview.ProjectPreview.as_view(), name="api-project-preview"),
    path(f"{PROJECT}/", projects.OneProject.as_view(), name="api-project"),
    path(f"{PROJECT}/state/", projects.ProjectState.as_view(), name="api-project-state"),
    path(f"{PROJECT}/job/", jobs.OneJob.as_view(), name="api-job"),
    path(f"{PROJECT}/job/retry/", jobs.Retrying.as_view(), name="api-job-retry"),
    path(f"{PROJECT}/files/", texts.GivenFiles.as_view(), name="api-files"),
    path(f"{PROJECT}/preparation/", preparation.Preparation.as_view(), name="api-preparation"),
    path(f"{PROJECT}/sentences/", texts.Sentences.as_view(), name="api-sentences"),
    path(
        f"{PROJECT}/sentences/<int:number>/judged/",
        judged.OneJudgedSentence.as_view(),
        name="api-judged-sentence",
    ),
    path(f"{PROJECT}/systems/", systems.Systems.as_view(), name="api-systems"),
    path(
        f"{PROJECT}/systems/<int:system_pk>/go-on/",
        systems.GoingOn.as_view(),
        name="api-system-go-on",
    ),
    path(f"{PROJECT}/members/", members.Members.as_view(), name="api-members"),
    path(f"{MEMBER}/", members.OneMember.as_view(), name="api-member"),
    path(f"{MEMBER}/new-link/", personal.NewLink.as_view(), name="api-new-link"),
    path(f"{MEMBER}/data/", personal.MemberData.as_view(), name="api-member-data"),
    path(f"{MEMBER}/anonymise/", personal.Anonymising.as_view(), name="api-anonymise"),
    path(f"{PROJECT}/invitations/", invitations.Invitations.as_view(), name="api-invitations"),
    path(
        f"{PROJECT}/invitations/<int:invitation_pk>/",
        invitations.OneInvitation.as_view(),
        name="api-invitation",
    ),
    path(f"{PROJECT}/start-links/", crowd.StartLinks.as_view(), name="api-start-links"),
    path(
        f"{PROJECT}/start-links/<int:link_pk>/",
        crowd.OneStartLink.as_view(),
        name="api-start-link",
    ),
    path(f"{PROJECT}/pay/", crowd.MembersPaid.as_view(), name="api-pay"),
    path(f"{PROJECT}/payment/", payment.Payment.as_view(), name="api-payment"),
    path(f"{PROJECT}/assignments/", assignments.Assignments.as_view(), name="api-assignments"),
    path(
        f"{PROJECT}/assignments/<int:assignment_pk>/release/",
        assignments.Releasing.as_view(),
        name="api-release",
    ),
    path(
        f"{PROJECT}/instructions/",
        instructions.AllInstructions.as_view(),
        name="api-instructions",
    ),
    path(
        f"{PROJECT}/instructions/preview/",
        instructions.InstructionsPreview.as_view(),
        name="api-instructions-preview",
    ),
    path(
        f"{PROJECT}/instructions/<int:number>/",
        instructions.OneVersion.as_view(),
        name="api-instructions-version",
    ),
    path(f"{PROJECT}/controls/", checks.Controls.as_view(), name="api-controls"),
    path(f"{PROJECT}/controls/<int:number>/", checks.OneControl.as_view(), name="api-control"),
    path(f"{PRACTICE}/", practice.Practice.as_view(), name="api-practice"),
    path(
        f"{PRACTICE}/possible/",
        practice.PossiblePractice.as_view(),
        name="api-practice-possible",
    ),
    path(
        f"{PRACTICE}/possible/<int:number>/",
        practice.PracticeSheet.as_view(),
        name="api-practice-sheet",
    ),
    path(
        f"{PRACTICE}/results/",
        practice.PracticeResults.as_view(),
        name="api-practice-results",
    ),
    path(f"{PRACTICE}/<int:number>/", practice.OnePractice.as_view(), name="api-practice-one"),
    path(
        f"{PRACTICE}/<int:number>/answers/",
        practice.PracticeAnswers.as_view(),
        name="api-practice-answers",
    ),
    path(f"{PROJECT}/overview/", overview.NowOverview.as_view(), name="api-overview"),
    path(f"{PROJECT}/judgements/", judgements.Judgements.as_view(), name="api-judgements"),
    path(f"{PROJECT}/statistics/", findings.Statistics.as_view(), name="api-v1-statistics"),
    path(f"{PROJECT}/ranking/", findings.Ranking.as_view(), name="api-v1-ranking"),
    path(f"{PROJECT}/sentence-level/", judged.SentenceLevel.as_view(), name="api-sentence-level"),
    path(f"{PROJECT}/reports/", reports.Reports.as_view(), name="api-reports"),
    path(f"{PROJECT}/reports/schedule/", reports.OneSchedule.as_view(), name="api-schedule"),
    path(f"{REPORT}/", reports.OneReport.as_view(), name="api-report"),
    path(f"{REPORT}/data/", report_contents.ReportContents.as_view(), name="api-report-data"),
    path(f"{REPORT}/zip/", report_contents.WholeReport.as_view(), name="api-report-zip"),
    path(f"{REPORT}/tables/", report_contents.Tables.as_view(), name="api-tables"),
    path(f"{REPORT}/tables/<slug:name>/", report_contents.OneTable.as_view(), name="api-table"),
    path(f"{REPORT}/figures/", report_contents.Figures.as_view(), name="api-figures"),
    path(f"{REPORT}/figures/<slug:name>/", report_contents.OneFigure.as_view(), name="api-figure"),
    path(f"{PROJECT}/exports/archive/", exports.Archive.as_view(), name="api-archive"),
    path(f"{PROJECT}/exports/<slug:name>/", exports.Export.as_view(), name="api-export"),
    path(f"{PROJECT}/webhooks/", webhooks.Webhooks.as_view(), name="api-webhooks"),
    path(f"{WEBHOOK}/", webhooks.OneWebhook.as_view(), name="api-webhook"),
    path(f"{WEBHOOK}/secret/", webhooks.WebhookSecret.as_view(), name="api-webhook-secret"),
    path(f"{WEBHOOK}/test/", webhooks.WebhookTest.as_view(), name="api-webhook-test"),
    path(f"{WEBHOOK}/deliveries/", webhooks.Deliveries.as_view(), name="api-deliveries"),
    path(
        f"{WEBHOOK}/deliveries/<int:delivery_pk>/again/",
        webhooks.DeliveryAgain.as_view(),
        name="api-delivery-again",
    ),
    path("docs/", pages.documentation, name="api-documentation"),
    # Last: whatever else is asked for.
    path("<whatever:rest>", schema.Nowhere.as_view(), name="api-nowhere"),
]

urlpatterns = [
    path("api/v1/", include(VERSION_1)),
    path("account/tokens/", pages.show_tokens, name="tokens"),
    path("account/tokens/<int:token_pk>/revoke/", pages.revoke_token, name="revoke-token"),
]
