"""The question before something is removed."""

import re

import pytest
from django.urls import reverse

from annotation.models import Assignment, Membership
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "owner"))
    return project


def test_nothing_is_removed_before_the_question_is_answered(client, project):
    jana = make_annotator(project)
    remove = reverse("remove-member", args=[project.pk, jana.pk])
    asked = client.post(remove)
    assert asked.status_code == 200
    page = asked.content.decode()
    assert "data-question" in page
    assert "jana" in page
    assert Membership.objects.filter(user=jana).exists()
    fields = dict(re.findall(r'<(?:input|button)[^>]* name="(\w+)" value="(\w+)"', page))
    client.post(remove, {"confirmed": fields["confirmed"]})
    assert not Membership.objects.filter(user=jana).exists()


def test_the_question_repeats_the_fields_of_the_form(client, project):
    form = {"retired": "yes", "csrfmiddlewaretoken": "old"}
    given = assign_next(make_annotator(project), project)
    page = client.post(reverse("release-assignment", args=[project.pk, given.pk]), form)
    assert 'name="retired" value="yes"' in page.content.decode()
    assert 'value="old"' not in page.content.decode()
    assert Assignment.objects.get().state == "open"
