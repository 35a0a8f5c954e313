from collections.abc import Mapping, Sequence

import pytest

from evaluation.findings.options import ReportOptions
from evaluation.models import StoredReport
from evaluation.services import agreement, reports
from evaluation.services.agreement import agreement_so_far
from evaluation.services.loading import load
from evaluation.stats.agreement.kappa import measure_agreement
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
FIRST: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
SECOND: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}


@pytest.fixture
def project():
    return make_project(sentences=4)


@pytest.fixture
def jana(project):
    return make_annotator(project)


@pytest.fixture
def petr(project):
    return make_annotator(project, "petr")


def measured(project):
    return agreement_so_far(project)


def make_report(project):
    report = reports.report_of(project, ReportOptions())
    reports.request(report)
    reports.compute(report.pk)


def test_agreement_is_that_of_all_judgements(project, jana, petr, monkeypatch):
    monkeypatch.setattr(agreement, "REST", 0)
    submit(project, jana, 1, FIRST)
    assert measured(project).inter.undefined

    submit(project, petr, 1, SECOND)
    submit(project, jana, 1, SECOND)

    found, expected = measured(project), measure_agreement(load(project))
    for one, other in ((found.intra, expected.intra), (found.inter, expected.inter)):
        assert (one.agree, one.compared, one.kappa) == (other.agree, other.compared, other.kappa)
    assert found.missing == 0


def test_agreement_is_cached_until_the_next_submission(
    project, jana, petr, django_assert_max_num_queries
):
    submit(project, jana, 1, FIRST)
    submit(project, petr, 1, SECOND)
    first = measured(project)

    with django_assert_max_num_queries(2):
        assert measured(project) == first


def test_a_slow_measurement_is_not_repeated_at_once(project, jana, petr, monkeypatch):
    monkeypatch.setattr(agreement, "REST", 1_000_000)
    submit(project, jana, 1, FIRST)
    first = measured(project)
    submit(project, petr, 1, SECOND)

    assert measured(project).missing == 2
    assert measured(project).made == first.made


def test_the_agreement_of_an_up_to_date_report_is_used(project, jana, petr, monkeypatch):
    submit(project, jana, 1, FIRST)
    submit(project, petr, 1, SECOND)
    make_report(project)
    monkeypatch.setattr(agreement, "MOST_JUDGEMENTS", 0)

    found, expected = measured(project), measure_agreement(load(project)).inter

    assert (found.inter.agree, found.inter.compared) == (expected.agree, expected.compared)
    assert found.inter.kappa == pytest.approx(expected.kappa, abs=1e-6)
    assert found.made == StoredReport.objects.get().made


def test_many_judgements_use_the_report(project, jana, petr, monkeypatch):
    monkeypatch.setattr(agreement, "MOST_JUDGEMENTS", 1)
    submit(project, jana, 1, FIRST)
    assert measured(project) is None

    make_report(project)
    submit(project, petr, 1, SECOND)

    assert measured(project).missing == 2
    assert measured(project).made == StoredReport.objects.get().made
