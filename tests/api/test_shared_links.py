"""Links to the report and the documents, through the API."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import Project, User
from evaluation.models import SharedLink
from tests.api.client import Program, problem_of
from tests.factories import make_annotator


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


def command(project: Project, *options: str) -> str:
    out = io.StringIO()
    call_command("share_project", str(project.pk), *options, stdout=out)
    return out.getvalue().strip()


def test_a_command_creates_lists_and_revokes_links(owner: User, judged: Project) -> None:
    Project.objects.update(state="archived")
    link = command(judged, "--user", "owner", "--pages", "documents", "--days", "7")
    assert Client().get(f"{link}documents/1/").status_code == 200
    made = SharedLink.objects.get()
    assert command(judged, "--list").startswith(f"{made.pk}: documents, by owner, until ")

    command(judged, "--revoke", str(made.pk))

    assert Client().get(f"{link}documents/1/").status_code == 410
    assert not command(judged, "--list")


@pytest.mark.parametrize(
    "options",
    [
        ("--user", "unknown"),
        ("--user", "watcher"),
        ("--user", "owner", "--pages", "both"),
        ("--user", "owner", "--days", "0"),
        ("--revoke", "99"),
    ],
    ids=" ".join,
)
def test_the_command_refuses(owner: User, judged: Project, options: tuple[str, ...]) -> None:
    make_annotator(judged, "watcher", "observer")

    with pytest.raises(CommandError):
        command(judged, *options)

    assert not SharedLink.objects.exists()
