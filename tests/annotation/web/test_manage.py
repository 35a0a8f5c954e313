"""The pages from which administrators manage a project.

Permissions, methods and CSRF of every address are tested in tests/security.
"""

import html
import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.common.markdown import as_html
from annotation.judging.assignment import skip
from annotation.judging.drafts import save_draft
from annotation.kinds import KINDS
from annotation.models import Assignment, Instructions, Project, User
from annotation.projects.instructions import write_instructions
from tests.annotation.web.manage_page import SETTINGS, address, boss, page_of, project, send
from tests.factories import assign_next, make_annotator, make_project, next_assignment

__all__ = ["boss", "project"]

pytestmark = pytest.mark.django_db
PAUSE, OPEN = 'name="state" value="closed"', 'name="state" value="open"'


def invalid_fields(response):
    assert response.status_code == 400
    return re.findall(r'name="(\w+)"[^>]* aria-invalid="true"', response.content.decode())


def test_judging_is_paused_and_opened_again(client, project, boss):
    assert PAUSE in page_of(client, "project-settings", project)
    assign_next(make_annotator(project), project)
    send(client, "project-state", project, state="closed")
    assert Project.objects.get().state == "closed"
    page = page_of(client, "project-settings", project)
    assert PAUSE not in page
    assert "data-never-open" not in page
    assert OPEN in page
    send(client, "project-state", project, state="open")
    assert Project.objects.get().state == "open"


def test_a_project_without_assignments_is_not_called_paused(client, project, boss):
    Project.objects.update(state="closed")
    assert OPEN in page_of(client, "project-settings", project)
    for name in ("project-settings", "judge", "practice"):
        assert "data-never-open" in page_of(client, name, project)
    assert "data-never-open" in client.get(reverse("projects")).content.decode()


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_a_project_that_is_not_prepared_cannot_be_opened(client, project, boss, state):
    Project.objects.update(state=state)
    page = page_of(client, "project-settings", project)
    assert address("project-state", project) not in page
    assert f'href="{address("preparing", project)}"' in page
    send(client, "project-state", project, state="open")
    assert Project.objects.get().state == state


@pytest.mark.parametrize(
    ("page", "most"),
    [
        ("project-settings", 6),
        ("project-instructions", 7),
        ("open-assignments", 7),
        ("skipped-sentences", 7),
    ],
)
def test_the_number_of_queries_does_not_grow(client, project, boss, page, most):
    with CaptureQueriesContext(connection) as few:
        page_of(client, page, project)
    for number, reason in enumerate(("unclear", "other", "technical")):
        person = make_annotator(project, f"person{number}")
        given = assign_next(person, project)
        skip(annotator=person, project=project, assignment_id=given.pk, reason=reason)
        next_assignment(annotator=person, project=project)
        write_instructions(project=project, author=person, text=f"Version {number}")
    with CaptureQueriesContext(connection) as many:
        page_of(client, page, project)
    assert len(many) <= len(few) + 1 <= most


def test_texts_of_people_are_escaped(client, project, boss):
    User.objects.filter(pk=boss.pk).update(display_name="<script>boss</script>")
    write_instructions(project=project, author=boss, text="</textarea><script>x</script>")
    skip(
        annotator=boss,
        project=project,
        assignment_id=assign_next(boss, project).pk,
        reason="other",
        comment="<script>y</script>",
    )
    for page in ("project-instructions", "skipped-sentences"):
        assert "<script>" not in page_of(client, page, project)


def test_tabs_show_the_pages_that_a_role_may_open(client, project, boss):
    report = reverse("report", args=[project.pk])
    tabs = client.get(report).content.decode()
    assert all(address(page, project) in tabs for page in ("overview", "people"))
    assert f'href="{address("metrics", project)}"' in tabs
    client.force_login(make_annotator(project, "observer", "observer"))
    tabs = client.get(report).content.decode()
    assert address("overview", project) in tabs
    assert address("people", project) not in tabs
    client.force_login(make_annotator(project))
    tabs = page_of(client, "instructions", project)
    assert address("my-judgements", project) in tabs
    assert address("overview", project) not in tabs


# --- settings ---------------------------------------------------------------------------------


def test_settings_are_saved_and_nothing_else(client, project, boss):
    more = {"name": "castles", "state": "closed", "min_length": "1"}
    send(client, "project-settings", project, **SETTINGS, **more)
    stored = Project.objects.get()
    assert {name: getattr(stored, name) for name in SETTINGS} == {
        "description": "About houses.",
        "judges_per_sentence": 2,
        "intra_rate": 0.1,
        "inter_rate": 0.0,
        "control_rate": 0.05,
        "queue_order": "blocks",
        "shown_references": "first",
        "block_size": 25,
        "lease_minutes": 60,
        "practice_tries": 1,
        "show_neighbours": True,
        "show_whole_translations": True,
    }
    # Boxes that are not ticked are not sent.
    assert not stored.practice_required
    assert (stored.name, stored.state, stored.min_length) == ("houses", "open", 3)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("judges_per_sentence", ["", "0", "101", "two", "1.5", "9" * 30]),
        ("intra_rate", ["", "100.1", "-0.1", "nan", "inf", "x"]),
        ("block_size", ["", "0", "1001", "x"]),
        ("lease_minutes", ["", "4", "86401", "x"]),
        ("practice_share", ["0", "101", "80.5", "x"]),
        ("practice_tries", ["", "0", "21", "x"]),
        ("description", ["x" * 5001]),
        ("queue_order", ["backwards"]),
    ],
)
def test_a_wrong_setting_is_marked_and_nothing_is_saved(client, project, boss, field, values):
    for value in values:
        response = client.post(address("project-settings", project), SETTINGS | {field: value})
        assert invalid_fields(response) == [field]
        assert response.content.decode().count(f'id="id_{field}_error"') == 1
        assert Project.objects.get().judges_per_sentence == 1


def test_aligned_words_are_marked_where_words_are_aligned(client, project, boss):
    page = address("project-settings", project)
    asked = SETTINGS | {"highlights": "on"}
    assert invalid_fields(client.post(page, asked)) == ["highlights"]
    Project.objects.update(provenance={"aligner": {"name": "eflomal"}})
    send(client, "project-settings", project, **asked)
    assert Project.objects.get().highlights
    Project.objects.update(kind="fluency")
    assert 'name="highlights"' not in page_of(client, "project-settings", project)


def test_the_steps_of_a_scale_are_corrected_before_the_first_judgement(client, project, boss):
    assert 'name="answer_options"' not in page_of(client, "project-settings", project)
    Project.objects.update(kind="grades", answer_options="god\nbad")
    page = address("project-settings", project)
    for labels, sent in (("good\nbad", "good\r\n bad\r\n"), ("good\nbad", "only one")):
        client.post(page, SETTINGS | {"answer_options": sent})
        assert Project.objects.get().answer_options == labels
    assert invalid_fields(client.post(page, SETTINGS | {"answer_options": "x"})) == [
        "answer_options"
    ]
    opened = assign_next(make_annotator(project), project)
    response = client.post(page, SETTINGS | {"answer_options": "a\nb\nc"})
    assert invalid_fields(response) == ["answer_options"]
    Assignment.objects.update(state="submitted", submitted=opened.created)
    assert " disabled" in page_of(client, "project-settings", project)
    client.post(page, SETTINGS | {"answer_options": "a\nb", "block_size": "7"})
    stored = Project.objects.get()
    assert (stored.answer_options, stored.block_size) == ("good\nbad", 7)


def test_after_a_refusal_the_language_switch_leads_back_to_the_page(client, project, boss):
    page = client.post(address("project-settings", project), {}).content.decode()
    assert f'name="next" value="{address("project-settings", project)}"' in page


# --- instructions -----------------------------------------------------------------------------


def test_a_new_version_is_saved_and_shown(client, project, boss):
    send(client, "project-instructions", project, text="Be *kind*.\r\n\r\nAlways.")
    saved = Instructions.objects.get()
    assert (saved.version, saved.author, saved.text) == (1, boss, "Be *kind*.\n\nAlways.")
    assert "Be <em>kind</em>." in page_of(client, "project-instructions", project)
    # The same text makes no new version.
    send(client, "project-instructions", project, text="Be *kind*.\r\n\r\nAlways.\r\n")
    assert Instructions.objects.count() == 1
    send(client, "project-instructions", project, text="")
    assert Instructions.objects.count() == 2
    assert "Be <em>kind</em>." not in page_of(client, "project-instructions", project)


@pytest.mark.parametrize("kind", KINDS)
def test_the_editor_starts_with_the_default_text(client, project, boss, kind):
    Project.objects.update(kind=kind)
    template = "annotation/kinds/_instructions.html"
    shown = words_of(render_to_string(template, {"kind": KINDS[kind]}))
    editor = re.search(
        r"<textarea.*?>(.*?)</textarea>",
        page_of(client, "project-instructions", project),
        re.DOTALL,
    )
    assert editor
    text = html.unescape(editor[1])
    assert words_of(as_html(text)) == shown
    # The default is stored as no text: annotators read it in their own languages.
    send(client, "project-instructions", project, text=text)
    assert not Instructions.objects.exists()
    send(client, "project-instructions", project, text="Be kind.")
    send(client, "project-instructions", project, text=text)
    assert Instructions.objects.get(version=2).text == ""


def words_of(some_html):
    return html.unescape(strip_tags(some_html)).split()


def test_a_preview_shows_the_text_and_saves_nothing(client, project, boss):
    fields = {"text": "Be **strict**.", "preview": "1"}
    response = client.post(address("project-instructions", project), fields)
    assert response.status_code == 200
    page = response.content.decode()
    assert "Be <strong>strict</strong>." in page
    assert ">\nBe **strict**.</textarea>" in page
    assert not Instructions.objects.exists()


def test_an_earlier_version_is_loaded_into_the_editor(client, project, boss):
    for text in ("Be kind.", "Be strict."):
        write_instructions(project=project, author=boss, text=text)
    assert ">\nBe kind.</textarea>" in page_of(
        client, "project-instructions", project, "?version=1"
    )
    for query in ("", "?version=3", "?version=x"):
        assert ">\nBe strict.</textarea>" in page_of(client, "project-instructions", project, query)


def test_instructions_that_are_too_long_are_refused(client, project, boss):
    response = client.post(address("project-instructions", project), {"text": "x" * 20_001})
    assert invalid_fields(response) == ["text"]
    assert not Instructions.objects.exists()


# --- open assignments and skips ---------------------------------------------------------------


def test_an_open_sentence_is_listed_and_released(client, project, boss):
    jana = make_annotator(project)
    given = assign_next(jana, project)
    save_draft(annotator=jana, project=project, assignment_id=given.pk, base=0, choices={"1-1": 1})
    release = address("release-assignment", project, given.pk)
    assert release in page_of(client, "open-assignments", project)
    send(client, "release-assignment", project, given.pk, confirmed="yes")
    assert Assignment.objects.get().state == "returned"
    assert release not in page_of(client, "open-assignments", project)
    Assignment.objects.update(state="submitted", submitted=given.created, **Assignment.NO_DRAFT)
    send(client, "release-assignment", project, given.pk, confirmed="yes")
    assert Assignment.objects.get().state == "submitted"


def test_the_assignment_of_another_project_is_not_released(client, project, boss):
    other = make_project("other")
    given = assign_next(make_annotator(other, "eva"), other)
    assert client.post(address("release-assignment", project, given.pk)).status_code == 404
    assert Assignment.objects.get().state == "open"


def test_an_expired_assignment_is_marked(client, project, boss):
    given = assign_next(make_annotator(project), project)
    assert "tag-bad" not in page_of(client, "open-assignments", project)
    Assignment.objects.update(lease_until=given.created)
    assert "tag-bad" in page_of(client, "open-assignments", project)


def test_skipped_sentences_are_listed_with_the_comment(client, project, boss):
    jana = make_annotator(project)
    given = assign_next(jana, project)
    skip(
        annotator=jana,
        project=project,
        assignment_id=given.pk,
        reason="wrong-segment",
        comment="The verb is missing.",
    )
    skipped = page_of(client, "skipped-sentences", project)
    assert "The verb is missing." in skipped
    assert given.sentence.text in skipped


# --- practice ---------------------------------------------------------------------------------


def test_eligible_sentences_are_found_by_their_words(client, project, boss):
    sentence = project.sentences.earliest("number")
    type(sentence).objects.filter(pk=sentence.pk).update(text="A lighthouse.")
    for words, found in (("LIGHTHOUSE", True), ("river", False)):
        page = page_of(client, "new-practice", project, f"?q={words}")
        assert (f'href="?sentence={sentence.number}"' in page) == found
