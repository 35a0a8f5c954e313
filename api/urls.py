"""The addresses of the API, and of the pages about it."""

from django.urls import include, path, re_path

from api.views import (
    annotator_models,
    assignments,
    controls,
    crowd,
    disputes,
    exclusion,
    exports,
    findings,
    given_errors,
    imports,
    instructions,
    invitations,
    judgements,
    media,
    members,
    metrics,
    pages,
    plans,
    practice,
    preparation,
    previews,
    projects,
    quality,
    questionnaires,
    reports,
    samples,
    schema,
    score_files,
    shared_links,
    texts,
    undecided,
    webhooks,
)

PROJECT = "projects/<int:pk>"
MEMBER = f"{PROJECT}/members/<int:user_pk>"
PRACTICE = f"{PROJECT}/practice"
REPORT = f"{PROJECT}/reports/<int:report_pk>"
WEBHOOK = f"{PROJECT}/webhooks/<int:webhook_pk>"

VERSION_1 = [
    path("openapi.json", schema.SchemaJSON.as_view(), name="api-schema"),
    path("openapi.yaml", schema.SchemaYAML.as_view(), name="api-schema-yaml"),
    path("plan/", plans.PlanDetail.as_view(), name="api-plan"),
    path("projects/", projects.ProjectList.as_view(), name="api-projects"),
    path("projects/campaigns/", imports.Campaigns.as_view(), name="api-campaigns"),
    path("projects/preview/", previews.ProjectPreview.as_view(), name="api-project-preview"),
    path(
        "projects/preview/<int:preview_pk>/", previews.PreviewDetail.as_view(), name="api-preview"
    ),
    path(f"{PROJECT}/", projects.ProjectDetail.as_view(), name="api-project"),
    path(f"{PROJECT}/state/", projects.ProjectState.as_view(), name="api-project-state"),
    path(f"{PROJECT}/copies/", projects.ProjectCopies.as_view(), name="api-project-copies"),
    path(
        f"{PROJECT}/acceptance-projects/",
        projects.AcceptanceProjects.as_view(),
        name="api-acceptance-projects",
    ),
    path(f"{PROJECT}/job/", preparation.JobDetail.as_view(), name="api-job"),
    path(f"{PROJECT}/job/retry/", preparation.JobRetry.as_view(), name="api-job-retry"),
    path(f"{PROJECT}/files/", texts.SourceFiles.as_view(), name="api-files"),
    path(f"{PROJECT}/given-errors/", given_errors.GivenOrigins.as_view(), name="api-given-errors"),
    path(
        f"{PROJECT}/given-errors/second-pass/",
        given_errors.SecondPass.as_view(),
        name="api-second-pass",
    ),
    path(
        f"{PROJECT}/given-errors/<int:origin_pk>/",
        given_errors.GivenOriginDetail.as_view(),
        name="api-given-origin",
    ),
    path(
        f"{PROJECT}/imported-judgements/",
        imports.JudgementImports.as_view(),
        name="api-imported-judgements",
    ),
    path(f"{PROJECT}/preparation/", preparation.Preparation.as_view(), name="api-preparation"),
    path(f"{PROJECT}/sentences/", texts.Sentences.as_view(), name="api-sentences"),
    path(
        f"{PROJECT}/sentences/<int:number>/judged/",
        judgements.JudgedSentenceDetail.as_view(),
        name="api-judged-sentence",
    ),
    path(
        f"{PROJECT}/sentences/<int:number>/excluded/",
        exclusion.SentenceExclusion.as_view(),
        name="api-sentence-excluded",
    ),
    path(
        f"{PROJECT}/sentences/<int:number>/returned/",
        exclusion.SentenceReturn.as_view(),
        name="api-sentence-returned",
    ),
    path(f"{PROJECT}/excluded/", exclusion.ExcludedTexts.as_view(), name="api-excluded"),
    path(f"{PROJECT}/systems/", texts.Systems.as_view(), name="api-systems"),
    path(
        f"{PROJECT}/systems/<int:system_pk>/go-on/",
        texts.SystemResume.as_view(),
        name="api-system-go-on",
    ),
    path(
        f"{PROJECT}/systems/<int:system_pk>/sample/",
        samples.SystemSample.as_view(),
        name="api-system-sample",
    ),
    path(f"{PROJECT}/segments/sample/", samples.SegmentSample.as_view(), name="api-sample"),
    path(f"{PROJECT}/media/", media.MediaList.as_view(), name="api-media"),
    path(f"{PROJECT}/media/<int:medium_pk>/", media.MediumDetail.as_view(), name="api-medium"),
    path(f"{PROJECT}/reference/", texts.Reference.as_view(), name="api-reference"),
    path(f"{PROJECT}/undecided/", undecided.Undecided.as_view(), name="api-undecided"),
    path(f"{PROJECT}/members/", members.MemberList.as_view(), name="api-members"),
    path(f"{MEMBER}/", members.MemberDetail.as_view(), name="api-member"),
    path(f"{MEMBER}/new-link/", members.MemberSignInLink.as_view(), name="api-new-link"),
    path(f"{MEMBER}/paused/", exclusion.MemberPause.as_view(), name="api-member-paused"),
    path(f"{MEMBER}/discarded/", exclusion.MemberJudgements.as_view(), name="api-member-discarded"),
    path(f"{MEMBER}/sentences/", exclusion.MemberSentences.as_view(), name="api-member-sentences"),
    path(f"{MEMBER}/data/", members.MemberData.as_view(), name="api-member-data"),
    path(f"{MEMBER}/anonymise/", members.MemberAnonymisation.as_view(), name="api-anonymise"),
    path(f"{PROJECT}/invitations/", invitations.InvitationList.as_view(), name="api-invitations"),
    path(
        f"{PROJECT}/invitations/list/",
        invitations.AddressListInvitations.as_view(),
        name="api-invite-list",
    ),
    path(
        f"{PROJECT}/invitations/<int:invitation_pk>/",
        invitations.InvitationDetail.as_view(),
        name="api-invitation",
    ),
    path(f"{PROJECT}/start-links/", crowd.StartLinkList.as_view(), name="api-start-links"),
    path(
        f"{PROJECT}/start-links/<int:link_pk>/",
        crowd.StartLinkDetail.as_view(),
        name="api-start-link",
    ),
    path(f"{PROJECT}/pay/", crowd.MembersPayDetail.as_view(), name="api-pay"),
    path(f"{PROJECT}/payment/", crowd.Payment.as_view(), name="api-payment"),
    path(f"{PROJECT}/assignments/", assignments.AssignmentList.as_view(), name="api-assignments"),
    path(
        f"{PROJECT}/assignments/<int:assignment_pk>/release/",
        assignments.AssignmentRelease.as_view(),
        name="api-release",
    ),
    path(
        f"{PROJECT}/instructions/",
        instructions.InstructionsList.as_view(),
        name="api-instructions",
    ),
    path(
        f"{PROJECT}/instructions/preview/",
        instructions.InstructionsPreview.as_view(),
        name="api-instructions-preview",
    ),
    path(
        f"{PROJECT}/instructions/<int:number>/",
        instructions.InstructionsVersion.as_view(),
        name="api-instructions-version",
    ),
    path(
        f"{PROJECT}/questionnaires/",
        questionnaires.QuestionnaireList.as_view(),
        name="api-questionnaires",
    ),
    path(
        f"{PROJECT}/questionnaires/answers/",
        questionnaires.QuestionnaireAnswers.as_view(),
        name="api-questionnaire-answers",
    ),
    path(f"{PROJECT}/controls/", controls.ControlList.as_view(), name="api-controls"),
    path(f"{PROJECT}/controls/<int:number>/", controls.ControlDetail.as_view(), name="api-control"),
    path(f"{PRACTICE}/", practice.PracticeList.as_view(), name="api-practice"),
    path(f"{PRACTICE}/tutorial/", practice.PracticeTutorial.as_view(), name="api-tutorial"),
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
    path(f"{PRACTICE}/<int:number>/", practice.PracticeDetail.as_view(), name="api-practice-one"),
    path(
        f"{PRACTICE}/<int:number>/answers/",
        practice.PracticeAnswers.as_view(),
        name="api-practice-answers",
    ),
    path(f"{PROJECT}/disputed/", disputes.DisputedList.as_view(), name="api-disputed"),
    path(
        f"{PROJECT}/disputed/<int:sheet>/",
        disputes.DisputedDetail.as_view(),
        name="api-settle",
    ),
    path(f"{PROJECT}/quality/", quality.QualityAnnotators.as_view(), name="api-quality"),
    path(f"{PROJECT}/quality/rules/", quality.QualityRuleList.as_view(), name="api-quality-rules"),
    path(f"{PROJECT}/quality/flags/", quality.QualityFlagList.as_view(), name="api-quality-flags"),
    path(
        f"{PROJECT}/quality/flags/<int:flag_pk>/dismiss/",
        quality.QualityFlagDismissal.as_view(),
        name="api-quality-dismiss",
    ),
    path(f"{PROJECT}/overview/", findings.ProjectOverview.as_view(), name="api-overview"),
    path(f"{PROJECT}/judgements/", judgements.JudgementList.as_view(), name="api-judgements"),
    path(f"{PROJECT}/statistics/", findings.Statistics.as_view(), name="api-statistics"),
    path(f"{PROJECT}/ranking/", findings.Ranking.as_view(), name="api-ranking"),
    path(f"{PROJECT}/sentence-level/", findings.SentenceLevel.as_view(), name="api-sentence-level"),
    path(f"{PROJECT}/reports/", reports.ReportList.as_view(), name="api-reports"),
    path(
        f"{PROJECT}/reports/schedule/", reports.ReportScheduleDetail.as_view(), name="api-schedule"
    ),
    path(
        f"{PROJECT}/shared-links/", shared_links.SharedLinkList.as_view(), name="api-shared-links"
    ),
    path(
        f"{PROJECT}/shared-links/<int:shared_pk>/",
        shared_links.SharedLinkDetail.as_view(),
        name="api-shared-link",
    ),
    path(f"{REPORT}/", reports.ReportDetail.as_view(), name="api-report"),
    path(f"{REPORT}/data/", reports.ReportContents.as_view(), name="api-report-data"),
    path(f"{REPORT}/zip/", reports.ReportZip.as_view(), name="api-report-zip"),
    path(f"{REPORT}/paper/", reports.ReportPaper.as_view(), name="api-report-paper"),
    path(f"{REPORT}/tables/", reports.TableList.as_view(), name="api-tables"),
    path(f"{REPORT}/tables/<slug:name>/", reports.TableDetail.as_view(), name="api-table"),
    path(f"{REPORT}/figures/", reports.FigureList.as_view(), name="api-figures"),
    path(f"{REPORT}/figures/<slug:name>/", reports.FigureDetail.as_view(), name="api-figure"),
    path(f"{PROJECT}/metrics/", metrics.Metrics.as_view(), name="api-metrics"),
    path(
        f"{PROJECT}/metrics/refresh/", metrics.MetricsRefresh.as_view(), name="api-metrics-refresh"
    ),
    path(f"{PROJECT}/metrics/files/", score_files.ScoreFiles.as_view(), name="api-score-files"),
    path(
        f"{PROJECT}/metrics/files/<int:score_file_pk>/",
        score_files.ScoreFileDetail.as_view(),
        name="api-score-file",
    ),
    path(
        f"{PROJECT}/annotator-models/",
        annotator_models.StoredAnnotatorModels.as_view(),
        name="api-annotator-models",
    ),
    path(
        f"{PROJECT}/annotator-models/refresh/",
        annotator_models.AnnotatorModelsRefresh.as_view(),
        name="api-annotator-models-refresh",
    ),
    path(f"{PROJECT}/exports/archive/", exports.Archive.as_view(), name="api-archive"),
    path(
        f"{PROJECT}/exports/mt-metrics-eval/",
        exports.MetricsEval.as_view(),
        name="api-metrics-eval-set",
    ),
    path(f"{PROJECT}/exports/<slug:name>/", exports.Export.as_view(), name="api-export"),
    path(f"{PROJECT}/webhooks/", webhooks.WebhookList.as_view(), name="api-webhooks"),
    path(f"{WEBHOOK}/", webhooks.WebhookDetail.as_view(), name="api-webhook"),
    path(f"{WEBHOOK}/secret/", webhooks.WebhookSecret.as_view(), name="api-webhook-secret"),
    path(f"{WEBHOOK}/test/", webhooks.WebhookTest.as_view(), name="api-webhook-test"),
    path(f"{WEBHOOK}/deliveries/", webhooks.DeliveryList.as_view(), name="api-deliveries"),
    path(
        f"{WEBHOOK}/deliveries/<int:delivery_pk>/again/",
        webhooks.DeliveryRetry.as_view(),
        name="api-delivery-again",
    ),
    path("docs/", pages.documentation, name="api-documentation"),
    # Last: every other address, even with line ends in it.
    re_path(r"^(?P<rest>[\s\S]*)$", schema.UnknownAddress.as_view(), name="api-nowhere"),
]

urlpatterns = [
    path("api/v1/", include(VERSION_1)),
    path("account/tokens/", pages.show_tokens, name="tokens"),
    path("account/tokens/<int:token_pk>/revoke/", pages.revoke_token, name="revoke-token"),
]
