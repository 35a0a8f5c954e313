"""A session by a start link reaches the judging page of its project, and nothing else."""

import json

import pytest
from django.urls import reverse

from annotation.models import Assignment, Membership
from crowd.middleware import OTHER_PAGES, PROJECT_PAGES
from tests.crowd.coming import come, make_link, user_of
from tests.security.addresses import METHODS, own_addresses
from tests.security.conftest import made_once, world  # noqa: F401 (fixtures)
from tests.security.requests import send
from tests.security.world import World
from tests.transactions import undone

pytestmark = pytest.mark.django_db


def test_a_participant_reaches_judging_only(world: World):  # noqa: F811
    link = make_link(world.mine.project, platform="Pool")
    browser = come(link)
    # Even if the account was given more rights.
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
def test_it_refuses_another_project(world: World, name: str):  # noqa: F811
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


def test_the_judging_page_has_no_links_to_refused_pages(world: World):  # noqa: F811
    project = world.mine.project
    link = make_link(project, platform="Pool", sentences=1)
    browser = come(link)
    page = browser.get(reverse("judge", args=[project.pk])).content.decode()
    assert reverse("my-judgements", args=[project.pk]) not in page
    assert reverse("set-password") not in page
    assert user_of(link).username in page


def test_the_judging_page_can_send_its_requests(world: World):  # noqa: F811
    project = world.mine.project
    link = make_link(project, platform="Pool")
    browser = come(link)
    browser.get(reverse("judge", args=[project.pk]))
    mine = Assignment.objects.get(annotator=user_of(link))
    path = reverse("skip", args=[project.pk, mine.pk])
    body = json.dumps({"reason": "other", "comment": ""})
    assert browser.post(path, body, content_type="application/json").status_code == 204


def test_a_participant_who_has_signed_out_is_told_to_open_the_link_again(world: World):  # noqa: F811
    browser = come(make_link(world.mine.project, platform="Pool"))
    judge = reverse("judge", args=[world.mine.project.pk])
    page = browser.get(judge).content.decode()
    told = reverse("start-again")
    assert f'name="next" value="{told}"' in page
    assert browser.post(reverse("sign-out"), {"next": told}).headers["Location"] == told
    assert 'type="password"' not in browser.get(told).content.decode()
    # From now on at every page, but with a way to the form.
    answer = browser.get(judge, follow=True)
    assert answer.redirect_chain[-1] == (told, 302)
    assert 'type="password"' in browser.get(reverse("sign-in") + "?password").content.decode()
