"""The list of sentences and the page of a sentence."""

import re
from collections.abc import Mapping, Sequence

import pytest
from django.urls import reverse

from annotation.judging.assignment import skip
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Membership,
    Project,
    Reservation,
    Sentence,
    System,
)
from tests.annotation.judging.practice_setting import practise_with
from tests.evaluation.projects import submit
from tests.evaluation.web.pages import element
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db

Ranks = Mapping[str, Sequence[int | None]]
ALIKE: Ranks = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
REVERSED: Ranks = {"0 1 2": [3, 2, 1], "4 5 6": [2, 1]}


@pytest.fixture
def project():
    """Sentence 1 is complete, 2 disputed, 3 in progress, 4 open, 5 excluded, 6 for practice."""
    project = make_project(sentences=8, judges_per_sentence=1, numbered=True)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for number in (1, 2):
        submit(project, jana, number, ALIKE)
    submit(project, petr, 1, ALIKE)
    submit(project, petr, 2, REVERSED)
    # A system has added candidates since.
    submit(project, jana, 3, ALIKE)
    project.sentences.filter(number=3).update(candidate_version=2)
    project.sentences.filter(number=5).update(excluded=True)
    practise_with(project, 6)
    Assignment.objects.create(
        project=project,
        sentence=project.sentences.get(number=4, purpose="judge"),
        annotator=jana,
        kind="first",
        slot=1,
        created="2026-01-01T00:00Z",
        lease_until="2036-01-01T00:00Z",
    )
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def numbers(client, project, **query):
    """Return the numbers of the sentences that are listed, in their order."""
    answer = client.get(reverse("sentences", args=[project.pk]), query)
    assert answer.status_code == 200
    return [
        int(number) for number in re.findall(r'<tr data-number="(\d+)"', answer.content.decode())
    ]


def of_row(client, project, number):
    page = client.get(reverse("sentences", args=[project.pk])).content.decode()
    found = re.search(rf'<tr data-number="{number}".*?</tr>', page, re.DOTALL)
    assert found
    return found[0]


def the(project, number):
    return project.sentences.get(number=number, purpose="judge")


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ({}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"state": "judged"}, [1, 2, 3]),
        ({"state": "complete"}, [1, 2]),
        ({"state": "progress"}, [3]),
        ({"state": "unjudged"}, [4, 7, 8]),
        ({"state": "nothing"}, []),
        ({"state": "excluded"}, [5]),
        ({"state": "practice"}, [6]),
        ({"disputed": "on"}, [2]),
        ({"open": "on"}, [4]),
        ({"skipped": "on"}, []),
        ({"stuck": "on"}, []),
        ({"q": "HOUSE"}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"q": "palace"}, []),
        ({"q": "7"}, [7]),
        ({"q": "9" * 20}, []),
        ({"q": "dům7"}, []),
        ({"q": "dům7", "translations": "on"}, [7]),
        ({"sort": "agreement"}, [2, 1, 3, 4, 5, 6, 7, 8]),
        ({"sort": "most-judges"}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"sort": "fewest-judges"}, [4, 5, 6, 7, 8, 3, 1, 2]),
        ({"state": "judged", "sort": "last-judged"}, [3, 2, 1]),
        # What cannot be read filters nothing.
        (
            {"state": "best", "sort": "luck", "by": "x", "page": "99999999999999999999"},
            [*range(1, 9)],
        ),
    ],
)
def test_filters_and_sorting(client, project, boss, query, listed):
    assert numbers(client, project, **query) == listed


def test_sentences_are_found_by_their_judge(client, project, boss):
    petr = project.assignments.filter(annotator__username="petr")[0].annotator

    assert numbers(client, project, by=petr.pk) == [1, 2]


def test_sentences_are_found_that_no_annotator_is_left_to_judge(client, project, boss):
    Membership.objects.update(paused=True)

    assert numbers(client, project, stuck="on") == [3, 7, 8]


def test_sentences_are_found_by_the_system_that_differs(client, project, boss):
    first, second, third = System.objects.filter(project=project).order_by("pk")
    # In all sentences, A and B have the same in the second segment; then in the first, too.
    for segment in project.sentences.get(number=7, purpose="judge").segments.all():
        shared = segment.projections.get(system=first).candidate
        segment.projections.filter(system=second).update(candidate=shared)

    assert 7 not in numbers(client, project, system=first.pk)
    assert 7 not in numbers(client, project, system=first.pk, differs=second.pk)
    assert 7 in numbers(client, project, system=first.pk, differs=third.pk)
    assert 8 in numbers(client, project, system=first.pk, differs=second.pk)


def test_skipped_sentences_come_first(client, project, boss):
    jana = make_annotator(project, "eva")
    assignment = next_assignment(annotator=jana, project=project)
    assert assignment
    skip(annotator=jana, project=project, assignment_id=assignment.pk, reason="other")

    assert numbers(client, project, skipped="on") == [assignment.sentence.number]
    assert numbers(client, project, sort="skips")[0] == assignment.sentence.number


def test_commented_sentences_are_found(client, project, boss):
    commented = Judgement.objects.filter(segment__sentence=the(project, 2)).order_by("pk")[0]
    Judgement.objects.filter(pk=commented.pk).update(comment="Is this <b>right</b>?")

    assert numbers(client, project, commented="on") == [2]
    assert "data-comments" in of_row(client, project, 2)
    page = client.get(reverse("sentence", args=[project.pk, 2])).content.decode()
    assert "Is this &lt;b&gt;right&lt;/b&gt;?" in page


def test_each_sentence_has_one_state(client, project, boss):
    shown = {
        number: re.findall(r'data-state="(\w+)"', of_row(client, project, number))
        for number in range(1, 8)
    }

    states = ["complete", "complete", "progress", "unjudged", "excluded", "practice", "unjudged"]
    assert shown == {number: [state] for number, state in enumerate(states, start=1)}


def test_a_sentence_with_nothing_to_compare_says_so(client, project, boss):
    Candidate.objects.filter(segment__sentence=the(project, 8)).update(excluded=True)

    assert 'data-state="nothing"' in of_row(client, project, 8)
    assert numbers(client, project, state="nothing") == [8]
    assert 8 not in numbers(client, project, state="unjudged")


def test_agreement_is_that_of_different_annotators(client, project, boss):
    assert "100 %" in of_row(client, project, 1)
    assert "data-disputed" in of_row(client, project, 2)
    assert "data-disputed" not in of_row(client, project, 1)


def test_no_match_links_to_all_sentences(client, project, boss):
    address = reverse("sentences", args=[project.pk])

    page = client.get(address, {"q": "palace"}).content.decode()

    assert element(page, "id", "no-sentence")
    assert f'class="button button-main" href="{address}"' in page


def test_pages_keep_the_filters(client, boss, project, monkeypatch):
    monkeypatch.setattr("evaluation.web.views.sentences.SENTENCES_PER_PAGE", 2)
    address = reverse("sentences", args=[project.pk])

    page = client.get(address, {"q": "house", "sort": "agreement"}).content.decode()

    assert 'href="?q=house&amp;sort=agreement&amp;page=2"' in page
    assert numbers(client, project, q="house", sort="agreement", page=2) == [3, 4]


@pytest.mark.parametrize(
    ("query", "number", "before", "after"),
    [
        ({}, 1, None, 2),
        ({}, 8, 7, None),
        ({"sort": "agreement"}, 1, 2, 3),
        ({"sort": "agreement"}, 2, None, 1),
        ({"sort": "fewest-judges"}, 3, 8, 1),
        ({"sort": "most-judges"}, 3, 2, 4),
        ({"state": "unjudged"}, 7, 4, 8),
        # It has left the list.
        ({"state": "unjudged"}, 5, 4, 7),
        ({"disputed": "on"}, 2, None, None),
    ],
)
def test_previous_and_next_follow_the_list(client, project, boss, query, number, before, after):
    numbers(client, project)

    answer = client.get(reverse("sentence", args=[project.pk, number]), query)

    assert (answer.context["before"], answer.context["after"]) == (before, after)


def test_the_sentence_shows_all_ranks_with_annotators(client, project, boss):
    page = client.get(reverse("sentence", args=[project.pk, 2])).content.decode()

    assert "<mark>the old house</mark> stands <mark>near the river</mark>" in page
    # The source is shown once: headings have the words of their segments.
    assert page.count(" stands ") == 1
    assert "<strong>the old house</strong></h2>" in page
    for name in ("jana", "petr"):
        assert f"<bdi>{name}</bdi>" in page
    assert '<bdi lang="cs" dir="ltr" translate="no">stará2 dům2</bdi>' in page
    assert 'class="garbage"' in page
    assert client.get(reverse("sentence", args=[project.pk, 99])).status_code == 404


@pytest.mark.parametrize(("kind", "shown"), [("segment_ranking", True), ("adequacy", False)])
def test_the_sentence_says_what_ranks_mean(client, project, boss, kind, shown):
    Project.objects.filter(pk=project.pk).update(kind=kind)

    page = client.get(reverse("sentence", args=[project.pk, 4])).content.decode()

    assert ('id="ranks-explained"' in page) is shown


def test_observers_cannot_change_anything(client, project):
    client.force_login(make_annotator(project, "ota", "observer"))

    page = client.get(reverse("sentence", args=[project.pk, 1])).content.decode()

    assert 'name="action"' not in page
    address = reverse("sentences", args=[project.pk])
    assert 'name="number"' not in client.get(address).content.decode()
    assert client.post(address, {"action": "exclude", "number": 1}).status_code == 403
    assert not the(project, 1).excluded


def test_checked_sentences_are_excluded_and_included_again(client, project, boss):
    address = reverse("sentences", args=[project.pk]) + "?state=complete"

    answer = client.post(address, {"action": "exclude", "number": [1, 2, "x", 10**30, "9" * 5000]})

    assert answer["Location"] == address
    assert numbers(client, project, state="excluded") == [1, 2, 5]
    page = client.get(reverse("sentence", args=[project.pk, 1])).content.decode()
    assert 'value="include"' in page
    assert 'value="exclude"' not in page
    client.post(address, {"action": "include", "number": [1]})
    assert numbers(client, project, state="complete") == [1]


def test_checked_sentences_are_assigned(client, project, boss):
    jana = project.memberships.get(user__username="jana").user
    address = reverse("sentences", args=[project.pk])

    client.post(address, {"action": "assign", "annotator": jana.pk, "number": [7, 8]})

    assert set(Reservation.objects.values_list("sentence__number", "annotator")) == {
        (7, jana.pk),
        (8, jana.pk),
    }
    assert "jana" in of_row(client, project, 7)


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "assign", "number": [7]},
        {"action": "assign", "number": [7], "annotator": 10**30},
        {"action": "assign", "number": [5], "annotator": "jana"},
        {"action": "exclude"},
    ],
)
def test_what_cannot_be_done_changes_nothing(client, project, boss, fields):
    jana = project.memberships.get(user__username="jana").user
    fields = {key: jana.pk if value == "jana" else value for key, value in fields.items()}

    answer = client.post(reverse("sentences", args=[project.pk]), fields, follow=True)

    assert "notice-error" in answer.content.decode()
    assert not Reservation.objects.exists()


def test_a_segment_and_a_candidate_are_excluded_and_included_again(client, project, boss):
    sentence = the(project, 1)
    segment = sentence.segments.get(token_indices="4 5 6")
    candidate = sentence.segments.get(token_indices="0 1 2").candidates.order_by("pk")[0]
    address = reverse("sentence", args=[project.pk, 1])
    for action, excluded in (("exclude", True), ("include", False)):
        answer = client.post(address, {"action": action, "segment": segment.pk})
        assert answer["Location"] == f"{address}#segment-{segment.pk}"
        fields = {"action": action, "segment": candidate.segment_id, "candidate": candidate.pk}
        client.post(address, fields)
        segment.refresh_from_db()
        candidate.refresh_from_db()
        assert (segment.excluded, candidate.excluded) == (excluded, excluded)
        assert client.get(address).content.decode().count("data-excluded") == 2 * excluded


@pytest.mark.parametrize("part", ["segment", "candidate"])
@pytest.mark.parametrize("value", ["99999999999999999999", "x", ""])
def test_an_id_that_cannot_be_read_excludes_nothing(client, project, boss, part, value):
    segment = the(project, 1).segments.get(token_indices="4 5 6")
    fields = {"action": "exclude", "segment": segment.pk} | {part: value}

    assert client.post(reverse("sentence", args=[project.pk, 1]), fields).status_code == 404

    segment.refresh_from_db()
    assert not segment.excluded
    assert not the(project, 1).excluded


def test_the_last_candidate_is_not_excluded(client, project, boss):
    segment = the(project, 1).segments.get(token_indices="4 5 6")
    first, last = segment.candidates.order_by("pk")
    address = reverse("sentence", args=[project.pk, 1])
    for candidate in (first, last):
        fields = {"action": "exclude", "segment": segment.pk, "candidate": candidate.pk}
        page = client.post(address, fields, follow=True).content.decode()

    assert "notice-error" in page
    assert segment.candidates.filter(excluded=False).get() == last


def test_a_sentence_is_returned_to_judging_and_restored(client, project, boss):
    address = reverse("sentence", args=[project.pk, 1])
    confirm = reverse("return-sentence", args=[project.pk, 1])

    assert client.get(confirm).status_code == 200
    assert numbers(client, project, state="complete") == [1, 2]
    client.post(confirm)
    assert numbers(client, project, state="complete") == [2]
    assert numbers(client, project, state="unjudged") == [1, 4, 7, 8]

    client.post(address, {"action": "restore"})
    assert numbers(client, project, state="complete") == [1, 2]


def test_a_sentence_is_assigned_to_several_and_withdrawn(client, project, boss):
    people = {one.user.username: one.user_id for one in project.memberships.all()}
    address = reverse("sentence", args=[project.pk, 7])

    client.post(address, {"action": "assign", "annotator": [people["jana"], people["petr"]]})
    assert Reservation.objects.count() == 2
    client.post(address, {"action": "assign", "annotator": [people["petr"]]})
    assert Reservation.objects.get().annotator_id == people["petr"]


def test_unknown_actions_are_refused(client, project, boss):
    for address in ("sentences", "sentence"):
        arguments = [project.pk, 1] if address == "sentence" else [project.pk]
        answer = client.post(reverse(address, args=arguments), {"action": "burn", "number": 1})
        assert answer.status_code == 400


@pytest.mark.parametrize("more", [0, 5])
def test_the_number_of_queries_is_constant(client, project, boss, more, django_assert_num_queries):
    jana = project.memberships.get(user__username="jana").user
    for number in range(more):
        annotator = make_annotator(project, f"annotator{number}")
        submit(project, annotator, 1, ALIKE)
        Reservation.objects.create(
            sentence=the(project, number + 1), annotator=jana, created="2026-01-01T00:00Z"
        )
    numbers(client, project)

    with django_assert_num_queries(21):
        client.get(reverse("sentences", args=[project.pk]), {"sort": "agreement"})
    with django_assert_num_queries(33):
        client.get(reverse("sentence", args=[project.pk, 1]), {"sort": "agreement"})


def test_a_project_without_sentences_says_so(client):
    project = make_project("empty", sentences=0)
    client.force_login(make_annotator(project, "boss", "administrator"))

    page = client.get(reverse("sentences", args=[project.pk])).content.decode()

    assert element(page, "id", "no-sentence")
    assert not Sentence.objects.filter(project=project).exists()
