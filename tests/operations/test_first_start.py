"""The first accounts and the demo project of an empty installation."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password

from annotation.models import Membership, Project, User
from annotation.projects.deletion import delete_project
from crowd.anonymisation import anonymise
from operations.first_passwords import passwords, sign_in_file
from operations.first_start import create_initial_data
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path


def test_the_first_start_creates_accounts_and_a_demo_once() -> None:
    assert create_initial_data(demo=True)
    assert Project.objects.get().name == "Demo"
    roles = Membership.objects.values_list("user__username", "role")
    assert sorted(roles) == [
        ("admin", "owner"),
        ("annotator1", "annotator"),
        ("annotator2", "annotator"),
    ]
    for name, password in passwords().items():
        assert User.objects.get(username=name).check_password(password)
    delete_project(Project.objects.get())
    assert not create_initial_data(demo=True)
    assert not Project.objects.exists()


def test_only_the_owner_of_the_file_can_read_the_passwords() -> None:
    create_initial_data(demo=False)
    assert sign_in_file().stat().st_mode & 0o777 == 0o600


def test_a_changed_password_is_deleted_from_the_file(
    django_capture_on_commit_callbacks: Any,
) -> None:
    create_initial_data(demo=True)
    first = passwords()
    with django_capture_on_commit_callbacks(execute=True):
        administrator = User.objects.get(username="admin")
        administrator.set_password("nine-quiet-rivers")
        administrator.save()
    assert first["admin"] not in sign_in_file().read_text()
    assert first["annotator1"] in sign_in_file().read_text()
    with django_capture_on_commit_callbacks(execute=True):
        anonymise(User.objects.get(username="annotator1"), typed_name="annotator1")
        User.objects.get(username="annotator2").delete()
    assert not sign_in_file().exists()
    assert passwords() == {}


def test_a_password_that_does_not_hold_is_neither_shown_nor_kept() -> None:
    create_initial_data(demo=True)
    first = passwords()
    # Without a signal, as `restore` writes accounts.
    User.objects.filter(username="admin").update(password=make_password("nine-quiet-rivers"))
    User.objects.filter(username="annotator1").update(is_active=False)
    assert list(passwords()) == ["annotator2"]
    assert sign_in_file().read_text().split() == ["annotator2", first["annotator2"]]
    assert sign_in_file().stat().st_mode & 0o777 == 0o600


def test_a_file_of_other_accounts_is_replaced(django_capture_on_commit_callbacks: Any) -> None:
    sign_in_file().write_text("admin  of-a-database-that-is-gone\n")
    with django_capture_on_commit_callbacks(execute=True):
        create_initial_data(demo=False)
    (name, password) = sign_in_file().read_text().split()
    assert User.objects.get(username=name).check_password(password)


def test_without_a_demo_there_is_an_administrator() -> None:
    assert create_initial_data(demo=False)
    assert list(passwords()) == ["admin"]
    assert User.objects.get().is_superuser
    assert not Project.objects.exists()


def test_beside_imported_projects_there_is_an_administrator_and_no_demo() -> None:
    project = make_project()
    User.objects.create(
        username="imported-1-1", display_name="jana", imported_with=project, is_active=False
    )
    assert create_initial_data(demo=True)
    assert list(passwords()) == ["admin"]
    assert Project.objects.get() == project
