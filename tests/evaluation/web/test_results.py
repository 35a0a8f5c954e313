import pytest
from django.urls import reverse

from annotation.judging.control_items import make_controls
from annotation.models import Job, Projection, Segment, User
from tests.annotation.import_export.exchange_files import add_practice, submit_ranks
from tests.evaluation.projects import submit, submit_control
from tests.evaluation.web.pages import data
from tests.factories import assign_next, make_annotator, make_project

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
    return client.get(reverse("results", args=[project.pk])).content.decode()


def test_it_shows_systems_best_first_and_annotators_with_their_time(client, project, boss):
    page = results(client, project)

    assert page.index("<bdi>A</bdi>") < page.index("<bdi>B</bdi>") < page.index("<bdi>C</bdi>")
    assert '<td class="number ratio">1.000</td>' in page
    assert "ratio of wins|ties ignored|repeats included|judgements 4|sentences 1" in page
    assert "<bdi>jana</bdi>" in page
    assert '<td class="number">0:01:00</td>' in page
    assert "practice-heading" not in page
    assert 'id="unidentified"' not in page


def test_one_text_of_two_systems_is_apart_from_ties(client, project, boss):
    project.systems.create(name="D")
    segment = Segment.objects.get(sentence__number=1, token_indices="0 1 2")
    first = segment.candidates.order_by("pk")[0]
    Projection.objects.create(
        system=project.systems.get(name="D"), segment=segment, candidate=first
    )

    page = results(client, project)

    row = page[page.index("<bdi>D</bdi>") :]
    assert '<td class="number ties">0</td>' in row
    assert '<td class="number same-text">2</td>' in row


def test_numbers_follow_the_language(client, project, boss):
    client.cookies["django_language"] = "cs"

    page = results(client, project)

    assert '<td class="number ratio">1,000</td>' in page
    assert 'width="1.0"' in page


def test_a_project_without_judgements_has_no_table(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    add_practice(project, 3, {"dům": 2})

    page = results(client, project)

    assert 'id="nothing-judged"' in page
    assert 'id="practice-heading"' in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("state", "job", "shown"),
    [
        ("preparing", {"state": "queued"}, "queued"),
        ("preparing", {"state": "running", "stage": "alignment", "done": 3, "total": 7}, "running"),
        ("failed", {"state": "failed", "error": "<trees>, line 3"}, "failed"),
        ("failed", None, "failed"),
    ],
)
def test_it_shows_the_state_of_the_preparation(client, project, boss, state, job, shown):
    if job:
        Job.objects.create(project=project, **job)
    project.state = state
    project.save()

    page = results(client, project)

    assert data(page, "state") == shown
    assert (f"manage.py delete_project {project.pk}" in page) == (state == "failed")
    assert ("&lt;trees&gt;, line 3" in page) == bool(job and "error" in job)
    assert "<table" not in page


def test_unknown_systems_cannot_be_ranked(client, project, boss):
    Projection.objects.all().delete()
    project.systems.all().delete()

    assert 'id="no-systems"' in results(client, project)


def test_judgements_of_unidentified_annotators_are_mentioned(client, project, boss):
    unidentified = User.objects.create(username="unknown", unidentified=True)
    submit(project, unidentified, 2, {"4 5 6": [1, 2]})

    assert 'id="unidentified"' in results(client, project)


def test_names_are_escaped_and_nothing_is_inline(client, project, boss):
    User.objects.filter(username="jana").update(display_name="<script>")

    page = results(client, project)

    assert "<bdi>&lt;script&gt;</bdi>" in page
    assert "<script" not in page
    assert "style=" not in page


def test_it_shows_passed_controls(client, project, boss):
    make_controls(project=project, count=2, seed=1)
    jana = User.objects.get(username="jana")
    submit_control(project, jana, 1, passes=True)
    submit_control(project, jana, 2, passes=False)

    page = results(client, project)

    assert '<td class="number">0.500 <span class="of">1 of 2</span></td>' in page
    assert '<td class="number">–</td>' in page
    assert "|2 control segments apart|" in page
    assert "ratio of wins|ties ignored|repeats included|judgements 4|sentences 1" in page


def test_it_shows_practice_results(client, project, boss):
    add_practice(project, 3, {"dům": 2})
    petr = User.objects.get(username="petr")
    submit_ranks(assign_next(petr, project, practise=True), {"dům": 2, "starý dům": 2})

    page = results(client, project)

    assert '<td class="number">0 of 1</td>' in page
    assert '<td class="number">0.500 <span class="of">2 of 4</span></td>' in page
    assert page.index("annotators-heading") < page.index("practice-heading")


def test_many_judgements_are_left_to_the_report(client, project, boss, monkeypatch):
    monkeypatch.setattr("evaluation.web.views.results.MOST_JUDGEMENTS", 1)

    page = results(client, project)

    assert 'id="too-many"' in page
    assert f'href="{reverse("report", args=[project.pk])}"' in page
    assert "<table" not in page


@pytest.mark.parametrize("more", [0, 5])
def test_the_number_of_queries_is_constant(client, project, boss, more, django_assert_num_queries):
    for number in range(more):
        person = make_annotator(project, f"annotator{number}")
        submit(project, person, 2, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})

    # Session, user, project, role (once more for the buttons), the number of judgements, summary,
    # seven of loading, four of control, one of practice, two of sentences, four of assignments.
    with django_assert_num_queries(26):
        results(client, project)
