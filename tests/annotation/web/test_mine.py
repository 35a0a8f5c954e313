"""What annotators have judged, and how they change their minds."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.control_items import make_controls
from annotation.judging.discarding import discard_judgements
from annotation.judging.sheet import current_ranks, sheet
from annotation.judging.submission import revise, submit
from annotation.models import Assignment, Membership, Placement, Project, Sentence, Submission, User
from annotation.projects.exclusion import set_excluded
from tests.annotation.judging.open_sentence import submit_on_one_rank
from tests.annotation.web.judge_page import Form
from tests.evaluation.projects import submit_control
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project(intra_rate=0, inter_rate=0, queue_order="document")


@pytest.fixture
def jana(client, project):
    jana = make_annotator(project)
    client.force_login(jana)
    return jana


def judge_one(user, project, rank=1):
    """Submit the next sentence with every candidate on this rank; return its assignment."""
    assignment = assign_next(user, project)
    submit_on_one_rank(assignment, rank, submit)
    return assignment


def mine(client, project, query=""):
    response = client.get(reverse("my-judgements", args=[project.pk]) + query)
    assert response.status_code == 200
    return response.content.decode()


def address(assignment):
    return reverse("revise", args=[assignment.project_id, assignment.pk])


# --- who may -----------------------------------------------------------------------------------


def test_strangers_are_asked_to_sign_in(client, project):
    assignment = judge_one(make_annotator(project), project)
    for path in (reverse("my-judgements", args=[project.pk]), address(assignment)):
        for response in (client.get(path), client.post(path)):
            assert response.status_code == 302
            assert response.headers["Location"].startswith(reverse("sign-in"))


def test_those_who_are_no_members_do_not_find_it(client, project):
    assignment = judge_one(make_annotator(project), project)
    for user in (
        make_annotator(make_project("other"), "eva"),
        User.objects.create(username="root", is_superuser=True),
    ):
        client.force_login(user)
        assert client.get(reverse("my-judgements", args=[project.pk])).status_code == 404
        assert client.get(address(assignment)).status_code == 404
        assert client.post(address(assignment)).status_code == 404


def test_those_who_left_the_project_do_not_find_it(client, project, jana):
    assignment = judge_one(jana, project)
    Membership.objects.filter(user=jana).delete()
    assert client.get(reverse("my-judgements", args=[project.pk])).status_code == 404
    assert client.get(address(assignment)).status_code == 404


@pytest.mark.parametrize("role", ["annotator", "administrator"])
def test_judgements_of_others_cannot_be_seen_or_revised(client, project, jana, role):
    petr = make_annotator(project, "petr", role)
    theirs = judge_one(petr, project)
    assert 'class="past-one"' not in mine(client, project)
    form = sheet(theirs)
    client.force_login(petr)
    filled = Form(client.get(address(theirs)).content.decode()).filled("2")
    client.force_login(jana)
    assert client.get(address(theirs)).status_code == 404
    assert client.post(address(theirs), filled | {"token": form.token}).status_code == 404
    assert Submission.objects.get().number == 1


def test_only_submitted_sentences_of_this_very_project_are_revised(client, project, jana):
    other = make_project("other", intra_rate=0, inter_rate=0)
    Membership.objects.create(user=jana, project=other, role="annotator")
    done, still_open = judge_one(jana, project), next_assignment(annotator=jana, project=project)
    for wrong in (
        address(still_open),
        reverse("revise", args=[other.pk, done.pk]),
        reverse("revise", args=[project.pk, 4040]),
        reverse("revise", args=[4040, done.pk]),
    ):
        assert client.get(wrong).status_code == 404
        assert client.post(wrong).status_code == 404
    assert client.get(address(done)).status_code == 200


# --- the list ----------------------------------------------------------------------------------


def test_the_page_is_shown_before_the_first_submission(client, project, jana):
    next_assignment(annotator=jana, project=project)
    page = mine(client, project)
    assert 'class="past-one"' not in page
    assert reverse("judge", args=[project.pk]) in page


def test_it_lists_what_was_submitted_the_newest_first(client, project, jana):
    first, second = judge_one(jana, project), judge_one(jana, project)
    Assignment.objects.filter(pk=first.pk).update(submitted=second.created - timedelta(days=3))
    page = mine(client, project)
    assert page.index(address(second)) < page.index(address(first))
    assert page.count("2 segments") == 2
    assert "revised" not in page
    assert "the old house stands" in page


def test_it_shows_translations_where_annotators_must_not_see_the_source(client):
    project = make_project(kind="post_editing", sentences=1)
    jana = make_annotator(project)
    client.force_login(jana)
    assignment = assign_next(jana, project)
    submit_on_one_rank(assignment, 1, submit)
    shown = assignment.shown_candidates.earliest("position").candidate

    page = unescape(mine(client, project))

    assert shown.text in page
    assert project.sentences.get().text not in page
    assert 'id="search"' not in page


def test_what_was_revised_is_marked_and_counted_once(client, project, jana):
    assignment = judge_one(jana, project)
    submit_on_one_rank(assignment, 2, revise)
    page = mine(client, project)
    assert page.count(address(assignment)) == 1
    assert "2 segments" in page
    assert ">revised " in page


def test_it_shows_fifty_on_a_page_also_of_a_search(client, jana):
    long = make_project("long", sentences=53, intra_rate=0, inter_rate=0)
    Membership.objects.create(user=jana, project=long, role="annotator")
    sentences = [judge_one(jana, long).sentence_id for _sentence in range(53)]
    assert mine(client, long).count("past-one") == 50
    assert mine(client, long, "?page=2").count("past-one") == 3
    # What makes no sense leads to a page that does.
    assert mine(client, long, "?page=9").count("past-one") == 3
    assert mine(client, long, "?page=x").count("past-one") == 50
    Sentence.objects.filter(pk__in=sentences[:2]).update(text="Castles & towers")
    everything = mine(client, long, "?q=Old+house")
    assert 'data-count="51"' in everything
    assert 'href="?q=Old+house&amp;page=2"' in everything
    assert mine(client, long, "?q=Old+house&page=2").count("past-one") == 1
    assert 'value="Castles &amp; t"' in mine(client, long, "?q=Castles+%26+t")
    nothing = mine(client, long, "?q=cottage")
    assert 'data-count="0"' in nothing
    assert 'data-assignments="53"' in nothing


def test_it_needs_as_many_queries_for_five_sentences_as_for_one(client, jana):
    project = make_project("more", sentences=5, intra_rate=0, inter_rate=0)
    Membership.objects.create(user=jana, project=project, role="annotator")
    judge_one(jana, project)
    with CaptureQueriesContext(connection) as one:
        mine(client, project, "?q=house")
    for _sentence in range(4):
        submit_on_one_rank(judge_one(jana, project), 2, revise)
    with CaptureQueriesContext(connection) as five:
        mine(client, project, "?q=house")
    assert len(five) == len(one) <= 6


def test_members_find_it_from_their_first_page(client, project, jana):
    assert reverse("my-judgements", args=[project.pk]) in client.get("/").content.decode()


def test_accounts_that_do_not_judge_have_no_link_to_judgements(client, project):
    client.force_login(User.objects.create(username="root", is_superuser=True))
    assert reverse("my-judgements", args=[project.pk]) not in client.get("/").content.decode()


# --- revising ----------------------------------------------------------------------------------


def test_the_form_has_what_was_submitted(client, project, jana):
    assignment = judge_one(jana, project, rank=2)
    form = Form(client.get(address(assignment)).content.decode())
    assert set(form.checked.values()) == {"2"}
    assert (
        set(form.checked)
        == set(form.radios)
        == {f"card-{key}" for key in current_ranks(assignment)}
    )


def test_a_revision_is_stored_by_the_form_alone(client, project, jana):
    assignment = judge_one(jana, project, rank=1)
    first = Form(client.get(address(assignment)).content.decode())
    key = min(first.radios)
    response = client.post(address(assignment), first.filled("2") | {key: "garbage"}, follow=True)
    assert response.redirect_chain == [(reverse("my-judgements", args=[project.pk]), 302)]
    assert 'class="notice notice-success"' in response.content.decode()
    submissions = Submission.objects.order_by("number")
    assert [(one.number, one.current) for one in submissions] == [(1, False), (2, True)]
    again = Form(client.get(address(assignment)).content.decode())
    assert again.checked == dict.fromkeys(first.radios, "2") | {key: "garbage"}
    # The first one stays as it was.
    earlier = Placement.objects.filter(judgement__submission=submissions[0])
    assert set(earlier.values_list("rank", flat=True)) == {1}


@pytest.mark.parametrize("way_back", ["", "?judging"])
def test_links_lead_through_the_judged_sentences_to_the_judging_page(
    client, project, jana, way_back
):
    first, second = judge_one(jana, project), judge_one(jana, project)
    judging = reverse("judge", args=[project.pk])
    assert steps(client.get(judging)) == {"prev": address(second) + "?judging"}
    assert steps(client.get(address(second) + way_back)) == {
        "prev": address(first) + way_back,
        "next": judging,
    }
    assert steps(client.get(address(first) + way_back)) == {"next": address(second) + way_back}
    Project.objects.update(state="closed")
    assert set(steps(client.get(address(second)))) == {"prev"}


def test_a_revision_leads_back_to_the_search(client, project, jana):
    assignment = judge_one(jana, project)
    mine = reverse("my-judgements", args=[project.pk])
    query = "?q=" + assignment.sentence.text.split()[0] + "&page=1"
    (opened,) = re.findall(
        f'href="({address(assignment)}[^"]*)"', client.get(mine + query).content.decode()
    )
    filled = Form(client.get(unescape(opened)).content.decode()).filled("2")
    assert client.post(unescape(opened), filled).headers["Location"] == mine + query


def steps(response):
    """Return the addresses of the previous and next sentence on a page."""
    return dict(re.findall('rel="(prev|next)" href="([^"]+)"', response.content.decode()))


def test_the_same_form_twice_is_one_revision(client, project, jana):
    assignment = judge_one(jana, project)
    filled = Form(client.get(address(assignment)).content.decode()).filled("2")
    for _click in range(2):
        assert client.post(address(assignment), filled).status_code == 302
    assert Submission.objects.count() == 2


def test_what_is_missing_is_said_and_the_rest_stays(client, project, jana):
    assignment = judge_one(jana, project)
    filled = Form(client.get(address(assignment)).content.decode()).filled("2")
    del filled["card-1-1"]
    response = client.post(address(assignment), filled)
    assert response.status_code == 400
    page = response.content.decode()
    assert "1 candidate is not placed yet." in page
    form = Form(page)
    assert "card-1-1" not in form.checked
    assert set(form.checked.values()) == {"2"}
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"card-1-1": "9"},
        {"card-1-1": "x"},
        {"card-9-9": "1"},
        {"token": "x"},
        {"token": ""},
        {"assignment": "999999"},
        {"assignment": "x"},
    ],
)
def test_bad_input_stores_nothing(client, project, jana, wrong):
    assignment = judge_one(jana, project)
    filled = Form(client.get(address(assignment)).content.decode()).filled("2") | wrong
    assert client.post(address(assignment), filled).status_code == 400
    assert Submission.objects.count() == 1


def test_the_token_of_another_sentence_stores_nothing(client, project, jana):
    first, second = judge_one(jana, project), judge_one(jana, project)
    filled = Form(client.get(address(second)).content.decode()).filled("2")
    filled["token"] = str(Submission.objects.get(assignment=first).token)
    assert client.post(address(second), filled).status_code == 400
    assert Submission.objects.count() == 2


def test_what_was_judged_is_revised_while_judging_is_paused(client, project, jana):
    assignment = judge_one(jana, project)
    Project.objects.update(state="closed")
    filled = Form(client.get(address(assignment)).content.decode()).filled("2")
    assert client.post(address(assignment), filled).status_code == 302
    assert '<a class="button' not in mine(client, project).split("<main")[1]


def test_it_needs_few_queries_however_many_segments(client, jana):
    counts = []
    for name, number in (("one", 1), ("six", 6)):
        segments = {str(index): ("a", "b", "c") for index in range(number)}
        project = make_project(name, segments=segments, intra_rate=0, inter_rate=0)
        Membership.objects.create(user=jana, project=project, role="annotator")
        assignment = judge_one(jana, project)
        with CaptureQueriesContext(connection) as asked:
            page = client.get(address(assignment)).content.decode()
        counts.append(len(asked))
        assert len(Form(page).radios) == 3 * number
    assert counts[0] == counts[1] <= 9


def test_no_system_is_named(client, project, jana):
    project.systems.filter(name="A").update(name="secret-system")
    assignment = judge_one(jana, project)
    for page in (mine(client, project), client.get(address(assignment)).content.decode()):
        assert "secret-system" not in page
        assert "style=" not in page
        assert all(" src=" in tag for tag in re.findall("<script[^>]*>", page))


def test_texts_carry_their_languages_and_the_page_speaks_czech(client, project, jana):
    assignment = judge_one(jana, project)
    page = client.get(address(assignment), headers={"Accept-Language": "cs"}).content.decode()
    assert 'lang="en" dir="ltr" translate="no"' in page
    assert 'lang="cs" dir="ltr" translate="no"' in page
    assert '<html lang="cs"' in page


# --- judgements that do not count ---------------------------------------------------------------


def test_discarded_judgements_are_listed_but_not_revised(client, project, jana):
    first, second = judge_one(jana, project), judge_one(jana, project)
    discard_judgements(project=project, by=jana, annotator=jana)
    third = judge_one(jana, project)

    page = mine(client, project)

    assert page.count("data-discarded") == page.count("data-not-counted") == 2
    assert 'data-assignments="1"' in page
    assert address(third) in page
    for assignment in (first, second):
        assert address(assignment) not in page
        assert client.get(address(assignment)).status_code == 404
        assert client.post(address(assignment)).status_code == 404


def test_judgements_of_excluded_sentences_are_marked(client, project, jana):
    sentence = judge_one(jana, project).sentence
    set_excluded(project=project, by=jana, sentence=sentence.pk, excluded=True)

    page = mine(client, project)

    assert page.count("data-not-counted") == 1
    assert 'data-assignments="1"' in page


def test_controls_are_marked_like_the_others(client, project, jana):
    [control] = make_controls(project=project, count=1, seed=1)
    submit_control(project, jana, 1, passes=True)
    original = control.copy_of_id
    assert original
    set_excluded(project=project, by=jana, sentence=original, excluded=True)
    assert mine(client, project).count("data-not-counted") == 1

    judge_one(jana, project)
    discard_judgements(project=project, by=jana, annotator=jana)

    page = mine(client, project)
    assert page.count("data-discarded") == page.count("data-not-counted") == 2
    assert 'data-assignments="0"' in page
