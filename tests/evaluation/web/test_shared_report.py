import io
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.common.database_errors import refusal_of
from annotation.common.exceptions import Busy
from evaluation.findings.options import ReportOptions
from evaluation.models import SharedLink, StoredReport
from evaluation.services import reports, shared_links
from evaluation.services.drawn_files import cached_drawing
from tests.evaluation.projects import submit
from tests.evaluation.web.pages import element
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
NAMES = ("jana", "petr", "boss")


@pytest.fixture
def project():
    project = make_project(sentences=10)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for number in range(1, 11):
        submit(project, jana, number, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}, seconds=30)
        submit(project, petr, number, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}, seconds=10)
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


@pytest.fixture
def token(project, boss):
    return share(project, boss)


def share(project, boss, days=30, **options):
    """Return the token of a link to the finished report with these options."""
    chosen = ReportOptions(**options)
    _link, token = shared_links.share(project=project, by=boss, options=chosen, days=days)
    reports.compute(StoredReport.objects.get(key=chosen.key).pk)
    return token


def test_an_administrator_makes_a_link_that_readers_open(client, project, boss):
    answer = client.post(
        reverse("report-sharing", args=[project.pk]), {"pages": "report", "days": "never"}
    )

    assert answer.status_code == 201
    found = re.search(r'value="http://testserver(/shared/[^"]+/)"', answer.content.decode())
    assert found
    assert element(Client().get(found[1]).content.decode(), "id", "waiting")
    reports.compute(StoredReport.objects.get().pk)
    shown = Client().get(found[1]).content.decode()
    assert 'id="ranking-heading"' in shown
    assert element(shown, "data-name", "win-rates")
    listed = client.get(reverse("report-sharing", args=[project.pk])).content.decode()
    assert "data-link" in listed
    assert found[1] not in listed


def test_the_form_refuses_unknown_lifetimes(client, project, boss):
    answer = client.post(
        reverse("report-sharing", args=[project.pk]), {"pages": "report", "days": "7000"}
    )

    assert answer.status_code == 400
    assert not SharedLink.objects.exists()


def test_no_name_is_in_the_page_or_in_its_files(client, project, boss):
    everything = share(project, boss, minimum_kappa=1.0, repeats=False)
    filtered = StoredReport.objects.get().data
    assert filtered is not None
    assert filtered["left_out"]["annotators"]
    for token in (share(project, boss), everything):
        address = reverse("shared-report", args=[token])
        packed = Client().get(f"{address}report.zip").content
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            texts = [
                archive.read(name).decode()
                for name in archive.namelist()
                if not name.endswith((".png", ".pdf"))
            ]
        pages = [f"{address}{name}" for name in ("", "report.json")]
        pages += [f"{address}tables/annotators.csv", f"{address}figures/speed-changes.vl.json"]
        texts += [Client().get(page).content.decode() for page in pages]
        assert not [text for text in texts for name in NAMES if name in text]
    assert "Annotator 1" in texts[-3]


def test_readers_are_led_to_no_page_that_needs_an_account(token):
    shown = Client().get(reverse("shared-report", args=[token])).content.decode()

    assert 'href="/projects/' not in shown
    # They choose the language only.
    assert re.findall(r'<form[^>]* action="([^"]*)"', shown) == [reverse("set_language")]
    assert f'href="/shared/{token}/report.zip"' in shown


def test_it_is_kept_out_of_caches_search_engines_and_referrers(token):
    for name in ("", "report.json", "figures/win-rates.svg", "tables/agreement.tex"):
        answer = Client().get(reverse("shared-report", args=[token]) + name)

        assert answer.status_code == 200
        assert "no-store" in answer["Cache-Control"]
        # Without a referrer, browsers post the form of languages with the origin "null".
        assert answer["Referrer-Policy"] == "same-origin"
        assert "noindex" in answer["X-Robots-Tag"]


def test_a_filtered_report_is_shared_as_such(client, project, boss):
    shown = Client().get(reverse("shared-report", args=[share(project, boss, repeats=False)]))

    assert element(shown.content.decode(), "id", "filtered")


def test_links_end(client, project, boss, token):
    address = reverse("shared-report", args=[token])
    link = SharedLink.objects.get()
    assert Client().get(reverse("shared-report", args=["guessed"])).status_code == 404
    assert Client().get(address).status_code == 200

    client.post(reverse("revoke-shared-report", args=[project.pk, link.pk]), {"confirmed": "yes"})

    assert Client().get(address).status_code == 410
    assert Client().get(f"{address}report.zip").status_code == 410
    now = timezone.now()
    times = {"created": now - timedelta(days=2), "expires": now - timedelta(days=1)}
    SharedLink.objects.update(ended=None, **times)
    assert Client().get(address).status_code == 410
    assert not reports.open_links(project).exists()


def test_a_deleted_report_is_requested_again(token):
    StoredReport.objects.all().delete()

    answer = Client().get(reverse("shared-report", args=[token]))

    assert element(answer.content.decode(), "id", "waiting")
    assert StoredReport.objects.get().is_unfinished


def test_shared_reports_are_not_deleted_for_newer_ones(project, boss):
    share(project, boss, minimum_kappa=0.01)
    for number in range(2, 9):
        options = ReportOptions(minimum_kappa=number / 100)
        reports.compute(reports.report_of(project, options, by=boss).pk)

    kept = StoredReport.objects.filter(created_by=boss).values_list("key", flat=True)
    assert ReportOptions(minimum_kappa=0.01).key in kept
    assert len(kept) == reports.MAX_REPORTS + 1


def test_links_of_a_deleted_project_end(project, token):
    project.delete_after = timezone.now()
    project.save()

    assert Client().get(reverse("shared-report", args=[token])).status_code == 404


@pytest.mark.parametrize("more", [0, 5])
def test_the_number_of_queries_is_constant(
    client, project, boss, token, more, django_assert_num_queries
):
    for number in range(more):
        annotator = make_annotator(project, f"annotator{number}")
        submit(project, annotator, 3, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
        shared_links.share(project=project, by=boss, options=ReportOptions(), days=None)
    reports.request(StoredReport.objects.get())
    reports.compute(StoredReport.objects.get().pk)

    # The link with its project, the report, annotators and their names, flags.
    with django_assert_num_queries(5):
        Client().get(reverse("shared-report", args=[token]))
    # Session, user, project, role (once more for the tabs), links.
    with django_assert_num_queries(4):
        client.get(reverse("report-sharing", args=[project.pk]))


def test_a_process_draws_the_figures_of_one_reader_at_a_time():
    """Readers have no account; twelve drawings at once held up all other visitors."""

    def draw():
        with ThreadPoolExecutor(1) as other, pytest.raises(Busy) as refused:
            other.submit(cached_drawing, ["another"], lambda: b"another").result()
        refusal = refusal_of(refused.value)
        assert refusal
        assert (refusal.status, refusal.wait) == (503, 5)
        return b"drawn"

    assert cached_drawing(["figure"], draw) == b"drawn"
    assert cached_drawing(["figure"], bytes) == b"drawn"
    assert cached_drawing(["another"], lambda: b"another") == b"another"
