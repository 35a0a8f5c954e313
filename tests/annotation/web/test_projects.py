"""The list of the user's projects."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Project, Segment, Sentence
from annotation.web.views.projects import PROJECTS_PER_PAGE as PAGE
from tests.factories import assign_next, make_annotator, make_project, places

pytestmark = pytest.mark.django_db


def judge_one(user, project):
    assignment = assign_next(user, project)
    page = sheet(assignment)
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}
    submit(
        annotator=user,
        project=project,
        assignment_id=page.assignment_id,
        token=page.token,
        choices=choices,
    )


@pytest.mark.parametrize(
    ("role", "name"), [("annotator", "judge"), ("observer", "overview"), ("owner", "overview")]
)
def test_the_address_of_a_project_leads_to_its_first_page(client, role, name):
    project = make_project()
    client.force_login(make_annotator(project, "jana", role))
    answer = client.get(f"/projects/{project.pk}/")
    assert answer.headers["Location"] == reverse(name, args=[project.pk])
    assert client.get("/projects/").headers["Location"] == reverse("projects")
    client.force_login(make_annotator(make_project("Another"), "eva", role))
    assert client.get(f"/projects/{project.pk}/").status_code == 404


def test_strangers_have_to_sign_in(client):
    assert client.get("/").headers["Location"].startswith(reverse("sign-in"))


def test_it_shows_only_the_projects_of_the_user(client):
    mine, other = make_project("houses"), make_project("castles")
    client.force_login(make_annotator(mine))
    page = client.get("/").content.decode()
    assert "houses" in page
    assert "castles" not in page
    assert reverse("judge", args=[mine.pk]) in page
    assert reverse("judge", args=[other.pk]) not in page


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("pt-BR", "Portuguese (Brazil)"),
        ("zh-Hans", "Chinese (Simplified)"),
        ("haw", "Hawaiian"),
        ("taq-Tfng", "Tamasheq (Tifinagh)"),
    ],
)
def test_it_names_languages_with_their_scripts_and_regions(client, code, name):
    project = make_project(sentences=1)
    Project.objects.update(target_language=code)
    client.force_login(make_annotator(project))
    assert f"English → {name}</p>" in client.get("/").content.decode()


def test_it_counts_sentences_for_observers_and_assignments_for_annotators(client):
    project = make_project(sentences=3, intra_rate=1.0)
    empty = Sentence.objects.create(project=project, number=9, text="x y z", tokens=places("x y z"))
    Segment.objects.create(sentence=empty, token_indices="0 1 2")
    jana = make_annotator(project)
    for _time in range(4):
        judge_one(jana, project)
    mine = jana.assignments.values("sentence").distinct().count()
    assert mine < 4
    client.force_login(jana)
    assert 'data-assignments="4">' in client.get("/").content.decode()
    client.force_login(make_annotator(project, "boss", "administrator"))
    progress = f'data-assignments="0" data-judged="{mine}" data-sentences="3">'
    assert progress in client.get("/").content.decode()


def test_only_administrators_are_offered_the_report(client):
    project = make_project()
    link = reverse("report", args=[project.pk])
    client.force_login(make_annotator(project))
    assert link not in client.get("/").content.decode()
    client.force_login(make_annotator(project, "boss", "administrator"))
    assert link in client.get("/").content.decode()


@pytest.mark.parametrize("state", ["preparing", "closed", "failed"])
def test_a_project_that_is_not_open_cannot_be_judged(client, state):
    project = make_project()
    Project.objects.update(state=state)
    client.force_login(make_annotator(project))
    page = client.get("/").content.decode()
    assert f'data-state="{state}"' in page
    assert reverse("judge", args=[project.pk]) not in page
    assert reverse("my-judgements", args=[project.pk]) in page


def test_judging_is_the_main_button_while_something_is_left(client):
    project = make_project(sentences=1, intra_rate=0, inter_rate=0)
    jana = make_annotator(project)
    client.force_login(jana)
    assert "button-main" in client.get("/").content.decode()
    judge_one(jana, project)
    page = client.get("/").content.decode()
    assert reverse("judge", args=[project.pk]) in page
    assert "button-main" not in page
    # Others judged what there was; one more judge of each sentence is wanted.
    client.force_login(make_annotator(project, "petr"))
    assert "button-main" not in client.get("/").content.decode()
    Project.objects.update(judges_per_sentence=2)
    assert "button-main" in client.get("/").content.decode()


def test_the_number_of_queries_does_not_grow(client):
    user = make_annotator(make_project("p0", sentences=1))
    client.force_login(user)
    with CaptureQueriesContext(connection) as one:
        client.get("/")
    for number in range(1, 10):
        make_annotator(make_project(f"p{number}", sentences=1))
    with CaptureQueriesContext(connection) as ten:
        client.get("/")
    assert len(ten) == len(one) <= 10


def test_many_projects_are_on_several_pages(client):
    for number in range(PAGE + 1):
        user = make_annotator(make_project(f"p{number:02}", sentences=1, segments={}))
    client.force_login(user)
    first, second = (client.get(f"/?page={page}").content.decode() for page in (1, 2))
    assert f"p{PAGE - 1}</bdi>" in first
    assert f"p{PAGE}</bdi>" not in first
    assert second.count("<bdi>p") == 1
    assert f"p{PAGE}</bdi>" in second
    assert 'aria-current="page"' in second


def test_it_escapes_what_people_wrote(client):
    project = make_project("<b>houses</b>", sentences=1, description="<script>alert(1)</script>")
    client.force_login(make_annotator(project))
    page = client.get("/").content.decode()
    assert "<b>houses" not in page
    assert "<script>alert" not in page


def test_superusers_see_all_projects_and_judge_only_as_members(client):
    mine, other = make_project("houses"), make_project("castles")
    admin = make_annotator(mine, "admin", role="administrator")
    admin.is_superuser = True
    admin.save()
    client.force_login(admin)
    page = client.get("/").content.decode()
    assert reverse("report", args=[other.pk]) in page
    assert reverse("judge", args=[mine.pk]) in page
    assert reverse("judge", args=[other.pk]) not in page
    assert client.get(reverse("judge", args=[other.pk])).status_code == 404


def test_ten_projects_are_searched_and_sorted(client):
    old = make_project("old castle")
    Project.objects.update(state="closed")
    boss = make_annotator(old, "boss", "owner")
    for number in range(8):
        make_annotator(make_project(f"house {number}"), "boss", "owner")
    client.force_login(boss)
    assert 'class="project-search"' not in client.get("/").content.decode()
    make_annotator(make_project("a new castle"), "boss", "owner")
    assert 'class="project-search"' in client.get("/").content.decode()

    def names(query):
        return [one.project.name for one in client.get(f"/?{query}").context["all_progress"]]

    assert names("q=CASTLE") == ["a new castle", "old castle"]
    assert names("sort=newest")[0] == "a new castle"
    assert names("sort=name")[-1] == "old castle"
    # The order is unknown.
    assert names("sort=x&q=castle") == ["a new castle", "old castle"]
    assert 'data-reason="none-found"' in client.get("/?q=tower").content.decode()


def test_cards_name_the_kind_of_judgement(client):
    project = make_project(kind="post_editing")
    client.force_login(make_annotator(project))
    assert 'data-kind="post_editing"' in client.get("/").content.decode()
