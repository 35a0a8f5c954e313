"""Completion: when it is reached, what the page shows, and that it is recorded once."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.judging.assignment import skip
from annotation.models import Assignment, Project
from crowd.models import Participant, StartLink
from evaluation.services.quality import check, set_rules
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.crowd.coming import PID, come, judge, make_link, path_of, submit_sentence, user_of
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db
BACK = "https://app.prolific.com/submissions/complete?cc=C1"


@pytest.fixture
def project() -> Project:
    return make_project(sentences=3)


def done(project: Project) -> str:
    return reverse("crowd-done", args=[project.pk])


def go_on(browser, project: Project):
    return browser.get(reverse("judge", args=[project.pk]))


def test_the_last_requested_sentence_completes_the_work(project):
    link = make_link(project, sentences=2)
    browser = come(link)
    judge(user_of(link), project, 1)
    assert go_on(browser, project).status_code == 200
    assert browser.get(done(project)).status_code == 404
    submit_sentence(assign_next(user_of(link), project))
    answer = go_on(browser, project)
    assert answer.headers["Location"] == done(project)
    page = browser.get(done(project)).content.decode()
    assert 'value="C0DE-1"' in page
    participant = Participant.objects.get()
    assert participant.completed
    assert participant.code == "C0DE-1"


def test_the_work_is_complete_when_no_sentence_is_left(project):
    link = make_link(project)
    browser = come(link)
    assert judge(user_of(link), project) == 3
    assert go_on(browser, project).headers["Location"] == done(project)


def test_skipping_everything_does_not_complete_it(project):
    link = make_link(project, sentences=20)
    browser = come(link)
    jana = user_of(link)
    while given := next_assignment(annotator=jana, project=project):
        skip(annotator=jana, project=project, assignment_id=given.pk, reason="other")
    assert 'data-reason="finished"' in go_on(browser, project).content.decode()
    assert Participant.objects.get().completed is None
    assert browser.get(done(project)).status_code == 404


def test_failing_practice_does_not_complete_it(project):
    practise_with(project, 1)
    Project.objects.update(practice_required=True, practice_share=100, practice_tries=2)
    browser = come(make_link(project))
    jana = Participant.objects.get().user
    practise_one(jana, project, right=False)
    assert browser.post(reverse("practise-again", args=[project.pk])).status_code == 302
    practise_one(jana, project, right=False)
    assert 'data-reason="practice"' in go_on(browser, project).content.decode()
    assert Participant.objects.get().completed is None
    assert browser.get(done(project)).status_code == 404


def test_sentences_open_for_others_do_not_complete_it(project):
    link = make_link(project, sentences=20)
    others = [come(link, f"other{number}") for number in range(3)]
    late = come(link, "late")
    for other in others:
        go_on(other, project)
    page = go_on(late, project).content.decode()
    assert 'data-reason="waiting"' in page
    assert Participant.objects.filter(completed=None).count() == 4
    Assignment.objects.filter(state="open").update(lease_until=timezone.now())
    assert 'data-reason="waiting"' not in go_on(late, project).content.decode()
    assert judge(user_of(link, "late"), project) == 3
    assert go_on(late, project).headers["Location"] == done(project)


def test_a_participant_can_continue_when_there_is_more(project, client):
    link = make_link(project, sentences=3)
    browser, other = come(link), come(link, "other")
    go_on(other, project)
    assert judge(user_of(link), project) == 2
    Participant.objects.update(completed=timezone.now(), code="C0DE-1")
    assert not browser.get(done(project)).context["more"]
    Assignment.objects.filter(state="open").update(state="returned", lease_until=None)
    assert browser.get(done(project)).context["more"]
    assert not client.get(path_of(link)).context["is_done"]
    assert client.post(path_of(link)).headers["Location"] == reverse("judge", args=[project.pk])
    assert go_on(client, project).status_code == 200
    # Completion is final, also during a pause.
    Project.objects.update(state="closed")
    Assignment.objects.filter(state="open").update(state="returned", lease_until=None)
    assert go_on(client, project).headers["Location"] == done(project)
    assert link.participants.get(participant_id=PID).code == "C0DE-1"


def test_returning_shows_the_recorded_code(project, client):
    link = make_link(project, sentences=1)
    browser = come(link)
    judge(user_of(link), project)
    go_on(browser, project)
    before = Participant.objects.get().completed
    StartLink.objects.update(code="ANOTHER", is_on=False)
    assert client.get(path_of(link)).context["is_done"]
    assert client.post(path_of(link)).headers["Location"] == done(project)
    assert 'value="C0DE-1"' in client.get(done(project)).content.decode()
    go_on(client, project)
    after = Participant.objects.get()
    assert (after.completed, after.code) == (before, "C0DE-1")


def test_a_pause_completes_only_finished_work(project):
    link = make_link(project, sentences=2, contact="Paní Nováková, study@example.org")
    browser = come(link)
    judge(user_of(link), project, 1)
    Project.objects.update(state="closed")
    page = go_on(browser, project).content.decode()
    assert 'data-reason="closed"' in page
    assert "<bdi>Paní Nováková, study@example.org</bdi>" in page
    assert Participant.objects.get().completed is None
    Project.objects.update(state="open")
    judge(user_of(link), project)
    Project.objects.update(state="closed")
    assert go_on(browser, project).headers["Location"] == done(project)


def test_the_redirect_is_automatic_without_a_code_only(project):
    link = make_link(project, sentences=1, address=BACK)
    browser = come(link)
    judge(user_of(link), project)
    go_on(browser, project)
    page = browser.get(done(project)).content.decode()
    assert f'href="{BACK}"' in page
    assert "data-leave" not in page
    Participant.objects.update(code="")
    page = browser.get(done(project)).content.decode()
    assert f'href="{BACK}" rel="noreferrer" data-leave' in page
    assert "leaving.js" in page


def test_a_return_url_that_is_no_longer_allowed_is_not_used(project, settings):
    settings.CROWD_HOSTS = ["pool.example.edu"]
    address = "https://pool.example.edu/"
    link = make_link(project, sentences=1, address=address, code="")
    browser = come(link)
    judge(user_of(link), project)
    go_on(browser, project)
    assert f'href="{address}"' in browser.get(done(project)).content.decode()
    settings.CROWD_HOSTS = []
    answer = browser.get(done(project))
    assert answer.status_code == 200
    assert address not in answer.content.decode()


def test_other_annotators_have_no_completion_page(project, client):
    make_link(project)
    jana = make_annotator(project)
    judge(jana, project)
    client.force_login(jana)
    assert 'data-reason="finished"' in go_on(client, project).content.decode()
    assert client.get(done(project)).status_code == 404


# --- participants who were flagged ------------------------------------------------------------


def flag_every_submitter(project: Project, action: str) -> None:
    """Flag all annotators after their first sentence: no one needs 600 seconds for a segment."""
    set_rules(project=project, rules={"seconds": {"limit": 600, "after": 1, "action": action}})


def test_flagged_participants_end_with_the_other_code_and_no_redirect(project):
    flag_every_submitter(project, "flag")
    link = make_link(project, sentences=1, flagged_code="C0DE-2", address=BACK)
    browser = come(link)
    judge(user_of(link), project, 1)

    go_on(browser, project)

    page = browser.get(done(project)).content.decode()
    assert 'value="C0DE-2"' in page
    assert BACK not in page


def test_without_another_code_flagged_participants_end_like_others(project):
    flag_every_submitter(project, "flag")
    link = make_link(project, sentences=1)
    browser = come(link)
    judge(user_of(link), project, 1)
    check(project)

    go_on(browser, project)

    assert Participant.objects.get().code == "C0DE-1"


@pytest.mark.parametrize("code", ["C0DE-2", ""])
def test_participants_whom_a_rule_pauses_end_if_there_is_a_code_for_them(project, code):
    flag_every_submitter(project, "pause")
    link = make_link(project, sentences=2, flagged_code=code)
    browser = come(link)
    judge(user_of(link), project, 1)
    check(project)

    answer = go_on(browser, project)

    if code:
        assert answer.headers["Location"] == done(project)
        assert Participant.objects.get().code == code
    else:
        assert 'data-reason="member-paused"' in answer.content.decode()
        assert Participant.objects.get().completed is None
