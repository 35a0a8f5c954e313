"""The summary of a preparation for administrators."""

from typing import Any

import pytest

from annotation.models import Project, Sentence
from annotation.selectors.preparation_summary import how_prepared
from tests.factories import make_project

pytestmark = pytest.mark.django_db


QUALITY = {
    "projections": 200, "projected": 190, "gapped": 19, "unique": 114,
    "segments": 50, "agreeing": 10, "sentences": 20, "uncut": 1,
}  # fmt: skip
MADE = {
    "parser": {"name": "phrases", "version": "1"},
    "coverage": "algorithm1",
    "aligner": {"name": "eflomal", "version": "2.0", "effort": "best", "seed": "7"},
    "counts": {"sentences": 20, "systems": 4, "segments": 50, "candidates": 114},
}


def percentages(project: Project) -> list[str]:
    summary = how_prepared(project)
    assert summary
    return [share.percent.replace("\u00a0", " ") for share in summary.shares]


def test_it_has_the_programs_the_counts_and_the_quality() -> None:
    project = make_project(sentences=1, provenance=MADE | {"quality": QUALITY})
    summary = how_prepared(project)
    assert summary
    values = [fact.value for fact in summary.facts]
    assert values[1] == "phrases 1"
    assert (values[3], values[5]) == ("eflomal 2.0", "7")
    assert [fact.value for fact in summary.counts] == ["20", "4", "50", "114"]
    assert percentages(project) == ["5.0 %", "10.0 %", "60.0 %", "20.0 %", "5.0 %"]


def test_paragraphs_of_documents_are_counted_once() -> None:
    project = make_project(sentences=1, provenance=MADE, kind="document_sqm")
    summary = how_prepared(project)
    assert summary
    assert [fact.value for fact in summary.counts] == ["20", "4", "114"]


def test_an_alignment_that_cannot_be_repeated_says_so() -> None:
    def seed(**aligner: str) -> str:
        provenance = MADE | {"aligner": aligner}
        summary = how_prepared(
            Project(source_language="en", target_language="cs", provenance=provenance)
        )
        assert summary
        # The last fact is what candidates are.
        return summary.facts[-2].value

    assert seed(name="eflomal", seed="none") not in ("none", "eflomal")
    assert seed(name="systran") == "systran"


def test_trees_without_verbs_count_if_predicates_were_requested() -> None:
    project = make_project(sentences=1, provenance=MADE)
    Sentence.objects.update(tree="(X x)")
    assert percentages(project) == []
    project.provenance = MADE | {"coverage": "predicates"}
    assert percentages(project) == ["100.0 %"]


@pytest.mark.parametrize("provenance", [{}, {"parser": "phrases"}])
def test_ready_made_projects_have_none(provenance: dict[str, Any]) -> None:
    assert how_prepared(Project(provenance=provenance)) is None


def test_the_provenance_of_a_restored_archive_may_hold_anything() -> None:
    odd = MADE | {"quality": 3, "counts": [], "aligner": 1}
    project = make_project(sentences=1, provenance=odd)
    summary = how_prepared(project)
    assert summary
    assert (summary.counts, summary.shares) == ([], [])
