import json
from dataclasses import replace

import pytest

from evaluation.findings.metrics import table, tables
from evaluation.rendering.figures.style import ENGLISH, PAPER
from evaluation.rendering.formats import TABLE_FORMATS, as_json
from evaluation.rendering.text import ENGLISH as TEXT
from evaluation.report.files import metric_figure, metric_files
from tests.evaluation.findings.metrics_sample import make_metrics_report

NAMES = (
    "metric-scores",
    "system-level",
    "intervals",
    "williams",
    "system-level-without-outliers",
    "intervals-without-outliers",
    "williams-without-outliers",
    "windows",
    "decisions",
    "tau-comparisons",
    "tau-pairs",
    "acc-eq",
    "difference-pearson",
)


def rows(made):
    assert made
    return json.loads(as_json(made))["rows"]


@pytest.fixture(scope="module")
def found():
    return make_metrics_report()


def test_there_is_a_table_for_everything_that_was_found(found):
    assert tuple(made.name for made in tables(found)) == NAMES
    # No candidates were scored.
    assert table(found, "tau-candidates") is None
    assert table(found, "nonsense") is None


@pytest.mark.parametrize("name", NAMES)
def test_every_table_is_written_in_every_format(found, name):
    made = table(found, name)
    assert made
    for write in TABLE_FORMATS.values():
        assert write(made)
    assert all(len(row) == len(made.columns) for row in made.rows)


def test_a_metric_that_is_called_like_a_column_has_one_of_its_own(found):
    first, second = found.metrics
    renamed = replace(found, metrics=(first, replace(second, metric="system")))

    (row,) = (row for row in rows(table(renamed, "metric-scores")) if row["system"] == "a")
    assert row["score_system"] == pytest.approx(0.9)


def test_scores_are_beside_those_by_people(found):
    scores = rows(table(found, "metric-scores"))
    assert [row["system"] for row in scores if row["outlier"]] == ["f"]
    assert {row["system"]: row["score_chrf++"] for row in scores}["a"] == 0.9
    assert {row["system"]: row["score_imported"] for row in scores}["c"] is None


def test_the_tokeniser_is_beside_the_name_of_a_metric(found):
    first, second = found.metrics
    tokenized = replace(found, metrics=(replace(first, signature="BLEU|tok:zh|order:4"), second))

    made = table(tokenized, "metric-scores")
    assert made
    heads = {column.name: column.head(TEXT) for column in made.columns}
    assert heads["score_chrf++"] == "chrF++, tok:zh"
    assert heads["score_imported"] == "imported"


def test_a_metric_without_figures_has_its_reason_below_the_table(found):
    made = table(found, "system-level")
    assert made
    (note,) = (note for note in map(str, made.notes) if note.startswith("imported (Pearson’s r,"))
    assert note.endswith("the metric lacks a score of a compared system.")


def test_outliers_are_crosses_with_a_name(found):
    drawn = metric_figure(found, "scatter-chrfpp", PAPER, ENGLISH)
    assert drawn
    marks = {row["system"]: row for row in drawn["data"]["values"]}
    assert len(marks) == 6
    assert marks["f"]["kind"] == "Outlier"
    assert marks["a"] | {"people": 0, "people_shown": ""} == {
        "system": "a",
        "people": 0,
        "metric": 0.9,
        "kind": "System",
        "people_shown": "",
        "metric_shown": "0.900",
    }
    assert drawn["encoding"]["y"]["title"] == "chrF++"
    shape = drawn["layer"][0]["encoding"]["shape"]["scale"]
    assert dict(zip(shape["domain"], shape["range"], strict=True))["Outlier"] == "cross"
    named = [row for side in drawn["layer"][1]["layer"] for row in side["data"]["values"]]
    assert [row["system"] for row in named] == ["f"]


def test_a_system_without_a_score_is_not_drawn(found):
    drawn = metric_figure(found, "scatter-2-imported", PAPER, ENGLISH)
    assert drawn
    assert "c" not in {row["system"] for row in drawn["data"]["values"]}


def test_the_findings_are_the_last_of_the_files(found):
    names = [name for name, _contents in metric_files(found)]
    assert names[-1] == "metrics.json"
    assert {"tables/acc-eq.tex", "figures/scatter-chrfpp.vl.json"} <= set(names)


def test_decisions_compare_pairs_of_systems(found):
    systems = len(found.gold.systems)
    for row in rows(table(found, "decisions")):
        counted = sum(row[name] for name in ("right", "unseen", "opposite", "missed"))
        assert counted == row["pairs"] == systems * (systems - 1) // 2
        assert row["test"] == "bootstrap"


def test_metrics_that_are_not_resampled_are_named_below_the_table(found):
    made = table(found, "system-level")
    assert made
    (note,) = (note for note in map(str, made.notes) if "does not resample" in note)
    assert "imported" in note
    assert "chrF" not in note


def test_williams_test_is_of_the_metrics_by_falling_r(found):
    p = rows(table(found, "williams"))
    assert [row["metric"] for row in p] == ["chrf++", "imported"]
    assert list(p[0]) == ["metric", "p_chrf++", "p_imported"]
    assert p[0]["p_chrf++"] is None


def test_annotators_stand_below_the_scores_of_candidates_and_win_by_no_rule(found):
    made = table(replace(found, candidates=found.pairs), "tau-candidates")
    assert made
    assert [row["metric"] for row in rows(made)] == [
        "chrf++",
        "another annotator",
        "the same annotator again",
    ]
    assert made.rules == {1}
    assert [row["best"] is not None for row in rows(made)] == [True, False, False]
