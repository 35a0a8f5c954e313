import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from evaluation.findings.plan import PlanOptions
from evaluation.findings.serialisation import to_json
from evaluation.services.plans import plan_campaign
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db

KIND = "document_error_spans"
NUMBERS = {"systems": 3, "annotators": 5, "documents": 20, "lines": 2, "words": 30}


def test_the_page_has_the_figures_of_the_command(client):
    client.force_login(make_annotator(make_project(), "boss", "administrator"))
    empty = client.get(reverse("plan"))
    assert empty.status_code == 200
    assert "plan" not in empty.context
    page = client.get(reverse("plan"), {"kind": KIND, "judges": 1, "beside": 1, **NUMBERS})
    out = StringIO()
    words = [f"--{name}={number}" for name, number in NUMBERS.items()]
    call_command("plan", KIND, *words, "--json", stdout=out)
    found = plan_campaign(PlanOptions(**NUMBERS), kind=KIND)
    assert json.loads(out.getvalue()) == to_json(found) == to_json(page.context["plan"])
    assert b'id="plan-annotators"' in page.content


@pytest.mark.parametrize(
    "given", [{"systems": 1, "annotators": 1, "kind": KIND}, NUMBERS, {"kind": KIND} | {"words": 3}]
)
def test_a_form_with_mistakes_has_no_plan(client, given):
    client.force_login(make_annotator(make_project(), "boss", "administrator"))
    page = client.get(reverse("plan"), given)
    assert page.status_code == 400
    assert "plan" not in page.context


def test_projects_of_others_are_not_offered(client):
    own, other = make_project(), make_project(name="other")
    boss = make_annotator(own, "boss", "administrator")
    make_annotator(other, "boss2", "administrator")
    client.force_login(boss)
    page = client.get(reverse("plan"), {"project": other.pk, **NUMBERS})
    assert "project" in page.context["form"].errors


def test_annotators_have_no_plans(client):
    client.force_login(make_annotator(make_project()))
    assert client.get(reverse("plan")).status_code == 403
