from collections.abc import Mapping, Sequence

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Membership
from evaluation.models import QualityFlag, QualityRule
from evaluation.services import agreement
from evaluation.services.quality import check, set_rules
from tests.evaluation.projects import submit
from tests.evaluation.web.pages import element
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 2]}
OTHERS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 3], "4 5 6": [2, 1]}
FIELDS = {
    f"{kind}-{name}": value
    for kind, limit in {
        "seconds": 2.5,
        "controls": 40,
        "one_rank": 95,
        "kappa": -0.1,
        "shown_order": 50,
        "practice": 70,
    }.items()
    for name, value in (("limit", limit), ("after", 8), ("action", "pause"))
}


@pytest.fixture
def project():
    return make_project(sentences=4)


@pytest.fixture(autouse=True)
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


@pytest.fixture
def hasty(project):
    """Return an annotator who is flagged as too fast."""
    set_rules(project=project, rules={"seconds": {"limit": 3, "after": 2, "action": "flag"}})
    hasty = make_annotator(project, "hasty")
    for number in (1, 2):
        submit(project, hasty, number, RANKS, seconds=0.5)
    check(project)
    return hasty


def shown(client, project):
    return client.get(reverse("quality", args=[project.pk])).content.decode()


def post(client, name, project, *ids, **fields):
    return client.post(reverse(name, args=[project.pk, *ids]), fields)


def test_it_shows_who_is_flagged(client, project, hasty):
    page = shown(client, project)

    assert element(page, "data-flag", "seconds")
    assert reverse("person", args=[project.pk, hasty.pk]) in page


def test_it_shows_agreement_and_how_old_it_is(client, project, monkeypatch):
    jana = make_annotator(project)
    submit(project, jana, 1, RANKS)
    submit(project, make_annotator(project, "petr"), 1, OTHERS)
    page = shown(client, project)
    # Of three pairs of one segment and one of the other, three agree.
    assert "3 of 4" in page
    assert not element(page, "id", "agreement-missing")

    monkeypatch.setattr(agreement, "REST", 10**9)
    submit(project, jana, 2, RANKS)
    assert element(shown(client, project), "id", "agreement-missing")

    cache.clear()
    monkeypatch.setattr(agreement, "MOST_JUDGEMENTS", 1)
    assert not element(shown(client, project), "id", "kappa-inter")


def test_a_new_project_has_a_page_with_the_default_rules(client, project):
    page = shown(client, project)

    assert 'value="3"' in (element(page, "name", "seconds-limit") or "")
    assert 'value="90"' in (element(page, "name", "one_rank-limit") or "")


def test_rules_are_saved_in_shares(client, project):
    assert post(client, "quality-rules", project, **FIELDS).status_code == 302

    stored = QualityRule.objects.filter(action="pause", after=8).values_list("kind", "limit")
    assert dict(stored) == {
        "seconds": 2.5,
        "controls": 0.4,
        "one_rank": 0.95,
        "kappa": -0.1,
        "shown_order": 0.5,
        "practice": 0.7,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"one_rank-limit": "101"},
        {"kappa-limit": "2"},
        {"seconds-limit": ""},
        {"seconds-after": "0"},
        {"seconds-action": "shout"},
    ],
)
def test_wrong_rules_are_refused_and_shown_again(client, project, wrong):
    answer = post(client, "quality-rules", project, **(FIELDS | wrong))

    assert answer.status_code == 400
    (name,) = wrong
    assert f"id_{name}_error" in answer.content.decode()
    assert not QualityRule.objects.exists()


def test_flags_are_dismissed(client, project, boss, hasty):
    flag = QualityFlag.objects.get()

    assert post(client, "quality-dismiss", project, flag.pk).status_code == 302

    flag.refresh_from_db()
    assert flag.dismissed_by == boss
    assert not element(shown(client, project), "data-flag", "seconds")


def test_people_are_paused_and_resumed(client, project, hasty):
    answer = post(client, "pause-member", project, hasty.pk, back="quality")
    assert answer.url == reverse("quality", args=[project.pk])
    assert Membership.objects.get(user=hasty).paused
    client.force_login(hasty)
    page = client.get(reverse("judge", args=[project.pk])).content.decode()
    assert 'data-reason="member-paused"' in page

    client.force_login(Membership.objects.get(role="administrator").user)
    post(client, "pause-member", project, hasty.pk, back="quality", resume="1")
    assert not Membership.objects.get(user=hasty).paused
    client.force_login(hasty)
    page = client.get(reverse("judge", args=[project.pk])).content.decode()
    assert element(page, "name", "assignment")


def test_more_annotators_cost_no_more_queries(client, project, hasty):
    with CaptureQueriesContext(connection) as before:
        shown(client, project)
    for name in ("jana", "petr", "eva"):
        submit(project, make_annotator(project, name), 1, RANKS, seconds=0.5)
        submit(project, project.memberships.get(user__username=name).user, 2, RANKS, seconds=0.5)
    check(project)
    assert QualityFlag.objects.count() == 4

    with CaptureQueriesContext(connection) as after:
        shown(client, project)

    assert len(after) <= len(before)
