"""Files for a new project in the browser: who may send them, and what is taken."""

import io
import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from annotation.models import Upload, UploadedFile, User
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import NEW, boss, page_of, pages_of, send, sent, uploads
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db


# --- who may ------------------------------------------------------------------------------


def test_strangers_are_asked_to_sign_in(client):
    for address in (NEW, *pages_of(Upload(token="x"))):
        assert client.get(address).headers["Location"].startswith(reverse("sign-in"))
        assert client.post(address).headers["Location"].startswith(reverse("sign-in"))


def test_annotators_may_not(client):
    client.force_login(make_annotator(make_project()))
    for address in (NEW, *pages_of(Upload(token="x"))):
        assert client.get(address).status_code == 403
        assert client.post(address, sent(files.TEXTS)).status_code == 403
    assert not Upload.objects.exists()
    assert NEW not in client.get("/").content.decode()


def test_whoever_administers_a_project_may(client):
    client.force_login(make_annotator(make_project(), "boss", "administrator"))
    assert NEW in client.get("/").content.decode()
    assert client.get(NEW).status_code == 200
    assert client.post(NEW, sent(files.TEXTS)).status_code == 302


def test_whoever_runs_the_installation_may(client, boss):
    assert NEW in client.get("/").content.decode()
    assert client.get(NEW).status_code == 200


def test_an_upload_is_there_for_its_owner_only(client, boss):
    upload = send(client)
    other = Client()
    other.force_login(User.objects.create(username="other", is_superuser=True))
    for address in pages_of(upload):
        assert other.get(address).status_code in {404, 405}
        assert other.post(address).status_code in {404, 405}
    assert upload.token not in other.get(NEW).content.decode()
    assert upload.token in client.get(NEW).content.decode()


def test_forged_requests_are_refused(boss):
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(boss)
    assert forger.post(NEW, sent(files.TEXTS)).status_code == 403
    upload = Upload.objects.create(owner=boss)
    for address in pages_of(upload):
        assert forger.post(address).status_code in {403, 405}
    assert Upload.objects.count() == 1
    assert not UploadedFile.objects.exists()


def test_the_form_alone_carries_the_token(boss):
    honest = Client(enforce_csrf_checks=True)
    honest.force_login(boss)
    page = honest.get(NEW).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    answer = honest.post(NEW, {"csrfmiddlewaretoken": token[1]} | sent(files.TEXTS))
    assert answer.status_code == 302


# --- what is taken -------------------------------------------------------------------------


def test_files_are_listed_with_what_they_seem_to_be(client, boss):
    upload = send(client)
    rows = list(upload.files.order_by("name").values_list("name", "role", "system", "language"))
    assert rows == [
        ("reference.txt", "reference", "", "cs"),
        ("source.txt", "source", "", "en"),
        ("systems/north.txt", "system", "north", "cs"),
        ("systems/south.txt", "system", "south", "cs"),
    ]
    page = page_of(client, upload)
    assert "The texts look like English and Czech." in page
    assert "The files fit together: 2 sentences." in page
    assert 'value="en"' in page


def test_a_zip_is_the_same_as_its_files(client, boss):
    upload = send(client, {"all.zip": files.make_zip(files.TEXTS)})
    assert set(upload.files.values_list("name", flat=True)) == set(files.TEXTS)


def test_without_a_script_files_have_their_own_names(client, boss):
    upload = send(client, paths=False)
    assert upload.files.filter(name="north.txt", role="system", system="north").exists()


def test_the_one_text_in_another_language_is_the_source(client, boss):
    contents = {"a.txt": files.SOURCE, "b.txt": files.NORTH, "c.txt": files.SOUTH}
    upload = send(client, contents)
    assert upload.files.get(role="source").name == "a.txt"


def test_files_lie_under_random_names_only(client, boss, uploads):
    upload = send(client, {"../../../evil.txt": "x\n", "source.txt": files.SOURCE})
    stored = [path.name for path in uploads.rglob("*") if path.is_file()]
    assert sorted(stored) == sorted(upload.files.values_list("stored", flat=True))
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in stored)


def test_names_are_shown_escaped(client, boss):
    upload = send(client, files.TEXTS | {"systems/<b>&.txt": files.NORTH})
    page = page_of(client, upload)
    assert "systems/<b>" not in page
    assert "systems/&lt;b&gt;&amp;.txt" in page


def test_a_file_of_the_same_name_takes_the_place_of_the_other(client, boss, uploads):
    upload = send(client)
    address = reverse("new-project-add", args=[upload.token])
    client.post(address, sent({"source.txt": "Another one .\n", "systems/west.txt": files.SOUTH}))
    assert upload.files.count() == 5
    assert upload.files.get(name="source.txt").lines == 1
    assert len([path for path in uploads.rglob("*") if path.is_file()]) == 5


def test_a_script_is_told_where_to_go(client, boss):
    answer = client.post(NEW, sent(files.TEXTS), headers={"Accept": "application/json"})
    upload = Upload.objects.get()
    assert answer.json() == {"address": reverse("new-project-files", args=[upload.token])}


def test_what_is_no_text_is_left_out_and_named(client, boss):
    answer = client.post(NEW, sent(files.TEXTS | {"photo.png": b"\x89PNG\0"}))
    (told,) = [str(message) for message in get_messages(answer.wsgi_request)]
    assert told.startswith("photo.png: This is not a plain text file, so it was not added")
    assert Upload.objects.get().files.count() == 4


def test_where_nothing_can_be_taken_nothing_is_kept(client, boss, uploads):
    answer = client.post(NEW, sent({"a.zip": files.make_zip({})}))
    assert answer.headers["Location"] == NEW
    assert not Upload.objects.exists()
    assert not any(path.is_file() for path in uploads.rglob("*"))


def test_of_a_zip_that_is_refused_nothing_is_kept(client, boss, settings):
    settings.MAX_UPLOAD_BYTES = 600
    content = files.make_zip({"source.txt": files.SOURCE, "bomb.txt": "x" * 5000})
    answer = client.post(NEW, sent({"a.zip": content}))
    (told,) = [str(message) for message in get_messages(answer.wsgi_request)]
    assert "With this file unpacked" in told
    assert not UploadedFile.objects.exists()


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_too_much_is_refused_before_it_is_read(client, boss, settings, uploads, accept):
    settings.MAX_UPLOAD_BYTES = 2_000_000
    contents = {"source.txt": "x" * 3_100_000}
    answer = client.post(NEW, sent(contents), headers={"Accept": accept})
    assert answer.status_code == 413
    assert "too large: an upload takes at most 2 MB" in answer.content.decode()
    assert not Upload.objects.exists()
    assert not uploads.exists() or not list(uploads.iterdir())


def test_reading_stops_where_there_is_more_than_is_left(client, boss, settings, uploads):
    settings.MAX_UPLOAD_BYTES = 300_000
    answer = client.post(NEW, sent({"source.txt": "x" * 200_000, "north.txt": "x" * 200_000}))
    assert answer.status_code == 413
    assert not any(path.is_file() for path in uploads.rglob("*"))


def test_all_files_of_an_upload_count_together(client, boss, settings):
    settings.MAX_UPLOAD_BYTES = 300_000
    upload = send(client, {"source.txt": "x\n" * 100_000})
    address = reverse("new-project-add", args=[upload.token])
    assert client.post(address, sent({"north.txt": "x\n" * 100_000})).status_code == 413
    assert upload.files.count() == 1


def test_no_other_page_takes_files(client, boss, uploads, settings):
    client.logout()
    file = io.BytesIO(b"x" * 100_000)
    answer = client.post(reverse("sign-in"), {"username": "boss", "file": file})
    assert answer.status_code == 200
    assert not answer.wsgi_request.FILES
