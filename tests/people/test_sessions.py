"""The sessions of a user: listed, ended, and when they were last used."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.judging.sheet import sheet
from annotation.models import Assignment, User
from people.models import SignedIn
from people.sessions import browser_and_system
from people.sign_in_links import sign_in_path
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db
PASSWORD = "nine-quiet-rivers"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def jana() -> User:
    return User.objects.create_user("jana", password=PASSWORD)


def signed_in(user: User, user_agent: str = FIREFOX) -> Client:
    client = Client(headers={"user-agent": user_agent})
    assert client.post(
        reverse("sign-in"), {"username": user.username, "password": PASSWORD}
    ).status_code == 302  # fmt: skip
    return client


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def account(client: Client) -> Any:
    return client.get(reverse("account"))


@pytest.mark.parametrize(
    ("user_agent", "known"),
    [
        (FIREFOX, ("Firefox", "Linux")),
        (PHONE, ("Safari", "iPhone")),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/140.0 Safari/537.36 Edg/140.0", ("Edge", "Windows")),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 "
         "Mobile Safari/537.36", ("Chrome", "Android")),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/18.0 Safari/605.1.15", ("Safari", "macOS")),
        ("<script>curl/8", ("", "")),
        ("", ("", "")),
    ],
)  # fmt: skip
def test_it_recognises_common_browsers(user_agent, known):
    assert browser_and_system(user_agent) == known


def test_the_account_page_lists_own_sessions_this_one_first(jana):
    here, phone = signed_in(jana), signed_in(jana, PHONE)
    signed_in(User.objects.create_user("petr", password=PASSWORD), "Edg Windows")
    places = account(here).context["sessions"]
    assert [(place.browser, place.system) for place in places] == [
        ("Firefox", "Linux"), ("Safari", "iPhone"),
    ]  # fmt: skip
    assert [place.browser for place in account(phone).context["sessions"]] == ["Safari", "Firefox"]
    assert "Edge" not in account(here).content.decode()


def test_signing_in_as_another_user_is_recorded_for_them(jana):
    client = signed_in(User.objects.create_user("petr", password=PASSWORD))
    client.post(sign_in_path(jana))
    assert [place.user for place in SignedIn.objects.all()] == [jana]
    assert is_in(client)


def test_a_user_ends_another_session(jana):
    here, phone = signed_in(jana), signed_in(jana, PHONE)
    of_phone = SignedIn.objects.get(browser="Safari")
    assert here.post(reverse("end-session", args=[of_phone.pk])).status_code == 302
    assert is_in(here)
    assert not is_in(phone)
    assert here.post(reverse("end-session", args=[of_phone.pk])).status_code == 404


def test_a_user_ends_all_other_sessions(jana):
    here, phone, third = signed_in(jana), signed_in(jana, PHONE), signed_in(jana, PHONE)
    petr = signed_in(User.objects.create_user("petr", password=PASSWORD))
    here.post(reverse("end-other-sessions"))
    assert [is_in(client) for client in (here, petr, phone, third)] == [True, True, False, False]


def test_it_refuses_another_users_session(jana):
    petr = signed_in(User.objects.create_user("petr", password=PASSWORD))
    of_petr = SignedIn.objects.get()
    here = signed_in(jana)
    for pk in (of_petr.pk, 0, 2**63):
        assert here.post(reverse("end-session", args=[pk])).status_code == 404
    assert is_in(petr)


@pytest.mark.parametrize("way", ["page", "elsewhere"])
def test_a_new_password_ends_all_other_sessions(jana, way):
    here, phone = signed_in(jana), signed_in(jana, PHONE)
    new = {"new_password1": "ten-loud-brooks", "new_password2": "ten-loud-brooks"}
    if way == "page":
        here.post(reverse("set-password"), new | {"old_password": PASSWORD})
        assert [place.browser for place in SignedIn.objects.all()] == ["Firefox"]
        assert is_in(here)
    else:
        jana.set_password("ten-loud-brooks")
        jana.save()
        assert not SignedIn.objects.exists()
        assert not is_in(here)
    assert not is_in(phone)


def test_other_changes_of_the_account_end_no_session(jana):
    here = signed_in(jana)
    User.objects.get().save()
    answer = here.post(reverse("account"), {"display_name": "Jana N."}, follow=True)
    assert "Jana N." in answer.content.decode()
    assert is_in(here)


def test_ended_sessions_are_not_listed(jana):
    here, phone = signed_in(jana), signed_in(jana, PHONE)
    phone.post(reverse("sign-out"))
    assert len(account(here).context["sessions"]) == 1
    Session.objects.update(expire_date=timezone.now() - timedelta(1))
    call_command("clearsessions")
    assert not SignedIn.objects.exists()


def test_last_seen_is_written_every_ten_minutes(jana, django_assert_num_queries):
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        cache.clear()
        here = signed_in(jana)
        clock.shift(timedelta(minutes=9))
        with django_assert_num_queries(4):
            here.get("/")
        assert SignedIn.objects.get().seen == begun
        clock.shift(timedelta(minutes=2))
        with django_assert_num_queries(5):
            here.get("/")
        assert SignedIn.objects.get().seen == begun + timedelta(minutes=11)
        clock.shift(timedelta(minutes=11))
        # Annotators who go on from sheet to sheet load no page.
        here.post(reverse("set_language"), {"language": "en"})
        assert SignedIn.objects.get().seen == begun + timedelta(minutes=22)


def test_drafts_and_submissions_cost_no_query_more(jana, settings):
    """As many as without the middleware of people and of the lock-out."""
    ours = [name for name in settings.MIDDLEWARE if name.startswith(("people.", "axes."))]
    assert len(ours) == 2
    with_ours = [queries_of_judging(jana, name) for name in ("one", "two")]
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name not in ours]
    without = queries_of_judging(jana, "three")
    assert with_ours == [without, without]


def queries_of_judging(jana: User, name: str) -> tuple[int, int]:
    """Return how many queries a draft and a submission take right after signing in."""
    project = make_project(name)
    make_annotator(project, "jana")
    here = signed_in(jana)
    given = next_assignment(annotator=jana, project=project)
    assert isinstance(given, Assignment)
    choices = {card.key: 1 for segment in sheet(given).segments for card in segment.cards}
    kind = "application/json"
    paths = [reverse(name, args=[project.pk, given.pk]) for name in ("draft", "submission")]
    body = {"base": 0, "choices": choices}
    with CaptureQueriesContext(connection) as of_draft:
        assert here.put(paths[0], body, content_type=kind).status_code == 200
    body = {"token": str(uuid4()), "choices": choices}
    with CaptureQueriesContext(connection) as of_submission:
        assert here.post(paths[1], body, content_type=kind).status_code == 201
    return len(of_draft), len(of_submission)


def test_an_unrecorded_session_is_recorded_when_next_seen(jana):
    old, here = signed_in(jana, PHONE), signed_in(jana)
    SignedIn.objects.exclude(browser="Firefox").delete()
    cache.clear()
    assert is_in(old)
    assert [place.system for place in account(here).context["sessions"]] == ["Linux", "iPhone"]
    here.post(reverse("end-other-sessions"))
    assert not is_in(old)
