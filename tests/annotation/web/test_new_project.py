"""A new project in the browser: files, details, preview, and the project made of them.

Permissions and CSRF of every address are tested in tests/security.
"""

import io
import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import (
    Job,
    Membership,
    Project,
    Segment,
    Sentence,
    StoredPreview,
    Upload,
    UploadedFile,
    User,
)
from annotation.uploads import folders
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import (
    NEW,
    boss,
    choose_lengths,
    fill_in,
    page_of,
    pages_of,
    prepare,
    previewed,
    send,
    sent,
    uploads,
)
from tests.factories import make_annotator, make_project
from tests.jobs import run_job
from tests.previews import make_previews

__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db
LINKS = {"links/north.txt": files.LINKS, "links/south.txt": files.LINKS}
READY = 'class="notice notice-success"'


def problems(page):
    """Return the files that the findings of the page name."""
    part = page.split('id="findings"')[1].split("<form")[0]
    return re.findall(r"<bdi>(.*?)</bdi>", part)


def test_only_administrators_create_projects(client):
    project = make_project()
    client.force_login(make_annotator(project))
    assert client.get(NEW).status_code == 403
    assert NEW not in client.get("/").content.decode()
    client.force_login(make_annotator(project, "boss", "administrator"))
    assert NEW in client.get("/").content.decode()
    assert client.post(NEW, sent(files.TEXTS)).status_code == 302


def test_an_upload_belongs_to_its_owner(client, boss):
    upload = send(client)
    other = Client()
    other.force_login(User.objects.create(username="other", is_superuser=True))
    for address in pages_of(upload):
        assert other.get(address).status_code in {404, 405}
        assert other.post(address).status_code in {404, 405}
    assert upload.token not in other.get(NEW).content.decode()
    assert upload.token in client.get(NEW).content.decode()


def test_the_csrf_token_of_the_form_is_enough(boss):
    honest = Client(enforce_csrf_checks=True)
    honest.force_login(boss)
    assert honest.post(NEW, sent(files.TEXTS)).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', honest.get(NEW).content.decode())
    assert token
    answer = honest.post(NEW, {"csrfmiddlewaretoken": token[1]} | sent(files.TEXTS))
    assert answer.status_code == 302


# --- files ------------------------------------------------------------------------------------


def test_roles_and_languages_of_files_are_guessed(client, boss):
    upload = send(client)
    rows = list(upload.files.order_by("name").values_list("name", "role", "system", "language"))
    assert rows == [
        ("reference.txt", "reference", "", "cs"),
        ("source.txt", "source", "", "en"),
        ("systems/north.txt", "system", "north", "cs"),
        ("systems/south.txt", "system", "south", "cs"),
    ]
    page = page_of(client, upload)
    assert READY in page
    assert 'value="en"' in page


def test_a_zip_is_the_same_as_its_files(client, boss):
    upload = send(client, {"all.zip": files.make_zip(files.TEXTS)})
    assert set(upload.files.values_list("name", flat=True)) == set(files.TEXTS)


def test_without_javascript_files_have_names_without_folders(client, boss):
    upload = send(client, paths=False)
    assert upload.files.filter(name="north.txt", role="system", system="north").exists()


def test_files_are_stored_under_random_names(client, boss, uploads):
    upload = send(client, {"../../../evil.txt": "x\n", "source.txt": files.SOURCE})
    stored = [path.name for path in uploads.rglob("*") if path.is_file()]
    assert sorted(stored) == sorted(upload.files.values_list("stored", flat=True))
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in stored)


def test_names_of_files_are_escaped(client, boss):
    upload = send(client, files.TEXTS | {"systems/<b>&.txt": files.NORTH})
    page = page_of(client, upload)
    assert "systems/<b>" not in page
    assert "systems/&lt;b&gt;&amp;.txt" in page


def test_a_file_of_the_same_name_replaces_the_other(client, boss, uploads):
    upload = send(client)
    address = reverse("new-project-add", args=[upload.token])
    client.post(address, sent({"source.txt": "Another one .\n", "systems/west.txt": files.SOUTH}))
    assert upload.files.count() == 5
    assert upload.files.get(name="source.txt").lines == 1
    assert len([path for path in uploads.rglob("*") if path.is_file()]) == 5


def test_a_script_gets_the_next_address_as_json(client, boss):
    answer = client.post(NEW, sent(files.TEXTS), headers={"Accept": "application/json"})
    upload = Upload.objects.get()
    assert answer.json() == {"address": reverse("new-project-files", args=[upload.token])}


def test_a_file_that_is_no_text_is_refused_by_name(client, boss):
    answer = client.post(NEW, sent(files.TEXTS | {"photo.png": b"\x89PNG\0"}))
    (message,) = [str(message) for message in get_messages(answer.wsgi_request)]
    assert message.startswith("photo.png: ")
    assert Upload.objects.get().files.count() == 4


def test_an_upload_without_usable_files_is_not_kept(client, boss, uploads, settings):
    answer = client.post(NEW, sent({"a.zip": files.make_zip({})}))
    assert answer.headers["Location"] == NEW
    settings.MAX_UPLOAD_BYTES = 600
    bomb = files.make_zip({"source.txt": files.SOURCE, "bomb.txt": "x" * 5000})
    client.post(NEW, sent({"a.zip": bomb}))
    assert not UploadedFile.objects.exists()
    assert not any(path.is_file() for path in uploads.rglob("*"))


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_too_large_an_upload_is_refused_before_it_is_read(client, boss, settings, uploads, accept):
    settings.MAX_UPLOAD_BYTES = 2_000_000
    contents = {"source.txt": "x" * 3_100_000}
    answer = client.post(NEW, sent(contents), headers={"Accept": accept})
    assert answer.status_code == 413
    assert not Upload.objects.exists()
    assert not uploads.exists() or not list(uploads.iterdir())


def test_reading_stops_at_the_limit(client, boss, settings, uploads):
    settings.MAX_UPLOAD_BYTES = 300_000
    answer = client.post(NEW, sent({"source.txt": "x" * 200_000, "north.txt": "x" * 200_000}))
    assert answer.status_code == 413
    assert not any(path.is_file() for path in uploads.rglob("*"))


def test_the_limit_counts_all_files_of_an_upload(client, boss, settings):
    settings.MAX_UPLOAD_BYTES = 300_000
    upload = send(client, {"source.txt": "x\n" * 100_000})
    address = reverse("new-project-add", args=[upload.token])
    assert client.post(address, sent({"north.txt": "x\n" * 100_000})).status_code == 413
    assert upload.files.count() == 1


def test_other_pages_read_no_files(client, db):
    file = io.BytesIO(b"x" * 100_000)
    answer = client.post(reverse("sign-in"), {"username": "boss", "file": file})
    assert answer.status_code == 200
    assert not answer.wsgi_request.FILES


# --- details ----------------------------------------------------------------------------------


def test_problems_of_files_are_listed_and_stop_the_project(client, boss):
    broken = {"systems/north.txt": "a\n", "systems/south.txt": b"\xe8\nb\n"}
    upload = send(client, files.TEXTS | broken)
    answer = fill_in(client, upload)
    assert answer.status_code == 400
    assert sorted(problems(answer.content.decode())) == sorted(broken)
    preview = reverse("new-project-preview", args=[upload.token])
    assert client.get(preview).headers["Location"] == pages_of(upload)[0]
    assert prepare(client, upload).headers["Location"] == pages_of(upload)[0]
    assert not Project.objects.exists()


def test_problems_of_lines_are_in_the_language_of_the_page(client, boss):
    broken = {
        "trees.txt": files.TREES.replace("))", ")", 1),
        "links/north.txt": files.LINKS.replace("0-0 1-0", "0:0", 1),
        "links/south.txt": files.LINKS,
    }
    upload = send(client, files.TEXTS | broken)
    # Half of its lines are something else, so its role is not guessed.
    pk = upload.files.get(name="links/north.txt").pk
    fill_in(client, upload, **{f"role-{pk}": "links", f"system-{pk}": "north"})
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    page = page_of(client, upload)
    assert sorted(problems(page)) == ["links/north.txt", "trees.txt"]
    assert 'lang="en"' not in page.split('id="findings"')[1].split("<form")[0]


def test_roles_can_be_corrected(client, boss):
    upload = send(client, files.TEXTS | {"x.txt": files.SOUTH})
    source, other = upload.files.get(name="source.txt"), upload.files.get(name="x.txt")
    roles = {f"role-{other.pk}": "unused", f"role-{source.pk}": "system"}
    fill_in(client, upload, **roles, **{f"system-{source.pk}": " west "})
    assert upload.files.get(pk=other.pk).role == "unused"
    source.refresh_from_db()
    assert (source.role, source.system) == ("system", "west")
    assert READY not in page_of(client, upload)
    fill_in(client, upload, **{f"role-{source.pk}": "nonsense"})
    assert upload.files.get(pk=source.pk).role == "system"


def test_a_file_can_be_removed_by_its_owner(client, boss, uploads):
    upload = send(client)
    file = upload.files.get(name="systems/north.txt")
    assert fill_in(client, upload, remove=str(file.pk)).status_code == 302
    assert upload.files.count() == 3
    assert not (uploads / upload.token / file.stored).exists()
    theirs = Upload.objects.create(owner=User.objects.create(username="other"))
    other = UploadedFile.objects.create(upload=theirs, name="a", size=1, lines=1, role="source")
    fill_in(client, upload, remove=str(other.pk))
    assert UploadedFile.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"name": " "},
        {"name": "x" * 201},
        {"name": "old"},
        {"source_language": ""},
        {"target_language": "Czech!"},
    ],
)
def test_wrong_details_are_marked_and_the_others_kept(client, boss, changes):
    make_project("old", sentences=1)
    answer = fill_in(client, send(client), description="Many houses.", **changes)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert re.findall(r'id="id_(\w+)_error"', page) == list(changes)
    assert "Many houses." in page


def test_an_upload_is_discarded_with_its_files(client, boss, uploads):
    upload = send(client)
    client.post(reverse("new-project-discard", args=[upload.token]), {"confirmed": "yes"})
    assert not Upload.objects.exists()
    assert not list(uploads.iterdir())


def test_old_uploads_are_deleted_with_their_files(client, boss, uploads):
    upload = send(client)
    Upload.objects.update(created=timezone.now() - folders.UPLOADS_KEPT - timedelta(minutes=1))
    assert client.get(NEW).status_code == 200
    assert not Upload.objects.exists()
    assert not (uploads / upload.token).exists()


# --- preview ----------------------------------------------------------------------------------


def test_the_preview_shows_what_annotators_will_see(client, boss):
    upload = send(client)
    assert fill_in(client, upload).headers["Location"] == pages_of(upload)[1]
    previewed(client, upload)
    page = page_of(client, upload, "new-project-sentences", min_length=2, max_length=4)
    assert "The old house stands near the river ." in page
    assert 'class="segment"' in page
    assert 'class="candidate"' in page
    # The names of systems are hidden.
    assert "north" not in page


def test_other_lengths_give_other_segments(client, boss):
    # Of two sentences, eflomal may leave a segment without a translation.
    upload = send(client, files.TEXTS | LINKS | {"t.txt": files.TREES})
    fill_in(client, upload)
    previewed(client, upload)

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
    assert choose_lengths(client, upload, **query).status_code == 400
    assert not Project.objects.exists()


def test_a_worker_computes_the_preview_while_the_page_waits(client, boss):
    upload = send(client)
    fill_in(client, upload)
    page = page_of(client, upload, "new-project-preview")
    assert 'data-state="waiting"' in page
    # Without JavaScript the page reloads itself.
    assert 'http-equiv="refresh"' in page
    address = reverse("new-project-sentences", args=[upload.token])
    assert client.get(address, {"min_length": 3, "max_length": 6}).status_code == 202
    now = timezone.now()
    claimed = {"state": "running", "slot": 1, "started": now, "lease_until": now}
    claimed |= {"worker": "another"}
    StoredPreview.objects.update(**claimed)
    assert 'data-state="running"' in page_of(client, upload, "new-project-preview", asked="")
    StoredPreview.objects.update(state="waiting", slot=None, worker="", lease_until=None)
    make_previews()
    page = page_of(client, upload, "new-project-preview", asked="")
    assert 'class="segment"' in page
    assert "http-equiv" not in page
    assert client.get(address, {"min_length": 3, "max_length": 6}).status_code == 200


def test_of_two_waiting_pages_of_a_person_the_former_gives_way(client, boss):
    first = send(client)
    client.post(NEW, sent(files.TEXTS))
    second = Upload.objects.latest("pk")
    for upload in (first, second):
        fill_in(client, upload)
        page_of(client, upload, "new-project-preview")
    assert 'id="preview-replaced"' in page_of(client, first, "new-project-preview", asked="")
    assert StoredPreview.objects.get().upload == second
    page_of(client, first, "new-project-preview")
    assert StoredPreview.objects.get().upload == first


def test_a_preview_is_made_again_if_the_files_change(client, boss):
    upload = send(client)
    fill_in(client, upload)
    previewed(client, upload)
    south = upload.files.get(name="systems/south.txt")
    fill_in(client, upload, **{f"role-{south.pk}": "unused"})
    assert 'data-state="waiting"' in page_of(client, upload, "new-project-preview")


def test_bad_rows_of_ready_made_segments_are_shown_once_a_worker_has_read_them(client, boss):
    upload = send(client, {"segments.tsv": files.SEGMENTS * 2 + "3\tx\n"})
    assert fill_in(client, upload).headers["Location"] == pages_of(upload)[1]
    previewed(client, upload)
    address = reverse("new-project-sentences", args=[upload.token])
    assert client.get(address, {"min_length": 3, "max_length": 6}).status_code == 409
    assert client.get(pages_of(upload)[1]).headers["Location"] == pages_of(upload)[0]
    assert problems(page_of(client, upload)) == ["segments.tsv"]
    assert prepare(client, upload).headers["Location"] == pages_of(upload)[0]
    assert not Project.objects.exists()


def test_a_parser_that_is_not_installed_is_reported(client, boss):
    upload = send(client)
    fill_in(client, upload, parser="stanza", source_language="mi")
    previewed(client, upload)
    page = page_of(client, upload, "new-project-sentences", min_length=3, max_length=6)
    assert 'class="notice notice-error"' in page
    assert "tanza" in page
    client.post(pages_of(upload)[1], {"again": ""})
    assert StoredPreview.objects.get().state == "waiting"


# --- the project ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({}, {"parser": "auto", "aligner": "auto"}),
        ({"t.txt": files.TREES}, {"parser": "brackets", "aligner": "auto"}),
        ({"t.conllu": files.CONLLU}, {"parser": "conllu", "aligner": "auto"}),
        ({"s.segments": files.GIVEN}, {"parser": "given", "coverage": "algorithm1"}),
        ({"documents.txt": files.DOCUMENTS}, {"parser": "auto", "aligner": "auto"}),
        (LINKS, {"parser": "auto", "aligner": "pharaoh"}),
    ],
    ids=["texts", "trees", "conllu", "segments", "documents", "links"],
)
def test_an_upload_becomes_a_project_that_can_be_prepared(client, boss, more, options):
    upload = send(client, files.TEXTS | more)
    fill_in(client, upload, description="Many houses.")
    answer = prepare(client, upload, min_length=2, max_length=4)
    project = Project.objects.get()
    assert answer.headers["Location"] == reverse("preparing", args=[project.pk])
    assert (project.name, project.description) == ("Houses", "Many houses.")
    # Uploaded segments keep their lengths.
    lengths = (3, 6) if "s.segments" in more else (2, 4)
    assert (project.min_length, project.max_length) == lengths
    assert project.memberships.get().role == Membership.Role.OWNER
    assert {key: project.job.options[key] for key in options} == options
    names = {file["name"] for file in project.provenance["files"].values()}
    assert names == set(files.TEXTS | more)
    document = "news" if "documents.txt" in more else ""
    assert set(project.sentences.values_list("document", flat=True)) == {document}
    run_job(project.job.pk)
    project.refresh_from_db()
    assert (project.state, project.job.error) == ("open", "")
    assert project.provenance["counts"]["candidates"] > 0


@pytest.mark.django_db(transaction=True)
def test_the_upload_is_deleted_once_there_is_a_project(client, boss, uploads):
    upload = send(client)
    fill_in(client, upload)
    prepare(client, upload)
    assert Project.objects.exists()
    assert not Upload.objects.exists()
    assert not list(uploads.iterdir())
    Job.objects.all().delete()


def test_a_worker_imports_ready_made_segments(client, boss, uploads):
    upload = send(client, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    fill_in(client, upload)
    page = previewed(client, upload)
    assert "<mark>the old</mark>" in page
    answer = prepare(client, upload)
    project = Project.objects.get()
    assert answer.headers["Location"] == reverse("preparing", args=[project.pk])
    assert project.state == Project.State.PREPARING
    waiting = client.get(answer.headers["Location"]).content.decode()
    assert re.findall(r'data-stage="(\w+)"', waiting) == ["import"]
    # It is no unfinished project any more, and its files wait for a worker.
    assert upload.token not in client.get(NEW).content.decode()
    assert client.get(pages_of(upload)[0]).status_code == 404
    run_job(project.job.pk)
    project.refresh_from_db()
    assert (project.state, project.job.error) == (Project.State.OPEN, "")
    folders.remove_old()
    assert not Upload.objects.exists()
    assert not list(uploads.iterdir())
    assert set(project.systems.values_list("name", flat=True)) == {"north", "south"}
    assert project.provenance["files"]["segments"]["name"] == "segments.tsv"


def test_uploaded_segments_are_the_segments_of_the_project(client, boss):
    upload = send(client, files.TEXTS | LINKS | {"source.segments": files.GIVEN})
    assert upload.files.get(name="source.segments").role == "given"
    # The choice of a parser has no effect.
    fill_in(client, upload, parser="stanza", coverage="predicates")
    page = previewed(client, upload)
    assert re.findall("<mark>(.*?)</mark>", page) == ["old house", "near the river", "the garden"]
    assert 'type="range"' not in page
    prepare(client, upload)
    project = Project.objects.get()
    run_job(project.job.pk)
    project.refresh_from_db()
    assert (project.state, project.job.error) == ("open", "")
    rows = Segment.objects.order_by("sentence__number", "pk")
    assert [row.text for row in rows] == ["old house", "near the river", "the garden"]
    assert project.provenance["parser"]["version"] == "segments from source.segments"


def test_a_name_that_was_taken_meanwhile_is_reported(client, boss):
    upload = send(client)
    fill_in(client, upload)
    make_project("Houses", sentences=1)
    answer = prepare(client, upload)
    assert answer.headers["Location"] == pages_of(upload)[0]
    assert len(list(get_messages(answer.wsgi_request))) == 1
    assert Sentence.objects.count() == 1
    assert Upload.objects.exists()
