"""The kind of judgement of a new project in the browser."""

import re

import pytest
from django.urls import reverse

from annotation.kinds import DEFAULT, KINDS
from annotation.kinds.scales import SUGGESTED
from annotation.models import Job, Project, Segment, Sentence, Upload
from annotation.projects.media import file_of
from annotation.projects.provenance import is_aligned
from annotation.uploads import storage
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import (
    NEW,
    boss,
    fill_in,
    page_of,
    prepare,
    previewed,
    send,
    sent,
    uploads,
)
from tests.factories import make_annotator, make_project
from tests.jobs import run_job
from tests.media_files import png

__all__ = ["boss", "uploads"]

pytestmark = pytest.mark.django_db
LINKS = {"links/north.txt": files.LINKS, "links/south.txt": files.LINKS}


def test_the_kind_is_chosen_with_the_first_files(client, boss):
    client.post(NEW, sent(files.TEXTS) | {"kind": "sentence_ranking"})
    page = page_of(client, Upload.objects.get(), "new-project-files")
    assert re.findall(r'value="(\w+)"[^>]* checked', page) == ["sentence_ranking"]


def test_whole_sentences_are_previewed_and_prepared_without_parser_and_lengths(client, boss):
    upload = send(client)
    # A parser chosen before the kind has no effect.
    fill_in(client, upload, kind="sentence_ranking", parser="phrases")
    page = previewed(client, upload)
    assert 'type="range"' not in page
    assert page.count('class="shown"') == 2
    assert page.count("Nikdo zahrada neviděl po léta .") == 1
    settings = page_of(client, upload, "new-project-judging")
    assert "show_whole_translations" not in settings
    prepare(client, upload, show_whole_translations="on")
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert (project.state, project.kind) == ("open", "sentence_ranking")
    assert not project.show_whole_translations
    assert Segment.objects.get(sentence__number=1).token_indices == "0 1 2 3 4 5 6 7"
    for name in ("overview", "report", "project-settings", "exports"):
        assert (
            f'data-kind="{project.kind}"'
            in client.get(reverse(name, args=[project.pk])).content.decode()
        )


def test_whole_sentences_are_aligned_to_mark_words(client, boss):
    upload = send(client)
    fill_in(client, upload, kind="sentence_ranking")
    previewed(client, upload)
    assert 'name="highlights"' in page_of(client, upload, "new-project-judging")
    prepare(client, upload, highlights="on")
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert project.highlights
    assert is_aligned(project)


def test_a_tutorial_is_offered_where_the_kind_and_the_languages_have_one(client, boss):
    upload = send(client)
    for changes, is_offered in (
        ({"kind": "sentence_ranking"}, False),
        ({"kind": "error_spans", "target_language": "fr"}, False),
        ({"kind": "error_spans"}, True),
    ):
        fill_in(client, upload, **changes)
        settings = page_of(client, upload, "new-project-judging")
        assert ('name="tutorial"' in settings) == is_offered
    prepare(client, upload, tutorial="on")
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert project.practice_required
    assert project.sentences.filter(Sentence.OF_NO_LINE).count() == 9


def test_the_steps_of_grades_are_chosen_once(client, boss):
    upload = send(client)
    asked = page_of(client, upload, "new-project-files")
    assert re.findall(r'name="answer_options-grades"[^>]*>\s*([^<]*)<', asked) == [
        "\n".join(SUGGESTED)
    ]
    fill_in(client, upload, kind="grades", answer_options="only one")
    assert (
        'id="id_answer_options_error"'
        in client.post(
            reverse("new-project-files", args=[upload.token]),
            {"kind": "grades", "answer_options": "only one", "go-on": ""},
        ).content.decode()
    )
    fill_in(client, upload, kind="grades", answer_options="{good}\r\n  bad <b>\r\n")
    assert "{good}" in previewed(client, upload)
    prepare(client, upload)
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert (project.state, project.answer_options) == ("open", "{good}\nbad <b>")
    page = client.get(reverse("project-settings", args=[project.pk])).content.decode()
    assert "{good} · bad &lt;b&gt;" in page


def test_each_kind_with_options_asks_for_its_own(client, boss):
    upload = send(client)
    address = reverse("new-project-files", args=[upload.token])
    posted = {"kind": "mqm", "answer_options-grades": "1\n0", "answer_options-mqm": "A\n\nA, B"}
    page = client.post(address, posted | {"go-on": ""}).content.decode()
    assert re.search(r'id="id_answer_options_error"[^>]*><li>Line 3: ', page, re.IGNORECASE)
    fill_in(client, upload, **posted | {"answer_options-mqm": "A\n\nB"})
    previewed(client, upload)
    prepare(client, upload)
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert project.answer_options == "severities: neutral, minor, major\nA\nB"


def test_candidates_are_previewed_in_context(client, boss):
    upload = send(client, files.TEXTS | LINKS)
    fill_in(client, upload, kind="constituents_in_context")
    page = previewed(client, upload)
    assert '<span class="in-context"><mark>Starý dům</mark> stojí blízko řeky .</span>' in page
    upload.delete()
    ready = send(client, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    fill_in(client, ready, kind="constituents_in_context")
    # Their translations are unknown.
    alone = previewed(client, ready)
    assert "in-context" not in alone
    assert 'id="shown-alone"' in alone
    prepare(client, ready)
    assert Project.objects.get().kind == "constituents_in_context"


def test_ready_made_segments_are_graded_on_the_steps_that_were_typed(client, boss):
    ready = send(client, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    fill_in(client, ready, kind="grades_in_context", answer_options="good\nbad")
    prepare(client, ready)
    assert Project.objects.get().answer_options == "good\nbad"


def test_single_translations_are_previewed_and_divided_into_batches(client, boss):
    upload = send(client)
    fill_in(client, upload, kind="direct_assessment_source")
    assert previewed(client, upload).count('class="candidate scored assessed') == 2
    assert "id_seed" in page_of(client, upload, "new-project-judging")
    prepare(client, upload, batches="on", seed="5")
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    assert (project.provenance["batches"], project.provenance["seed"]) == (1, 5)


@pytest.mark.parametrize(
    ("kind", "offered"),
    [
        ("segment_ranking", ["none", "first", "all"]),
        ("error_spans", ["none", "first", "all"]),
        ("post_editing", []),
        # Translations are compared with it.
        ("direct_assessment", ["first", "all"]),
    ],
)
def test_references_are_a_setting_where_it_has_an_effect(client, kind: str, offered: list[str]):
    project = make_project(kind=kind)
    client.force_login(make_annotator(project, "owner", "owner"))
    html = client.get(reverse("project-settings", args=[project.pk])).content.decode()
    field = html.partition('name="shown_references"')[2].partition("</select>")[0]
    assert re.findall(r'<option value="(\w+)"', field) == offered


def test_each_kind_is_offered_once_and_the_usual_one_first(client, boss):
    offered = re.findall(r'name="kind" value="(\w+)"', client.get(NEW).content.decode())
    assert sorted(offered) == sorted(KINDS)
    assert offered[0] == DEFAULT.name


def test_the_group_of_the_chosen_kind_is_open(client, boss):
    client.post(NEW, sent(files.TEXTS) | {"kind": "error_spans"})
    page = page_of(client, Upload.objects.get(), "new-project-files")
    groups = page.split('<details class="kind-group"')[1:]
    is_open = [group.startswith(" open") for group in groups]
    assert is_open == ['value="segment_ranking"' in g or "checked" in g for g in groups]


def test_media_come_with_the_texts_and_the_preview_shows_their_lines(
    client, boss, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path / "stored"
    upload = send(client, files.TEXTS | {"2.png": png(), "street.png": png()})
    fill_in(client, upload, kind="sentence_ranking")
    wrong = upload.files.get(name="street.png")
    assert [one.file for one in storage.findings(upload).problems] == ["street.png"]
    # A picture is no text.
    fill_in(client, upload, kind="sentence_ranking", **{f"role-{wrong.pk}": "system"})
    wrong.refresh_from_db()
    assert wrong.role == "media"
    fill_in(client, upload, kind="sentence_ranking", **{f"role-{wrong.pk}": "unused"})
    table = previewed(client, upload).partition('id="media"')[2].partition("</section>")[0]
    assert "Nobody has seen the garden" in table
    assert "2.png" in table
    assert "street.png" not in table
    prepare(client, upload)
    run_job(Job.objects.get().pk)
    project = Project.objects.get()
    (medium,) = project.media.all()
    assert (medium.line, medium.name, project.media_count) == (2, "2.png", 1)
    assert file_of(medium).read() == png()
