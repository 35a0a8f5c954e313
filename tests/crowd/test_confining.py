"""What somebody gets at who knows the id of a participant: the sentence in hand, and no more."""

import json

import pytest
from django.urls import reverse

from annotation.models import Assignment, Membership
from crowd.middleware import OTHER_PAGES, PROJECT_PAGES
from tests.crowd.coming import PID, come, judge, make_link, user_of
from tests.security.addresses import METHODS, own_addresses
from tests.security.conftest import made_once, undone, world  # noqa: F401 (fixtures)
from tests.security.requests import send
from tests.security.world import World

# Who is let in where is asked of few rows, and of many addresses.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_a_participant_gets_at_nothing_but_judging(world: World):  # noqa: F811
    link = make_link(world.mine.project, platform="Pool")
    browser = come(link)
    # Even where somebody gave the account more rights than it should have.
    Membership.objects.filter(user=user_of(link)).update(role="owner")
    Membership.objects.create(
        user=user_of(link), project=world.other.project, role=Membership.Role.OWNER
    )
    away = reverse("judge", args=[world.mine.project.pk])
    refused = 0
    for address in own_addresses():
        if address.name in PROJECT_PAGES | OTHER_PAGES:
            continue
        for method in METHODS:
            with undone():
                answer = send(browser, address, method, world.mine)
            if method == "GET":
                assert (answer.status_code, answer.headers.get("Location")) == (302, away), address
            else:
                assert answer.status_code == 403, (address, method)
            refused += 1
    assert refused > 250


@pytest.mark.parametrize("name", sorted(PROJECT_PAGES))
def test_nor_at_judging_in_another_project(world: World, name: str):  # noqa: F811
    link = make_link(world.mine.project, platform="Pool")
    browser = come(link)
    Membership.objects.create(
        user=user_of(link), project=world.other.project, role=Membership.Role.ANNOTATOR
    )
    address = next(address for address in own_addresses() if address.name == name)
    for method in METHODS:
        with undone():
            answer = send(browser, address, method, world.other)
        assert answer.status_code == (302 if method == "GET" else 403)


def test_there_is_no_administration_either(world: World):  # noqa: F811
    browser = come(make_link(world.mine.project, platform="Pool"))
    away = reverse("judge", args=[world.mine.project.pk])
    assert browser.get("/admin/").headers["Location"] == away
    assert browser.post("/admin/login/", {"username": "a"}).status_code == 403


def test_the_page_has_no_ways_that_lead_nowhere(world: World):  # noqa: F811
    project = world.mine.project
    link = make_link(project, platform="Pool", sentences=1)
    browser = come(link)
    page = browser.get(reverse("judge", args=[project.pk])).content.decode()
    assert reverse("my-judgements", args=[project.pk]) not in page
    assert reverse("set-password") not in page
    assert user_of(link).username in page


def test_the_programs_of_the_page_work(world: World):  # noqa: F811
    project = world.mine.project
    link = make_link(project, platform="Pool")
    browser = come(link)
    browser.get(reverse("judge", args=[project.pk]))
    mine = Assignment.objects.get(annotator=user_of(link))
    path = reverse("skip", args=[project.pk, mine.pk])
    body = json.dumps({"reason": "other", "comment": ""})
    assert browser.post(path, body, content_type="application/json").status_code == 204


def test_what_was_judged_cannot_be_read_or_revised_by_who_comes_as_somebody(world: World):  # noqa: F811
    project = world.mine.project
    link = make_link(project, platform="Pool")
    come(link)
    judge(user_of(link), project, 1)
    done = Assignment.objects.filter(annotator=user_of(link), state="submitted").earliest("pk")
    impostor = come(link, PID)
    for path in (
        reverse("my-judgements", args=[project.pk]),
        reverse("revise", args=[project.pk, done.pk]),
        reverse("my-data-json"),
    ):
        assert impostor.get(path).status_code == 302
    revision = reverse("revision", args=[project.pk, done.pk])
    assert impostor.post(revision, "{}", content_type="application/json").status_code == 403
