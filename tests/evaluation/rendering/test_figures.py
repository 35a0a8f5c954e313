import json
from dataclasses import replace

import pytest

from evaluation.findings import pairs
from evaluation.findings.report import figures
from evaluation.rendering.figures.curves import interval_widths, stability
from evaluation.rendering.figures.heat_maps import LABEL, pairs_map, stars, win_rate_map
from evaluation.rendering.figures.intervals import forest_plot, speed_changes
from evaluation.rendering.figures.style import ENGLISH, PAPER, SCREEN, Words
from evaluation.report.files import drawn_figure, drawn_figures
from evaluation.stats.estimates import Estimate
from tests.evaluation.report.sample import (
    FORMULA,
    HOSTILE,
    NAMES,
    assessments,
    change,
    compared,
    drift,
    pair,
    points,
    ranking,
    sample,
    system,
)

# Keys that Vega reads as expressions, and never as data.
EXPRESSIONS = {"calculate", "filter", "expr", "signal", "test", "labelExpr", "init", "update"}


def keys(value):
    if isinstance(value, dict):
        for key, inside in value.items():
            yield key
            yield from keys(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from keys(inside)


def without_data(value):
    """The specification without what stands in data and in domains of scales."""
    if isinstance(value, dict):
        return {
            key: without_data(inside)
            for key, inside in value.items()
            if key not in {"values", "domain"}
        }
    return [without_data(inside) for inside in value] if isinstance(value, list) else value


def test_a_report_has_these_figures():
    names = [name for name, _ in drawn_figures(sample())]
    assert names == [each.name for each in figures(sample())]
    assert names == [
        "ranking-ratio_of_wins",
        "win-rates",
        "pairs-of-annotators",
        "learning-curve",
        "interval-widths",
        "speed-changes",
    ]


def test_single_translations_have_no_figures_of_orders():
    report = sample(assessments=assessments())

    assert list(drawn_figures(report)) == []
    assert drawn_figure(report, "ranking-ratio_of_wins", PAPER, ENGLISH) is None


@pytest.mark.parametrize("look", [PAPER, SCREEN])
def test_names_are_data_and_nothing_is_an_expression(look):
    for name, made in drawn_figures(sample(), look):
        assert not EXPRESSIONS & set(keys(made)), name
        around = json.dumps(without_data(made), ensure_ascii=False)
        assert not [each for each in NAMES if each in around], name


def test_the_forest_plot_has_a_point_and_a_line_for_each_system_with_a_score():
    made = drawn_figure(sample(), "ranking-ratio_of_wins", PAPER, ENGLISH)

    assert made is not None
    assert made["encoding"]["y"]["scale"]["domain"] == [HOSTILE, FORMULA]
    bands, middle, intervals, points = (layer["data"]["values"] for layer in made["layer"])
    assert bands == [{"system": HOSTILE}]
    assert middle == [{"middle": 0.5}]
    assert [row["low"] for row in intervals] == pytest.approx([0.65, 0.4])
    assert [row["score"] for row in points] == [0.75, 0.5]
    low, high = made["encoding"]["x"]["scale"]["domain"]
    assert low < 0.4
    assert high > 0.85


def test_there_is_no_forest_plot_below_two_scores():
    scored, unscored = system("A", 0.75, 1, 1), system("B", None, None, None)

    for systems in ((unscored,), (scored, unscored)):
        assert forest_plot(ranking(*systems), 0.5) is None


def test_a_system_without_an_interval_has_a_point():
    best, other = system("A", 0.75, 1, 1), system("B", 0.5, 2, 2)
    of_sentences = replace(best, score=Estimate(0.75, low=0.7, high=0.8))
    without = replace(best, score=Estimate(0.75))

    for row, low in ((of_sentences, 0.7), (without, 0.75)):
        made = forest_plot(ranking(row, other), None)
        assert made is not None
        assert made["layer"][-1]["data"]["values"][0]["low"] == pytest.approx(low)


def test_the_map_of_systems_has_a_cell_for_each_pair_that_was_compared():
    made = drawn_figure(sample(), "win-rates", PAPER, ENGLISH)

    assert made is not None
    assert made["data"]["values"] == [
        {
            "row": HOSTILE,
            "column": FORMULA,
            "rate": 0.75,
            "p": 0.006,
            "label": "",
            "significant": ".75",
            "stars": "**",
            "rate_shown": "0.750",
            "p_shown": "0.0060",
        },
        {
            "row": FORMULA,
            "column": HOSTILE,
            "rate": 0.25,
            "p": 0.006,
            "label": "",
            "significant": ".25",
            "stars": "**",
            "rate_shown": "0.250",
            "p_shown": "0.0060",
        },
    ]


def test_figures_have_a_comma_where_the_reader_has_one():
    comma = Words(decimal=",")
    rates = drawn_figure(sample(), "win-rates", PAPER, comma)
    kappas = pairs_map([pair(FORMULA, HOSTILE, -0.125)], words=comma)

    assert rates is not None
    assert kappas is not None
    assert {cell["significant"] for cell in rates["data"]["values"]} == {"0,75", "0,25"}
    assert {cell["label"] for cell in kappas["data"]["values"]} == {"−0,13"}
    for name, made in drawn_figures(sample(), words=comma):
        around = json.dumps(without_data(made), ensure_ascii=False)
        assert "2.5 %" not in around
        assert ("97,5 %" in around) == (
            name not in {"win-rates", "pairs-of-annotators", "interval-widths"}
        )


def test_stars_say_how_significant():
    assert [stars(p) for p in (None, 0.05, 0.049, 0.0099, 0.0001)] == ["", "", "*", "**", "***"]


def test_there_is_no_map_where_no_systems_were_compared():
    nothing = replace(compared(), win_rate=((None, None, None),) * 3)

    assert win_rate_map(nothing, pairs.decisive_p(nothing), list(NAMES)) is None


def test_the_map_of_annotators_has_both_halves():
    made = drawn_figure(sample(), "pairs-of-annotators", PAPER, ENGLISH)

    assert made is not None
    cells = made["data"]["values"]
    assert [(cell["row"], cell["column"], cell["label"]) for cell in cells] == [
        (FORMULA, HOSTILE, "−.13"),
        (HOSTILE, FORMULA, "−.13"),
    ]
    assert pairs_map([]) is None


def test_curves_have_a_point_for_each_number_of_sentences():
    curve, widths = stability(points()), interval_widths(points())

    assert curve is not None
    assert widths is not None
    assert [row["tau"] for row in curve["data"]["values"]] == [0.2, 1.0]
    assert [row["width"] for row in widths["data"]["values"]] == [0.4, 0.1]
    for few in ((), points()[:1]):
        assert stability(few) is None
        assert interval_widths(few) is None


def test_changes_have_a_point_for_each_annotator_and_for_all_together():
    made = speed_changes(drift(change(FORMULA), together=change("")))

    assert made is not None
    assert [row["name"] for row in made["layer"][-1]["data"]["values"]] == [FORMULA, "Together"]
    unknown = replace(change("").seconds, change=Estimate(None))
    together = replace(change(""), seconds=unknown)
    assert speed_changes(drift(change(FORMULA, screens=49), together=together)) is None
    # One of the two is not enough either.
    for found in (
        drift(change(FORMULA), together=together),
        drift(change(FORMULA, screens=49), together=change("")),
    ):
        assert speed_changes(found) is None


def test_an_annotator_is_not_drawn_as_all_together():
    made = speed_changes(drift(change("Together"), together=change("")))

    assert made is not None
    assert made["encoding"]["y"]["scale"]["domain"] == ["Together", "(Together)"]


def test_long_names_of_annotators_that_begin_alike_are_told_apart():
    long = "annotator-of-the-university-"

    made = pairs_map([pair(f"{long}1", f"{long}2", 0.5)])

    assert made is not None
    domain = made["encoding"]["x"]["scale"]["domain"]
    assert len({name[:LABEL] for name in domain}) == len(domain) == 2


def test_there_is_no_figure_of_another_name():
    assert drawn_figure(sample(), "ranking-by_taste", PAPER, ENGLISH) is None
    assert drawn_figure(sample(), "tastes", PAPER, ENGLISH) is None


@pytest.mark.parametrize(("other", "angle"), [("petr", 0), ("p" * 60, -40)])
def test_names_of_columns_are_turned_only_where_they_do_not_fit(other, angle):
    made = pairs_map([pair("jana", other, 0.5)])

    assert made is not None
    assert made["encoding"]["x"]["axis"]["labelAngle"] == angle
