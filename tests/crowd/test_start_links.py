"""Start links, as administrators make and change them."""

import pytest
from django.urls import reverse

from annotation.models import Project, User
from crowd.models import StartLink
from tests.crowd.coming import come, make_link
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
FORM = {
    "platform": "Prolific",
    "id_parameter": "PROLIFIC_PID",
    "visit_parameter": "SESSION_ID",
    "sentences": "20",
    "most_participants": "50",
    "minutes": "30",
    "contact": "",
    "code": "C1",
    "address": "https://app.prolific.com/submissions/complete?cc=C1",
    "pay_per_hour": "9.00",
    "pay_cap": "",
    "currency": "GBP",
    "is_on": "on",
}


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def boss(client, project: Project) -> User:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def new(project: Project) -> str:
    return reverse("new-start-link", args=[project.pk])


def test_a_link_is_made_and_its_address_is_for_the_platform(client, project, boss):
    page = client.get(new(project)).content.decode()
    assert 'value="PROLIFIC_PID"' in page
    answer = client.post(new(project), FORM)
    assert answer.headers["Location"] == reverse("crowd", args=[project.pk])
    link = StartLink.objects.get()
    assert (link.sentences, link.minutes, link.currency) == (20, 30, "GBP")
    assert len(link.token) >= 20
    come(link)
    page = client.get(answer.headers["Location"]).content.decode()
    address = (
        f"http://testserver/start/{link.token}/"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;SESSION_ID={{%SESSION_ID%}}"
    )
    assert f'value="{address}"' in page
    assert "<dt>Started</dt><dd>1 of 50</dd>" in page


def test_a_link_is_changed(client, project, boss):
    link = make_link(project)
    path = reverse("start-link", args=[project.pk, link.pk])
    assert 'value="C0DE-1"' in client.get(path).content.decode()
    form = FORM | {"sentences": "", "pay_per_hour": ""}
    form.pop("is_on")
    assert client.post(path, form).status_code == 302
    link.refresh_from_db()
    assert (link.sentences, link.pay_per_hour, link.is_on) == (None, None, False)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"address": "https://evil.example/"}, "https addresses of these sites only"),
        ({"address": "http://app.prolific.com/"}, "app.prolific.com"),
        ({"id_parameter": "a b"}, "Write the name of a parameter"),
        ({"id_parameter": "a&b=c"}, "Write the name of a parameter"),
        ({"visit_parameter": "PROLIFIC_PID"}, "This is the parameter of the id already."),
        ({"sentences": "0"}, "Write a whole number from 1"),
        ({"sentences": "99999999999"}, "Write a whole number from 1"),
        ({"sentences": "many"}, "Write a whole number from 1"),
        ({"most_participants": "0"}, "Write a whole number from 1"),
        ({"most_participants": ""}, "Write a whole number from 1"),
        ({"minutes": "40000"}, "Write a whole number from 1"),
        ({"pay_per_hour": "-2"}, "Write an amount such as 12.50"),
        ({"pay_cap": "1e30"}, "Write an amount such as 12.50"),
        ({"currency": "eur"}, "Write three capital letters"),
        ({"currency": ""}, "This field is required."),
        ({"platform": ""}, "This field is required."),
        ({"platform": "x" * 51}, "at most 50 characters"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_saved(client, project, boss, wrong, words):
    answer = client.post(new(project), FORM | wrong)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not StartLink.objects.exists()


def test_a_platform_has_one_link_in_a_project(client, project, boss):
    make_link(project)
    make_link(make_project("other"), platform="Prolific")
    answer = client.post(new(project), FORM)
    assert answer.status_code == 400
    assert "There is a start link of this platform" in answer.content.decode()
    assert client.post(new(project), FORM | {"platform": "Pool"}).status_code == 302
    second = StartLink.objects.get(project=project, platform="Pool")
    path = reverse("start-link", args=[project.pk, second.pk])
    assert client.post(path, FORM).status_code == 400
    second.refresh_from_db()
    assert second.platform == "Pool"


def test_hosts_that_were_allowed_can_be_sent_to(client, project, boss, settings):
    settings.CROWD_HOSTS = ["pool.example.edu"]
    answer = client.post(new(project), FORM | {"address": "https://pool.example.edu/end?x=1"})
    assert answer.status_code == 302


def test_the_manage_page_leads_here(client, project, boss):
    page = client.get(reverse("manage-project", args=[project.pk])).content.decode()
    assert reverse("crowd", args=[project.pk]) in page
