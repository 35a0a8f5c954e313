import csv
import io
import json
import re

import pytest

from evaluation.findings.options import ReportOptions
from evaluation.findings.report import table, tables
from evaluation.rendering.formats import (
    TABLE_FORMATS,
    WIDEST,
    as_csv,
    as_json,
    as_latex,
    as_markdown,
    as_object,
    as_text,
    decimal,
    latex_escape,
    text_table,
)
from evaluation.rendering.tables import Column, Count, Duration, Interval, Name, P, Table
from evaluation.rendering.text import ENGLISH
from evaluation.stats.annotators.exclusion import LeftOutAnnotator
from evaluation.stats.judgements import natural_key
from tests.evaluation.report.sample import (
    FORMULA,
    HOSTILE,
    LATEX,
    everything,
    left_out,
    sample,
)

SIGNATURES = {"ratio of wins|ties ignored", "sign-flip", "κ", "learning curve", "sequence effects"}
SIGNATURES |= {"drift", "disagreement", "power", "permutations of annotators"}
SMALL = Table(
    "small",
    "Two systems.",
    (Column("system", "system", Name()), Column("score", "κ"), Column("n", "n", Count())),
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


def test_a_tiny_p_is_not_0():
    made = Table("t", "", (Column("p", "p", P()),), ((1e-12,), (0.0001,), (0.5,)))

    assert [line for line in as_latex(made).splitlines() if line.endswith(r" \\")][1:] == [
        r"    \textless{}0.0001 \\",
        r"    0.0001 \\",
        r"    0.5000 \\",
    ]
    assert as_csv(made) == "p\n1e-12\n0.0001\n0.5\n"


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
    made = Table("t", "", (Column("a", text, Name()),), ((text,), (text,)), (), frozenset({1}))

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


def test_csv_has_names_and_headings_whole():
    columns = (Column("system", "system"), Column("p_=1+1;=2", "p"))
    made = Table("t", "", columns, (("A  B", 1), ("A B", 2), ('x"', 3), ("x.y[0]", 4)))

    assert list(csv.reader(io.StringIO(as_csv(made), newline=""))) == [
        ["system", "p_=1+1;'=2"],
        *(["A  B", "1"], ["A B", "2"], ['x"', "3"], ["x.y[0]", "4"]),
    ]


def test_names_that_differ_in_spaces_look_different():
    columns = (Column("system", "system", Name()),)
    made = Table("t", "", columns, (("A  B",), ("A B",), ("A   B",)))

    assert [line.split(" \\")[0].strip() for line in as_latex(made).splitlines()[-6:-3]] == [
        *("A ~B", "A B", "A ~ B"),
    ]
    assert as_markdown(made).splitlines()[-3:] == ["| A &nbsp;B |", "| A B |", "| A &nbsp; B |"]


def test_csv_leaves_negative_numbers_alone():
    made = Table("t", "", (Column("a", "a"),), ((-0.25,),))

    assert as_csv(made) == "a\n-0.25\n"


def test_markdown_escapes_what_it_would_take_for_markup():
    made = as_markdown(Table("t", "A", (Column("a", "a", Name()),), ((f"{HOSTILE} *a*|b",),)))

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


def test_an_interval_is_one_cell_for_people_and_two_for_programs():
    made = Table(
        "t",
        "An interval.",
        (Column("system", "system", Name()), Column("low high", "95 %", Interval(2))),
        (("A", (0.125, 0.5)), ("B", (-0.25, 0.5)), ("C", (None, None))),
    )

    written = [line.split("&")[-1] for line in as_latex(made).splitlines() if line.endswith("\\\\")]
    assert written == [
        r" 95 \% \\",
        r" 0.13--0.50 \\",
        r" $-$0.25 \ldots{} 0.50 \\",
        r" -- \\",
    ]
    assert as_csv(made) == "system,low,high\nA,0.125,0.5\nB,-0.25,0.5\nC,,\n"
    assert as_object(made)["rows"][0] == {"system": "A", "low": 0.125, "high": 0.5}
    assert as_text(made).splitlines()[-3:] == [
        "A          0.13–0.50",
        "B       -0.25 … 0.50",
        "C                  –",
    ]


def test_a_report_has_these_tables():
    assert [each.name for each in tables(sample())] == [
        "ranking-ratio_of_wins",
        "comparisons",
        "estimated-systems",
        "win-rates",
        "agreement",
        "disagreement",
        "annotators",
        "without-annotators",
        "segment-length",
        "pairs-of-annotators",
        "learning-curve",
        "expected-widths",
        "next-judgements",
        "power",
        "sequence",
        "drift",
        "disputed-segments",
        "contrasting-sentences",
    ]


def test_every_table_can_be_written_in_every_format():
    made = tables(everything())

    assert {each.name for each in made} - {each.name for each in tables(sample())} == {
        *("marked-errors", "agreement-on-marked-errors"),
        *("given-errors", "given-errors-by-system", "given-errors-work"),
        *("error-points", "error-points-by-category", "marked-categories"),
        "agreement-on-error-points",
        *("assessed-systems", "assessed-pairs", "assessing-annotators"),
        *("answers", "grade-differences", "agreement-of-answers"),
        *("edit-rates", "edit-rates-by-sentence"),
        *("conclusions", "conclusions-2", "concluded-pairs", "concluded-pairs-2"),
        *("columns", "neighbours"),
        *("powered-means", "powered-differences", "metric-help"),
        *("prediction-powered", "prediction-powered-pairs"),
        *("undecided-systems", "undecided-pairs", "reused-answers", "excluded-annotators"),
    }
    for each in made:
        assert all(len(row) == len(each.columns) for row in each.rows)
        for write in TABLE_FORMATS.values():
            assert write(each)
        braces = re.sub(r"\\[{}]", "", as_latex(each))
        assert braces.count("{") == braces.count("}")
        assert each.lines[-1] == each.details[-1]
        assert "SegRanks" in each.details[-1] or each.details[-1] in SIGNATURES


def test_the_ranking_has_lines_where_clusters_end_and_says_what_is_undefined():
    made = table(sample(), "ranking-ratio_of_wins")

    assert made is not None
    assert made.rules == {1, 2}
    assert f"{LATEX}: the system tied in every comparison." in map(str, made.notes)
    assert made.rows[2][:3] == (None, LATEX, None)


def test_there_is_no_table_of_another_name():
    assert table(sample(), "ranking-by_taste") is None
    assert table(sample(), "tastes") is None


def test_tables_of_annotators_say_what_is_undefined():
    made = table(sample(), "annotators")

    assert made is not None
    assert any("no two judgements of the same candidates" in str(note) for note in made.notes)


def test_pairs_of_systems_without_figures_say_why():
    made = table(sample(), "win-rates")

    assert made is not None
    assert [row["undefined"] for row in as_object(made)["rows"]] == [
        None,
        "they tied",
        "never met",
    ]


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0:00:00"),
        (59.6, "0:01:00"),
        (17623, "4:53:43"),  # thesis, table 2.3, annotator 1
        (95174, "26:26:14"),  # annotator 13: "1 day, 2:26:14"
        (None, "–"),
    ],
)
def test_durations_are_hours_minutes_and_seconds(seconds, written):
    assert Duration().write(seconds, ENGLISH) == written


def test_columns_for_which_a_terminal_has_no_room_follow_below():
    columns = [
        Column("system", "System", Name()),
        *(Column(f"c{n}", f"m{n:02}") for n in range(20)),
    ]
    made = Table("wide", "Scores", tuple(columns), (("A", *(float(n) for n in range(20))),))

    above, below = as_text(made).split("\n\n")[1:]

    assert max(map(len, above.splitlines())) <= WIDEST
    heads = [part.splitlines()[0].split() for part in (above, below)]
    assert heads[0][0] == heads[1][0] == "System"
    assert heads[0][1:] + heads[1][1:] == [f"m{n:02}" for n in range(20)]


def test_headings_of_narrow_columns_take_several_lines():
    columns = (Column("system", "System", Name()), Column("ties", "Ties of the metric", Count()))
    lines = as_text(Table("ties", "Ties", columns, (("A", 3),))).splitlines()[2:]

    assert [line.split() for line in lines] == [
        ["Ties", "of"],
        ["System", "the", "metric"],
        ["-" * 6, "-" * 10],
        ["A", "3"],
    ]


def test_an_undefined_number_is_a_dash():
    assert decimal(None) == "–"
    assert decimal(-0.08941) == "-0.089"


def test_words_stand_left_and_numbers_right():
    table = text_table(["name", "n"], [["a", "1"], ["longer", "100"]])

    assert table.splitlines() == ["name      n", "------  ---", "a         1", "longer  100"]


def test_natural_order_compares_numbers_as_numbers():
    names = ["b", "a10", "a9", "B2", "", "7", "a9b"]

    assert sorted(names, key=natural_key) == ["", "7", "a9", "a9b", "a10", "b", "B2"]


def test_tables_of_agreement_say_that_exclusion_by_kappa_biases_it():
    row = LeftOutAnnotator("jana", 3, 0.1, None, None, sentences_intra=10)

    def biased(minimum_kappa: float | None) -> set[str]:
        options = ReportOptions(resamples=100, seed=7, minimum_kappa=minimum_kappa)
        made = tables(sample(options=options, left_out=left_out(row, minimum_kappa=minimum_kappa)))
        return {
            each.name for each in made if any("biased upwards" in str(note) for note in each.notes)
        }

    assert biased(0.2) == {"agreement", "disagreement", "annotators", "pairs-of-annotators"}
    # They failed controls.
    assert biased(None) == set()
