"""Settings and instructions on the page from which administrators run a project."""

import re

import pytest

from annotation.judging.assignment import skip
from annotation.models import Instructions, Project, User
from annotation.projects.instructions import write_instructions
from tests.annotation.web.manage_page import SETTINGS, address, boss, page_of, project, send, take

# Fixtures, which are used by their names.
__all__ = ["boss", "project"]

pytestmark = pytest.mark.django_db


# --- settings ----------------------------------------------------------------------------------


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


# --- instructions ------------------------------------------------------------------------------


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
