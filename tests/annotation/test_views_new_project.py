"""Making a project in the browser: who may, what is taken, what is stored, and what is not."""

import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation import jobs
from annotation.models import Job, Membership, Project, Sentence, Upload, UploadedFile, User
from annotation.uploads import folders
from tests.annotation import upload_files as files
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
NEW = "/projects/new/"
DETAILS = {"name": "Houses", "source_language": "en", "target_language": "cs"}


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path: Path) -> Path:
    settings.UPLOADS_DIR = tmp_path / "uploads"
    return tmp_path / "uploads"


@pytest.fixture
def boss(client: Client) -> User:
    boss = User.objects.create(username="boss", is_superuser=True)
    client.force_login(boss)
    return boss


def sent(contents, paths: bool = True):
    """Return the fields of a form with these files."""
    made = [
        SimpleUploadedFile(
            name.rpartition("/")[2], text if isinstance(text, bytes) else text.encode()
        )
        for name, text in contents.items()
    ]
    return {"files": made} | ({"path": list(contents)} if paths else {})


def send(client, contents=files.TEXTS, **more) -> Upload:
    client.post(NEW, sent(contents, **more))
    return Upload.objects.get()


def fill_in(client, upload, **changes):
    address = reverse("new-project-files", args=[upload.token])
    return client.post(address, DETAILS | {"go-on": ""} | changes)


def prepare(client, upload, **changes):
    fields = {"min_length": 3, "max_length": 6, "open_at_once": "on", "prepare": ""} | changes
    return client.post(reverse("new-project-preview", args=[upload.token]), fields)


def page_of(client, upload, name="new-project-files", **query):
    return client.get(reverse(name, args=[upload.token]), query).content.decode()


def pages_of(upload):
    names = ("files", "preview", "sentences", "add", "discard")
    return [reverse(f"new-project-{name}", args=[upload.token]) for name in names]


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
    assert told.startswith("photo.png: This is not a plain text, so it was not taken")
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
    assert "Unpacked, this would be more" in told
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


# --- what is filled in ---------------------------------------------------------------------


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


def test_roles_can_be_corrected(client, boss):
    upload = send(client, files.TEXTS | {"x.txt": files.SOUTH})
    source, other = upload.files.get(name="source.txt"), upload.files.get(name="x.txt")
    roles = {f"role-{other.pk}": "unused", f"role-{source.pk}": "system"}
    fill_in(client, upload, **roles, **{f"system-{source.pk}": " west "})
    assert upload.files.get(pk=other.pk).role == "unused"
    source.refresh_from_db()
    assert (source.role, source.system) == ("system", "west")
    assert "No file is the source" in page_of(client, upload)


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


# --- preview -------------------------------------------------------------------------------


def test_the_preview_shows_what_annotators_will_see(client, boss):
    upload = send(client)
    assert fill_in(client, upload).headers["Location"] == pages_of(upload)[1]
    page = page_of(client, upload, "new-project-sentences", min_length=2, max_length=4)
    assert "The old house stands near the river." in page
    assert 'class="segment"' in page
    assert 'class="board-template"' in page
    assert "come from a sample of 2 sentences" in page
    # Nothing tells a system's name.
    assert "north" not in page


def test_other_lengths_give_other_segments(client, boss):
    upload = send(client, files.TEXTS | {"t.txt": files.TREES})
    fill_in(client, upload)

    def marked(shortest, longest):
        lengths = {"min_length": shortest, "max_length": longest}
        page = page_of(client, upload, "new-project-sentences", **lengths)
        return re.findall("<mark>(.*?)</mark>", page)

    assert marked(3, 6) == [
        "The old house",
        "stands near the river",
        "has seen the garden for years",
    ]
    assert marked(2, 3) == ["The old house", "near the river", "the garden", "for years"]
    assert marked(10, 15) == []


@pytest.mark.parametrize("lengths", [(0, 6), (3, 16), (6, 3), ("x", 6)])
def test_impossible_lengths_are_refused(client, boss, lengths):
    upload = send(client)
    fill_in(client, upload)
    query = dict(zip(("min_length", "max_length"), lengths, strict=True))
    address = reverse("new-project-sentences", args=[upload.token])
    assert client.get(address, query).status_code == 400
    assert prepare(client, upload, **query).status_code == 400
    assert not Project.objects.exists()


def test_without_a_script_the_page_has_the_sentences(client, boss):
    upload = send(client)
    fill_in(client, upload)
    assert "http-equiv" in page_of(client, upload, "new-project-preview")
    assert 'class="segment"' in page_of(client, upload, "new-project-preview", all="")


def test_a_parser_that_cannot_be_used_is_said(client, boss):
    upload = send(client)
    fill_in(client, upload, parser="stanza", source_language="xx")
    page = page_of(client, upload, "new-project-sentences", min_length=3, max_length=6)
    assert "stanza" in page
    assert "choose the parser phrases" in page


# --- the project ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({}, {"parser": "auto", "aligner": "auto"}),
        ({"t.txt": files.TREES}, {"parser": "brackets", "aligner": "auto"}),
        ({"t.conllu": files.CONLLU}, {"parser": "conllu", "aligner": "auto"}),
        (
            {"links/north.txt": files.LINKS, "links/south.txt": files.LINKS},
            {"parser": "auto", "aligner": "pharaoh"},
        ),
    ],
    ids=["texts", "trees", "conllu", "links"],
)
def test_it_becomes_a_project_that_can_be_prepared(client, boss, uploads, more, options):
    upload = send(client, files.TEXTS | more)
    fill_in(client, upload, description="Many houses.")
    answer = prepare(client, upload, min_length=2, max_length=4)
    project = Project.objects.get()
    assert answer.headers["Location"] == reverse("preparing", args=[project.pk])
    assert (project.name, project.description) == ("Houses", "Many houses.")
    assert (project.min_length, project.max_length) == (2, 4)
    assert project.memberships.get().role == Membership.Role.ADMINISTRATOR
    assert {key: project.job.options[key] for key in options} == options
    # What files were called is kept, and not what we called them.
    assert {file["name"] for file in project.provenance["files"].values()} == set(
        files.TEXTS | more
    )
    jobs.run(project.job.pk)
    project.refresh_from_db()
    assert (project.state, project.job.error) == ("open", "")
    assert project.provenance["counts"]["candidates"] > 0


@pytest.mark.django_db(transaction=True)
def test_the_upload_is_gone_once_there_is_a_project(client, boss, uploads):
    upload = send(client)
    fill_in(client, upload)
    prepare(client, upload)
    assert Project.objects.exists()
    assert not Upload.objects.exists()
    assert not list(uploads.iterdir())
    Job.objects.all().delete()


def test_a_project_can_be_left_closed(client, boss):
    upload = send(client)
    fill_in(client, upload)
    address = reverse("new-project-preview", args=[upload.token])
    client.post(address, {"min_length": 3, "max_length": 6, "prepare": ""})
    jobs.run(Job.objects.get().pk)
    assert Project.objects.get().state == Project.State.CLOSED


def test_ready_made_segments_become_an_open_project(client, boss):
    upload = send(client, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    assert "The files fit together: 2 sentences." in page_of(client, upload)
    fill_in(client, upload)
    page = page_of(client, upload, "new-project-preview", all="")
    assert "<mark>the old</mark>" in page
    assert "ready-made" in page
    assert prepare(client, upload).status_code == 302
    project = Project.objects.get()
    assert project.state == Project.State.OPEN
    assert list(project.systems.values_list("name", flat=True)) == ["north", "south"]
    assert project.provenance["files"]["segments"]["name"] == "segments.tsv"


def test_a_name_that_was_taken_meanwhile_is_told(client, boss):
    upload = send(client)
    fill_in(client, upload)
    make_project("Houses", sentences=1)
    answer = prepare(client, upload)
    assert answer.headers["Location"] == pages_of(upload)[0]
    told = " ".join(str(message) for message in get_messages(answer.wsgi_request))
    assert "There is a project 'Houses' already" in told
    assert Sentence.objects.count() == 1
    assert Upload.objects.exists()
