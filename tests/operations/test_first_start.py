"""The first accounts and the demo project of an empty installation."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Membership, Project, User
from annotation.projects.deletion import delete_project
from operations.first_start import create_initial_data, passwords, sign_in_file
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
