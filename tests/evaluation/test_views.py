import json

import pytest
from django.urls import reverse

from annotation.judging.control_items import make_controls
from annotation.models import Job, Projection, User
from tests.annotation.import_export.exchange_files import add_practice, give, hand_in
from tests.evaluation.projects import submit, submit_control
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}, seconds=30)
    submit(project, petr, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}, seconds=10)
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def results(client, project):
    return client.get(reverse("results", args=[project.pk]))


def test_it_shows_the_systems_best_first(client, project, boss):
    page = results(client, project).content.decode()

    assert page.index("<bdi>A</bdi>") < page.index("<bdi>B</bdi>") < page.index("<bdi>C</bdi>")
    assert '<td class="number ratio">1.000</td>' in page
    assert "ratio of wins|ties ignored|repeats included|judgements 4|sentences 1" in page


def test_it_shows_the_annotators_and_their_time(client, project, boss):
    page = results(client, project).content.decode()

    assert "<bdi>jana</bdi>" in page
    assert '<td class="number">0:01:00</td>' in page
    assert "alike in 3 of 4 pairs" in page
    assert "no two judgements of the same segment to compare yet" in page


def test_it_writes_numbers_as_the_readers_language_does(client, project, boss):
    client.cookies["django_language"] = "cs"

    page = results(client, project).content.decode()

    assert '<td class="number ratio">1,000</td>' in page
    assert 'width="1.0"' in page


def test_nothing_judged_yet_is_said_kindly(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))

    page = results(client, project).content.decode()

    assert "Nothing is judged yet" in page
    assert "6 segments wait for their judges." in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("state", "job", "said"),
    [
        ("preparing", {"state": "queued"}, "Waiting to be prepared"),
        (
            "preparing",
            {"state": "running", "stage": "alignment", "done": 30, "total": 70},
            "At work: aligning words, 30 of 70.",
        ),
        (
            "failed",
            {"state": "failed", "error": "<trees>, line 3: 4 leaves, 5 tokens."},
            "&lt;trees&gt;, line 3: 4 leaves, 5 tokens.",
        ),
    ],
)
def test_it_shows_how_far_the_preparation_is(client, project, boss, state, job, said):
    Job.objects.create(project=project, **job)
    project.state = state
    project.save()

    page = results(client, project).content.decode()

    assert said in page
    assert (f"manage.py delete_project {project.pk}" in page) == (state == "failed")
    assert "<table" not in page


def test_a_failed_project_may_have_come_without_its_job(client, project, boss):
    project.state = "failed"
    project.save()

    assert "The preparation failed" in results(client, project).content.decode()


def test_systems_that_are_not_known_are_said_to_be(client, project, boss):
    Projection.objects.all().delete()
    project.systems.all().delete()

    assert "no ranking is possible" in results(client, project).content.decode()


def test_judgements_of_unknown_people_are_mentioned(client, project, boss):
    nobody = User.objects.create(username="unknown", unidentified=True)
    submit(project, nobody, 2, {"4 5 6": [1, 2]})

    assert "One judgement is by an unknown annotator." in results(client, project).content.decode()


def test_names_are_escaped(client, project, boss):
    User.objects.filter(username="jana").update(display_name="<script>")

    assert "<bdi>&lt;script&gt;</bdi>" in results(client, project).content.decode()


def test_it_has_no_inline_script_or_style(client, project, boss):
    page = results(client, project).content.decode()

    assert "style=" not in page
    assert "<script" not in page


def test_the_export_is_the_thesis_json_as_a_download(client, project, boss):
    response = client.get(reverse("results-export-json", args=[project.pk]))

    assert response.streaming
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"] == 'attachment; filename="houses.json"'
    exported = json.loads(b"".join(response))
    assert exported["1,the old house"][0] == {"starý dům": 1, "stará dům": 2, "dům": 100}


@pytest.mark.parametrize("name", ["results", "results-export-json"])
def test_annotators_may_not_see_it(client, project, name):
    client.force_login(User.objects.get(username="jana"))

    assert client.get(reverse(name, args=[project.pk])).status_code == 403


@pytest.mark.parametrize("name", ["results", "results-export-json"])
def test_another_projects_administrator_does_not_find_it(client, project, name):
    client.force_login(make_annotator(make_project("other"), "boss", "administrator"))

    assert client.get(reverse(name, args=[project.pk])).status_code == 404


@pytest.mark.parametrize("name", ["results", "results-export-json"])
def test_strangers_are_asked_to_sign_in(client, project, name):
    response = client.get(reverse(name, args=[project.pk]))

    assert response.status_code == 302
    assert response["Location"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("name", ["results", "results-export-json"])
def test_it_only_answers_get(client, project, boss, name):
    assert client.post(reverse(name, args=[project.pk])).status_code == 405


def test_it_shows_how_control_was_passed(client, project, boss):
    make_controls(project=project, count=2, seed=1)
    jana = User.objects.get(username="jana")
    submit_control(project, jana, 1, passes=True)
    submit_control(project, jana, 2, passes=False)

    page = results(client, project).content.decode()

    assert "Controls passed" in page
    assert '<td class="number">0.500 <span class="of">1 of 2</span></td>' in page
    assert '<td class="number">–</td>' in page
    assert "Both in the garbage bin pass too." in page
    assert "|2 control segments apart|" in page
    assert "ratio of wins|ties ignored|repeats included|judgements 4|sentences 1" in page


def test_it_says_nothing_of_control_and_practice_where_there_is_none(client, project, boss):
    page = results(client, project).content.decode()

    assert "Control" not in page
    assert "Practice" not in page


def test_it_shows_how_annotators_practised(client, project, boss):
    add_practice(project, 3, {"dům": 2})
    petr = User.objects.get(username="petr")
    hand_in(give(project, petr, practise=True), {"dům": 2, "starý dům": 2})

    page = results(client, project).content.decode()

    assert "How annotators did in the practice round" in page
    assert '<td class="number">0 of 1</td>' in page
    assert '<td class="number">0.500 <span class="of">2 of 4</span></td>' in page
    assert page.index("Who judged") < page.index("practice-heading") < page.index("export-heading")


def test_practice_is_shown_before_anything_is_judged(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    add_practice(project, 3, {"dům": 2})

    page = results(client, project).content.decode()

    assert "Nothing is judged yet" in page
    assert "The practice round waits for its first annotator." in page


def test_of_very_many_judgements_it_leads_to_the_report(client, project, boss, monkeypatch):
    monkeypatch.setattr("evaluation.web.views.results.MOST_JUDGEMENTS", 1)
    page = results(client, project).content.decode()
    assert "This project has more than 1 judgements." in page
    assert f'href="{reverse("report", args=[project.pk])}">To the report' in page
    assert "Which systems are better" not in page


@pytest.mark.parametrize("more", [0, 5])
def test_it_asks_as_many_queries_however_much_there_is(
    client, project, boss, more, django_assert_num_queries
):
    for number in range(more):
        person = make_annotator(project, f"annotator{number}")
        submit(project, person, 2, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})

    # Session, user, project, role (once more for the buttons), whether there is too much, summary,
    # seven of loading, four of control, one of practice.
    with django_assert_num_queries(20):
        results(client, project)
