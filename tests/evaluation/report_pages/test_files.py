"""What can be taken from a report: figures, tables, the whole; and its sentences."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from annotation.models import Judgement
from tests.evaluation.report_pages.setting import PAGES, make, page

pytestmark = pytest.mark.django_db


def test_figures_are_given_for_the_screen_and_for_paper(client, project, boss):
    make(project)
    address = reverse("report-figure", args=[project.pk, "ranking-ratio_of_wins"])

    screen, paper = client.get(address, {"look": "screen"}).json(), client.get(address).json()

    assert screen["width"] == "container"
    assert "var(--accent)" in json.dumps(screen)
    assert "var(" not in json.dumps(paper)
    assert client.get(reverse("report-figure", args=[project.pk, "tastes"])).status_code == 404


@pytest.mark.parametrize("extension", ["tex", "csv", "md", "json"])
def test_tables_are_downloads(client, project, boss, extension):
    make(project)

    response = client.get(reverse("report-table", args=[project.pk, "win-rates", extension]))

    disposition = f'attachment; filename="houses-win-rates.{extension}"'
    assert response["Content-Disposition"] == disposition
    assert response.content


def test_there_are_no_other_tables(client, project, boss):
    make(project)
    for name, extension in (("tastes", "tex"), ("win-rates", "exe")):
        address = reverse("report-table", args=[project.pk, name, extension])
        assert client.get(address).status_code == 404


def test_the_whole_report_is_json_and_a_zip_of_all_files(client, project, boss):
    make(project)

    whole = client.get(reverse("report-json", args=[project.pk]))
    packed = client.get(reverse("report-zip", args=[project.pk]))

    assert whole.json()["signature"].startswith("report|1000 resamples of sentences|seed 0")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert "report.json" in archive.namelist()
        assert "figures/win-rates.vl.json" in archive.namelist()
        assert json.loads(archive.read("report.json")) == whole.json()


def test_what_was_never_made_is_not_found(client, project, boss):
    for name, arguments in PAGES[2:6]:
        assert client.get(reverse(name, args=[project.pk, *arguments])).status_code == 404


def test_a_sentence_is_shown_with_everyones_ranks(client, project, boss):
    shown = client.get(reverse("report-sentence", args=[project.pk, 1])).content.decode()

    assert "<strong>the old house</strong> stands near the river" in shown
    assert "<bdi>jana</bdi>" in shown
    assert '<bdi lang="cs" dir="auto">stará dům</bdi>' in shown
    assert "Garbage" in shown
    assert f'id="segment-{Judgement.objects.order_by("pk")[0].segment_id}"' in shown
    assert client.get(reverse("report-sentence", args=[project.pk, 99])).status_code == 404


def test_disputed_segments_and_contrasting_sentences_lead_to_their_texts(client, project, boss):
    make(project)
    shown = page(client, project)
    sentence = reverse("report-sentence", args=[project.pk, 1])
    first = Judgement.objects.filter(segment__token_indices="4 5 6").order_by("pk")[0]

    assert f'href="{sentence}#segment-{first.segment_id}"' in shown
    assert f'href="{sentence}"' in shown
