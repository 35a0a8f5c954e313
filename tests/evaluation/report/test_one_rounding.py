"""A figure is the same on pages, in figures, in files and on the command line."""

import csv
import io

import pytest
from django.utils import translation

from evaluation.report.figures.heat_maps import win_rate_map
from evaluation.report.figures.intervals import forest_plot
from evaluation.report.figures.style import Words
from evaluation.report.formats import as_csv, as_latex, as_markdown, decimal
from evaluation.report.tables import table
from evaluation.templatetags.findings import figure
from tests.evaluation.report.sample import NAMES, sample


@pytest.mark.parametrize(("score", "shown"), [(0.5575, "0.558"), (0.6125, "0.613")])
def test_a_half_is_rounded_up_everywhere(score: float, shown: str) -> None:
    report = sample()
    report["rankings"]["ratio_of_wins"]["systems"][0]["score"] = score
    ranking = table(report, "ranking-ratio_of_wins")
    plot = forest_plot(report["rankings"]["ratio_of_wins"], "ratio_of_wins")
    assert ranking is not None
    assert plot is not None

    assert figure(score, 3) == shown
    with translation.override("cs"):
        assert figure(score, 3) == shown.replace(".", ",")
    assert decimal(score) == shown
    assert f"& {shown} &" in as_latex(ranking)
    assert f"| {shown} |" in as_markdown(ranking)
    points = plot["layer"][-1]["data"]["values"]
    assert points[0]["score_shown"] == shown
    # Files for programs have all decimals.
    assert next(csv.DictReader(io.StringIO(as_csv(ranking))))["score"] == str(score)


def test_labels_of_heat_maps_are_rounded_as_tables() -> None:
    part = sample()["significance"]
    part["win_rate"] = [[None, 0.125, None], [0.875, None, None], [None, None, None]]
    made = win_rate_map(part, list(NAMES), words=Words(decimal=","))
    assert made is not None
    first = made["data"]["values"][0]
    assert {first["label"], first["significant"]} == {"", "0,13"}
