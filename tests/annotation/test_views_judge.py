"""The judging page, as plain HTML and without a browser."""

import re
from contextlib import contextmanager
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.drafts import save_draft
from annotation.instructions import write_instructions
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Membership,
    Placement,
    Project,
    Segment,
    ShownCandidate,
    Skip,
    Submission,
    System,
)
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


class Form(HTMLParser):
    """The fields of the judging form: hidden values, and the values of each radio group."""

    def __init__(self, html):
        super().__init__()
        self.hidden, self.radios, self.checked = {}, {}, {}
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        field = dict(attributes)
        if tag == "form":
            self.inside = field.get("id") == "judgement"
        if not self.inside:
            return
        if tag == "input" and field["type"] == "hidden":
            self.hidden[field["name"]] = field["value"]
        if tag == "input" and field["type"] == "radio":
            self.radios.setdefault(field["name"], []).append(field["value"])
            if "checked" in field:
                self.checked[field["name"]] = field["value"]

    def filled(self, value="1"):
        return self.hidden | dict.fromkeys(self.radios, value)


@pytest.fixture
def project():
    return make_project(intra_rate=0, inter_rate=0)


@pytest.fixture
def jana(client, project):
    user = make_annotator(project)
    client.force_login(user)
    return user


@pytest.fixture
def url(project):
    return reverse("judge", args=[project.pk])


def get_form(client, url):
    return Form(client.get(url).content.decode())


# --- what is shown ----------------------------------------------------------------------------


def test_it_shows_source_reference_segments_and_all_candidates_unplaced(client, jana, url):
    html = client.get(url).content.decode()
    form = Form(html)
    assert "the old house stands near the river" in html
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


def test_it_never_tells_the_name_of_a_system(client, jana, project, url):
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


def without_secrets(html):
    return re.sub(r'name="(csrfmiddlewaretoken|token)" value="[^"]+"', "", html)


def test_nothing_on_the_page_depends_on_which_system_made_what(client, jana, url):
    before = client.get(url).content.decode()
    made = list(Candidate.objects.order_by("pk").values_list("text"))
    turn_systems_round(Assignment.objects.get())
    assert list(Candidate.objects.order_by("pk").values_list("text")) != made
    assert without_secrets(client.get(url).content.decode()) == without_secrets(before)


def test_candidates_go_by_their_places_on_the_screen(client, jana, url):
    names = list(get_form(client, url).radios)
    assert names == ["card-1-1", "card-1-2", "card-1-3", "card-2-1", "card-2-2"]


def test_texts_under_judgement_carry_their_language(client, jana, project, url):
    Project.objects.update(source_language="de", target_language="ar")
    html = client.get(url).content.decode()
    assert re.search(r'<p class="source" lang="de" dir="auto">', html)
    assert re.search(r'<p class="reference" lang="ar" dir="auto">', html)
    assert len(re.findall(r'<bdi lang="ar" dir="auto">', html)) == 5


def test_languages_of_texts_are_valid_tags(client, jana, project, url):
    Project.objects.update(source_language="zh_Hant_TW", target_language="pt_BR")
    tags = set(re.findall(r' lang="([^"]*)" dir="auto"', client.get(url).content.decode()))
    assert tags == {"zh-Hant-TW", "pt-BR"}


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


def test_instructions_are_open_until_the_first_sentence_is_submitted(client, jana, url):
    html = client.get(url).content.decode()
    assert re.search('<details class="instructions" [^>]* open>', html)
    assert "a missing word is one" in html
    client.post(url, Form(html).filled())
    following = client.get(url).content.decode()
    assert re.search('<details class="instructions" [^>]*>', following)
    assert not re.search('<details class="instructions" [^>]* open>', following)


def test_a_project_can_have_its_own_instructions(client, jana, project, url):
    write_instructions(project=project, author=jana, text="Look at <b>*verbs*</b>.\n\nNo commas.")
    html = client.get(url).content.decode()
    assert "<p>Look at &lt;b&gt;<em>verbs</em>&lt;/b&gt;.</p>" in html
    assert "<p>No commas.</p>" in html
    assert f'data-version="{project.pk}-1"' in html
    assert "drag it by its handle" in html
    assert "a missing word is one" not in html


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


# --- submitting -------------------------------------------------------------------------------


def stored_by_card():
    """Return what is stored of the one submitted sentence, as the form had it."""
    shown = ShownCandidate.objects.filter(assignment__state="submitted")
    places = dict(shown.values_list("candidate", "position"))
    segments = sorted(Judgement.objects.values_list("segment", flat=True))
    return {
        f"card-{segments.index(row.candidate.segment_id) + 1}-{places[row.candidate_id]}": str(
            row.rank or "garbage"
        )
        for row in Placement.objects.select_related("candidate")
    }


def test_submitting_stores_what_was_chosen_and_goes_on(client, jana, project, url):
    form = get_form(client, url)
    data = form.hidden | {
        name: values[-1 - i % 2] for i, (name, values) in enumerate(form.radios.items())
    }
    response = client.post(url, data)
    assert response.status_code == 302
    assert response.headers["Location"] == url
    assert stored_by_card() == {
        name: value for name, value in data.items() if name.startswith("card-")
    }
    assert get_form(client, url).hidden["assignment"] != form.hidden["assignment"]


def test_the_same_submission_twice_is_stored_once_and_not_a_fault(client, jana, url):
    data = get_form(client, url).filled()
    assert client.post(url, data).status_code == 302
    assert client.post(url, data).status_code == 302
    assert Placement.objects.count() == 5


def test_another_form_of_a_submitted_sentence_is_refused_kindly(client, jana, url):
    one, two = get_form(client, url), get_form(client, url)
    client.post(url, one.filled("1"))
    response = client.post(url, two.filled("2"))
    assert response.status_code == 409
    assert "submitted this sentence before" in response.content.decode()
    assert set(Placement.objects.values_list("rank", flat=True)) == {1}


def test_something_unplaced_is_said_and_the_other_choices_are_kept(client, jana, url):
    form = get_form(client, url)
    data = form.filled("garbage")
    left_out = next(iter(form.radios))
    del data[left_out]
    response = client.post(url, data)
    html = response.content.decode()
    again = Form(html)
    assert response.status_code == 400
    assert 'role="alert"' in html
    assert html.count("not placed yet</span>") == 1
    assert again.checked == {name: "garbage" for name in form.radios if name != left_out}
    assert again.hidden["assignment"] == form.hidden["assignment"]
    assert not Judgement.objects.exists()
    assert client.post(url, again.filled()).status_code == 302


def changed(**changes):
    def change(form, data):
        card, other = list(form.radios)[:2]
        return data | {
            {"card": card, "other": other}.get(name, name): value for name, value in changes.items()
        }

    return change


@pytest.mark.parametrize(
    "change",
    [
        changed(card="0"),
        changed(card="4"),
        changed(card="-1"),
        changed(card="1.0"),
        changed(card="١"),
        changed(card="first"),
        changed(card=""),
        changed(card="9" * 400),
        changed(card=["1", "2"]),
        changed(**{"card-99999": "1"}),
        changed(**{"card-1-4": "1"}),
        changed(**{"card-3-1": "1"}),
        changed(**{"card-0-0": "1"}),
        changed(**{"card-1-1-1": "1"}),
        changed(**{"card-1": "1"}),
        changed(**{"card-999999999999999999": "1"}),
        changed(**{"card-" + "9" * 300: "1"}),
        changed(**{"card-x": "1"}),
        changed(token=""),
        changed(token="not-a-token"),
        changed(assignment=""),
        changed(assignment="x"),
        changed(assignment="9" * 300),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence_and_nothing_is_stored(
    client, jana, url, change
):
    form = get_form(client, url)
    response = client.post(url, change(form, form.filled()))
    assert response.status_code == 400
    assert re.search(
        r'role="alert">\s*<p>\w|<h1>This was not stored</h1>\s*<p>\w', response.content.decode()
    )
    assert not Judgement.objects.exists()
    assert Assignment.objects.get().state == "open"


def test_a_candidate_posted_under_two_spellings_of_its_number_is_refused(client, jana, url):
    form = get_form(client, url)
    card = next(iter(form.radios))
    response = client.post(url, form.filled() | {card.replace("card-", "card-0"): "2"})
    assert response.status_code == 400
    assert not Judgement.objects.exists()


def test_somebody_elses_sentence_is_refused(client, jana, project, url):
    petr = make_annotator(project, "petr")
    data = get_form(client, url).filled()
    other = Client()
    other.force_login(petr)
    response = other.post(url, data)
    assert response.status_code == 403
    assert not Judgement.objects.exists()


def test_a_sentence_that_does_not_exist_is_refused(client, jana, url):
    data = get_form(client, url).filled() | {"assignment": "424242"}
    assert client.post(url, data).status_code == 403
    assert not Judgement.objects.exists()


def test_a_post_without_the_forms_own_token_is_refused(project, url):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(make_annotator(project))
    response = careful.post(
        url, get_form(careful, url).filled() | {"csrfmiddlewaretoken": "x" * 32}
    )
    assert response.status_code == 403
    assert "open for too long" in response.content.decode()
    assert "still in their places" in response.content.decode()
    assert not Judgement.objects.exists()


def test_ten_megabytes_are_refused(client, jana, url):
    response = client.post(url, {"token": "x" * 10_000_000})
    assert response.status_code == 400
    assert not Judgement.objects.exists()


def test_ten_thousand_fields_are_refused(client, jana, url):
    response = client.post(url, {f"card-{i}": "1" for i in range(10_000)})
    assert response.status_code == 400


# --- when there is nothing to judge -------------------------------------------------------------


def test_who_is_no_member_finds_nothing_there(client, project, url):
    client.force_login(make_annotator(make_project("castles"), "eve"))
    assert client.get(url).status_code == 404
    assert client.post(url, {}).status_code == 404
    assert client.get(reverse("judge", args=[424242])).status_code == 404
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("preparing", "Still being prepared"),
        ("failed", "did not succeed"),
        ("closed", "Judging is paused"),
    ],
)
def test_a_project_that_is_not_open_says_why(client, jana, url, state, words):
    Project.objects.update(state=state)
    page = client.get(url)
    assert page.status_code == 200
    assert words in page.content.decode()
    assert not Assignment.objects.exists()


def test_when_nothing_is_left_it_says_thank_you(client, jana, project, url):
    for _sentence in project.sentences.all():
        client.post(url, get_form(client, url).filled())
    html = client.get(url).content.decode()
    assert "Nothing is left for you" in html
    assert "<strong>3</strong> of 3" in html


def test_what_a_browser_keeps_is_kept_for_one_annotator_project_and_sentence(client, jana, url):
    def kept(html):
        return re.findall(r'data-kept="(.*?)" data-sentence="(.*?)"', html)[0]

    page = client.get(url).content.decode()
    assert kept(page) == kept(client.get(url).content.decode())
    client.post(url, Form(page).filled())
    following = client.get(url).content.decode()
    assert kept(following)[0] == kept(page)[0]
    assert kept(following)[1] != kept(page)[1]
    Project.objects.update(state="closed")
    client.post(url, Form(following).filled())
    assert kept(client.get(url).content.decode()) == (kept(page)[0], "")


def test_pages_of_judging_are_never_cached(client, jana, url):
    assert "no-store" in client.get(url).headers["Cache-Control"]


# --- what was saved, what is left, skipping -----------------------------------------------------


def save(annotator, project, choices):
    return save_draft(
        annotator=annotator,
        project=project,
        assignment_id=Assignment.objects.get(annotator=annotator, state="open").pk,
        base=0,
        choices=choices,
        active_seconds=7.5,
    )


def test_the_draft_on_the_server_is_what_the_page_shows(client, jana, project, url):
    assert 'data-version="0"' in client.get(url).content.decode()
    save(jana, project, {"1-1": 2, "2-1": "garbage"})
    html = client.get(url).content.decode()
    assert Form(html).checked == {"card-1-1": "2", "card-2-1": "garbage"}
    assert 'data-version="1" data-active="7.5"' in html


def test_what_came_back_with_a_complaint_is_newer_than_the_draft(client, jana, project, url):
    form = get_form(client, url)
    save(jana, project, {"1-1": 2, "1-2": 2})
    html = client.post(url, form.hidden | {"card-1-1": "3"}).content.decode()
    assert Form(html).checked == {"card-1-1": "3"}
    assert 'data-posted="yes"' in html


def test_it_tells_what_is_left_and_an_estimate_once_the_pace_is_known(client, jana, project, url):
    Project.objects.update(judges_per_sentence=1)
    bigger = make_project("castles", sentences=9, intra_rate=0, inter_rate=0)
    Membership.objects.create(user=jana, project=bigger, role="annotator")
    place = reverse("judge", args=[bigger.pk])
    for seconds in (60, 90, 600):
        html = client.get(place).content.decode()
        assert "min. more" not in html
        client.post(place, Form(html).filled())
        Submission.objects.filter(active_seconds=None).update(active_seconds=seconds)
    html = client.get(place).content.decode()
    assert "left for you: <strong>6</strong>" in html
    # Six times the median of 90 s.
    assert "about <strong>9</strong> min. more" in html


def skip_url(project):
    return reverse("skip-sentence", args=[project.pk])


def test_skipping_asks_for_a_reason_and_goes_on(client, jana, project, url):
    first = get_form(client, url).hidden["assignment"]
    page = client.get(skip_url(project)).content.decode()
    assert f'name="skip" value="{first}"' in page
    data = {"skip": first, "reason": "offensive", "comment": "  rude  "}
    response = client.post(skip_url(project), data)
    assert response.status_code == 302
    assert response.headers["Location"] == url
    skipped = Skip.objects.get()
    assert (str(skipped.assignment_id), skipped.reason, skipped.comment) == (
        first,
        "offensive",
        "rude",
    )
    assert get_form(client, url).hidden["assignment"] != first


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"reason": ""}, 400),
        ({"reason": "boring"}, 400),
        ({"comment": "x" * 2001}, 400),
        ({"skip": "x"}, 400),
        ({"skip": "9" * 30}, 400),
        ({"skip": "424242"}, 409),
    ],
)
def test_a_skip_that_makes_no_sense_is_refused(client, jana, project, url, change, status):
    data = {"skip": get_form(client, url).hidden["assignment"], "reason": "other"} | change
    assert client.post(skip_url(project), data).status_code == status
    assert not Skip.objects.exists()


def test_nobody_skips_a_sentence_of_somebody_else(client, jana, project, url):
    number = get_form(client, url).hidden["assignment"]
    other = Client()
    other.force_login(make_annotator(project, "petr"))
    response = other.post(skip_url(project), {"skip": number, "reason": "other"})
    assert response.status_code == 409
    assert Assignment.objects.get().state == "open"


def test_with_nothing_open_skipping_leads_back(client, jana, project, url):
    assert client.get(skip_url(project)).headers["Location"] == url
    stranger = Client()
    stranger.force_login(make_annotator(make_project("castles"), "eve"))
    assert stranger.get(skip_url(project)).status_code == 404
