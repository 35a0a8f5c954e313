"""Judgements and campaigns of other programs, imported by programs that use the API."""

import json
from typing import Any

import pytest

from annotation.models import Judgement, Project
from tests.api.client import Program, file, problem_of
from tests.factories import make_project
from tests.jobs import run_job

ITEM = {"item_id": "1", "src": "Hello!", "tgt": {"A": "Ahoj!"}}


def create(program: Program, campaign: dict[str, Any], **fields: str) -> Any:
    return program.post(
        "/api/v1/projects/campaigns/",
        {
            "file": file("campaign.json", json.dumps(campaign)),
            "name": "from pearmut",
            "source_language": "en",
            "target_language": "cs",
        }
        | fields,
    )


def campaign(protocol: str, *items: Any) -> dict[str, Any]:
    info = {"assignment": "task-based", "protocol": protocol}
    return {"campaign_id": "demo", "info": info, "data": [[list(items)]]}


def test_a_campaign_becomes_a_project_with_its_judgements(program: Program) -> None:
    asked = ITEM | {"instructions": "Hurry."}
    answer = create(program, campaign("ESA", asked))
    made = answer.json()
    assert answer.status_code == 201
    assert (made["project"]["kind"], made["project"]["role"]) == ("error_spans", "owner")
    assert [(row["name"], row["number"]) for row in made["left_out"]] == [("instructions", 1)]
    project = Project.objects.get(pk=made["project"]["id"])
    assert answer.headers["Location"] == f"/api/v1/projects/{project.pk}/"
    run_job(project.job.pk)
    entry = {
        "user_id": "jana",
        "item_i": 0,
        "item": [ITEM],
        "annotation": [{"A": {"score": 70, "error_spans": []}}],
        "actions": [{"time": 1800000000.0}, {"time": 1800000020.0}],
    }

    def imported() -> Any:
        return program.post(
            f"/api/v1/projects/{project.pk}/imported-judgements/",
            {"file": file("annotations.jsonl", json.dumps(entry))},
        )

    first, again = imported(), imported()
    assert first.status_code == 201
    stored = first.json()
    assert (stored["judgements"], stored["annotators"], stored["left_out"]) == (1, 1, [])
    assert stored["format"] == "annotations of Pearmut"
    assert (again.json()["judgements"], again.json()["there_already"]) == (0, 1)
    assert Judgement.objects.count() == 1


@pytest.mark.django_db
def test_what_is_wrong_in_a_file_is_named(program: Program, project: Project) -> None:
    problem = problem_of(create(program, campaign("ESA", ITEM | {"src": ""})), 400)
    assert "campaign.json" in problem["detail"]
    problem_of(create(program, campaign("ESA", ITEM), source_language="xx-nothing"), 400)
    problem_of(create(program, campaign("ESA", ITEM), name=project.name), 400)
    assert Project.objects.count() == 1
    path = f"/api/v1/projects/{project.pk}/imported-judgements/"
    problem = problem_of(program.post(path, {"file": file("j.jsonl", "{}")}), 400)
    assert "there is no judgement" in problem["detail"]
    foreign = make_project("foreign")
    path = f"/api/v1/projects/{foreign.pk}/imported-judgements/"
    problem_of(program.post(path, {"file": file("j.jsonl", "{}")}), 404)
