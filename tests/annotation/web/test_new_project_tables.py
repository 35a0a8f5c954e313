"""A new project from tables and from texts that are not UTF-8."""

import csv
import io

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from annotation.models import Project, System, Translation
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import (
    NEW,
    boss,
    fill_in,
    page_of,
    prepare,
    previewed,
    send,
    sent,
    uploads,
)
from tests.jobs import run_job
from tests.workbooks import workbook

__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db
READY = 'class="notice notice-success"'
ROWS = [
    ["source", "reference", "north", "id"],
    *zip(*map(str.splitlines, (files.SOURCE, files.REFERENCE, files.NORTH)), "12", strict=True),
]


def as_csv(rows, **options):
    made = io.StringIO()
    csv.writer(made, **options).writerows(rows)
    return made.getvalue()


def rows_of(upload):
    return set(upload.files.values_list("name", "role", "system", "language"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("all.csv", as_csv(ROWS)),
        ("all.csv", as_csv(ROWS, delimiter=";", quoting=csv.QUOTE_ALL)),
        ("all.tsv", as_csv(ROWS, dialect="excel-tab")),
        ("all.xlsx", workbook(ROWS)),
        ("t.zip", files.make_zip({"all.xlsx": workbook(ROWS)})),
    ],
)
def test_a_table_is_the_same_as_its_columns(client, boss, uploads, name, content):
    upload = send(client, {name: content})
    table = "all.xlsx" if name == "t.zip" else name
    assert rows_of(upload) == {
        (f"{table}, source", "source", "", "en"),
        (f"{table}, reference", "reference", "", "cs"),
        (f"{table}, north", "system", "north", "cs"),
        (f"{table}, id", "unused", "", ""),
    }
    assert READY in page_of(client, upload)
    stored = {path.name for path in (uploads / upload.token).iterdir() if not path.suffix}
    assert stored == set(upload.files.values_list("stored", flat=True))


def test_columns_of_references_are_numbered_in_their_order(client, boss):
    headings = ["source", "ref B", "north", "ref A"]
    rows = [headings, *([row[0], row[1].upper(), row[2], row[1]] for row in ROWS[1:])]
    upload = send(client, {"all.csv": as_csv(rows)})
    fill_in(client, upload, kind="sentence_ranking")
    page = previewed(client, upload)
    assert page.index(ROWS[1][1].upper()) < page.index(ROWS[1][1])
    prepare(client, upload)
    first = Translation.objects.filter(sentence__number=1, system=None).order_by("reference")
    assert list(first.values_list("reference", "text")) == [
        (1, ROWS[1][1].upper()),
        (2, ROWS[1][1]),
    ]


def test_the_project_has_the_texts_of_the_table_and_its_name(client, boss):
    upload = send(client, {"all.csv": as_csv([row[:3] for row in ROWS])})
    fill_in(client, upload, kind="sentence_ranking")
    page = previewed(client, upload)
    assert "The old house stands near the river" in page
    prepare(client, upload)
    project = Project.objects.get()
    run_job(project.job.pk)
    translations = Translation.objects.filter(system=System.objects.get(name="north"))
    texts = translations.order_by("sentence__number").values_list("text", flat=True)
    assert list(texts) == files.NORTH.splitlines()
    of_files = project.provenance["files"]
    assert of_files["system north"]["name"] == "all.csv, north"
    assert len({file["sha256"] for file in of_files.values()}) == 1


def test_a_table_replaces_all_of_the_former_one(client, boss):
    upload = send(client, {"all.csv": as_csv(ROWS), "other.txt": "x\n"})
    address = reverse("new-project-add", args=[upload.token])
    client.post(address, sent({"all.csv": as_csv([row[:2] for row in ROWS])}))
    names = set(upload.files.values_list("name", flat=True))
    assert names == {"other.txt", "all.csv, source", "all.csv, reference"}
    client.post(address, sent({"all.csv": "x\n"}))
    assert set(upload.files.values_list("name", flat=True)) == {"other.txt", "all.csv"}


def test_what_is_not_certain_is_refused_with_a_reason(client, boss, uploads):
    answer = client.post(NEW, sent({"all.csv": "a,b\nc,d\n"}))
    (message,) = [str(message) for message in get_messages(answer.wsgi_request)]
    assert message.startswith("all.csv: ")
    assert not any(path.is_file() for path in uploads.rglob("*"))


def test_the_page_says_what_was_read_and_what_may_be_a_table(client, boss):
    quoted = '"Starý dům, stojí u řeky ."\nZahradu nikdo neviděl celé roky .\n'
    tabs = "Starý dům\tstojí u řeky .\nZahradu\tnikdo neviděl .\n"
    upload = send(client, files.TEXTS | {"reference.csv": quoted, "systems/north.txt": tabs})
    upload.files.filter(name="reference.txt").delete()
    page = page_of(client, upload)
    notes = page.split('id="notes-heading"')[1].split("</section>")[0]
    assert notes.count("<li>") == 2
    assert "reference.csv" in notes
    assert "systems/north.txt" in notes


# --- segments -----------------------------------------------------------------------------------


def test_languages_of_ready_made_segments_are_suggested(client, boss):
    source, reference = files.SOURCE.splitlines()[1], files.REFERENCE.splitlines()[1]
    row = f"1\t{source}\t{{}}\thas seen\tneviděl\t1 2\n"
    upload = send(client, {"s.tsv": row.format(reference)})
    assert list(upload.files.values_list("language", "target_language")) == [("en", "cs")]
    page = page_of(client, upload)
    assert '<option value="en" selected>' in page
    assert '<option value="cs" selected>' in page


# --- encodings ----------------------------------------------------------------------------------


def in_windows_1250(client, *names):
    changed = {name: files.TEXTS[name].encode("cp1250") for name in names}
    return send(client, files.TEXTS | changed)


def test_a_text_that_is_not_utf8_is_one_problem_with_a_button_that_reads_it(client, boss, uploads):
    upload = in_windows_1250(client, "systems/north.txt")
    page = page_of(client, upload)
    findings = page.split('id="findings"')[1].split("<form")[0]
    assert findings.count("<li>") == 1
    assert "Windows-1250" in findings
    assert "Starý dům stojí blízko" in findings
    file = upload.files.get(name="systems/north.txt")
    assert f'form="files" name="read-as" value="{file.pk}"' in findings
    # What was entered beside it is kept.
    roles = {f"role-{file.pk}": "system", f"system-{file.pk}": "the north"}
    fill_in(client, upload, **{"read-as": file.pk, **roles})
    page = page_of(client, upload)
    assert READY in page
    assert 'value="Houses"' in page
    read = upload.files.get(name="systems/north.txt")
    assert (read.read_as, read.system, read.language) == ("Windows-1250", "the north", "cs")
    assert (uploads / upload.token / read.stored).read_text() == files.NORTH
    assert not (uploads / upload.token / file.stored).exists()


def test_several_texts_are_read_by_one_button(client, boss):
    upload = in_windows_1250(client, "systems/north.txt", "systems/south.txt", "reference.txt")
    page = page_of(client, upload)
    assert 'form="files" name="read-as" value="Windows-1250"' in page
    fill_in(client, upload, **{"read-as": "Windows-1250"})
    assert READY in page_of(client, upload)
    assert upload.files.filter(read_as="Windows-1250").count() == 3


def test_a_table_that_is_not_utf8_becomes_its_columns_once_it_is_read(client, boss):
    upload = send(client, {"all.csv": as_csv(ROWS).encode("cp1250")})
    (file,) = upload.files.all()
    assert not file.table
    fill_in(client, upload, **{"read-as": file.pk, f"role-{file.pk}": "source"})
    assert set(upload.files.values_list("read_as", flat=True)) == {"CSV, Windows-1250"}
    assert {name for name, *_rest in rows_of(upload)} == {f"all.csv, {name}" for name in ROWS[0]}


@pytest.mark.parametrize("wanted", ["", "klingon", "99999", "Windows-1251"])
def test_only_what_the_page_offers_is_read(client, boss, wanted):
    upload = in_windows_1250(client, "systems/north.txt")
    fill_in(client, upload, **{"read-as": wanted})
    assert not upload.files.exclude(read_as="").exists()
