import pytest

from annotation.formats.errors import InputError
from annotation.projects.names import check_new_name, find_project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["Zámky", "Za\u0301mky", " Zámky\u00a0", "{pk} "])
def test_a_project_is_found_in_any_spelling_of_its_name(name):
    project = make_project("Zámky")

    assert find_project(name.format(pk=project.pk)) == project


def test_a_new_name_is_plain():
    assert check_new_name("\ufeffZa\u0301mky ") == "Zámky"


@pytest.mark.parametrize("name", ["Za\u0301mky\u200b", "\u00a0", "a\tb"])
def test_a_name_that_is_taken_or_invisible_is_refused(name):
    make_project("Zámky")

    with pytest.raises(InputError):
        check_new_name(name)
