"""A figure is the same on pages, in figures, in files and on the command line."""

import csv
import io
from dataclasses import replace

import pytest
from django.utils import translation

from evaluation.findings.report import table
from evaluation.rendering.figures.heat_maps import win_rate_map
from evaluation.rendering.figures.intervals import forest_plot
from evaluation.rendering.figures.style import Words
from evaluation.rendering.formats import as_csv, as_latex, as_markdown, decimal
from evaluation.stats.estimates import Estimate
from evaluation.templatetags.findings import figure
from tests.evaluation.report.sample import NAMES, compared, ranking, sample, system


@pytest.mark.parametrize(("score", "shown"), [(0.5575, "0.558"), (0.6125, "0.613")])
def test_a_half_is_rounded_up_everywhere(score: float, shown: str) -> None:
    best = replace(system("A", score, 1, 1), score=Estimate(score))
    ranked = ranking(best, system("B", 0.25, 2, 2))
    made = table(sample(rankings={"ratio_of_wins": ranked}), "ranking-ratio_of_wins")
    plot = forest_plot(ranked, 0.5)
    assert made is not None
    assert plot is not None

    assert figure(score, 3) == shown
    with translation.override("cs"):
        assert figure(score, 3) == shown.replace(".", ",")
    assert decimal(score) == shown
    assert f"& {shown} &" in as_latex(made)
    assert f"| {shown} |" in as_markdown(made)
    points = plot["layer"][-1]["data"]["values"]
    assert points[0]["score_shown"] == shown
    # Files for programs have all decimals.
    assert next(csv.DictReader(io.StringIO(as_csv(made))))["score"] == str(score)


def test_labels_of_heat_maps_are_rounded_as_tables() -> None:
    rates = ((None, 0.125, None), (0.875, None, None), (None, None, None))
    found = replace(compared(), win_rate=rates)
    made = win_rate_map(found, found.wide_p_holm, list(NAMES), words=Words(decimal=","))
    assert made is not None
    first = made["data"]["values"][0]
    assert {first["label"], first["significant"]} == {"", "0,13"}
