"""Tables and other encodings, as the files of commands."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project, Sentence, Translation
from tests.factories import make_project

pytestmark = pytest.mark.django_db

SOURCE = "The old house stands near the river .\nWe saw it .\n"
NORTH = "Starý dům, žel, stojí u řeky .\nViděli jsme ho .\n"
TABLE = (
    "source,reference,north,south,doc\n"
    'The old house stands near the river .,Starý dům .,"Starý dům, žel, stojí u řeky .",Dům .,a\n'
    "We saw it .,Viděli .,Viděli jsme ho .,,b\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "source.txt").write_text(SOURCE)
    (tmp_path / "north.txt").write_bytes(NORTH.encode("cp1250"))
    (tmp_path / "all.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def create(*more: str) -> Project:
    kind = "--kind=sentence_ranking"
    call_command("create_project", "houses", "--languages=en-cs", kind, *more)
    return Project.objects.get()


def outputs(system: str) -> list[str]:
    rows = Translation.objects.filter(system__name=system).order_by("sentence__number")
    return list(rows.values_list("text", flat=True))


def test_columns_of_a_table_are_found_by_roles_and_systems(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = ("source", "reference", "documents")
    project = create(
        *(f"--{role}=all.csv" for role in roles), "--system=north=all.csv", "--system=south=all.csv"
    )
    assert capsys.readouterr().err == "all.csv is read as CSV.\n"
    sentences = Sentence.objects.order_by("number").values_list("text", "document")
    assert list(sentences) == list(zip(SOURCE.splitlines(), "ab", strict=True))
    assert outputs("north") == NORTH.splitlines()
    named = {role: file["name"] for role, file in project.provenance["files"].items()}
    assert named["system south"] == "all.csv, south"
    assert len({file["sha256"] for file in project.provenance["files"].values()}) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--source=source.txt", "--system=north=north.txt"], "Or give --encoding Windows-1250."),
        (["--source=source.txt", "--system=west=all.csv"], "all.csv: the table has the columns"),
        (["--source=all.csv", "--system=n=north.txt", "--encoding=klingon"], "no encoding"),
        (
            ["--source=all.csv", "--system=north=north.txt", "--encoding=euc-jp"],
            "north.txt: the file is not EUC-JP: [^:]*UTF-8.$",
        ),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    folder: Path, arguments: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words) as raised:
        create(*arguments)
    assert "\n" not in str(raised.value)
    assert not Project.objects.exists()


def test_texts_that_are_not_utf8_are_read_in_the_given_encoding(folder: Path) -> None:
    create("--source=source.txt", "--system=north=north.txt", "--encoding=cp1250")
    assert outputs("north") == NORTH.splitlines()


def test_systems_and_documents_are_added_from_tables_too(folder: Path) -> None:
    project = create("--source=source.txt", "--system=x=source.txt")
    call_command("add_system", "houses", "north=all.csv")
    call_command("set_documents", "houses", "all.csv")
    call_command("set_reference", "houses", "all.csv")
    assert outputs("north") == NORTH.splitlines()
    documents = Sentence.objects.order_by("number").values_list("document", flat=True)
    assert list(documents) == ["a", "b"]
    project.refresh_from_db()
    assert project.provenance["added"][0]["name"] == "all.csv, north"
    assert project.provenance["files"]["documents"]["name"] == "all.csv, doc"


def test_whole_outputs_of_ready_made_segments_come_from_tables_too(folder: Path) -> None:
    rows = '1\t"She said "" yes "" ."\t\tsaid\tžel\t1\n2\tWe saw it .\t\tsaw it\tviděli\t1 2\n'
    (folder / "s.txt").write_text(rows)
    (folder / "t.txt").write_text("1\tsaid\tnorth\tžel\t1\n")
    call_command("import_segments", "houses", "s.txt", "--systems=t.txt", "--languages=en-cs")
    assert Sentence.objects.get(number=1).text == 'She said " yes " .'
    call_command("set_outputs", "houses", "north=all.csv")
    assert outputs("north") == NORTH.splitlines()


def test_doubtful_quotation_marks_of_segments_are_pointed_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "s.tsv").write_text('1\t"Yes, she said ."\t\tsaid\ttvrdila\t2\n')
    call_command("import_segments", "houses", "s.tsv", "--languages=en-cs")
    assert capsys.readouterr().err.startswith("s.tsv, line 1: quotation marks")
    assert Sentence.objects.get().text == '"Yes, she said ."'


def test_outputs_in_columns_of_a_table_are_scored(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_project("unused")
    arguments = ("--reference=all.csv", "--language=cs", "--metric=bleu")
    call_command("score", "north=all.csv", *arguments)
    assert "north" in capsys.readouterr().out
