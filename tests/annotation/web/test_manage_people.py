"""Members, what they have in hand and what they skipped, on the page of their administrators."""

import re

import pytest

from annotation.judging.assignment import skip
from annotation.judging.drafts import save_draft
from annotation.models import Assignment, Membership, User
from tests.annotation.web.manage_page import address, boss, page_of, project, send, take
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["boss", "project"]

pytestmark = pytest.mark.django_db


# --- open assignments, skips -------------------------------------------------------------------


def test_it_shows_who_has_what_and_releases_it(client, project, boss):
    jana = make_annotator(project)
    given = take(jana, project)
    save_draft(annotator=jana, project=project, assignment_id=given.pk, base=0, choices={"1-1": 1})
    page = page_of(client, project)
    assert address("manage-release", project, given.pk) in page
    assert "<bdi>jana</bdi>" in page
    assert "nothing yet" not in page
    told = send(client, "manage-release", project, given.pk)
    assert told == ["The sentence went back to the others."]
    assert Assignment.objects.get().state == "returned"
    assert "Nobody has a sentence at the moment." in page_of(client, project)


def test_what_is_open_no_more_is_not_released(client, project, boss):
    given = take(make_annotator(project), project)
    Assignment.objects.update(state="submitted", submitted=given.created)
    told = send(client, "manage-release", project, given.pk)
    assert told == ["This sentence is not open any more."]
    assert Assignment.objects.get().state == "submitted"


def test_another_projects_assignment_is_not_released(client, project, boss):
    other = make_project("other")
    given = take(make_annotator(other, "eva"), other)
    answer = client.post(address("manage-release", project, given.pk))
    assert answer.status_code == 404
    assert Assignment.objects.get().state == "open"


def test_a_lease_that_ran_out_is_said_to_have(client, project, boss):
    given = take(make_annotator(project), project)
    assert "time is up" not in page_of(client, project)
    Assignment.objects.update(lease_until=given.created)
    assert "time is up" in page_of(client, project)


def test_it_shows_who_skipped_what_and_why(client, project, boss):
    jana = make_annotator(project)
    given = take(jana, project)
    skip(
        annotator=jana,
        project=project,
        assignment_id=given.pk,
        reason="wrong-segment",
        comment="The verb is missing.",
    )
    page = page_of(client, project)
    assert "The segments make no sense" in page
    assert "The verb is missing." in page
    assert given.sentence.text in page


# --- members -----------------------------------------------------------------------------------


def test_a_member_is_added_and_his_role_changed(client, project, boss):
    eva = User.objects.create(username="eva", display_name="Eva N.")
    for role in ("annotator", "administrator"):
        told = send(client, "manage-members", project, username="eva", role=role)
        assert told[-1] == "Eva N. is a member with this role now."
        assert Membership.objects.get(user=eva).role == role
    assert "<bdi>Eva N.</bdi>" in page_of(client, project)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"username": "", "role": "annotator"},
            "Write the user name that the person signs in with.",
        ),
        (
            {"username": "nobody", "role": "annotator"},
            "Nobody here signs in as “nobody”: check the user name.",
        ),
        (
            {"username": "boss", "role": "annotator"},
            "Your own role can only be changed by somebody else.",
        ),
        ({"username": "petr", "role": "king"}, "Choose one of the roles."),
        ({"username": "petr"}, "Choose one of the roles."),
        ({"username": "x" * 200, "role": "annotator"}, "No user name is that long."),
    ],
)
def test_who_cannot_be_a_member_is_refused_in_one_sentence(client, project, boss, fields, sentence):
    User.objects.create(username="petr")
    response = client.post(address("manage-members", project), fields)
    assert response.status_code == 400
    assert re.findall(r"<li>(.*?)</li>", response.content.decode()) == [sentence]
    assert Membership.objects.count() == 1


def test_a_removed_member_judges_no_more_and_what_he_judged_stays(client, project, boss):
    petr = make_annotator(project, "petr")
    given = take(petr, project)
    told = send(client, "remove-member", project, petr.pk)
    assert told == ["petr is not a member any more; what was judged stays."]
    assert not Membership.objects.filter(user=petr).exists()
    given.refresh_from_db()
    assert given.state == "returned"
    told = send(client, "remove-member", project, petr.pk)
    assert told[-1] == "This person is not a member any more."
    told = send(client, "remove-member", project, boss.pk)
    assert told[-1] == "Your own membership can only be ended by somebody else."
    assert Membership.objects.filter(user=boss).exists()


def test_annotators_remove_nobody(client, project, boss):
    petr = make_annotator(project, "petr")
    client.force_login(petr)
    assert client.post(address("remove-member", project, boss.pk)).status_code == 403
    assert Membership.objects.count() == 2
