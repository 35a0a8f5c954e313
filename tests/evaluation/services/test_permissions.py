import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from annotation.models import User
from evaluation.services.permissions import project_to_evaluate
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


def test_administrators_of_the_project_and_superusers_may():
    project = make_project()
    superuser = User.objects.create(username="root", is_superuser=True)

    for user in (make_annotator(project, "boss", "administrator"), superuser):
        assert project_to_evaluate(user, project.pk) == project


def test_annotators_of_the_project_are_refused():
    project = make_project()

    with pytest.raises(PermissionDenied):
        project_to_evaluate(make_annotator(project), project.pk)


def test_others_do_not_learn_that_it_exists():
    project, other = make_project(), make_project("other")
    boss_of_other = make_annotator(other, "boss", "administrator")

    for user in (boss_of_other, AnonymousUser()):
        with pytest.raises(Http404):
            project_to_evaluate(user, project.pk)


def test_a_project_that_does_not_exist_is_not_found():
    with pytest.raises(Http404):
        project_to_evaluate(User(username="root", is_superuser=True), 404)
