"""What a project has, through the API: texts, people, assignments, instructions, checks."""

from typing import Any

import pytest

from annotation.judging.assignment import next_assignment, skip
from annotation.models import Assignment, Membership, Project, Sentence, User
from tests.annotation.judging.practice_setting import practise_with
from tests.annotation.uploads.upload_files import NORTH, REFERENCE, SOURCE, SOUTH
from tests.api.conftest import Program, program_of
from tests.api.sending import create
from tests.api.test_core import problem_of
from tests.factories import make_annotator, make_project


def test_texts_and_files(program: Program, owner: User) -> None:
    made = create(program).json()
    files = program.send("GET", f"projects/{made['id']}/files/").json()["results"]
    assert {row["column"]: row["name"] for row in files} == {
        "source": "en.txt",
        "reference": "human.txt",
        "system north": "north.txt",
        "system south": "south.txt",
    }
    rows = program.send("GET", f"projects/{made['id']}/sentences/?number=1").json()["results"]
    assert [row["text"] for row in rows] == SOURCE.splitlines()[:1]
    found = {row["system"]: row["text"] for row in rows[0]["translations"]}
    assert found == {
        None: REFERENCE.splitlines()[0],
        "north": NORTH.splitlines()[0],
        "south": SOUTH.splitlines()[0],
    }


@pytest.mark.parametrize("provenance", [{"files": [1], "added": {"a": 1}}, {"files": {"a": 1}}, {}])
def test_a_restored_archive_may_hold_anything(
    program: Program, project: Project, provenance: Any
) -> None:
    Project.objects.update(provenance=provenance)
    assert program.send("GET", f"projects/{project.pk}/files/").json() == {"results": []}


def test_people_come_change_and_go(program: Program, project: Project) -> None:
    jana = User.objects.create(username="jana", display_name="Jana")
    path = f"projects/{project.pk}/members/"
    answer = program.send("POST", path, {"username": "jana", "role": "annotator"})
    assert answer.status_code == 201
    shown = {"user": jana.pk, "username": "jana", "name": "Jana", "role": "annotator"}
    shown |= {"judged": 0, "most_sentences": None}
    assert answer.json() == shown
    one = answer.headers["Location"].removeprefix("/api/v1/")
    assert program.send("GET", one).json() == shown
    assert program.send("PUT", one, {"role": "observer"}).json()["role"] == "observer"
    rows = program.send("GET", f"{path}?role=observer").json()["results"]
    assert [row["username"] for row in rows] == ["jana"]
    assert program.send("DELETE", one).status_code == 204
    problem_of(program.send("DELETE", one), 404)
    problem_of(program.send("PUT", one, {"role": "observer"}), 404)


def test_whom_one_cannot_change(program: Program, owner: User, project: Project) -> None:
    path = f"projects/{project.pk}/members/"
    problem_of(program.send("POST", path, {"username": "nobody", "role": "annotator"}), 409)
    problem_of(program.send("PUT", f"{path}{owner.pk}/", {"role": "annotator"}), 409)
    problem_of(program.send("DELETE", f"{path}{owner.pk}/"), 409)
    petra = program_of(make_annotator(project, "petra", "administrator"))
    problem_of(petra.send("PUT", f"{path}{owner.pk}/", {"role": "annotator"}), 409)
    problem_of(petra.send("DELETE", f"{path}{owner.pk}/"), 409)
    assert Membership.objects.get(user=owner).role == "owner"


def test_a_member_gets_a_limit(program: Program, project: Project) -> None:
    jana = make_annotator(project, "jana")
    path = f"projects/{project.pk}/members/"
    one = f"{path}{jana.pk}/"
    answer = program.send("PATCH", one, {"most_sentences": 1})
    assert (answer.status_code, answer.json()["most_sentences"]) == (200, 1)
    rows = program.send("GET", f"{path}?role=annotator").json()["results"]
    assert [row["most_sentences"] for row in rows] == [1]
    assert next_assignment(annotator=jana, project=project)
    assert program.send("PATCH", one, {}).json()["most_sentences"] == 1
    # A new role leaves it, and what is wrong changes nothing.
    assert program.send("PUT", one, {"role": "observer"}).json()["most_sentences"] == 1
    for wrong in (0, -1, 1_000_001, 10**30, "5", True, 1.5):
        problem = problem_of(program.send("PATCH", one, {"most_sentences": wrong}), 400)
        assert problem["errors"][0]["pointer"] == "#/most_sentences"
    problem_of(program.send("PATCH", one, {"role": "owner"}), 400)
    assert program.send("GET", one).json()["most_sentences"] == 1
    assert program.send("PATCH", one, {"most_sentences": None}).json()["most_sentences"] is None
    for nobody in (make_annotator(make_project("castles"), "eva").pk, 10**30):
        problem_of(program.send("PATCH", f"{path}{nobody}/", {"most_sentences": 1}), 404)


def test_assignments_are_listed_and_released(program: Program, project: Project) -> None:
    jana, petr = (make_annotator(project, name) for name in ("jana", "petr"))
    first = next_assignment(annotator=jana, project=project)
    assert first
    skip(annotator=jana, project=project, assignment_id=first.pk, reason="other", comment="No.")
    second = next_assignment(annotator=petr, project=project)
    assert second
    path = f"projects/{project.pk}/assignments/"
    rows = program.send("GET", path).json()["results"]
    assert [row["id"] for row in rows] == [second.pk, first.pk]
    assert rows[1]["skip"] == {"reason": "other", "comment": "No."}
    assert rows[0]["skip"] is None
    rows = program.send("GET", f"{path}?state=open&kind=first&annotator={petr.pk}").json()
    assert [row["username"] for row in rows["results"]] == ["petr"]
    released = program.send("POST", f"{path}{second.pk}/release/")
    assert (released.status_code, released.json()["state"]) == (200, "returned")
    problem_of(program.send("POST", f"{path}{second.pk}/release/"), 409)
    problem_of(program.send("POST", f"{path}{10**9}/release/"), 404)
    assert Assignment.objects.get(pk=second.pk).state == "returned"


def test_instructions_are_kept_in_versions(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/instructions/"
    assert program.send("POST", path, {"text": "One."}).json()["version"] == 1
    answer = program.send("POST", path, {"text": "Two."})
    assert program.get(answer.headers["Location"]).json()["author"] == "owner"
    rows = program.send("GET", path).json()["results"]
    assert [row["text"] for row in rows] == ["Two.", "One."]
    problem_of(program.send("POST", path, {"text": "Two."}), 409)
    problem_of(program.send("POST", path, {"text": "x" * 20_001}), 400)
    problem_of(program.send("GET", f"{path}3/"), 404)
    problem_of(program.send("GET", f"{path}{10**30}/"), 404)


def test_control_and_practice_sentences(owner: User) -> None:
    project = make_project("castles", sentences=4, numbered=True)
    program = program_of(owner)
    project.memberships.create(user=owner, role="owner")
    path = f"projects/{project.pk}/controls/"
    made = program.send("POST", path, {"count": 2})
    assert made.status_code == 201, made.content
    assert program.send("GET", path).json() == made.json()
    assert {row["kind"] for row in made.json()["results"]} == {"degraded", "twin"}
    problem_of(program.send("POST", path, {"count": 100}), 409)
    problem_of(program.send("POST", path, {"count": 201}), 400)
    assert program.send("PUT", f"{path}1/", {"retired": True}).status_code == 204
    assert Sentence.objects.get(purpose="control", number=1).retired
    problem_of(program.send("PUT", f"{path}9/", {"retired": True}), 404)
    practise_with(project, 4)
    rows = program.send("GET", f"projects/{project.pk}/practice/").json()["results"]
    assert [(row["sentence"], row["practised"]) for row in rows] == [(4, 0)]
    path = f"projects/{project.pk}/practice/1/"
    assert program.send("PUT", path, {"retired": True}).status_code == 204
    assert Sentence.objects.get(purpose="practice").retired


@pytest.mark.parametrize(
    "what", ["members", "assignments", "sentences", "systems", "controls", "practice", "files"]
)
def test_lists_take_as_many_queries_for_many_rows_as_for_few(
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
    sentence.translations.create(text="starý dům")
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
