"""Importing judgements and archives in the browser."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Judgement, Membership, Project, User
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    archive_file,
    imported_project,
    write_lines,
)
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(tmp_path: Path, settings: Any) -> Project:
    settings.MEDIA_ROOT = tmp_path
    return imported_project(tmp_path)


@pytest.fixture
def boss(client: Client, project: Project) -> User:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def send(client: Client, address: str, content: bytes, **fields: str) -> Any:
    return client.post(address, {"file": SimpleUploadedFile("mine.jsonl", content), **fields})


def test_judgements_are_imported_once(
    client: Client, project: Project, boss: User, tmp_path: Path
) -> None:
    address = reverse("import-judgements", args=[project.pk])
    assert address in client.get(reverse("exports", args=[project.pk])).content.decode()
    content = gzip.compress(write_lines(tmp_path / "j", [JUDGEMENT]).read_bytes())
    for _time in range(2):
        assert send(client, address, content).status_code == 302
        assert Judgement.objects.count() == 1
    project.refresh_from_db()
    assert project.provenance["imports"][0]["name"] == "mine.jsonl"


def test_every_problem_is_named_beside_the_file(
    client: Client, project: Project, boss: User, tmp_path: Path
) -> None:
    address = reverse("import-judgements", args=[project.pk])
    lines = [JUDGEMENT, JUDGEMENT | {"sentence": 99}, JUDGEMENT | {"seconds": "<b>"}]
    content = write_lines(tmp_path / "j", lines).read_bytes()
    page = send(client, address, content)
    assert page.status_code == 400
    errors = page.content.decode().split('id="id_file_error"')[1].split("</ul>")[0]
    assert errors.count("<li>") == errors.count("mine.jsonl, line ") == 2
    assert "<b>" not in errors
    assert not Judgement.objects.exists()


def test_a_file_beyond_the_limit_is_refused(
    client: Client, project: Project, boss: User, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 1_000_000
    for name, args in (
        ("import-judgements", [project.pk]),
        ("import-archive", []),
        ("import-campaign", []),
    ):
        page = send(client, reverse(name, args=args), b"x" * 1_000_001)
        assert page.status_code == 413
        assert page.content.decode().split('id="id_file_error"')[1].count("<li>") == 1


def test_a_file_that_unpacks_beyond_the_limit_is_refused(
    client: Client, project: Project, boss: User, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 1_000_000
    content = gzip.compress(b"{}\n" * 400_000)
    assert len(content) < 10_000
    for name, args in (
        ("import-judgements", [project.pk]),
        ("import-archive", []),
        ("import-campaign", []),
    ):
        named = {"name": "new", "source_language": "en", "target_language": "cs"}
        page = send(client, reverse(name, args=args), content, **named)
        assert page.status_code == 400
        errors = page.content.decode().split('id="id_file_error"')[1].split("</ul>")[0]
        assert errors.count("<li>") == errors.count("mine.jsonl") == 1


def test_a_restored_project_belongs_to_its_importer(
    client: Client, project: Project, boss: User, tmp_path: Path
) -> None:
    address = reverse("import-archive")
    content = archive_file(project, tmp_path).read_bytes()
    # The name is taken.
    refused = send(client, address, content)
    assert refused.status_code == 400
    assert 'id="id_file_error"' in refused.content.decode()
    refused = send(client, address, content, name=project.name)
    assert 'id="id_name_error"' in refused.content.decode()
    assert Project.objects.count() == 1

    answer = send(client, address, content, name="again")
    restored = Project.objects.get(name="again")
    assert answer.headers["Location"] == reverse("overview", args=[restored.pk])
    assert restored.sentences.count() == project.sentences.count()
    owner = Membership.objects.get(project=restored, role="owner")
    assert owner.user == boss


def test_a_campaign_of_pearmut_becomes_a_project(client: Client, boss: User) -> None:
    address = reverse("import-campaign")
    item = {"item_id": "i1", "src": "Hello", "tgt": {"A": "Ahoj", "B": "Nazdar"}}
    content = {"campaign_id": "demo", "info": {"protocol": "cESA"}, "data": [[item]]}
    values = {"name": "Demo", "source_language": "en", "target_language": "cs"}
    wrong = content | {"info": {"protocol": "other"}}
    refused = send(client, address, json.dumps(wrong).encode(), **values)
    assert refused.status_code == 400
    assert 'id="id_file_error"' in refused.content.decode()
    assert not Project.objects.filter(name="Demo").exists()

    answer = send(client, address, json.dumps(content).encode(), **values)
    created = Project.objects.get(name="Demo")
    assert answer.headers["Location"] == reverse("overview", args=[created.pk])
    assert created.kind == "contrastive_error_spans"
    assert created.provenance["files"]["source"]["name"] == "mine.jsonl"
    assert Membership.objects.get(project=created, role="owner").user == boss
    again = send(client, address, json.dumps(content).encode(), **values)
    assert 'id="id_name_error"' in again.content.decode()
