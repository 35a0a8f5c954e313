"""The page of the people of a project, and what administrators do about one of them.

Permissions, methods and CSRF of every address are tested in tests/security.
"""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.control_items import make_controls
from annotation.judging.discarding import discard_judgements
from annotation.models import Assignment, Membership, Project, User
from annotation.projects.administration import remove_member
from evaluation.services.people import people_of, sorted_people
from evaluation.services.quality import check, set_rules
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.annotation.web.manage_page import address, boss, page_of, project, send
from tests.evaluation.projects import submit, submit_control
from tests.factories import assign_next, make_annotator, make_project

__all__ = ["boss", "project"]

pytestmark = pytest.mark.django_db
RANKS: dict[str, list[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
OTHERS: dict[str, list[int | None]] = {"0 1 2": [2, 1, None], "4 5 6": [1, 2]}


def row_of(page, user):
    found = re.search(rf'<tr data-user="{user.pk}".*?</tr>', page, re.DOTALL)
    return found and found[0]


def cells_of(page, user):
    cells = re.findall(r'data-name="([^"]*)"[^>]*>(.*?)</td>', row_of(page, user), re.DOTALL)
    return {name: " ".join(re.sub("<[^>]*>", " ", cell).split()) for name, cell in cells}


def order_of(page):
    return [int(pk) for pk in re.findall(r'<tr data-user="(\d+)"', page)]


def invalid_fields(response):
    assert response.status_code == 400
    return re.findall(r'name="(\w+)"[^>]* aria-invalid="true"', response.content.decode())


# --- the table --------------------------------------------------------------------------------


@pytest.fixture
def judged(client):
    """A project in which jana and petr judged sentence 1, jana twice, and each a control."""
    project = make_project(sentences=6, numbered=True, intra_rate=0, inter_rate=0)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    client.force_login(make_annotator(project, "boss", "administrator"))
    make_controls(project=project, count=1, seed=1)
    practise_with(project, 6)
    practise_one(jana, project)
    submit(project, jana, 1, RANKS, seconds=10)
    submit(project, jana, 1, RANKS, seconds=20)
    submit(project, petr, 1, OTHERS, seconds=1)
    submit_control(project, jana, 1, passes=True)
    submit_control(project, petr, 1, passes=False)
    return project, jana, petr


def test_it_shows_how_each_annotator_works(client, judged):
    project, jana, petr = judged
    page = page_of(client, "people", project)
    cells = cells_of(page, jana)
    assert cells["Sentences"] == "1"
    assert cells["Median seconds per judgement"] == "15.0"
    assert cells["κ with oneself"] == "1.00 on one line"
    assert cells["Controls passed"] == "1 of 1"
    assert cells["Practice"].endswith("1 of 1")
    assert cells_of(page, petr)["κ with oneself"] == "–"
    assert cells_of(page, petr)["Controls passed"] == "0 of 1"
    # Of four pairs of candidates in the two segments, one is tied.
    assert cells["Ties"] == "25 %"


def test_columns_without_any_figure_are_left_out(client, project, boss):
    submit(project, make_annotator(project), 1, RANKS)

    page = page_of(client, "people", project)

    for name in ("κ with oneself", "κ with others", "Controls passed", "Practice"):
        assert f'data-name="{name}"' not in page
    assert 'data-name="Ties"' in page


def test_unusual_figures_are_marked_in_words(client, judged):
    project, jana, petr = judged
    for number in range(2, 6):
        submit(project, petr, number, OTHERS, seconds=1)
    set_rules(project=project, rules={"seconds": {"limit": 3.0, "after": 2, "action": "flag"}})
    page = page_of(client, "people", project)
    assert 'class="unusual"' in row_of(page, petr)
    assert 'class="unusual"' not in row_of(page, jana)
    filtered = client.get(address("people", project), {"show": "unusual"}).content.decode()
    assert order_of(filtered) == [petr.pk]
    assert 'class="unusual"' in client.get(address("person", project, petr.pk)).content.decode()


def test_a_figure_is_not_marked_once_its_judgements_are_discarded(client, judged):
    project, _jana, petr = judged
    for number in range(2, 6):
        submit(project, petr, number, OTHERS, seconds=1)
    set_rules(project=project, rules={"seconds": {"limit": 3.0, "after": 2, "action": "flag"}})
    check(project)
    assert 'class="unusual"' in row_of(page_of(client, "people", project), petr)
    discard_judgements(project=project, by=petr, annotator=petr)
    assert 'class="unusual"' not in row_of(page_of(client, "people", project), petr)


def test_a_former_member_with_judgements_is_listed(client, judged):
    project, _jana, petr = judged
    remove_member(project=project, by=User.objects.get(username="boss"), user_id=petr.pk)
    assert cells_of(page_of(client, "people", project), petr)["Sentences"] == "1"
    page = client.get(address("person", project, petr.pk)).content.decode()
    assert address("discard-judgements", project, petr.pk) in page
    assert address("remove-member", project, petr.pk) not in page


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("", ["boss", "jana", "petr"]),
        ("seconds", ["petr", "jana", "boss"]),
        ("-seconds", ["jana", "petr", "boss"]),
        ("ties", ["jana", "petr", "boss"]),
        ("nonsense", ["boss", "jana", "petr"]),
    ],
)
def test_it_is_sorted_by_a_figure_those_without_it_last(client, judged, order, names):
    project, *_people = judged
    page = page_of(client, "people", project, f"?order={order}")
    by_id = dict(User.objects.values_list("pk", "username"))
    assert [by_id[pk] for pk in order_of(page)] == names


def test_the_number_of_queries_does_not_grow(client, judged):
    project, jana, _petr = judged
    pages = [address("people", project), address("person", project, jana.pk)]
    # The first page of a process fills its cache.
    client.get(pages[0])
    few = [queries_of(client, page) for page in pages]
    for number in range(8):
        submit(project, make_annotator(project, f"more{number}"), 2, RANKS)
    assert [queries_of(client, page) for page in pages] == few
    assert max(few) <= 57


def queries_of(client, path):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_names_are_escaped(client, project, boss):
    User.objects.filter(pk=boss.pk).update(display_name="<script>boss</script>")
    for page in (address("people", project), address("person", project, boss.pk)):
        assert "<script>boss" not in client.get(page).content.decode()


def test_sorting_keeps_all_people(judged):
    project, *_people = judged
    people = people_of(project, now=timezone.now())
    for order in ("sentences", "active", "kappa", "own_kappa", "controls", "practice"):
        for descending in (True, False):
            found = sorted_people(people, order, descending=descending)
            assert {row.user_id for row in found.rows} == {row.user_id for row in people.rows}


# --- members ----------------------------------------------------------------------------------


def test_a_member_is_added_and_gets_another_role(client, project, boss):
    eva = User.objects.create(username="eva", display_name="Eva N.")
    send(client, "people", project, username="eva", role="annotator")
    assert Membership.objects.get(user=eva).role == "annotator"
    send(client, "change-role", project, eva.pk, role="administrator")
    assert Membership.objects.get(user=eva).role == "administrator"
    page = page_of(client, "people", project)
    assert "<bdi>eva</bdi>" in page
    assert "Eva N." not in page


@pytest.mark.parametrize("role", ["king", "", "owner"])
def test_a_role_that_cannot_be_given_changes_nothing(client, project, boss, role):
    jana = make_annotator(project)
    send(client, "change-role", project, jana.pk, role=role)
    assert Membership.objects.get(user=jana).role == "annotator"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"username": "", "role": "annotator"}, "username"),
        ({"username": "stranger", "role": "annotator"}, "username"),
        ({"username": "boss", "role": "annotator"}, "username"),
        ({"username": "x" * 200, "role": "annotator"}, "username"),
        ({"username": "petr", "role": "king"}, "role"),
        ({"username": "petr"}, "role"),
    ],
)
def test_a_wrong_member_is_refused(client, project, boss, fields, field):
    User.objects.create(username="petr")
    response = client.post(address("people", project), fields)
    assert invalid_fields(response) == [field]
    assert Membership.objects.count() == 1


def test_a_member_is_removed_and_their_open_sentence_returned(client, project, boss):
    petr = make_annotator(project, "petr")
    given = assign_next(petr, project)
    for user in (petr, petr, boss):
        send(client, "remove-member", project, user.pk, confirmed="yes")
    assert list(Membership.objects.values_list("user__username", flat=True)) == ["boss"]
    given.refresh_from_db()
    assert given.state == "returned"


def test_a_member_is_paused_and_resumed(client, project, boss):
    petr = make_annotator(project, "petr")
    send(client, "pause-member", project, petr.pk)
    assert Membership.objects.get(user=petr).paused
    assert "tag-bad" in row_of(page_of(client, "people", project), petr)
    send(client, "pause-member", project, petr.pk, resume="1")
    assert not Membership.objects.get(user=petr).paused


def test_judgements_of_a_person_are_discarded_and_restored(client, judged):
    project, _jana, petr = judged
    send(client, "discard-judgements", project, petr.pk, confirmed="yes")
    mine = Assignment.objects.filter(annotator=petr)
    assert set(mine.values_list("kind", "state")) == {
        ("inter", "discarded"),
        ("control", "discarded"),
    }
    page = page_of(client, "people", project)
    assert "tag-bad" in row_of(page, petr)
    assert cells_of(page, petr)["Sentences"] == "0"
    send(client, "discard-judgements", project, petr.pk, restore="1")
    assert set(mine.values_list("state", flat=True)) == {"submitted"}


def test_a_person_whose_practice_failed_can_be_given_another_try(client, judged):
    project, _jana, petr = judged
    Project.objects.update(practice_required=True, practice_share=100)
    done = practise_one(petr, project, right=False)
    again = address("let-practise-again", project, petr.pk)
    assert again in client.get(address("person", project, petr.pk)).content.decode()
    send(client, "let-practise-again", project, petr.pk)
    done.refresh_from_db()
    assert done.state == "discarded"
    assert again not in client.get(address("person", project, petr.pk)).content.decode()


def test_people_of_other_projects_are_not_found(client, project, boss):
    other = make_project("other")
    stranger = make_annotator(other, "stranger")
    submit(other, stranger, 1, RANKS)
    assert client.get(address("person", project, stranger.pk)).status_code == 404
    for name in ("change-role", "pause-member", "discard-judgements", "let-practise-again"):
        assert client.post(address(name, project, stranger.pk)).status_code == 404
