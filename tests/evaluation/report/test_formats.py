import csv
import io
import json
import re

import pytest

from evaluation.report.formats import FORMATS, as_csv, as_json, as_latex, as_markdown, latex_escape
from evaluation.report.tables import Column, Table, table, tables
from tests.evaluation.report.sample import FORMULA, HOSTILE, LATEX, sample

SMALL = Table(
    "small",
    "Two systems.",
    (Column("system", "system", is_text=True), Column("score", "κ"), Column("n", "n")),
    (("A", 0.123456, 3), ("B--C", -0.5, None)),
    ("A note.",),
    frozenset({1}),
)


def test_latex_is_a_booktabs_table_with_lines_between_clusters():
    lines = as_latex(SMALL).splitlines()

    assert lines[0].startswith("% needs \\usepackage{booktabs")
    assert lines[1] == "% A note."
    assert lines[-10:] == [
        "  \\begin{tabular}{lrr}",
        "    \\toprule",
        "    system & $\\kappa$ & n \\\\",
        "    \\midrule",
        "    A & 0.123 & 3 \\\\",
        "    \\midrule",
        "    B-{}-C & $-$0.500 & -- \\\\",
        "    \\bottomrule",
        "  \\end{tabular}",
        "\\end{table}",
    ]


def test_latex_escapes_what_it_would_take_for_commands():
    assert latex_escape(LATEX) == (
        r"50 \%\_\{a\}\$x\$ \& \textbackslash{}input\{x\} \#1 \textasciitilde{}\textasciicircum{}"
    )
    assert latex_escape("a\nb\x00\u202ec") == "a bc"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[2cm] A", "{[}2cm] A"), ("*", "{*}"), ("* A [1]*", "{*} A [1]*"), ("A[1]", "A[1]")],
)
def test_latex_takes_no_cell_for_an_option_of_the_line_before(text, expected):
    made = Table(
        "t", "", (Column("a", text, is_text=True),), ((text,), (text,)), (), frozenset({1})
    )

    rows = [line for line in as_latex(made).splitlines() if line.endswith(" \\\\")]
    assert rows == [f"    {expected} \\\\"] * 3


def test_latex_leaves_hyphens_and_apostrophes_as_typed():
    assert latex_escape("a--b---c") == "a-{}-b-{}-{}-c"
    assert latex_escape("'' it's '''") == "'{}' it's '{}'{}'"
    # What stands for a dash is one.
    assert latex_escape("a–b--c") == "a--b-{}-c"


def test_csv_is_exact_and_undefined_is_empty():
    assert as_csv(SMALL) == "system,score,n\nA,0.123456,3\nB--C,-0.5,\n"


@pytest.mark.parametrize("text", [FORMULA, "+1", "-1", "@x", "\t=1", "  =1", "＝1", "\r=1"])
def test_csv_makes_no_formula(text):
    made = Table("t", "", (Column("a", "a"),), ((text,),))

    assert list(csv.reader(io.StringIO(as_csv(made), newline="")))[1] == [f"'{text.strip()}"]


def test_csv_leaves_negative_numbers_alone():
    made = Table("t", "", (Column("a", "a"),), ((-0.25,),))

    assert as_csv(made) == "a\n-0.25\n"


def test_markdown_escapes_what_it_would_take_for_markup():
    made = as_markdown(Table("t", "A", (Column("a", "a", is_text=True),), ((f"{HOSTILE} *a*|b",),)))

    assert made.splitlines() == [
        "**A**",
        "",
        "| a |",
        "| :-- |",
        "| &lt;script&gt;alert(1)&lt;/script&gt; \\*a\\*\\|b |",
    ]


def test_json_has_the_rows_by_name():
    assert json.loads(as_json(SMALL)) == {
        "name": "small",
        "caption": "Two systems.",
        "notes": ["A note."],
        "rows": [
            {"system": "A", "score": 0.123456, "n": 3},
            {"system": "B--C", "score": -0.5, "n": None},
        ],
    }


def test_every_table_can_be_written_in_every_format():
    made = tables(sample())

    assert [each.name for each in made] == [
        "ranking-ratio_of_wins",
        "win-rates",
        "agreement",
        "annotators",
        "pairs-of-annotators",
        "learning-curve",
        "sequence",
        "drift",
        "disputed-segments",
        "contrasting-sentences",
    ]
    for each in made:
        assert all(len(row) == len(each.columns) for row in each.rows)
        for write in FORMATS.values():
            assert write(each)


def test_the_ranking_has_lines_where_clusters_end_and_says_what_is_undefined():
    made = table(sample(), "ranking-ratio_of_wins")

    assert made is not None
    assert made.rules == {1, 2}
    assert "The system tied in every comparison." in made.notes
    assert made.rows[2][:3] == (None, LATEX, None)


def test_there_is_no_table_of_another_name():
    assert table(sample(), "ranking-by_taste") is None
    assert table(sample(), "tastes") is None


def test_every_brace_of_a_latex_table_is_closed():
    for each in tables(sample()):
        bare = re.sub(r"\\[{}]", "", as_latex(each))
        assert bare.count("{") == bare.count("}")


@pytest.mark.parametrize("made", tables(sample()), ids=lambda made: made.name)
def test_every_table_says_how_it_was_computed(made):
    report = sample()
    parts = [report, report["agreement"], report["significance"], report["learning_curve"]]
    parts += [report["sequence"], report["drift"], *report["rankings"].values()]

    assert made.notes[-1] in {part["signature"] for part in parts}


def test_tables_of_annotators_say_what_is_undefined():
    made = table(sample(), "annotators")

    assert made is not None
    assert "No two judgements of the same candidates." in made.notes


def test_pairs_of_systems_without_figures_say_why():
    why = [["", "", "they tied"], ["", "", "never met"], ["they tied", "never met", ""]]
    report = sample()
    older = table(report, "win-rates")
    report["significance"]["undefined"] = why

    made = table(report, "win-rates")

    assert made is not None
    assert older is not None
    assert [row[-1] for row in made.rows] == ["", "they tied", "", "never met", *why[2][:2]]
    # A report that was stored before reasons were.
    assert {row[-1] for row in older.rows} == {""}
