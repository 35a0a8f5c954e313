"""What administrators are told of how the texts of a project were prepared."""

import re
from typing import Any

import pytest
from django.test import Client

from annotation.models import (
    Project,
    User,
)
from annotation.projects.options import PrepareOptions
from annotation.web.forms.new_project import DetailsForm
from tests.annotation.web.systems_page import address, boss, page_of, part_of, project, uploads

# Fixtures, which are used by their names.
__all__ = ["boss", "project", "uploads"]

pytestmark = pytest.mark.django_db


QUALITY = {
    "projections": 200, "projected": 190, "gapped": 19, "unique": 114,
    "segments": 50, "agreeing": 10, "sentences": 20, "uncut": 1,
}  # fmt: skip
MADE = {
    "parser": {"name": "phrases", "version": "1"},
    "coverage": "algorithm1",
    "aligner": {"name": "eflomal", "version": "2.0", "effort": "best"},
    "counts": {"sentences": 20, "systems": 4, "segments": 50, "candidates": 114},
}


@pytest.mark.parametrize("name", ["manage-project", "preparing"])
def test_how_the_texts_were_prepared_is_told(
    client: Client, project: Project, boss: User, name: str
) -> None:
    Project.objects.update(provenance=MADE | {"quality": QUALITY})
    page = client.get(address(name, project)).content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Parser phrases 1" in words
    assert "Aligner eflomal 2.0" in words
    assert "Effort of aligning best" in words
    assert "phrases only (Algorithm 1)" in words
    for share in (
        "5.0 % of places have no candidate",
        "10.0 % of candidates have gaps",
        "60.0 % of candidates are left",
        "20.0 % of segments have the same",
        "5.0 % of sentences have no segment",
    ):
        assert share in words
    assert "in the thesis: 58.9 %" in words


def test_trees_without_verbs_are_told_where_predicates_were_asked_for(
    client: Client, project: Project, boss: User
) -> None:
    words = "of sentences have a tree that names no verb"
    for coverage, told in (("algorithm1", False), ("predicates", True)):
        Project.objects.update(provenance=MADE | {"coverage": coverage, "quality": QUALITY})
        part = part_of(page_of(client, project))
        assert (f"100.0 % {words}" in part) == told


@pytest.mark.parametrize(
    "provenance", [{}, {"parser": "phrases"}, MADE | {"quality": 3, "counts": [], "aligner": 1}]
)
def test_what_is_not_known_is_not_told(
    client: Client, project: Project, boss: User, provenance: dict[str, Any]
) -> None:
    Project.objects.update(provenance=provenance | {"added": [3, {"system": "A", "brought": 1}]})
    assert "of candidates" not in part_of(page_of(client, project))
    assert client.get(address("preparing", project)).status_code == 200


def test_a_project_that_is_not_prepared_leads_to_how_far_it_is(
    client: Client, project: Project, boss: User
) -> None:
    for state in ("preparing", "failed"):
        Project.objects.update(state=state)
        assert f'href="{address("preparing", project)}"' in page_of(client, project)


def test_effort_is_chosen_with_the_files_of_a_project() -> None:
    form = DetailsForm()
    assert form["effort"].value() == PrepareOptions().effort == "normal"
    sent = {"name": "x", "source_language": "en", "target_language": "cs", "effort": "best"}
    form = DetailsForm(sent)
    assert form.is_valid()
    assert PrepareOptions(**form.to_store()["options"]).effort == "best"
