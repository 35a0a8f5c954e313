"""One sentence as it was judged, comparisons with whole sentences, and how texts were prepared."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Project
from annotation.preparation.statistics import Quality
from evaluation.services.sentence_level import SentenceLevelFindings, sentence_level_report
from tests.annotation.selectors.test_preparation_summary import MADE, QUALITY
from tests.api.conftest import Program, program_of
from tests.api.test_core import problem_of
from tests.evaluation.projects import submit
from tests.evaluation.two_levels import RANKS, ROWS, import_rankings
from tests.factories import make_annotator, make_project


def at(project: Project, path: str) -> str:
    return f"projects/{project.pk}/{path}"


def test_what_was_judged_of_a_sentence(program: Program, project: Project) -> None:
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]})
    submit(project, karel, 1, {"0 1 2": [2, 1, 3], "4 5 6": [1, 2]})
    observer = program_of(make_annotator(project, "observer", "observer"), "read")
    found = observer.send("GET", at(project, "sentences/1/judged/")).json()
    assert found["number"] == 1
    first = found["segments"][0]
    assert "".join(piece["text"] for piece in first["pieces"]) == found["source"]
    assert [(row["annotator"], row["repeat"]) for row in first["judgements"]] == [
        ("jana", False),
        ("karel", True),
    ]
    ranks = sorted(
        [tuple(given["rank"] for given in one["ranks"]) for one in first["candidates"]], key=str
    )
    assert ranks == sorted([(1, 2), (2, 1), (None, 3)], key=str)
    ids = [row["id"] for row in first["judgements"]]
    for one in first["candidates"]:
        assert [given["judgement"] for given in one["ranks"]] == ids
        assert one["systems"]
    # The worst by their mean place, the garbage, comes last.
    assert [given["rank"] for given in first["candidates"][-1]["ranks"]] == [None, 3]


@pytest.mark.parametrize("number", [0, 4, 2**31, 10**30])
def test_a_sentence_that_there_is_not(program: Program, project: Project, number: int) -> None:
    problem_of(program.send("GET", at(project, f"sentences/{number}/judged/")), 404)


def test_segments_are_compared_with_whole_sentences(
    program: Program, project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    jana = make_annotator(project, "jana")
    for number in (1, 2, 3):
        submit(project, jana, number, RANKS)
    told = problem_of(program.send("GET", at(project, "sentence-level/")), 409)
    assert "import" in told["detail"]
    folder: Path = tmp_path_factory.mktemp("rankings")
    import_rankings(folder, ROWS)
    found = program.send("GET", at(project, "sentence-level/")).json()
    assert found == sentence_level_report(SentenceLevelFindings(project))
    assert found["sentence_judgements"] > 0
    Project.objects.update(state="failed")
    problem_of(program.send("GET", at(project, "sentence-level/")), 409)


def test_how_texts_were_prepared(program: Program, project: Project) -> None:
    Project.objects.update(provenance=MADE | {"quality": QUALITY})
    found = program.send("GET", at(project, "preparation/")).json()
    assert found["parser"] == {"name": "phrases", "version": "1"}
    assert found["aligner"] == {"name": "eflomal", "version": "2.0"}
    assert (found["effort"], found["coverage"]) == ("best", "algorithm1")
    assert found["counts"] == MADE["counts"]
    quality = Quality(**QUALITY)
    assert found["shares"]["empty_projections"] == quality.empty_projections == 0.05
    assert found["shares"]["unique_candidates"] == quality.unique_candidates == 0.6
    assert found["shares"]["verbless_sentences"] is None


@pytest.mark.parametrize(
    "provenance",
    [{}, {"parser": [1], "aligner": "x", "counts": [1]}, {"parser": {"name": 1}, "quality": 7}],
)
def test_a_restored_archive_may_say_anything_of_it(
    program: Program, project: Project, provenance: Any
) -> None:
    Project.objects.update(provenance=provenance)
    found = program.send("GET", at(project, "preparation/")).json()
    assert set(found["counts"].values()) == {None}
    assert set(found["shares"].values()) == {None}
    assert found["effort"] == ""


def test_another_projects_are_not_found(program: Program, project: Project) -> None:
    other = make_project("castles")
    for path in ("sentences/1/judged/", "sentence-level/", "preparation/"):
        problem_of(program.send("GET", at(other, path)), 404)
