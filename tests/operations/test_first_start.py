"""What an empty installation starts with."""

import pytest
from django.conf import settings

from annotation.models import Membership, Project, User
from operations.first_start import furnish, passwords
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)


def test_it_makes_a_demo_an_administrator_and_two_annotators_once():
    assert furnish(demo=True)
    assert Project.objects.get().name == "Demo"
    roles = Membership.objects.values_list("user__username", "role")
    assert sorted(roles) == [
        ("admin", "owner"),
        ("annotator1", "annotator"),
        ("annotator2", "annotator"),
    ]
    for name, password in passwords().items():
        assert User.objects.get(username=name).check_password(password)
    assert not furnish(demo=True)


def test_beside_projects_that_were_imported_it_makes_an_administrator_and_no_demo():
    project = make_project()
    User.objects.create(
        username="imported-1-1", display_name="jana", imported_with=project, is_active=False
    )
    assert furnish(demo=True)
    assert list(passwords()) == ["admin"]
    assert Project.objects.get() == project
