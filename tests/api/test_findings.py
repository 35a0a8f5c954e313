"""Statistics, rankings, progress, comparison with whole sentences."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from annotation.models import Assignment, Project, Submission
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.services.findings import ranking_now, statistics_of
from evaluation.services.own_ranking import own_ranking
from evaluation.services.sentence_level import SentenceLevelFindings
from tests.api.client import OTHERS, RANKS, Program, at, problem_of
from tests.evaluation.projects import submit
from tests.evaluation.two_levels import RANKS as TWO_LEVEL_RANKS
from tests.evaluation.two_levels import ROWS, import_rankings
from tests.factories import make_annotator


def test_segments_are_compared_with_whole_sentences(
    program: Program, project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    jana = make_annotator(project, "jana")
    for number in (1, 2, 3):
        submit(project, jana, number, TWO_LEVEL_RANKS)
    problem_of(program.send("GET", at(project, "sentence-level/")), 409)
    folder: Path = tmp_path_factory.mktemp("rankings")
    import_rankings(folder, ROWS, project.name)
    found = program.send("GET", at(project, "sentence-level/")).json()
    assert found == to_json(SentenceLevelFindings(project).report)
    assert found["compared"]["sentence_judgements"] > 0
    Project.objects.update(state="failed")
    problem_of(program.send("GET", at(project, "sentence-level/")), 409)


def test_statistics_are_those_of_the_command(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "statistics/"))
    assert answer.json() == to_json(statistics_of(judged))


def test_the_ranking_is_that_of_the_command(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "ranking/")).json()
    assert answer["method"] == "ratio_of_wins"
    expected = to_json(ranking_now(judged, "ratio_of_wins", ReportOptions()))["systems"]
    # The ranking of the report has intervals and says nothing of missing translations.
    shared = set(answer["systems"][0]) & set(expected[0]) - {"score", "rank"}
    assert {"system", "wins", "losses", "ties"} <= shared
    for row, other in zip(answer["systems"], expected, strict=True):
        assert row["score"]["value"] == other["score"]["value"]
        assert {name: row[name] for name in shared} == {name: other[name] for name in shared}
    assert [row["rank"] for row in answer["systems"]] == [1, 2, 3]
    for row in answer["systems"]:
        assert row["same_text"] + row["ties_of_different_texts"] == row["ties"]
    assert answer["means"] is None
    # The second segment has no candidate of C.
    assert {row["system"]: row["missing"] for row in answer["systems"]} == {
        "A": 0,
        "B": 0,
        "C": 0.5,
    }


def test_means_are_those_of_the_command(program: Program, project: Project) -> None:
    project.kind = "adequacy"
    project.save()
    jana = make_annotator(project, "jana")
    steps = {
        where: [min(rank or 1, len(ranks)) for rank in ranks]
        for where, ranks in TWO_LEVEL_RANKS.items()
    }
    for number in (1, 2, 3):
        submit(project, jana, number, steps)
    answer = program.send("GET", at(project, "ranking/")).json()
    expected = own_ranking(project, ReportOptions())
    assert expected is not None
    assert answer["means"] == to_json(expected)


def test_systems_are_ranked_by_abilities(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "ranking/?method=hopkins_may")).json()
    assert answer["method"] == "hopkins_may"
    assert answer["signature"].startswith("Hopkins-May|")
    assert [row["rank"] for row in answer["systems"]] == [1, 2, 3]


def test_the_ranking_names_systems_that_are_judged_in_a_sample(
    program: Program, judged: Project
) -> None:
    Project.objects.filter(pk=judged.pk).update(
        provenance={"added": [{"system": "C", "judge": 5, "sampled": []}]}
    )
    answer = program.send("GET", at(judged, "ranking/")).json()
    assert answer["sampled_systems"] == ["C"]
    assert [row["system"] for row in answer["systems"]] == ["A", "B"]


def test_excluded_repeats_are_in_the_signature(program: Program, judged: Project) -> None:
    answer = program.send("GET", at(judged, "ranking/?repeats=false")).json()
    assert "4 repeats left out" in answer["signature"]
    assert sum(row["wins"] for row in answer["systems"]) == 9


@pytest.mark.parametrize(
    "query", ["method=luck", "minimum_kappa=2", "minimum_kappa=nan", "minimum_controls=-1"]
)
def test_it_refuses_wrong_options(program: Program, judged: Project, query: str) -> None:
    problem_of(program.send("GET", at(judged, f"ranking/?{query}")), 400)


# Midnight would begin another day.
@time_machine.travel(datetime(2026, 8, 3, 12, tzinfo=UTC), tick=False)
def test_the_overview_counts_and_measures(program: Program, project: Project) -> None:
    jana, karel = (make_annotator(project, name) for name in ("jana", "karel"))
    for number in (1, 2):
        submit(project, jana, number, RANKS)
    before = timezone.now() - timedelta(days=2)
    Assignment.objects.update(created=before, shown=before, submitted=before)
    Submission.objects.update(created=before)
    submit(project, karel, 1, OTHERS)
    found = program.send("GET", at(project, "overview/?zone=Europe/Prague")).json()
    counted = ("sentences", "wanted", "first_assignments", "percent", "repeats", "today", "zone")
    assert [found[name] for name in counted] == [3, 3, 2, 66, 1, 1, "Europe/Prague"]
    submitted = ("sentences_judged", "assignments", "judgements")
    assert [found[name] for name in submitted] == [2, 3, 6]
    assert found["active_annotators"] == 1
    assert found["end"]["unknown"] == "too little"
    rows = {row["name"]: row for row in found["annotators"]}
    assert (rows["jana"]["assignments"], rows["jana"]["today"], rows["jana"]["is_active"]) == (
        2,
        0,
        False,
    )
    assert (rows["karel"]["repeats"], rows["karel"]["is_active"]) == (1, True)
    assert found["agreement"]["inter"]["compared"] == 4
    assert found["agreement"]["inter"]["kappa"] is not None
    assert found["agreement"]["missing"] == 0


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "/etc/passwd", "../UTC", "", "a%00b"])
def test_it_refuses_an_unknown_time_zone(program: Program, project: Project, zone: str) -> None:
    problem = problem_of(program.send("GET", at(project, f"overview/?zone={zone}")), 400)
    assert problem["errors"][0]["parameter"] == "zone"


def test_it_refuses_an_overview_before_preparation(program: Program, project: Project) -> None:
    Project.objects.update(state="preparing")
    problem_of(program.send("GET", at(project, "overview/")), 409)


def test_the_overview_takes_the_same_queries_for_many_annotators(
    program: Program, project: Project, django_assert_max_num_queries: Any
) -> None:
    submit(project, make_annotator(project, "jana"), 1, RANKS)
    program.send("GET", at(project, "overview/"))
    with django_assert_max_num_queries(40) as few:
        program.send("GET", at(project, "overview/"))
    for number in range(4):
        make_annotator(project, f"p{number}")
    with django_assert_max_num_queries(len(few)):
        answer = program.send("GET", at(project, "overview/"))
    assert len(answer.json()["annotators"]) == 5
