"""Links to the report and the documents, through the API."""

from typing import Any

from django.test import Client

from annotation.models import Project
from evaluation.models import SharedLink
from tests.api.client import Program, problem_of


def at(project: Project, path: str = "") -> str:
    return f"projects/{project.pk}/shared-links/{path}"


def share(program: Program, project: Project, **values: Any) -> Any:
    return program.send("POST", at(project), values)


def test_a_link_to_documents_is_created_listed_and_revoked(
    program: Program, judged: Project
) -> None:
    Project.objects.update(state="closed")
    answer = share(program, judged, pages="unnamed", days=None)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    address = made.pop("address")
    assert (made["pages"], made["created_by"], made["expires"]) == ("unnamed", "owner", None)
    assert Client().get(f"{address}documents/1/").status_code == 200
    assert program.get(answer.headers["Location"]).json() == made
    assert program.send("GET", at(judged)).json()["results"] == [made]

    assert program.send("DELETE", at(judged, f"{made['id']}/")).status_code == 204

    assert Client().get(f"{address}documents/1/").status_code == 410
    assert program.send("GET", at(judged)).json()["results"] == []
    problem_of(program.send("GET", at(judged, f"{made['id']}/")), 404)
    problem_of(program.send("DELETE", at(judged, "999/")), 404)


def test_a_link_to_a_report_has_its_options(program: Program, judged: Project) -> None:
    made = share(program, judged, minimum_kappa=0.2, repeats=False).json()

    assert made["pages"] == "report"
    assert (made["options"]["minimum_kappa"], made["options"]["repeats"]) == (0.2, False)
    assert judged.reports.get().options == made["options"]


def test_documents_are_not_shared_while_people_judge(program: Program, judged: Project) -> None:
    problem_of(share(program, judged, pages="both"), 409)
    problem_of(share(program, judged, pages="everything"), 400)
    problem_of(share(program, judged, days=0), 400)
    # Nor if some judged sentences have no document, by which the report would sample.
    problem_of(share(program, judged, unit="document"), 400)
    assert not SharedLink.objects.exists()


def test_the_address_is_shown_once(program: Program, judged: Project) -> None:
    first, again = (program.send("POST", at(judged), {}, Idempotency_Key="one") for _time in "ab")

    assert first.json()["address"]
    assert again.json() == first.json() | {"address": None}
    assert SharedLink.objects.count() == 1
