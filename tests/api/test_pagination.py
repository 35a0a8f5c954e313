"""Pages and filters of lists."""

from typing import Any

import pytest

from annotation.models import Assignment, Project, Sentence, User
from tests.api.client import Program, problem_of, program_of
from tests.factories import make_annotator, make_project, next_assignment


@pytest.fixture
def many(owner: User, project: Project) -> list[int]:
    more = [make_project(f"p{number}", sentences=0) for number in range(11)]
    for one in more:
        one.memberships.create(user=owner, role="owner")
    return [project.pk, *(one.pk for one in more)]


def test_pages_link_both_ways(program: Program, many: list[int]) -> None:
    pages, address = [], "/api/v1/projects/?limit=5"
    while address:
        page = program.get(address).json()
        pages.append([row["id"] for row in page["results"]])
        last, address = page, page["next"]
    assert pages == [many[:5], many[5:10], many[10:]]
    before = program.get(last["previous"]).json()
    assert [row["id"] for row in before["results"]] == pages[1]
    first = program.get(before["previous"]).json()
    assert [row["id"] for row in first["results"]] == pages[0]
    assert first["previous"] is None
    assert first["next"]


def test_removed_rows_do_not_move_other_rows(program: Program, many: list[int]) -> None:
    page = program.get("/api/v1/projects/?limit=5").json()
    Project.objects.get(pk=many[2]).memberships.all().delete()
    second = program.get(page["next"]).json()
    assert [row["id"] for row in second["results"]] == many[5:10]


def test_links_keep_the_filters(program: Program, many: list[int]) -> None:
    Project.objects.filter(pk__in=many[::2]).update(state="closed")
    page = program.get("/api/v1/projects/?state=closed&limit=4").json()
    assert [row["id"] for row in page["results"]] == many[:8:2]
    page = program.get(page["next"]).json()
    assert [row["id"] for row in page["results"]] == many[8::2]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("stat=open", "stat"),
        ("state=opened", "state"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=ten", "limit"),
        ("limit=1&limit=2", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=é", "cursor"),
        # Base64 of "p=x", which is not an id.
        ("cursor=cD14", "cursor"),
        ("name=%00", "name"),
        ("format=html", "format"),
    ],
)
def test_errors_name_the_parameter(program: Program, query: str, parameter: str) -> None:
    problem = problem_of(program.send("GET", f"projects/?{query}"), 400)
    assert [error["parameter"] for error in problem["errors"]] == [parameter]


def test_a_list_takes_the_same_queries_for_many_rows(
    owner: User, project: Project, django_assert_max_num_queries: Any
) -> None:
    program = program_of(owner)
    program.send("GET", "projects/")
    for number in range(7):
        make_annotator(project, f"a{number}")
        make_project(f"q{number}", sentences=1).memberships.create(user=owner, role="owner")
    with django_assert_max_num_queries(2):
        assert len(program.send("GET", "projects/").json()["results"]) == 8


@pytest.mark.parametrize(
    "what", ["members", "assignments", "sentences", "systems", "controls", "practice", "files"]
)
def test_each_list_takes_the_same_queries_for_many_rows(
    program: Program,
    project: Project,
    django_assert_max_num_queries: Any,
    what: str,
) -> None:
    path = f"projects/{project.pk}/{what}/"
    program.send("GET", path)
    _add_one(project, 0)
    with django_assert_max_num_queries(100) as few:
        before = len(program.send("GET", path).json()["results"])
    for number in range(1, 6):
        _add_one(project, number)
    with django_assert_max_num_queries(len(few)):
        after = len(program.send("GET", path).json()["results"])
    assert after == before + 5 or what in {"controls", "practice", "files"}


def _add_one(project: Project, number: int) -> None:
    """Add one of each kind of row."""
    sentence = Sentence.objects.create(project=project, number=100 + number, text="the old house")
    sentence.translations.create(text="starý dům", reference=1)
    system = project.systems.create(name=f"s{number}")
    sentence.translations.create(text="dům", system=system)
    person = make_annotator(project, f"p{number}")
    next_assignment(annotator=person, project=project) or Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator=person,
        kind="first",
        slot=1,
        created=sentence.project.created,
        lease_until=sentence.project.created,
    )
