"""New projects that are stored page by page."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from annotation.common.transactions import writing
from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.models import Project, Sentence, System, User
from annotation.projects import creation, deletion, unfinished
from annotation.projects.options import Texts
from annotation.projects.unfinished import unfinished_project
from tests.annotation.import_export.exchange_files import archive_file, row_counts, worked_on
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

HOUSES: dict[str, Any] = {"name": "houses", "source_language": "en", "target_language": "cs"}


def test_a_project_is_visible_once_its_last_page_is_stored() -> None:
    with unfinished_project(**HOUSES) as houses:
        for number in (1, 2):
            with houses.page():
                Sentence.objects.create(project=houses.project, number=number, text="x")
            assert not Project.objects.exists()
            deletion.enqueue_pending()
            deletion.continue_deletion(houses.project.pk)
        with houses.last_page():
            System.objects.create(project=houses.project, name="A")
    assert Project.objects.get().sentences.count() == 2


def store_and_raise(problem: BaseException) -> None:
    with unfinished_project(**HOUSES) as houses:
        with houses.page():
            Sentence.objects.create(project=houses.project, number=1, text="x")
        raise problem


@pytest.mark.parametrize("problem", [InputError("no"), KeyboardInterrupt()])
def test_nothing_remains_of_a_project_that_cannot_be_stored(problem: BaseException) -> None:
    with pytest.raises(type(problem)):
        store_and_raise(problem)
    assert not any(row_counts().values())


def store_while_the_name_is_taken() -> None:
    with unfinished_project(**HOUSES) as houses:
        make_project("houses", sentences=0)
        with houses.last_page():
            pass


def test_a_name_taken_meanwhile_is_an_input_error() -> None:
    with pytest.raises(InputError, match="There is a project 'houses' already"):
        store_while_the_name_is_taken()
    assert Project.with_hidden.get().systems.exists()


def store_a_system_twice() -> None:
    with unfinished_project(**HOUSES) as houses, houses.last_page():
        for _time in range(2):
            System.objects.create(project=houses.project, name="A")


def test_other_integrity_errors_are_raised_as_they_are() -> None:
    with pytest.raises(IntegrityError):
        store_a_system_twice()
    assert not Project.with_hidden.exists()


def store_with_a_long_break() -> None:
    with unfinished_project(**HOUSES) as houses:
        with houses.page():
            Sentence.objects.create(project=houses.project, number=1, text="x")
        deletion.continue_deletion(houses.project.pk)
        assert Sentence.objects.exists()
        expired = timezone.now() - timedelta(seconds=1)
        Project.with_hidden.update(delete_after=expired)
        deletion.continue_deletion(houses.project.pk)
        assert not any(row_counts().values())
        with houses.page():
            pass


def test_a_project_that_no_process_goes_on_storing_is_deleted() -> None:
    with pytest.raises(InputError, match="interrupted"):
        store_with_a_long_break()


def test_an_archive_that_is_refused_in_the_middle_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive_file(worked_on(), tmp_path)
    before = row_counts()
    monkeypatch.setattr("annotation.import_export.archive_import._restore_assignments", refuse)
    with pytest.raises(InputError, match="no"):
        import_project(path=path, name="again")
    assert row_counts() == before


def refuse(*_arguments: object) -> None:
    raise InputError("no")


@pytest.mark.django_db(transaction=True)
def test_others_can_write_between_two_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is a transaction of its own, and so are all others."""
    monkeypatch.setattr(creation, "SENTENCES_PER_PAGE", 1)
    (tmp_path / "source").write_text("We saw it .\n" * 3)
    texts = Texts(source=tmp_path / "source", systems={"alfa": tmp_path / "source"})
    seen: list[User] = []

    def write() -> None:
        assert not connection.in_atomic_block
        assert not Project.objects.exists()
        with writing():
            seen.append(User.objects.create(username=f"user{len(seen)}"))

    monkeypatch.setattr(unfinished, "let_others_write", write)
    creation.create_project(name="houses", languages="en-cs", texts=texts)
    assert len(seen) == 4
    assert Project.objects.get().sentences.count() == 3
