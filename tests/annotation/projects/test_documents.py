"""Documents of the sentences of a project that exists already."""

from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    """Four sentences, the third of them without text."""
    project = make_project(sentences=4)
    project.sentences.filter(number=3).update(text="")
    project.sentences.filter(number=1).update(document="former")
    return project


def documents(project: Project) -> list[str]:
    return list(project.sentences.order_by("number").values_list("document", flat=True))


def test_it_names_the_documents(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "documents.txt"
    path.write_text("zpra\u0301vy\ntalk\n\nzprávy\u00a0\n")

    call_command("set_documents", "houses", str(path))

    assert documents(project) == ["zprávy", "talk", "", "zprávy"]
    project.refresh_from_db()
    file = {"name": "documents.txt", "sha256": sha256(path.read_bytes()).hexdigest()}
    assert project.provenance["files"] == {"documents": file}
    assert "3 sentences of project" in (out := capsys.readouterr().out)
    assert "from 2 documents" in out


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("news\n" * 3, "documents.txt has 3 lines, but the source has 4"),
        ("news\n" * 5, "documents.txt has 5 lines, but the source has 4"),
        ("news\n\nnews\nnews\n", "documents.txt, line 2: the line is empty"),
        ("news\n" + "x" * 201 + "\na\na\n", "documents.txt, line 2: the name of the document"),
        ("", "documents.txt: the file is empty"),
    ],
)
def test_it_refuses_a_file_that_does_not_fit_and_changes_nothing(
    project: Project, tmp_path: Path, lines: str, message: str
) -> None:
    path = tmp_path / "documents.txt"
    path.write_text(lines)

    with pytest.raises(CommandError, match=message):
        call_command("set_documents", "houses", str(path))

    assert documents(project) == ["former", "", "", ""]


def test_more_lines_are_possible_where_sentences_have_gaps(
    project: Project, tmp_path: Path
) -> None:
    project.sentences.filter(number=4).update(number=6)
    path = tmp_path / "documents.txt"
    path.write_text("a\nb\nc\nd\ne\nf\ng\n")

    call_command("set_documents", str(project.pk), str(path))

    assert documents(project) == ["a", "b", "", "f"]
