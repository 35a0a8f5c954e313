"""An upload in the browser: what is filled in, and what is wrong with its files."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from annotation.models import Project, Upload, UploadedFile, User
from annotation.uploads import folders
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import (
    NEW,
    boss,
    fill_in,
    page_of,
    pages_of,
    prepare,
    send,
    uploads,
)
from tests.factories import make_project

# Fixtures, which are used by their names.
__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db


def test_a_broken_upload_tells_all_problems_and_goes_no_further(client, boss):
    broken = {"systems/north.txt": "a\n", "systems/south.txt": b"\xe8\nb\n"}
    upload = send(client, files.TEXTS | broken)
    answer = fill_in(client, upload)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "2 things have to be put right first" in page
    assert "This file has 1 line, but source.txt has 2" in page
    assert "Byte 1 of the line (0xe8) is not UTF-8" in page
    preview = reverse("new-project-preview", args=[upload.token])
    assert client.get(preview).headers["Location"] == pages_of(upload)[0]
    assert prepare(client, upload).headers["Location"] == pages_of(upload)[0]
    assert not Project.objects.exists()


def test_what_is_wrong_with_lines_is_told_in_the_language_of_the_page(client, boss):
    broken = {
        "trees.txt": files.TREES.replace("))", ")", 1),
        "links/north.txt": files.LINKS.replace("0-0 1-0", "0:0", 1),
        "links/south.txt": files.LINKS,
    }
    upload = send(client, files.TEXTS | broken)
    # A file of which half is something else is no file of links by itself.
    pk = upload.files.get(name="links/north.txt").pk
    fill_in(client, upload, **{f"role-{pk}": "links", f"system-{pk}": "north"})
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    page = page_of(client, upload)
    findings = page.split('id="findings"')[1].split("<form")[0]
    assert "Toto není strom: některé závorky nejsou uzavřené (počet: 1)" in findings
    assert "&#x27;0:0&#x27; není spoj" in findings
    assert 'lang="en"' not in findings


def test_roles_can_be_corrected(client, boss):
    upload = send(client, files.TEXTS | {"x.txt": files.SOUTH})
    source, other = upload.files.get(name="source.txt"), upload.files.get(name="x.txt")
    roles = {f"role-{other.pk}": "unused", f"role-{source.pk}": "system"}
    fill_in(client, upload, **roles, **{f"system-{source.pk}": " west "})
    assert upload.files.get(pk=other.pk).role == "unused"
    source.refresh_from_db()
    assert (source.role, source.system) == ("system", "west")
    assert "No file has the role “source”" in page_of(client, upload)


def test_a_role_that_there_is_not_changes_nothing(client, boss):
    upload = send(client)
    file = upload.files.get(name="source.txt")
    fill_in(client, upload, **{f"role-{file.pk}": "nonsense"})
    assert upload.files.get(pk=file.pk).role == "source"


def test_a_file_can_be_removed(client, boss, uploads):
    upload = send(client)
    file = upload.files.get(name="systems/north.txt")
    assert fill_in(client, upload, remove=str(file.pk)).status_code == 302
    assert upload.files.count() == 3
    assert not (uploads / upload.token / file.stored).exists()


def test_a_file_of_somebody_else_cannot_be_removed(client, boss):
    upload = send(client)
    theirs = Upload.objects.create(owner=User.objects.create(username="other"))
    file = UploadedFile.objects.create(upload=theirs, name="a", size=1, lines=1, role="source")
    fill_in(client, upload, remove=str(file.pk))
    assert UploadedFile.objects.filter(pk=file.pk).exists()


def test_what_is_filled_in_stays(client, boss):
    upload = send(client)
    fill_in(client, upload, description="Many houses.", source_language="nonsense!")
    page = page_of(client, upload)
    assert 'value="Houses"' in page
    assert "Many houses." in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": " "}, "Give the project a name"),
        ({"name": "x" * 201}, "The name is too long: 200 characters are allowed."),
        ({"name": "old"}, "There is a project of this name"),
        ({"source_language": ""}, "Write the code of the language"),
        ({"target_language": "Czech!"}, "Write the code of the language"),
    ],
)
def test_what_is_wrong_stands_beside_it(client, boss, changes, words):
    make_project("old", sentences=1)
    answer = fill_in(client, send(client), **changes)
    assert answer.status_code == 400
    assert words in answer.content.decode()


def test_everything_can_be_removed(client, boss, uploads):
    upload = send(client)
    client.post(reverse("new-project-discard", args=[upload.token]))
    assert not Upload.objects.exists()
    assert not list(uploads.iterdir())


def test_old_uploads_are_removed_with_their_files(client, boss, uploads):
    upload = send(client)
    Upload.objects.update(created=timezone.now() - folders.KEPT - timedelta(minutes=1))
    assert client.get(NEW).status_code == 200
    assert not Upload.objects.exists()
    assert not (uploads / upload.token).exists()
