"""The names of new projects."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connection

from annotation.formats.errors import InputError
from annotation.models import Job, Project
from annotation.projects.creation import create_project
from annotation.projects.names import find_project
from annotation.projects.options import Texts
from tests.factories import make_project


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_projects_cannot_get_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("We saw it .\n" * 20)
    texts = Texts(source=tmp_path / "source", systems={"alfa": tmp_path / "source"})
    together = Barrier(2)

    def create(_number: int) -> Job | InputError:
        try:
            together.wait()
            return create_project(name="houses", languages="en-cs", texts=texts)
        except InputError as problem:
            return problem
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as people:
        got = sorted(people.map(create, range(2)), key=lambda one: isinstance(one, InputError))
    assert isinstance(got[0], Job)
    assert isinstance(got[1], InputError)
    assert Project.objects.count() == 1


@pytest.mark.django_db
def test_a_name_that_is_the_id_of_another_project_is_ambiguous() -> None:
    castles = make_project("castles", sentences=0)
    named = make_project(str(castles.pk), sentences=0)
    with pytest.raises(InputError, match=f"write {named.pk} or 'castles'"):
        find_project(str(castles.pk))
    assert find_project("castles") == castles
    assert find_project(str(named.pk)) == named
