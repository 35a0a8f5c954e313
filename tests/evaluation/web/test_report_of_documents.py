"""The page of the report where sheets are documents."""

import pytest
from django.urls import reverse

from evaluation.models import default_options
from evaluation.services import reports
from tests.annotation.kinds.document_project import judge_all, prepared
from tests.evaluation.web.pages import data
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "tables"),
    [
        ("document_sqm", {"whole-documents", "document-scores", "conclusions"}),
        ("contrastive_error_spans", {"whole-documents", "conclusions-2", "columns"}),
        ("document_ranking", {"ranking-of-documents"}),
    ],
)
def test_the_report_without_parameters_samples_documents(client, tmp_path, kind, tables) -> None:
    project = prepared(tmp_path, kind=kind, rate_documents=True)
    place = {"A": 1, "B": 2, "C": 3}
    judge_all(make_annotator(project), project, lambda text, _whole: place[text[0]])
    reports.compute(reports.report_of(project, default_options(project)).pk)
    client.force_login(make_annotator(project, "boss", "administrator"))
    html = client.get(reverse("report", args=[project.pk])).content.decode()
    assert data(html, "unit") == "document"
    assert data(html, "units") == "3"
    for name in tables:
        assert f'id="{name}-caption"' in html
    # The choice of sentences is kept in addresses.
    response = client.get(reverse("report", args=[project.pk]), {"unit": "sentence"})
    assert response.context["parameters"] == "unit=sentence"
