"""Coming by a start link: what is shown, who is let in, and as whom."""

from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.practice import answer_sheet
from annotation.models import Membership, Project, User
from annotation.projects.deletion import delete_project
from annotation.projects.instructions import write_instructions
from crowd.models import Participant, StartLink
from tests.crowd.coming import PID, come, judge, make_link, path_of, user_of
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(sentences=6)


@pytest.fixture
def link(project: Project) -> StartLink:
    return make_link(project, sentences=2, minutes=15, contact="Jana, jana@example.org")


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_first_page_says_what_it_is_about_and_makes_nothing(client, project, link):
    boss = make_annotator(project, "boss", "owner")
    write_instructions(project=project, author=boss, text="Be *very* kind.")
    page = text(client.get(path_of(link)))
    for words in (
        "You judge <strong>2 sentences</strong>.",
        "about <strong>15 minutes</strong>",
        "Be <em>very</em> kind.",
        "What is stored",
        "jana@example.org",
        f"<bdi>{PID}</bdi>",
        "I agree, and begin",
    ):
        assert words in page
    assert not Participant.objects.exists()


def test_without_a_quota_people_judge_until_nothing_is_left(client, project):
    page = text(client.get(path_of(make_link(project))))
    assert "as many sentences as there are for you" in page


def test_the_press_makes_an_account_that_may_judge_here(client, project, link):
    answer = client.post(path_of(link, SESSION_ID="visit-0001"))
    assert answer.headers["Location"] == reverse("judge", args=[project.pk])
    participant = Participant.objects.get()
    assert (participant.participant_id, participant.visit) == (PID, "visit-0001")
    assert participant.completed is None
    user = participant.user
    assert not user.has_usable_password()
    assert (user.is_staff, user.is_superuser, user.email) == (False, False, "")
    assert PID not in user.username
    membership = Membership.objects.get(user=user)
    assert (membership.project, membership.role, membership.most_sentences) == (
        project, "annotator", 2,
    )  # fmt: skip
    assert client.get(answer.headers["Location"]).status_code == 200


def test_the_same_person_goes_on_where_he_was(client, project, link):
    come(link)
    judge(user_of(link), project, 1)
    other = Client()
    page = text(other.get(path_of(link)))
    assert "Welcome back" in page
    come(link, client=other)
    assert Participant.objects.count() == 1
    page = text(other.get(reverse("judge", args=[project.pk])))
    assert "Sentences judged by you: <strong>1</strong> of 2" in page


def test_the_quota_that_is_set_later_holds_for_who_is_not_done(client, project, link):
    come(link)
    come(link, "someone-else")
    Participant.objects.filter(participant_id=PID).update(completed="2026-01-01T00:00Z")
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    form = {
        "platform": "Prolific", "id_parameter": "PROLIFIC_PID", "sentences": 5, "currency": "EUR",
        "is_on": "on", "most_participants": 10,
    }  # fmt: skip
    path = reverse("start-link", args=[project.pk, link.pk])
    assert client.post(path, form).status_code == 302
    most = dict(
        Membership.objects.exclude(user=boss).values_list(
            "user__participant__participant_id", "most_sentences"
        )
    )
    assert most == {PID: 2, "someone-else": 5}


BAD = ["", "abc", "a" * 65, "a b c d", "äbcdef", "{{%PROLIFIC_PID%}}", "-abcd", "=1%2B1", "a%00bcd"]


@pytest.mark.parametrize("participant", BAD)
@pytest.mark.parametrize("method", ["get", "post"])
def test_without_an_id_there_is_a_kind_sentence_and_no_account(client, link, participant, method):
    answer = getattr(client, method)(path_of(link, participant))
    assert answer.status_code == 400
    assert "Please start from the page of the platform again" in text(answer)
    assert not Participant.objects.exists()
    assert SESSION_KEY not in client.session


def test_a_strange_visit_turns_nobody_away_and_is_not_kept(client, link):
    client.post(path_of(link, SESSION_ID="<script>"))
    assert Participant.objects.get().visit == ""


def test_an_unknown_link_leads_nowhere(client, link):
    answer = client.post(reverse("start", args=["made-up"]) + f"?PROLIFIC_PID={PID}")
    assert answer.status_code == 404


@pytest.mark.parametrize("why", ["off", "closed"])
def test_nobody_new_begins_where_it_is_over_and_others_go_on(client, project, link, why):
    come(link)
    if why == "off":
        StartLink.objects.update(is_on=False)
    else:
        Project.objects.update(state="closed")
    for answer in (client.get(path_of(link, "new-one")), client.post(path_of(link, "new-one"))):
        assert answer.status_code == 403
        assert "Nobody can begin with this study" in text(answer)
    assert Participant.objects.count() == 1
    assert client.post(path_of(link)).status_code == 302


def test_no_more_begin_than_the_link_has_places(client, link):
    StartLink.objects.update(most_participants=2)
    come(link)
    come(link, "second")
    for answer in (client.get(path_of(link, "third")), client.post(path_of(link, "third"))):
        assert answer.status_code == 403
        assert "Nobody can begin with this study" in text(answer)
    assert Participant.objects.count() == User.objects.count() == 2
    assert client.post(path_of(link)).status_code == 302
    with pytest.raises(IntegrityError), transaction.atomic():
        StartLink.objects.update(most_participants=0)


def test_who_was_removed_from_the_project_is_told_so(client, link):
    come(link)
    Membership.objects.all().delete()
    answer = client.post(path_of(link))
    assert answer.status_code == 403
    assert "this account is not used any more" in text(answer)
    assert SESSION_KEY not in client.session


def test_each_project_has_accounts_of_its_own(client, project, link):
    other = make_project("castles")
    come(link)
    come(make_link(other))
    first, second = Participant.objects.order_by("pk")
    assert first.user != second.user
    assert list(Membership.objects.filter(user=first.user).values_list("project", flat=True)) == [
        project.pk
    ]


@pytest.mark.parametrize(
    "change",
    [{"is_staff": True}, {"is_superuser": True}, {"is_active": False}, {"password": "md5$a$b"}],
)
def test_who_became_somebody_else_is_not_reached_by_the_link(client, link, change):
    before = come(link)
    User.objects.filter(pk=user_of(link).pk).update(**change)
    answer = client.post(path_of(link))
    assert answer.status_code == 403
    assert SESSION_KEY not in client.session
    if "password" not in change:
        assert before.get(reverse("judge", args=[link.project_id])).status_code == 302


def test_an_account_of_that_name_is_not_reached(client, link):
    """Ids are looked for among those who came by the link, never among user names."""
    boss = User.objects.create_superuser(PID)
    client.post(path_of(link))
    assert user_of(link) != boss
    assert client.session[SESSION_KEY] == str(user_of(link).pk)


def test_there_is_no_other_way_in_to_the_account(client, link):
    come(link)
    user = user_of(link)
    for password in ("", PID, user.password, "!"):
        client.post(reverse("sign-in"), {"username": user.username, "password": password})
        assert SESSION_KEY not in client.session


def test_whoever_was_signed_in_is_told_and_signed_out(client, project, link):
    boss = make_annotator(project, "boss", "owner")
    client.force_login(boss)
    assert "this signs you out" in text(client.get(path_of(link)))
    come(link, client=client)
    assert client.session[SESSION_KEY] == str(user_of(link).pk)
    assert client.get(reverse("manage-project", args=[project.pk])).status_code == 302


def test_accounts_of_the_crowd_go_with_their_project(project, link):
    come(link)
    user = user_of(link)
    judge(user, project)
    delete_project(project)
    assert not User.objects.filter(pk=user.pk).exists()
    assert not StartLink.objects.exists()


def test_what_became_more_than_an_account_of_the_crowd_stays(project, link):
    come(link)
    come(link, "second")
    come(link, "third")
    Membership.objects.create(
        user=user_of(link), project=make_project("castles"), role="owner"
    )  # fmt: skip
    with_password = user_of(link, "second")
    with_password.set_password("nine-quiet-rivers")
    with_password.save()
    kept = {user_of(link).pk, with_password.pk}
    delete_project(project)
    assert set(User.objects.values_list("pk", flat=True)) == kept


def test_deleting_takes_as_many_queries_for_many_as_for_few():
    def queries(name: str, people: int) -> int:
        project = make_project(name, sentences=0)
        link = make_link(project)
        for number in range(people):
            come(link, f"person{number}")
        with CaptureQueriesContext(connection) as captured:
            delete_project(project)
        return len(captured)

    assert queries("few", 2) == queries("many", 12)


def test_it_takes_few_queries(client, link, django_assert_max_num_queries):
    with django_assert_max_num_queries(25):
        client.post(path_of(link))


def test_the_practice_round_can_be_taken(client, project, link):
    page = answer_sheet(project.sentences.get(purpose="judge", number=6), project)
    assert page.segments
    come(link, client=client)
    assert client.get(reverse("practice", args=[project.pk])).status_code == 200
