"""Control sentences, as administrators make them and as annotators see them."""

import re
from itertools import pairwise

import pytest

from annotation.judging.control_items import make_controls
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import (
    Assignment,
    Candidate,
    Control,
    Project,
    Sentence,
)
from tests.annotation.judging.practice_setting import (
    address,
    copies,
    found,
    page_of,
    practise_with,
    send,
)
from tests.annotation.web.judge_page import Form, without_secrets
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db

RIGHT = {"card-1-1": "1", "card-1-2": "2", "card-1-3": "garbage", "card-2-1": "2", "card-2-2": "1"}


@pytest.fixture
def project():
    project = make_project(sentences=6)
    # Texts that say other things, to make candidates worse with.
    for number, candidate in enumerate(Candidate.objects.filter(text="dům").order_by("pk")):
        candidate.text = f"slovo{number} jiné{number} docela{number}"
        candidate.save()
    return project


@pytest.fixture
def boss(client, project):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


@pytest.fixture
def checks(project):
    practise_with(project, 1)
    make_controls(project=project, count=1, seed=1)


@pytest.mark.parametrize("name", ["retire-practice", "retire-control"])
def test_a_sentence_that_does_not_exist_is_not_disabled(client, project, checks, boss, name):
    response = client.post(address(name, project, 7), {"retired": "yes"})
    assert response.status_code == 404
    assert client.post(address(name, project, 1), {}).status_code == 400
    assert not Sentence.objects.filter(retired=True).exists()


def test_only_practice_sentences_have_gold_answers(client, project, checks, boss):
    assert client.get(address("change-practice", project, 2)).status_code == 404
    assert client.post(address("change-practice", project, 2), RIGHT).status_code == 404


# --- making control sentences ------------------------------------------------------------------


def test_control_sentences_are_created_and_listed(client, project, boss):
    send(client, "control-sentences", project, count="4")
    assert copies("control").count() == 4
    html = page_of(client, "control-sentences", project)
    assert html.count('data-kind="degraded"') == html.count('data-kind="duplicate"') == 2
    for control in Control.objects.filter(kind="degraded"):
        assert control.changed.text in html


@pytest.mark.parametrize("count", ["", "0", "201", "-1", "x", "1.5", "9" * 30])
def test_a_wrong_number_is_refused(client, project, boss, count):
    response = client.post(address("control-sentences", project), {"count": count})
    assert response.status_code == 400
    assert response.content.decode().count('id="id_count_error"') == 1
    assert not copies("control").exists()


def test_more_than_possible_are_refused(client, project, boss):
    response = client.post(address("control-sentences", project), {"count": "7"})
    assert response.status_code == 400
    html = response.content.decode()
    assert 'id="id_count_error"' in html
    assert 'value="7"' in html
    assert not copies("control").exists()


def test_a_control_sentence_is_disabled_and_enabled_again(client, project, boss):
    make_controls(project=project, count=2, seed=1)
    send(client, "retire-control", project, 2, retired="yes", confirmed="yes")
    assert [control.retired for control in copies("control")] == [False, True]
    assert page_of(client, "control-sentences", project).count('class="retired"') == 1
    send(client, "retire-control", project, 2, retired="no")
    assert not copies("control").filter(retired=True).exists()


@pytest.mark.parametrize(
    ("rate", "controls", "warns"), [(0, 2, True), (0.1, 0, True), (0, 0, False), (0.1, 2, False)]
)
def test_a_share_that_does_not_fit_is_reported(client, project, boss, rate, controls, warns):
    Project.objects.update(control_rate=rate)
    if controls:
        make_controls(project=project, count=controls, seed=1)
    assert ('notice-warning">' in page_of(client, "control-sentences", project)) == warns


def test_results_of_control_sentences_are_listed(client, project, boss):
    Project.objects.update(control_rate=1.0)
    project.refresh_from_db()
    make_controls(project=project, count=2, seed=1)
    for name in ("jana", "petr"):
        judge_one(make_annotator(project, name), project)
    passed = sum(1 for kind in judged_kinds() if kind == "duplicate")
    html = page_of(client, "control-sentences", project)
    part = html[html.index('id="controls"') :]
    judged = [int(n) for n in re.findall(r'data-judged="(\d+)"', part)]
    assert sum(judged) == 2
    # All cards were put on one rank: right for a duplicate only.
    assert sum(int(n) for n in re.findall(r'data-passed="(\d+)"', part)) == passed


def judged_kinds():
    return Control.objects.filter(
        segment__judgements__submission__assignment__state="submitted"
    ).values_list("kind", flat=True)


def test_open_and_skipped_copies_show_their_source(client, project, boss):
    practise_with(project, 5)
    jana = make_annotator(project)
    assignment = assign_next(jana, project, practise=True)
    part = page_of(client, "open-assignments", project)
    assert '<span class="sentence-number figures">5</span>' in part
    assert '<span class="tag">practice</span>' in part
    client.force_login(jana)
    client.post(
        address("skip-sentence", project), {"skip": assignment.pk, "reason": "other", "comment": ""}
    )
    Project.objects.update(control_rate=1.0)
    project.refresh_from_db()
    make_controls(project=project, count=1, seed=1)
    control = assign_next(jana, project)
    assert control.kind == "control"
    client.force_login(boss)
    assert '<span class="tag">practice</span>' in page_of(client, "skipped-sentences", project)
    part = page_of(client, "open-assignments", project)
    assert '<span class="tag">control</span>' in part
    assert f'figures">{control.sentence.source_number}</span>' in part


# --- annotators cannot tell them apart ---------------------------------------------------------


def judge_one(annotator, project):
    assignment = assign_next(annotator, project)
    page = sheet(assignment)
    submit(
        annotator=annotator,
        project=project,
        assignment_id=assignment.pk,
        token=page.token,
        choices={card.key: 1 for segment in page.segments for card in segment.cards},
        active_seconds=30,
    )
    return assignment


def neutral(html):
    """Leave out of the page what differs between any two assignments."""
    html = without_secrets(html)
    html = re.sub(r"assignments/\d+/", "assignments/N/", html)
    html = re.sub(r'data-sentence="\d+-\d+"', "", html)
    return re.sub(r'name="(assignment|skip)" value="\d+"', "", html)


def test_the_page_of_a_control_sentence_looks_like_any_other(client, project):
    """The same assignment as a first one, and as one for control."""
    jana = make_annotator(project)
    client.force_login(jana)
    make_controls(project=project, count=2, seed=1)
    Project.objects.update(control_rate=1.0)
    project.refresh_from_db()
    assignment = assign_next(jana, project)
    assert assignment.kind == "control"
    as_control = client.get(address("judge", project))
    html = as_control.content.decode()
    for word in ("control", "duplicate", "degraded"):
        assert word not in html.lower()
    # The copy becomes a sentence like all others, and the share is that of before.
    sentence = assignment.sentence
    Control.objects.all().delete()
    copies("control").exclude(pk=sentence.pk).update(retired=True)
    Assignment.objects.filter(pk=assignment.pk).update(kind="first", slot=1)
    as_first = client.get(address("judge", project))
    # Its figures have a test of their own, below.
    pages = [FIGURES.sub("", page.content.decode()) for page in (as_first, as_control)]
    assert neutral(pages[0]) == neutral(pages[1])
    assert set(as_first.headers) == set(as_control.headers)


FIGURES = re.compile(r'<div class="judge-progress.*?</div>', re.DOTALL)


def figures(html):
    """Return submitted assignments and what is left, as the judging page shows them."""
    names = ("assignments", "left")
    return tuple(int(found(rf'data-{name}="(\d+)"', html)[1]) for name in names)


def test_progress_does_not_reveal_control_sentences(client):
    project = make_project(
        sentences=20, numbered=True, segments={"0 1": ("a b", "c d"), "2 3": ("e f", "g h")}
    )
    make_controls(project=project, count=10, seed=1)
    Project.objects.update(control_rate=0.2)
    project.refresh_from_db()
    jana = make_annotator(project)
    client.force_login(jana)
    seen, kinds, new = [], [], []
    had = set()
    for _number in range(20):
        html = page_of(client, "judge", project)
        mine, left = figures(html)
        first_page = client.get("/").content.decode()
        assert f'data-assignments="{mine}">' in first_page
        seen.append((mine, left))
        judged = judge_one(jana, project)
        kinds.append(judged.kind)
        source = judged.sentence.source_number
        new.append(source not in had)
        had.add(source)
    assert kinds.count("control") == 4
    assert seen[0] == (0, 20)
    for (before, after), is_new in zip(pairwise(seen), new[:-1], strict=True):
        assert after == (before[0] + 1, before[1] - is_new)


def test_responses_do_not_reveal_control_sentences(client, project):
    jana = make_annotator(project)
    client.force_login(jana)
    make_controls(project=project, count=6, seed=1)
    Project.objects.update(control_rate=0.5)
    answers_by_kind: dict[str, list[tuple[object, ...]]] = {}
    for _number in range(8):
        form = Form(page_of(client, "judge", project))
        assignment = Assignment.objects.get(state="open")
        skip = client.get(address("skip-sentence", project)).content.decode()
        response = client.post(address("judge", project), form.filled())
        answers_by_kind.setdefault(assignment.kind, []).append(
            (response.status_code, response.headers["Location"], neutral(skip))
        )
    assert set(answers_by_kind) == {"first", "control"}
    assert len({answer for those in answers_by_kind.values() for answer in those}) == 1
    # What was judged for control is listed with all the rest.
    listed = page_of(client, "my-judgements", project)
    assert len(re.findall(r'class="past-one"', listed)) == 8
