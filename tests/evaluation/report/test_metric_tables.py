import copy
import json

import pytest

from evaluation.rendering.formats import TABLE_FORMATS, as_json
from evaluation.report.figures import metric_figure, metric_figures
from evaluation.report.files import metric_files
from evaluation.report.metric_tables import FIXED, table, tables
from tests.evaluation.report.metrics_sample import make_metrics_data

NAMES = (
    "metric-scores",
    "system-level",
    "system-level-without-outliers",
    "williams",
    "williams-without-outliers",
    "tau-comparisons",
    "tau-pairs",
    "acc-eq",
    "decisions",
    "tau-annotators",
)


@pytest.fixture(scope="module")
def found():
    return make_metrics_data()


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
    data = copy.deepcopy(found)
    data["metrics"][1]["metric"] = "system"

    made = table(data, "metric-scores")
    assert made
    (row,) = (row for row in json.loads(as_json(made))["rows"] if row["system"] == "a")
    assert row["score_system"] == pytest.approx(0.9)


def test_scores_are_beside_those_by_people(found):
    made = table(found, "metric-scores")
    assert made
    rows = json.loads(TABLE_FORMATS["json"](made))["rows"]
    assert [row["system"] for row in rows if row["outlier"]] == ["f"]
    assert {row["system"]: row["score_chrf++"] for row in rows}["a"] == 0.9
    assert {row["system"]: row["score_imported"] for row in rows}["c"] is None


def test_a_figure_without_a_value_has_its_reason_below_the_table(found):
    made = table(found, "system-level")
    assert made
    assert "imported, Pearson's r: the metric lacks a score of a compared system." in made.notes


def test_outliers_are_crosses_with_a_name(found):
    drawn = metric_figure(found, "scatter-chrfpp")
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
    drawn = dict(metric_figures(found))["scatter-2-imported"]
    assert "c" not in {row["system"] for row in drawn["data"]["values"]}


def test_the_findings_are_the_last_of_the_files(found):
    names = [name for name, _contents in metric_files(found)]
    assert names[-1] == "metrics.json"
    assert {"tables/acc-eq.tex", "figures/scatter-chrfpp.vl.json"} <= set(names)


def test_decisions_compare_pairs_of_systems(found):
    made = table(found, "decisions")
    assert made
    systems = len(found["gold"]["systems"])
    for _metric, *counts, pairs, test in made.rows:
        assert sum(map(int, map(str, counts))) == pairs == systems * (systems - 1) // 2
        assert test == "bootstrap"


def test_metrics_that_are_not_resampled_are_named_below_the_table(found):
    made = table(found, "system-level")
    assert made
    assert FIXED.format(metrics="imported") in made.notes
    (row,) = (row for row in found["metrics"] if row["resampled"])
    assert row["metric"] == "chrf++"
