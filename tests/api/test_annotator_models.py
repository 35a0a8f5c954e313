"""Models of annotators."""

import json

import numpy as np
import pytest

from annotation.models import Project
from evaluation.findings.annotator_models import AnnotatorModels
from evaluation.findings.serialisation import from_json
from evaluation.models import StoredReport
from evaluation.services import reports
from tests.api.client import Program, at, problem_of, program_of
from tests.api.test_schema import validator
from tests.evaluation.projects import LABELLED_SENTENCES, labelled_project
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


def owners_program(project: Project) -> Program:
    return program_of(make_annotator(project, "owner", "owner"))


@pytest.mark.parametrize(("kind", "steps"), [("acceptability", 3), ("adequacy", 5)])
def test_models_are_requested_fitted_and_read(kind: str, steps: int) -> None:
    project = labelled_project(kind, steps)
    program = owners_program(project)

    asked = program.send("POST", at(project, "annotator-models/refresh/"), {"resamples": 100})

    assert asked.status_code == 202
    address = f"{at(project, 'annotator-models/')}?id={asked.json()['id']}"
    waiting = program.send("GET", address).json()
    assert (waiting["evaluation"]["state"], waiting["findings"]) == ("waiting", None)
    reports.compute(asked.json()["id"])
    shown = program.send("GET", address).json()
    json.dumps(shown, allow_nan=False)
    made = shown["evaluation"]
    assert (made["state"], made["error"]) == ("made", "")
    assert made["judgements"] == 3 * LABELLED_SENTENCES
    assert made["signature"] == shown["findings"]["signature"]
    schema = {"$ref": "#/components/schemas/FindingAnnotatorModels"}
    validator(schema).validate(shown["findings"])
    found = from_json(shown["findings"], AnnotatorModels)
    assert found.labels
    items = [item.code for item in found.labels.items]
    assert len(items) == 2 * LABELLED_SENTENCES
    assert np.isfinite(found.labels.dawid_skene.posterior[items]).all()
    assert found.labels.dawid_skene.confusion.shape == (3, steps, steps)
    assert sorted(found.annotators) == ["eva", "jana", "petr"]
    assert (found.scores is None) == (kind == "acceptability")


def test_models_with_default_options_are_the_projects_own() -> None:
    project = labelled_project("acceptability", 3)
    program = owners_program(project)
    none = {"evaluation": None, "findings": None}
    assert program.send("GET", at(project, "annotator-models/")).json() == none

    asked = program.send("POST", at(project, "annotator-models/refresh/"), {}).json()

    shown = program.send("GET", at(project, "annotator-models/")).json()
    assert shown["evaluation"]["id"] == asked["id"]
    assert program.send("GET", at(project, "metrics/")).json() == none
    problem_of(program.send("GET", f"{at(project, 'metrics/')}?id={asked['id']}"), 404)
    problem_of(program.send("GET", at(project, f"reports/{asked['id']}/")), 404)


def test_models_without_answers_fail_with_the_reason() -> None:
    project = make_project(kind="acceptability")
    program = owners_program(project)

    asked = program.send("POST", at(project, "annotator-models/refresh/"), {}).json()
    reports.compute(asked["id"])

    made = program.send("GET", at(project, "annotator-models/")).json()["evaluation"]
    assert (made["state"], bool(made["error"])) == ("failed", True)


@pytest.mark.parametrize("kind", ["segment_ranking", "direct_assessment"])
def test_it_refuses_kinds_without_labels(kind: str) -> None:
    project = make_project(kind=kind)

    refused = owners_program(project).send("POST", at(project, "annotator-models/refresh/"), {})

    problem_of(refused, 409)
    assert not StoredReport.objects.exists()


@pytest.mark.parametrize("options", [{"keep": 0}, {"resamples": 10_001}, {"speed": 1}])
def test_it_refuses_impossible_options(options: dict[str, int]) -> None:
    project = make_project(kind="acceptability")

    asked = owners_program(project).send("POST", at(project, "annotator-models/refresh/"), options)

    problem_of(asked, 400)
    assert not StoredReport.objects.exists()
