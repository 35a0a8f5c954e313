"""Who makes whom unknown, on which page and by the command."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Membership, Project, User
from tests.crowd.coming import judge
from tests.crowd.traces import project, uploads
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["project", "uploads"]

pytestmark = pytest.mark.django_db


def press(client: Client, project: Project, user: User, typed: str) -> int:
    path = reverse("anonymise-member", args=[project.pk, user.pk])
    return client.post(path, {"username": typed}).status_code


def test_an_owner_anonymises_who_is_in_his_project_alone(client, project):
    client.force_login(make_annotator(project, "olga", "owner"))
    jana = make_annotator(project)
    other = make_project("castles")
    make_annotator(other, "jana")
    path = reverse("anonymise-member", args=[project.pk, jana.pk])
    assert "has to do with other projects too" in client.get(path).content.decode()
    assert press(client, project, jana, "jana") == 400
    # Nor where she judged elsewhere and is no member there any more.
    judge(jana, other, 1)
    Membership.objects.filter(project=other).delete()
    assert press(client, project, jana, "jana") == 400
    Assignment.objects.filter(project=other).update(project=project)
    assert press(client, project, jana, "wrong") == 400
    assert User.objects.filter(username="jana").exists()
    assert press(client, project, jana, "jana") == 302
    assert not User.objects.filter(username="jana").exists()


def test_an_owner_does_not_anonymise_whoever_he_makes_a_member(client, project):
    jana = make_annotator(project)
    jana.set_password("nine-quiet-rivers")
    jana.save()
    client.force_login(make_annotator(project, "olga", "owner"))
    assert press(client, project, jana, "jana") == 400
    assert User.objects.filter(username="jana", is_active=True).exists()


def test_an_owner_does_not_anonymise_himself_there_nor_a_superuser(client, project):
    olga = make_annotator(project, "olga", "owner")
    client.force_login(olga)
    assert press(client, project, olga, "olga") == 400
    root = User.objects.create_superuser("root")
    Membership.objects.create(user=root, project=project, role="annotator")
    assert press(client, project, root, "root") == 400
    assert press(client, project, User.objects.create(username="nobody"), "nobody") == 404


def test_whoever_runs_the_installation_anonymises_anybody(client, project):
    client.force_login(User.objects.create_superuser("root"))
    jana = make_annotator(project)
    make_annotator(make_project("castles"), "jana")
    assert press(client, project, jana, "jana") == 302
    assert not Membership.objects.filter(user=jana).exists()


def test_a_person_does_it_herself(client, project):
    jana = make_annotator(project)
    jana.set_unusable_password()
    jana.save()
    judge(jana, project, 1)
    client.force_login(jana)
    assert "jana" in client.get(reverse("my-data")).content.decode()
    path = reverse("anonymise-me")
    answer = client.post(path, {"username": "petr"})
    assert answer.status_code == 400
    assert "That is not the user name" in answer.content.decode()
    answer = client.post(path, {"username": "jana"}, follow=True)
    assert "Your account is anonymised" in answer.content.decode()
    assert client.get(reverse("projects")).status_code == 302
    assert User.objects.filter(username="petr").exists()


def test_who_has_a_password_gives_it_before_the_account_is_gone(client, project):
    jana = make_annotator(project)
    jana.set_password("nine-quiet-rivers")
    jana.save()
    client.force_login(jana)
    assert 'name="password"' in client.get(reverse("my-data")).content.decode()
    form = {"username": "jana"}
    for wrong in ({}, {"password": "wrong"}):
        answer = client.post(reverse("anonymise-me"), form | wrong)
        assert answer.status_code == 400
        assert "That is not your password" in answer.content.decode()
    assert User.objects.filter(username="jana").exists()
    assert (
        client.post(reverse("anonymise-me"), form | {"password": "nine-quiet-rivers"}).status_code
        == 302
    )
    assert not User.objects.filter(username="jana").exists()


def test_the_command(project, capsys):
    jana = make_annotator(project)
    for wrong in (["nobody", "--yes"], ["jana"]):
        with pytest.raises(CommandError):
            call_command("anonymise_user", *wrong)
    assert User.objects.filter(username="jana").exists()
    call_command("anonymise_user", "jana", "--yes")
    assert f"by annotator {jana.pk} now" in capsys.readouterr().out
    assert not User.objects.filter(username="jana").exists()
