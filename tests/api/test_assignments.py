"""Assignments and instructions."""

from annotation.judging.assignment import skip
from annotation.models import Assignment, Instructions, Project
from api.models import StoredAnswer
from tests.api.client import Program, problem_of
from tests.factories import assign_next, make_annotator


def test_assignments_are_listed_and_released(program: Program, project: Project) -> None:
    jana, petr = (make_annotator(project, name) for name in ("jana", "petr"))
    first = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=first.pk, reason="other", comment="No.")
    second = assign_next(petr, project)
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


def test_instructions_have_versions(program: Program, project: Project) -> None:
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


def test_instructions_are_previewed(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/instructions/preview/"
    answer = program.send("POST", path, {"text": "Be **strict**.\n\n<b>Now</b> ![x](y)"})
    assert answer.status_code == 200
    html = answer.json()["html"]
    assert html.startswith("<p>Be <strong>strict</strong>.</p>")
    assert "&lt;b&gt;Now&lt;/b&gt;" in html
    assert "<img" not in html
    assert program.send("POST", path, {"text": ""}).json() == {"html": ""}
    problem_of(program.send("POST", path, {"text": "x" * 20_001}), 400)
    problem_of(program.send("POST", path, {}), 400)
    assert not Instructions.objects.exists()
    assert not StoredAnswer.objects.exists()
