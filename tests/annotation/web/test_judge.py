"""What the judging page shows, as plain HTML and without a browser."""

import re
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Membership,
    Project,
    Segment,
    ShownCandidate,
    Submission,
    System,
)
from annotation.projects.administration import pause_member
from annotation.projects.instructions import write_instructions
from tests.annotation.web.judge_page import Form, get_form, jana, project, url, without_secrets
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["jana", "project", "url"]

pytestmark = pytest.mark.django_db


# --- what is shown -----------------------------------------------------------------------------


def test_it_shows_source_reference_segments_and_all_candidates_unplaced(client, jana, url):
    html = client.get(url).content.decode()
    form = Form(html)
    assert "the old house stands near the river" in strip_tags(html)
    assert "reference" in html
    assert "<mark>the old house</mark> stands near the river" in html
    assert "the old house stands <mark>near the river</mark>" in html
    assert len(form.radios) == 5
    assert form.checked == {}


def test_ranks_go_from_one_to_the_number_of_candidates_and_garbage(client, jana, url):
    groups = sorted(get_form(client, url).radios.values(), key=len)
    assert groups == [["1", "2", "garbage"]] * 2 + [["1", "2", "3", "garbage"]] * 3


def test_texts_are_shown_as_they_are_never_as_markup(client, jana, project, url):
    Candidate.objects.filter(text="dům").update(text="<b>dům</b> &amp;")
    html = client.get(url).content.decode()
    assert "<b>dům" not in html
    assert "&lt;b&gt; dům" in html or "&lt;b&gt;dům" in html


def test_it_never_shows_the_name_of_a_system(client, jana, project, url):
    for system in System.objects.all():
        system.name = f"uedin-{system.name}-secret"
        system.save()
    html = client.get(url).content.decode()
    assert "uedin" not in html
    assert "secret" not in html


def turn_systems_round(assignment):
    """Let the last system have made what the first one made, and so on; all looks as before."""
    for segment in Segment.objects.filter(sentence=assignment.sentence):
        shown = list(assignment.shown_candidates.filter(candidate__segment=segment).order_by("pk"))
        looks = [(row.candidate.text, row.position) for row in shown]
        for number, row in enumerate(shown):
            Candidate.objects.filter(pk=row.candidate_id).update(text=f"for a moment {number}")
        for row, (text, position) in zip(shown, reversed(looks), strict=True):
            Candidate.objects.filter(pk=row.candidate_id).update(text=text)
            ShownCandidate.objects.filter(pk=row.pk).update(position=position)


def test_nothing_on_the_page_depends_on_which_system_made_what(client, jana, url):
    before = client.get(url).content.decode()
    made = list(Candidate.objects.order_by("pk").values_list("text"))
    turn_systems_round(Assignment.objects.get())
    assert list(Candidate.objects.order_by("pk").values_list("text")) != made
    assert without_secrets(client.get(url).content.decode()) == without_secrets(before)


def test_candidates_are_named_by_position(client, jana, url):
    names = list(get_form(client, url).radios)
    assert names == ["card-1-1", "card-1-2", "card-1-3", "card-2-1", "card-2-2"]


def test_texts_under_judgement_carry_their_language(client, jana, project, url):
    Project.objects.update(source_language="zh-Hant-TW", target_language="ar")
    html = client.get(url).content.decode()
    assert re.search(r'<p class="source" lang="zh-Hant-TW" dir="ltr" translate="no">', html)
    assert re.search(r'<p class="reference" lang="ar" dir="rtl" translate="no">', html)
    assert len(re.findall(r'<bdi lang="ar" dir="rtl" translate="no">', html)) == 5


def test_a_project_without_a_reference_shows_none(client, jana, project, url):
    for sentence in project.sentences.all():
        sentence.translations.filter(system=None).delete()
    html = client.get(url).content.decode()
    assert "Reference" not in html
    assert "Source" in html


def test_it_gives_the_same_sentence_and_order_until_it_is_submitted(client, jana, url):
    first, second = get_form(client, url), get_form(client, url)
    assert list(first.radios) == list(second.radios)
    assert first.hidden["assignment"] == second.hidden["assignment"]


def test_instructions_begin_beside_their_title_until_a_sentence_is_submitted(client, jana, url):
    html = client.get(url).content.decode()
    assert re.search('<details class="instructions" data-version="[^"]*">', html)
    assert "summary-lead" in html
    assert "A missing word is a mistake" in html
    client.post(url, Form(html).filled())
    following = client.get(url).content.decode()
    assert '<details class="instructions"' in following
    assert "summary-lead" not in following


def test_it_leads_back_to_the_sentence_that_was_just_submitted(client, jana, url, project):
    html = client.get(url).content.decode()
    assert 'id="submitted"' not in html
    form = Form(html)
    client.post(url, form.filled())
    way_back = reverse("revise", args=[project.pk, form.hidden["assignment"]]) + "?judging"
    html = client.get(url).content.decode()
    assert html.count(f'href="{way_back}"') == 2
    Assignment.objects.filter(state="submitted").update(submitted=timezone.now() - timedelta(1))
    html = client.get(url).content.decode()
    assert html.count(f'href="{way_back}"') == 1
    revised = Form(client.get(way_back).content.decode()).filled()
    assert client.post(way_back, revised).headers["Location"] == url


def test_a_comment_of_the_form_is_stored_and_shown_again_after_a_refusal(client, jana, url):
    form = get_form(client, url)
    incomplete = form.hidden | {"comment-2": "What <river>?\r\nWhich one?"}
    html = client.post(url, incomplete).content.decode()
    assert "What &lt;river&gt;?\nWhich one?</textarea>" in html
    client.post(url, form.filled() | {"comment-2": "What <river>?"})
    assert set(Judgement.objects.values_list("comment", flat=True)) == {"", "What <river>?"}


def test_a_project_can_have_its_own_instructions(client, jana, project, url):
    text = "Look at <b>*verbs*</b>.\n\nNo commas."
    written = write_instructions(project=project, author=jana, text=text)
    html = client.get(url).content.decode()
    assert "<p>Look at &lt;b&gt;<em>verbs</em>&lt;/b&gt;.</p>" in html
    assert "<p>No commas.</p>" in html
    assert f'data-version="{project.pk}-{written.pk}"' in html
    assert "how-to-place" in html
    assert "A missing word is a mistake" not in html


@contextmanager
def counted():
    """Count the queries, the statements of transactions apart, into the list."""
    counts: list[int] = []
    with CaptureQueriesContext(connection) as captured:
        yield counts
    own = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    # At once: the next request forgets them.
    counts.append(sum(not query["sql"].startswith(own) for query in captured.captured_queries))


def test_the_number_of_queries_does_not_depend_on_the_segments(client):
    many = {f"{i} {i + 1}": ("a", "b", "c", "d") for i in range(6)}
    counts = []
    for name, segments in (("few", {"0 1": ("a", "b")}), ("many", many)):
        project = make_project(name, sentences=2, segments=segments)
        client.force_login(make_annotator(project, name))
        url = reverse("judge", args=[project.pk])
        client.get(url)
        with counted() as shown:
            form = get_form(client, url)
        with counted() as taken:
            assert client.post(url, form.filled()).status_code == 302
        number = get_form(client, url).hidden["assignment"]
        body = {
            "token": str(uuid4()),
            "choices": {name.removeprefix("card-"): 1 for name in get_form(client, url).radios},
            "active_seconds": 12.5,
        }
        address = reverse("submission", args=[project.pk, number])
        with counted() as handed:
            answer = client.post(address, body, content_type="application/json")
            assert answer.status_code == 201
        counts.append((*shown, *taken, *handed))
    assert counts[0] == counts[1]
    print(f"queries of the page, the form and the API: {counts[0]}")
    assert counts[0][0] <= 14
    # Those of the form and the API, the transaction's own statements apart.
    assert max(counts[0][1:]) < 13


# --- when there is nothing to judge ------------------------------------------------------------


def test_it_is_not_found_by_others_than_members(client, project, url):
    client.force_login(make_annotator(make_project("castles"), "eve"))
    assert client.get(url).status_code == 404
    assert client.post(url, {}).status_code == 404
    assert client.get(reverse("judge", args=[424242])).status_code == 404
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("state", ["preparing", "failed", "closed"])
def test_a_project_that_is_not_open_says_why(client, jana, url, state):
    Project.objects.update(state=state)
    page = client.get(url)
    assert page.status_code == 200
    assert f'data-reason="{state}"' in page.content.decode()
    assert not Assignment.objects.exists()


def test_it_says_that_the_annotator_is_paused(client, jana, project, url):
    pause_member(project=project, by=jana, user_id=jana.pk)
    page = client.get(url)
    assert page.status_code == 200
    assert 'data-reason="member-paused"' in page.content.decode()
    assert not Assignment.objects.exists()
    projects = client.get(reverse("projects")).content.decode()
    assert url not in projects


def test_it_says_when_nothing_is_left(client, jana, project, url):
    for _sentence in project.sentences.all():
        client.post(url, get_form(client, url).filled())
    html = client.get(url).content.decode()
    assert 'data-reason="finished"' in html
    assert "<strong>3</strong>" in html


def test_browser_storage_is_keyed_by_annotator_project_and_sentence(client, jana, url):
    def kept(html):
        return re.findall(r'data-(?:draft-owner|sentence)="(.*?)"', html)

    page = client.get(url).content.decode()
    assert kept(page) == kept(client.get(url).content.decode())
    client.post(url, Form(page).filled())
    following = client.get(url).content.decode()
    assert kept(following)[0] == kept(page)[0]
    assert kept(following)[1] != kept(page)[1]
    Project.objects.update(state="closed")
    client.post(url, Form(following).filled())
    assert kept(client.get(url).content.decode()) == [kept(page)[0], ""]


def test_pages_of_judging_are_never_cached(client, jana, url):
    assert "no-store" in client.get(url).headers["Cache-Control"]


# --- what is left ------------------------------------------------------------------------------


def test_it_shows_remaining_work_once_the_pace_is_known(client, jana, project, url):
    Project.objects.update(judges_per_sentence=1)
    bigger = make_project("castles", sentences=9, intra_rate=0, inter_rate=0)
    Membership.objects.create(user=jana, project=bigger, role="annotator")
    place = reverse("judge", args=[bigger.pk])
    for seconds in (60, 90, 600):
        html = client.get(place).content.decode()
        assert "min left" not in html
        client.post(place, Form(html).filled())
        Submission.objects.filter(active_seconds=None).update(active_seconds=seconds)
    html = client.get(place).content.decode()
    assert '<progress max="9" value="3"' in html
    # Six times the median of 90 s.
    assert "<strong>9</strong> min" in html
