"""A new project in the browser: sample files, languages, and the settings of judging."""

import io
import re
import zipfile

import pytest
from django.urls import reverse

from annotation.models import Job, Project, Upload
from annotation.uploads import create_project
from annotation.uploads.sample import SAMPLE_FILES
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import (
    JUDGING,
    NEW,
    boss,
    fill_in,
    page_of,
    pages_of,
    prepare,
    send,
    sent,
    uploads,
)
from tests.factories import make_project
from tests.jobs import run_job

__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db


def judging_page(upload):
    return reverse("new-project-judging", args=[upload.token])


def test_a_project_is_closed_when_it_is_prepared(client, boss):
    upload = send(client)
    fill_in(client, upload)
    client.post(judging_page(upload), JUDGING)
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert project.state == Project.State.CLOSED
    page = client.get(reverse("preparing", args=[project.pk])).content.decode()
    (main,) = re.findall(r'class="button button-main" href="([^"]+)"', page)
    assert main == reverse("project-invitations", args=[project.pk])


def test_ready_made_segments_stay_closed_too(client, boss):
    upload = send(client, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    fill_in(client, upload)
    assert 'name="highlights"' not in client.get(judging_page(upload)).content.decode()
    client.post(judging_page(upload), JUDGING)
    run_job(Job.objects.get().pk)
    assert Project.objects.get().state == Project.State.CLOSED


def test_settings_and_instructions_belong_to_the_new_project(client, boss):
    upload = send(client)
    fill_in(client, upload)
    offered = client.get(judging_page(upload)).content.decode()
    changes = {"judges_per_sentence": 3, "control_rate": 10, "practice_required": "on"}
    changes["show_whole_translations"] = "on"
    assert [name for name in changes if f'name="{name}"' not in offered] == []
    prepare(client, upload, **changes, text="Be kind.")
    project = Project.objects.get()
    assert (project.judges_per_sentence, project.control_rate) == (3, 0.1)
    assert project.practice_required
    assert project.show_whole_translations
    assert not project.show_neighbours
    assert project.instructions.get().text == "Be kind."


def test_settings_out_of_range_are_refused_in_sight(client, boss):
    upload = send(client)
    fill_in(client, upload)
    answer = prepare(client, upload, judges_per_sentence=0, intra_rate=200)
    assert answer.status_code == 400
    summary = answer.content.decode().split('id="problems"')[1].split("</section>")[0]
    assert re.findall('href="#([^"]+)"', summary) == ["id_judges_per_sentence", "id_intra_rate"]
    assert not Project.objects.exists()


def test_settings_come_after_complete_details(client, boss):
    upload = send(client)
    assert client.get(judging_page(upload)).headers["Location"] == pages_of(upload)[0]


# --- names and languages ----------------------------------------------------------------------


def test_the_name_is_asked_first_and_kept(client, boss):
    client.post(NEW, sent(files.TEXTS) | {"name": " Castles "})
    upload = Upload.objects.get()
    assert upload.settings["name"] == "Castles"
    assert 'value="Castles"' in page_of(client, upload)


def test_a_form_with_mistakes_says_nothing_good(client, boss):
    upload = send(client)
    page = fill_in(client, upload, name="").content.decode()
    assert "notice-success" not in page
    findings = page.split('id="findings"')[1]
    assert "autofocus" in findings.split(">")[0]
    assert 'href="#id_name"' in findings.split("<form")[0]


@pytest.mark.parametrize(
    ("fields", "stored"),
    [
        ({"source_language": "en"}, "en"),
        ({"source_language": "other", "source_language_code": "pt_br"}, "pt-BR"),
        ({"source_language": "other", "source_language_code": "CES"}, "cs"),
        ({"source_language": "haw"}, "haw"),
        # Not the chosen one, so it has no effect.
        ({"source_language": "de", "source_language_code": "pt-BR"}, "de"),
    ],
)
def test_languages_are_chosen_or_given_by_code(client, boss, fields, stored):
    upload = send(client)
    assert fill_in(client, upload, **fields).status_code == 302
    upload.refresh_from_db()
    assert upload.settings["source_language"] == stored
    assert f'<option value="{stored}" selected>' in page_of(client, upload)


@pytest.mark.parametrize("code", ["", "english language", "e", "xx", "en-zh"])
def test_a_language_without_a_known_code_is_refused(client, boss, code):
    upload = send(client)
    changes = {"source_language": "other", "source_language_code": code}
    assert fill_in(client, upload, **changes).status_code == 400
    upload.refresh_from_db()
    assert upload.settings["source_language"] == ""


# --- sample files -----------------------------------------------------------------------------


def test_the_sample_files_become_a_project(client, boss):
    make_project("Sample project")
    answer = client.post(reverse("new-project-sample"))
    upload = Upload.objects.get()
    assert answer.headers["Location"] == pages_of(upload)[0]
    assert upload.settings["name"] == "Sample project 2"
    assert set(upload.files.values_list("name", flat=True)) == set(SAMPLE_FILES)
    assert upload.files.filter(role="system").count() == 3
    assert create_project.is_ready(upload)


def test_the_sample_files_can_be_downloaded_and_uploaded(client, boss):
    packed = client.get(reverse("new-project-sample-zip")).content
    assert len(zipfile.ZipFile(io.BytesIO(packed)).namelist()) == len(SAMPLE_FILES) + 1
    upload = send(client, {"sample.zip": packed})
    roles = upload.files.exclude(name__endswith="README.md").values_list("role", flat=True)
    assert sorted(roles) == ["reference", "source", "system", "system", "system"]
