"""`manage.py assign_sentences`."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Membership, Project, Reservation
from annotation.selectors.members import reserved_numbers
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project()
    for number, document in enumerate(("news", "news", "talk"), start=1):
        project.sentences.filter(number=number).update(document=document)
    return project


def run(folder: Path, table: str, *options: str) -> None:
    (folder / "table.csv").write_text(table)
    call_command("assign_sentences", "houses", str(folder / "table.csv"), *options)


def test_people_get_whole_documents_and_a_limit(project: Project, tmp_path: Path) -> None:
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    run(tmp_path, "annotator,document\njana,news\npetr,news\npetr,talk\n", "--limit")
    assert reserved_numbers(project, jana.pk) == [1, 2]
    assert reserved_numbers(project, petr.pk) == [1, 2, 3]
    limits = Membership.objects.filter(project=project).order_by("user__username")
    assert list(limits.values_list("sentence_limit", flat=True)) == [2, 3]
    run(tmp_path, "annotator,document\njana,talk\n", "--limit")
    assert list(limits.values_list("sentence_limit", flat=True)) == [3, 3]


def test_it_assigns_nothing_of_a_table_with_mistakes(project: Project, tmp_path: Path) -> None:
    make_annotator(project)
    with pytest.raises(CommandError) as refused:
        run(tmp_path, "annotator,document\njana,news\nolga,news\njana,blog\njana\n")
    assert [f"line {number}" in str(refused.value) for number in (2, 3, 4, 5)] == [
        *(False, True, True, True)
    ]
    with pytest.raises(CommandError, match="line 1"):
        run(tmp_path, "jana,news\n")
    assert not Reservation.objects.exists()
