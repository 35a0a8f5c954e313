import json
from dataclasses import fields

import pytest
from django.core.management import CommandError, call_command

from evaluation.findings.report import Report
from evaluation.stats.agreement.intervals import Kappa
from evaluation.stats.ranking.systems import METHODS, RankedSystem
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = make_project()
    for name, ranks in (("jana", [1, 2, None]), ("petr", [2, 1, 3])):
        annotator = make_annotator(project, name)
        for number in (1, 2):
            submit(project, annotator, number, {"0 1 2": ranks, "4 5 6": [1, 2]})
    return project


def report(project, folder, *options):
    call_command("report", str(project), "--output", str(folder), "--resamples", "100", *options)
    return json.loads((folder / "report.json").read_text())


def names(type_):
    return {field.name for field in fields(type_)}


def test_it_writes_the_report(project, tmp_path, capsys):
    made = report(project, tmp_path / "report")

    assert made.keys() == names(Report)
    assert made["excluded"] is not None
    assert (made["options"]["resamples"], made["options"]["seed"]) == (100, 0)
    assert tuple(made["rankings"]) == METHODS
    system = made["rankings"]["ratio_of_wins"]["systems"][0]
    assert system.keys() == names(RankedSystem)
    assert system["score"]["no_interval"] == "the figure comes from fewer than 10 sentences"
    assert made["agreement"]["inter"].keys() == names(Kappa)
    assert {"loading", "rankings", "agreement", "total"} <= made["seconds"].keys()
    printed = capsys.readouterr().out
    assert "8 judgements of 2 sentences" in printed
    assert made["signature"] in printed


def test_the_figures_are_those_of_the_other_commands(project, tmp_path, capsys):
    made = report(project, tmp_path)
    capsys.readouterr()
    call_command("rank_systems", str(project), "--json")
    ranked = json.loads(capsys.readouterr().out)["ranking"]["systems"]
    call_command("statistics", str(project), "--json")
    statistics = json.loads(capsys.readouterr().out)

    systems = made["rankings"]["ratio_of_wins"]["systems"]
    # Reports of the test take fewer resamples.
    keys = ("system", "wins", "losses", "ties", "rank")
    assert [[row[key] for key in keys] + [row["score"]["value"]] for row in systems] == [
        [row[key] for key in keys] + [row["score"]["value"]] for row in ranked
    ]
    inter, of_all = made["agreement"]["inter"], statistics["agreement"]["inter"]
    assert inter["kappa"]["value"] == of_all["kappa"]["value"]
    assert inter["expected"] == of_all["expected"]


def test_pairs_of_systems_without_figures_say_why(tmp_path):
    project = make_project()
    submit(project, make_annotator(project, "jana"), 1, {"0 1 2": [1, 1, 1]})

    part = report(project, tmp_path)["significance"]

    systems = range(len(part["systems"]))
    assert all(part["p"][x][y] is None for x in systems for y in systems)
    said = {part["undefined"][x][y] for x in systems for y in systems if x != y}
    assert "the two systems always tied" in said
    assert "" not in said
    assert {part["undefined"][x][x] for x in systems} == {""}


def test_a_tiny_p_is_not_rounded_to_0(tmp_path):
    project = make_project(sentences=30)
    jana = make_annotator(project, "jana")
    for number in range(1, 31):
        submit(project, jana, number, {"0 1 2": [1, 2, 3]})

    assert report(project, tmp_path)["significance"]["p"][0][1] == 1.86e-09


def test_the_same_seed_gives_the_same_report(project, tmp_path):
    one, other = (report(project, tmp_path / name, "--seed", "3") for name in ("a", "b"))
    for each in (one, other):
        del each["made"], each["seconds"]

    assert one == other


def test_an_empty_project_has_a_report_that_says_so(tmp_path):
    made = report(make_project(), tmp_path)

    assert made["judged"]["judgements"] == 0
    score = made["rankings"]["ratio_of_wins"]["systems"][0]["score"]
    assert score["undefined"] == "the system was never judged together with another one"
    assert made["agreement"]["inter"]["kappa"]["value"] is None
    assert made["learning_curve"]["undefined"] == "fewer than two sentences were judged"


def test_it_prints_what_was_excluded(project, tmp_path, capsys):
    made = report(project, tmp_path, "--without-repeats")

    left_out = made["left_out"]
    assert left_out == {
        "annotators": [],
        "spared": [],
        "repeats": 4,
        "judgements": 4,
        "of": 8,
        "minimum_kappa": None,
        "minimum_controls": None,
        "with_repeats": False,
    }
    assert "4 of 8 judgements; 4 repeats." in capsys.readouterr().out
    assert "|4 repeats left out" in made["rankings"]["expected_wins"]["signature"]


def test_annotators_below_the_minimum_kappa_are_excluded(tmp_path, capsys):
    project = make_project(sentences=10)
    for name, ranks in (("jana", [1, 2, 3]), ("petr", [2, 1, 3])):
        annotator = make_annotator(project, name)
        for number in range(1, 11):
            submit(project, annotator, number, {"0 1 2": ranks})

    made = report(project, tmp_path, "--minimum-kappa", "0.99")

    assert [row["annotator"] for row in made["left_out"]["annotators"]] == ["jana", "petr"]
    assert [row["sentences_inter"] for row in made["left_out"]["annotators"]] == [10, 10]
    assert made["judged"]["judgements"] == 0
    assert "20 of 20 judgements, all of jana, petr; 0 repeats." in capsys.readouterr().out


def test_invalid_options_are_refused_before_anything_is_written(project, tmp_path):
    with pytest.raises(CommandError, match="-1 to 1"):
        report(project, tmp_path, "--minimum-kappa", "nan")
    assert list(tmp_path.iterdir()) == []


def test_the_output_must_not_be_a_file(project, tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(CommandError, match="is not a folder"):
        report(project, tmp_path / "file")
