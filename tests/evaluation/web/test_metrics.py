import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Translation
from evaluation.findings.metrics import leaders
from evaluation.findings.options import DEFAULT_METRICS, MetricsOptions, ReportOptions
from evaluation.models import StoredReport
from evaluation.services import reports
from evaluation.services.report_kinds import data_of
from tests.evaluation.judged_outputs import add_outputs, make_judged_project
from tests.evaluation.web.pages import data, element
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
CHOSEN = {"metrics": ["bleu", "ter"], "outliers_by": "list", "outliers": ["C"]}


@pytest.fixture
def project():
    return make_judged_project()


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def make(project, **options):
    report = reports.report_of(project, MetricsOptions(**options))
    reports.compute(report.pk)
    report.refresh_from_db()
    assert report.state == StoredReport.State.DONE, report.error
    return report


def page(client, project, **parameters):
    return client.get(reverse("metrics", args=[project.pk]), parameters).content.decode()


def test_the_first_view_requests_the_evaluation(client, project, boss):
    state = reverse("metrics-state", args=[project.pk])
    assert client.get(state).json() == {"waiting": False, "made": None}

    shown = page(client, project)

    assert 'id="waiting"' in shown
    assert data(shown, "state") == state
    waiting = client.get(state).json()
    assert (waiting["waiting"], waiting["made"]) == (True, None)
    stored = StoredReport.objects.get()
    assert (stored.kind, stored.created_by) == (StoredReport.Kind.METRICS, None)
    reports.compute(stored.pk)
    assert client.get(state).json()["waiting"] is False


def test_an_evaluation_has_all_parts(client, project, boss):
    stored = make(project)

    shown = page(client, project)

    assert stored.judgements == stored.data["judgements"] == 12
    assert (data(shown, "waiting"), data(shown, "new")) == ("", "0")
    for part in ("scores", "systems", "plots", "segments", "candidates", "method", "files"):
        assert f'id="{part}-heading"' in shown
    for table in ("metric-scores", "system-level", "tau-comparisons", "tau-pairs", "acc-eq"):
        assert element(shown, "id", table)
    for name in ("bleu", "chrfpp"):
        assert element(shown, "data-name", f"scatter-{name}")
    # Three systems are too few for a test.
    every = stored.data["system_level"]["all_systems"]["metrics"]
    assert {*(data(shown, "leaders") or "").split()} == {row["metric"] for row in every}
    # No schedule: it is of the report.
    assert 'id="every"' not in shown


def test_metrics_with_no_positive_correlation_are_not_said_to_agree(client, project, boss):
    stored = make(project)
    assert "data-none-agrees" not in page(client, project)
    every = stored.data["system_level"]["all_systems"]
    for row in every["metrics"]:
        row["pearson"]["value"] = -0.56
    stored.save()
    assert "data-none-agrees" in page(client, project)


@pytest.mark.parametrize("missing", ["reference", "outputs", "judgements"])
def test_it_says_what_a_project_lacks(client, missing):
    if missing == "judgements":
        project = make_project()
        add_outputs(project)
    else:
        project = make_judged_project(outputs=missing == "reference")
        if missing == "reference":
            Translation.objects.filter(system=None).delete()
    client.force_login(make_annotator(project, "boss", "administrator"))

    shown = page(client, project)

    assert data(shown, "missing") == missing
    assert client.post(reverse("metrics-refresh", args=[project.pk])).status_code == 302
    assert not StoredReport.objects.exists()


def test_an_unprepared_project_has_no_metrics(client, project, boss):
    project.state = "preparing"
    project.save()

    assert 'id="unprepared"' in page(client, project)


def test_metrics_gold_and_outliers_can_be_chosen(client, project, boss):
    page(client, project, gold="expected_wins", **CHOSEN)

    stored = StoredReport.objects.get()
    assert stored.created_by == boss
    assert stored.options == {
        "metrics": ["bleu", "ter"],
        "gold": "expected_wins",
        "outliers": ["C"],
        "resamples": 1000,
        "seed": 0,
    }
    reports.compute(stored.pk)
    shown = page(client, project, gold="expected_wins", **CHOSEN)
    assert element(shown, "id", "system-level-without-outliers")
    assert "outliers_by=list&amp;outliers=C" in shown


def test_the_default_choice_in_any_order_is_the_projects_evaluation(client, project, boss):
    page(client, project, metrics=list(reversed(DEFAULT_METRICS)), gold="", outliers_by="")

    assert StoredReport.objects.get().key == MetricsOptions().key


@pytest.mark.parametrize(
    "parameters",
    [
        {"metrics": ["nonsense"]},
        {"gold": "nonsense"},
        {"outliers_by": "list", "outliers": ["nonsense"]},
    ],
)
def test_it_refuses_unknown_names(client, project, boss, parameters):
    answer = client.get(reverse("metrics", args=[project.pk]), parameters)

    assert answer["Location"] == reverse("metrics", args=[project.pk])
    assert not StoredReport.objects.exists()


def test_a_failure_is_shown_and_can_be_retried(client, project, boss):
    def fail(*arguments):
        raise ValueError("no luck")

    reports.compute(reports.report_of(project, MetricsOptions()).pk, fail)

    shown = page(client, project)

    assert "ValueError: no luck" in shown
    assert reverse("metrics-refresh", args=[project.pk]) in shown


def test_refresh_requests_it_again_with_its_options(client, project, boss):
    stored = make(project, metrics=("bleu", "ter"), outliers=("C",))
    address = reverse("metrics", args=[project.pk])
    query = "metrics=bleu&metrics=ter&outliers_by=list&outliers=C"

    answer = client.post(f"{reverse('metrics-refresh', args=[project.pk])}?{query}")

    assert answer["Location"] == f"{address}?{query}"
    stored.refresh_from_db()
    assert stored.state == StoredReport.State.WAITING


def test_a_persons_reports_of_both_kinds_are_limited_together(client, project, boss):
    reports.report_of(project, ReportOptions(seed=1), by=boss)
    reports.report_of(project, MetricsOptions(seed=1), by=boss)

    with pytest.raises(reports.TooManyWaiting):
        reports.report_of(project, MetricsOptions(seed=2), by=boss)


def test_downloads(client, project, boss):
    def get(name, *arguments):
        return client.get(reverse(name, args=[project.pk, *arguments]))

    assert get("metrics-json").status_code == get("metrics-zip").status_code == 404
    stored = make(project)

    assert json.loads(get("metrics-json").content) == stored.data
    with zipfile.ZipFile(io.BytesIO(get("metrics-zip").content)) as packed:
        assert {"metrics.json", "tables/metric-scores.tex", "figures/scatter-chrfpp.vl.json"} <= {
            *packed.namelist()
        }
    assert get("metrics-table", "system-level", "csv").content.startswith(b"metric,winner,pearson")
    assert get("metrics-table", "nonsense", "csv").status_code == 404
    assert get("metrics-table", "system-level", "pdf").status_code == 404
    assert get("metrics-figure", "scatter-bleu").json()["data"]["values"][0]["system"] == "A"
    assert get("metrics-figure", "nonsense").status_code == 404


def test_the_page_needs_no_more_queries_for_more_sentences(client, project, boss):
    make(project)
    larger = make_judged_project(name="larger", sentences=6)
    make_annotator(larger, "boss", "administrator")
    make(larger)
    counts = []
    for shown in (project, project, larger):
        with CaptureQueriesContext(connection) as captured:
            page(client, shown)
        counts.append(len(captured))
    assert counts[1] == counts[2]


def test_leaders_are_those_that_the_best_does_not_exceed_significantly(client, project, boss):
    report = data_of(make(project, metrics=("bleu", "ter")))
    assert report is not None
    found = report.system_level.all_systems
    best, other = found.by_r
    names = [found.metrics[place].metric for place in (best, other)]

    def with_p(p):
        tests = np.full((2, 2), np.nan)
        tests[best, other] = p
        return replace(found, williams=replace(found.williams, p=tests))

    assert leaders(with_p(0.05)) == names[:1]
    assert leaders(with_p(0.06)) == names
    assert leaders(with_p(np.nan)) == names
