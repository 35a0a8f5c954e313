"""The addresses of what was judged and found, and of those who are told."""

from django.urls import path

from api.views import (
    exports,
    findings,
    judgements,
    reports,
    webhooks,
)

PROJECT = "projects/<int:pk>"
REPORT = f"{PROJECT}/reports/<int:report_pk>"
WEBHOOK = f"{PROJECT}/webhooks/<int:webhook_pk>"

FINDINGS = [
    path(f"{PROJECT}/judgements/", judgements.Judgements.as_view(), name="api-judgements"),
    path(f"{PROJECT}/statistics/", findings.Statistics.as_view(), name="api-v1-statistics"),
    path(f"{PROJECT}/ranking/", findings.Ranking.as_view(), name="api-v1-ranking"),
    path(f"{PROJECT}/reports/", reports.Reports.as_view(), name="api-reports"),
    path(f"{PROJECT}/reports/schedule/", reports.OneSchedule.as_view(), name="api-schedule"),
    path(f"{REPORT}/", reports.OneReport.as_view(), name="api-report"),
    path(f"{REPORT}/data/", reports.ReportContents.as_view(), name="api-report-data"),
    path(f"{REPORT}/tables/", reports.Tables.as_view(), name="api-tables"),
    path(f"{REPORT}/tables/<slug:name>/", reports.OneTable.as_view(), name="api-table"),
    path(f"{REPORT}/figures/", reports.Figures.as_view(), name="api-figures"),
    path(f"{REPORT}/figures/<slug:name>/", reports.OneFigure.as_view(), name="api-figure"),
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
]
