"""Outputs of a system that is added: read without a transaction, stored in a short one."""

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.formats.errors import InputError
from annotation.models import Project, Segment, Sentence, System, Translation
from annotation.pipeline.system_outputs import (
    SENTENCES_PER_BATCH,
    read_system,
    set_outputs,
    set_reference,
    store_system,
)
from annotation.projects.deletion import delete_project
from annotation.projects.undecided_systems import set_undecided
from tests.annotation.import_export.exchange_files import add_practice
from tests.annotation.pipeline.system_files import files, store
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(sentences=3)


def test_given_tokens_are_stored_unchanged(project: Project, tmp_path: Path) -> None:
    text, _links = files(tmp_path, "starý dům u\u00a0řeky", "", "")
    store(project, "D", text, tokenized=True)
    assert Translation.objects.get(system__name="D").tokenized.words == [
        "starý",
        "dům",
        "u\u00a0řeky",
    ]


def test_no_system_is_added_while_others_are_decided(project: Project, tmp_path: Path) -> None:
    set_undecided(project=project, names=["A", "B"], by="Jana")
    text, _links = files(tmp_path, "a", "a", "a")

    with pytest.raises(InputError, match="undecided systems only"):
        store(project, "D", text)

    set_undecided(project=project, names=["A", "B", "C"], by="Jana")
    assert store(project, "D", text).name == "D"


@pytest.mark.parametrize(
    ("name", "lines", "links", "why"),
    [
        ("A", ["a"] * 3, None, "There is a system 'A' already"),
        ("reference", ["a"] * 3, None, "human translation"),
        ("reference 12", ["a"] * 3, None, "human translation"),
        ("D", ["a"] * 2, None, "ends with line 2, but the last sentence of 'houses' is 3"),
        ("D", ["a"] * 4, None, "ends with line 4"),
        ("D", ["a"] * 3, ["0-0", "0-5", "0-0"], "line 2"),
        ("D", ["a"] * 3, ["0-0", "x", "0-0"], "line 2"),
        ("D", ["a"] * 3, ["0-0"], "give texts in which the same line is the same sentence"),
        ("", ["a"] * 3, None, "The system"),
        ("D", ["a", "a " * 2001, "a"], None, "text, line 2: the sentence has 2001 tokens"),
    ],
)
def test_bad_outputs_are_refused_and_nothing_is_stored(
    project: Project, tmp_path: Path, name: str, lines: list[str], links: list[str] | None, why: str
) -> None:
    text = tmp_path / "text"
    text.write_text("".join(f"{line}\n" for line in lines))
    with_links = tmp_path / "links" if links else None
    if with_links and links:
        with_links.write_text("".join(f"{line}\n" for line in links))
    with pytest.raises(InputError, match=why):
        store(project, name, text, with_links)
    assert System.objects.count() == 3
    assert Translation.objects.exclude(system=None).count() == 0
    project.refresh_from_db()
    assert "added" not in project.provenance


def test_a_project_that_is_not_prepared_takes_no_system(project: Project, tmp_path: Path) -> None:
    Project.objects.update(state="preparing")
    text, _links = files(tmp_path, "a", "a", "a")
    with pytest.raises(InputError, match="not prepared"):
        store(project, "D", text)


@pytest.mark.django_db(transaction=True)
def test_files_are_read_before_the_transaction(tmp_path: Path) -> None:
    project = make_project(sentences=3)
    text, links = files(tmp_path, *["starý dům u řeky"] * 3)
    with (
        CaptureQueriesContext(connection) as queries,
        read_system(project=project, name="D", path=text, links=links) as read,
    ):
        text.unlink()
        links.unlink()
        store_system(read)
    statements = [query["sql"].split(" ")[0] for query in queries]
    inside = statements[statements.index("BEGIN") : statements.index("COMMIT")]
    assert set(statements[: statements.index("BEGIN")]) == {"SELECT"}
    # The project and the name; the system, a page of translations and the provenance.
    assert sorted(inside) == ["BEGIN", "INSERT", "INSERT", "SELECT", "SELECT", "UPDATE"]
    rows = Translation.objects.filter(system__name="D")
    assert {row.text for row in rows} == {"starý dům u řeky"}
    assert {row.alignment for row in rows} == {"0-0 1-0 2-1 4-2 5-2 6-3"}


def test_more_than_a_page_is_stored(tmp_path: Path) -> None:
    project = make_project(sentences=SENTENCES_PER_BATCH + 2)
    text, _links = files(tmp_path, *(f"věta {number}" for number in range(SENTENCES_PER_BATCH + 2)))
    system = store(project, "D", text)
    texts = system.translations.order_by("sentence__number").values_list("text", flat=True)
    assert list(texts) == [f"věta {number}" for number in range(SENTENCES_PER_BATCH + 2)]


def test_a_name_taken_or_a_project_deleted_meanwhile_is_refused(
    project: Project, tmp_path: Path
) -> None:
    text, _links = files(tmp_path, "a", "a", "a")
    with read_system(project=project, name="D", path=text) as read:
        store(project, "D", text)
        with pytest.raises(InputError, match="There is a system 'D' already"):
            store_system(read)
        delete_project(project)
        with pytest.raises(InputError, match="deleted meanwhile"):
            store_system(read)


def test_outputs_of_systems_with_candidates_only_are_stored(
    project: Project, tmp_path: Path
) -> None:
    text, _links = files(tmp_path, "Starý dům.", "", "U řeky.")
    assert set_outputs(project=project, files={"A": text}) == {"A": 2}
    stored = Translation.objects.filter(system__name="A").order_by("sentence__number")
    assert [row.text for row in stored] == ["Starý dům.", "U řeky."]
    project.refresh_from_db()
    assert project.provenance["files"]["output of A"]["name"] == text.name
    with pytest.raises(InputError, match="has outputs already"):
        set_outputs(project=project, files={"A": text})


def test_no_output_is_stored_if_one_file_is_wrong(project: Project, tmp_path: Path) -> None:
    text, _links = files(tmp_path, "Starý dům.", "", "U řeky.")
    short = tmp_path / "short"
    short.write_text("a\n")
    with pytest.raises(InputError, match="ends with line 1"):
        set_outputs(project=project, files={"A": text, "B": short})
    with pytest.raises(InputError, match="no system 'E'"):
        set_outputs(project=project, files={"E": text})
    assert not Translation.objects.exclude(system=None).exists()


def test_a_reference_is_stored_with_the_next_number(project: Project, tmp_path: Path) -> None:
    text, _links = files(tmp_path, "Starý dům.", "", "U řeky.")
    add_practice(project, 1, {})
    # A further translation of the third line, as where one translation is judged at a time.
    Sentence.objects.create(project=project, number=4, source_line=3, text="x", tokens="0:1")
    segments = Segment.objects.count()

    assert set_reference(project=project, path=text) == (2, 2)

    stored = Translation.objects.filter(reference=2).order_by(
        "sentence__purpose", "sentence__number"
    )
    assert [(row.sentence.purpose, row.sentence.number, row.text) for row in stored] == [
        ("judge", 1, "Starý dům."),
        ("judge", 3, "U řeky."),
        ("judge", 4, "U řeky."),
        ("practice", 1, "Starý dům."),
    ]
    assert stored[0].tokenized.words == ["Starý", "dům", "."]
    assert Segment.objects.count() == segments
    project.refresh_from_db()
    assert project.provenance["files"]["reference 2"]["name"] == text.name

    with pytest.raises(InputError, match="already, as reference 2"):
        set_reference(project=project, path=text)
    assert Translation.objects.filter(reference__gt=2).count() == 0


def test_a_reference_of_other_lines_is_refused(project: Project, tmp_path: Path) -> None:
    Translation.objects.all().delete()
    text, _links = files(tmp_path, "Starý dům.", "U řeky.")
    with pytest.raises(InputError, match="ends with line 2, but the last sentence"):
        set_reference(project=project, path=text)
    text, _links = files(tmp_path, "", "", " ")
    with pytest.raises(InputError, match="no text in it"):
        set_reference(project=project, path=text)
    assert not Translation.objects.exists()
