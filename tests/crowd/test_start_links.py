"""Creating and changing start links, and their return URLs."""

import pytest
from django.urls import reverse

from annotation.models import Project, User
from crowd.models import StartLink
from crowd.start_links import is_allowed
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


def test_a_new_link_shows_its_url_for_the_platform(client, project, boss):
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
    "wrong",
    [
        {"address": "https://evil.example/"},
        {"address": "http://app.prolific.com/"},
        {"id_parameter": "a b"},
        {"id_parameter": "a&b=c"},
        {"visit_parameter": "PROLIFIC_PID"},
        {"sentences": "0"},
        {"sentences": "99999999999"},
        {"sentences": "many"},
        {"most_participants": "0"},
        {"most_participants": ""},
        {"minutes": "40000"},
        {"pay_per_hour": "-2"},
        {"pay_cap": "1e30"},
        {"currency": "eur"},
        {"currency": ""},
        {"platform": ""},
        {"platform": "x" * 51},
    ],
)
def test_an_invalid_field_is_refused(client, project, boss, wrong):
    answer = client.post(new(project), FORM | wrong)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == list(wrong)
    assert not StartLink.objects.exists()


def test_a_platform_has_one_link_in_a_project(client, project, boss):
    make_link(project)
    make_link(make_project("other"), platform="Prolific")
    answer = client.post(new(project), FORM)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == ["platform"]
    assert client.post(new(project), FORM | {"platform": "Pool"}).status_code == 302
    second = StartLink.objects.get(project=project, platform="Pool")
    path = reverse("start-link", args=[project.pk, second.pk])
    assert client.post(path, FORM).status_code == 400
    second.refresh_from_db()
    assert second.platform == "Pool"


# --- return URLs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "https://app.prolific.com/submissions/complete?cc=C1A2B3",
        "https://APP.prolific.com/",
        "https://app.prolific.com",
        "https://app.prolific.com?cc=1#end",
        "https://pool.example.edu/done/%20x?id=1&b=[2]",
    ],
)
def test_platforms_and_configured_hosts_are_allowed(address):
    assert is_allowed(address, ["pool.example.edu"])


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://app.prolific.com/",
        "//app.prolific.com/",
        "/projects/",
        "javascript:alert(1)",
        "https://evil.example/",
        "https://app.prolific.com.evil.example/",
        "https://app.prolific.com@evil.example/",
        "https://evil.example@app.prolific.com/",
        "https://app.prolific.com:8443/",
        "https://evil.example\\@app.prolific.com/",
        "https://app.prolific.com\\.evil.example/",
        "https://app.prolific.com/\nLocation: https://evil.example",
        "https://app.prolific.com/ä",
        " https://app.prolific.com/",
        "https://app.prolific.com/ x",
        "https:app.prolific.com",
        "https://sub.pool.example.edu/",
        "https://app.prоlific.com/",
    ],
)
def test_other_return_urls_are_refused(address):
    assert not is_allowed(address, ["pool.example.edu"])
