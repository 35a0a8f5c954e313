"""The page from which administrators run a project."""

import re

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment import next_assignment, skip
from annotation.drafts import save_draft
from annotation.instructions import write_instructions
from annotation.models import Assignment, Instructions, Membership, Project, User
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db

SETTINGS = {
    "description": "About houses.",
    "judges_per_sentence": "2",
    "intra_rate": "0.1",
    "inter_rate": "0",
    "control_rate": "0.05",
    "queue_order": "blocks",
    "block_size": "25",
    "lease_minutes": "60",
    "show_neighbours": "on",
}
FORMS = ["manage-state", "manage-settings", "manage-instructions", "manage-members"]


@pytest.fixture
def project():
    return make_project(intra_rate=0, inter_rate=0)


@pytest.fixture
def boss(client, project):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def take(annotator, project):
    """Return the sentence that the annotator has open now."""
    return next_assignment(annotator=annotator, project=project)


def address(name, project, *more):
    return reverse(name, args=[project.pk, *more])


def page_of(client, project, query=""):
    response = client.get(address("manage-project", project) + query)
    assert response.status_code == 200
    return response.content.decode()


def send(client, view, project, *more, **fields):
    """Post a form that is accepted; return what people are told."""
    response = client.post(address(view, project, *more), fields)
    assert response.status_code == 302
    assert response.headers["Location"].startswith(address("manage-project", project))
    return [str(message) for message in get_messages(response.wsgi_request)]


# --- who may -------------------------------------------------------------------------------


def all_requests(client, project):
    """Yield the status of every page and form of management."""
    assignment = take(make_annotator(project, "petr"), project)
    yield client.get(address("manage-project", project)).status_code
    for name in FORMS:
        yield client.post(address(name, project), {"state": "closed"} | SETTINGS).status_code
    yield client.post(address("manage-release", project, assignment.pk)).status_code


def test_strangers_are_asked_to_sign_in(client, project):
    assert set(all_requests(client, project)) == {302}
    assert (
        client.get(address("manage-project", project)).headers["Location"].startswith("/sign-in/")
    )
    assert_nothing_changed(project)


def test_annotators_may_not(client, project):
    client.force_login(make_annotator(project))
    assert set(all_requests(client, project)) == {403}
    assert_nothing_changed(project)


def test_administrators_of_another_project_do_not_find_it(client, project):
    client.force_login(make_annotator(make_project("other"), "boss", "administrator"))
    assert set(all_requests(client, project)) == {404}
    assert_nothing_changed(project)


def assert_nothing_changed(project):
    stored = Project.objects.get(pk=project.pk)
    assert (stored.state, stored.description, stored.judges_per_sentence) == ("open", "", 1)
    assert not Instructions.objects.exists()
    assert Assignment.objects.get(project=project).state == "open"


def test_administrators_and_whoever_runs_the_installation_may(client, project, boss):
    assert page_of(client, project)
    client.force_login(User.objects.create(username="root", is_superuser=True))
    assert page_of(client, project)


def test_there_is_no_page_of_a_project_that_is_not_there(client, boss):
    assert client.get(reverse("manage-project", args=[4040])).status_code == 404


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_not_sent_by_get(client, project, boss, name):
    assert client.get(address(name, project)).status_code == 405


def test_forms_of_other_sites_are_refused(client, project, boss):
    client.handler.enforce_csrf_checks = True
    assert client.post(address("manage-state", project), {"state": "closed"}).status_code == 403
    assert Project.objects.get().state == "open"


# --- state ---------------------------------------------------------------------------------


def test_judging_is_paused_and_opened_again(client, project, boss):
    assert "Pause judging" in page_of(client, project)
    assert send(client, "manage-state", project, state="closed") == ["Judging is paused."]
    assert Project.objects.get().state == "closed"
    page = page_of(client, project)
    assert "Pause judging" not in page
    assert "Open judging again" in page
    assert send(client, "manage-state", project, state="open") == ["Judging is open again."]
    assert Project.objects.get().state == "open"


@pytest.mark.parametrize(
    ("state", "said"), [("preparing", "Still being prepared"), ("failed", "preparation failed")]
)
def test_a_project_that_is_not_prepared_says_so_and_has_no_button(
    client, project, boss, state, said
):
    Project.objects.update(state=state)
    page = page_of(client, project)
    assert said in page
    assert address("manage-state", project) not in page
    told = send(client, "manage-state", project, state="open")
    assert told == ["The project is not prepared: it cannot be paused or reopened."]
    assert Project.objects.get().state == state


# --- settings ------------------------------------------------------------------------------


def test_settings_are_saved(client, project, boss):
    assert send(client, "manage-settings", project, **SETTINGS) == ["The settings are saved."]
    stored = Project.objects.get()
    assert {name: getattr(stored, name) for name in SETTINGS} == {
        "description": "About houses.",
        "judges_per_sentence": 2,
        "intra_rate": 0.1,
        "inter_rate": 0.0,
        "control_rate": 0.05,
        "queue_order": "blocks",
        "block_size": 25,
        "lease_minutes": 60,
        "show_neighbours": True,
    }
    assert not stored.show_reference
    assert not stored.practice_required
    assert "About houses." in page_of(client, project)


def test_nothing_else_can_be_set(client, project, boss):
    more = {"name": "castles", "state": "closed", "min_length": "1"}
    send(client, "manage-settings", project, **SETTINGS, **more)
    stored = Project.objects.get()
    assert (stored.name, stored.state, stored.min_length) == ("houses", "open", 3)


@pytest.mark.parametrize(
    ("field", "values", "sentence"),
    [
        (
            "judges_per_sentence",
            ["", "0", "101", "-1", "two", "1.5", "9" * 30],
            "Write how many judge each sentence, as a whole number from 1 to 100.",
        ),
        (
            "intra_rate",
            ["", "1.1", "-0.1", "nan", "inf", "x"],
            "Write a share from 0 to 1, for example 0.05 for one sentence in twenty.",
        ),
        (
            "block_size",
            ["", "0", "1001", "x"],
            "Write how many sentences a block has, as a whole number from 1 to 1000.",
        ),
        (
            "lease_minutes",
            ["", "0", "4", "86401", "x"],
            "Write after how many minutes, as a whole number from 5 (five minutes) to 86400.",
        ),
        ("description", ["x" * 5001], "The description is too long: 5000 characters are allowed."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_and_nothing_is_saved(
    client, project, boss, field, values, sentence
):
    for value in values:
        response = client.post(address("manage-settings", project), SETTINGS | {field: value})
        assert response.status_code == 400
        page = response.content.decode()
        assert re.findall(r"<li>(.*?)</li>", page) == [sentence]
        assert "Nothing was saved" in page
        assert 'aria-invalid="true"' in page
        assert Project.objects.get().queue_order == "random"


def test_an_order_that_is_none_is_refused(client, project, boss):
    fields = SETTINGS | {"queue_order": "backwards"}
    assert client.post(address("manage-settings", project), fields).status_code == 400
    assert Project.objects.get().queue_order == "random"


def test_the_language_is_switched_on_the_page_itself_after_a_refusal(client, project, boss):
    page = client.post(address("manage-settings", project), {}).content.decode()
    assert f'name="next" value="{address("manage-project", project)}"' in page


# --- instructions --------------------------------------------------------------------------


def test_a_new_version_is_saved_and_shown(client, project, boss):
    assert "come with SegRanks" in page_of(client, project)
    told = send(client, "manage-instructions", project, text="Be *kind*.\r\n\r\nAlways.")
    assert told == ["The instructions are saved; they hold from now on."]
    saved = Instructions.objects.get()
    assert (saved.version, saved.author, saved.text) == (1, boss, "Be *kind*.\n\nAlways.")
    page = page_of(client, project)
    assert "Be <em>kind</em>." in page
    assert "What annotators see: version 1" in page


def test_the_same_text_makes_no_new_version(client, project, boss):
    write_instructions(project=project, author=boss, text="Be kind.\nAlways.")
    told = send(client, "manage-instructions", project, text="Be kind.\r\nAlways.\r\n")
    assert told == ["These instructions hold already."]
    assert Instructions.objects.count() == 1


def test_an_empty_text_brings_back_those_that_come_with_segranks(client, project, boss):
    write_instructions(project=project, author=boss, text="Be kind.")
    send(client, "manage-instructions", project, text="")
    assert [one.text for one in Instructions.objects.order_by("version")] == ["Be kind.", ""]
    page = page_of(client, project)
    assert "Annotators see the instructions that come with SegRanks." in page
    assert "2 versions" in page


def test_a_preview_shows_the_text_and_saves_nothing(client, project, boss):
    fields = {"text": "Be **strict**.", "preview": "1"}
    response = client.post(address("manage-instructions", project), fields)
    assert response.status_code == 200
    page = response.content.decode()
    assert "Be <strong>strict</strong>." in page
    assert ">\nBe **strict**.</textarea>" in page
    assert "not saved yet" in page
    assert not Instructions.objects.exists()


def test_an_earlier_version_goes_into_the_editor(client, project, boss):
    for text in ("Be kind.", "Be strict."):
        write_instructions(project=project, author=boss, text=text)
    assert ">\nBe strict.</textarea>" in page_of(client, project)
    assert ">\nBe kind.</textarea>" in page_of(client, project, "?version=1")
    for unknown in ("3", "x", ""):
        assert ">\nBe strict.</textarea>" in page_of(client, project, f"?version={unknown}")


def test_instructions_that_are_too_long_are_refused(client, project, boss):
    response = client.post(address("manage-instructions", project), {"text": "x" * 20_001})
    assert response.status_code == 400
    assert "20000 characters are allowed" in response.content.decode()
    assert not Instructions.objects.exists()


def test_what_people_wrote_is_escaped(client, project, boss):
    User.objects.filter(pk=boss.pk).update(display_name="<script>boss</script>")
    write_instructions(project=project, author=boss, text="</textarea><script>x</script>")
    given = take(boss, project)
    skip(
        annotator=boss,
        project=project,
        assignment_id=given.pk,
        reason="other",
        comment="<script>y</script>",
    )
    assert "<script>" not in page_of(client, project)


# --- open assignments, skips ---------------------------------------------------------------


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


# --- members -------------------------------------------------------------------------------


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


# --- the page ------------------------------------------------------------------------------


def test_it_needs_as_many_queries_however_much_there_is(client, project, boss):
    with CaptureQueriesContext(connection) as little:
        page_of(client, project)
    for number, reason in enumerate(("unclear", "other", "technical")):
        person = make_annotator(project, f"person{number}")
        for _time in range(2):
            given = take(person, project)
            if given and _time == 0:
                skip(annotator=person, project=project, assignment_id=given.pk, reason=reason)
        write_instructions(project=project, author=person, text=f"Version {number}")
    assert Assignment.objects.filter(state="open").count() > 1
    with CaptureQueriesContext(connection) as much:
        page_of(client, project)
    assert len(much) == len(little) <= 20


def test_it_has_no_inline_script_or_style(client, project, boss):
    write_instructions(project=project, author=boss, text="Be *kind*.")
    take(boss, project)
    page = page_of(client, project)
    assert "style=" not in page
    assert re.findall("<script[^>]*>[^<]*", page) == [
        '<script type="module" src="/static/annotation/times.js">'
    ]


def test_it_speaks_czech(client, project, boss):
    page = client.get(
        address("manage-project", project), headers={"Accept-Language": "cs"}
    ).content.decode()
    assert "Pozastavit" in page
    assert "Manage" not in page


@pytest.mark.parametrize("name", ["projects", "results"])
def test_pages_of_administrators_lead_to_it(client, project, boss, name):
    arguments = [project.pk] if name == "results" else []
    assert (
        address("manage-project", project)
        in client.get(reverse(name, args=arguments)).content.decode()
    )


@pytest.mark.parametrize("name", ["projects", "results"])
def test_a_paused_project_is_said_to_be(client, project, boss, name):
    Project.objects.update(state="closed")
    arguments = [project.pk] if name == "results" else []
    assert "paused" in client.get(reverse(name, args=arguments)).content.decode()
