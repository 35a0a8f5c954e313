import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.errors import InputError
from evaluation.formats.score_files import read_scores
from evaluation.formats.score_tables import (
    CONTRADICTING,
    DOUBLED,
    MISSING,
    NOT_A_NUMBER,
    UNKNOWN_SEGMENT,
    UNKNOWN_SYSTEM,
    TableBuilder,
    TableKey,
)
from tests.evaluation.formats.wmt_files import write

SEGMENTS = [
    "ESIM cs-en test A 1 0.5",
    "ESIM cs-en test A 2 0.25",
    "ESIM cs-en test B 1 0.125",
    "ESIM cs-en test B 2 0.0625",
]


def table_of(folder, *lines):
    (table,) = read_scores([write(folder / "a.seg.score", lines)]).tables
    return table


def sentences(table):
    return [str(finding.problem) for finding in table.findings]


def test_of_two_scores_the_first_counts(tmp_path):
    path = tmp_path / "a.seg.score"

    table = table_of(tmp_path, *SEGMENTS, "ESIM cs-en test A 2 0.25", "ESIM cs-en test B 1 9")

    assert table.of("ESIM").tolist() == [[0.5, 0.25], [0.125, 0.0625]]
    assert [finding.kind for finding in table.findings] == [DOUBLED, CONTRADICTING]
    assert sentences(table) == [
        f"{path}, line 5: ESIM: scores that are given more than once (the first counts): 1, such "
        "as A 2.",
        f"{path}, line 6: ESIM: scores that are given again with another value (the first "
        "counts): 1, such as B 1.",
    ]


def test_a_missing_score_is_nan_and_named(tmp_path):
    table = table_of(tmp_path, *SEGMENTS[:3], "BEER cs-en test B 2 1")

    assert table.missing == {"ESIM": 1, "BEER": 3}
    assert np.isnan(table.of("ESIM")[1, 1])
    assert sentences(table) == [
        "ESIM: scores that are missing: 1, such as B 2.",
        "BEER: scores that are missing: 3, such as A 1; A 2; B 1.",
    ]


@pytest.mark.parametrize("text", ["NaN", "nan", "inf", "-Infinity"])
def test_a_score_that_is_not_finite_counts_as_missing(tmp_path, text):
    table = table_of(tmp_path, *SEGMENTS[:3], f"ESIM cs-en test B 2 {text}")

    assert table.missing == {"ESIM": 1}
    assert [finding.kind for finding in table.findings] == [NOT_A_NUMBER, MISSING]
    assert sentences(table)[0] == (
        f"{tmp_path / 'a.seg.score'}, line 4: ESIM: scores that are not finite numbers and count "
        "as missing: 1, such as B 2."
    )


def test_findings_name_five_examples_at_most(tmp_path):
    lines = [f"m cs-en test A {number} 1" for number in range(1, 9)]

    table = table_of(tmp_path, *lines, "m cs-en test B 1 1")

    (finding,) = table.findings
    assert (finding.count, finding.examples) == (7, ("B 2", "B 3", "B 4", "B 5", "B 6"))


def test_scores_are_aligned_with_the_systems_and_segments_of_a_project(tmp_path):
    aligned = table_of(tmp_path, *SEGMENTS).aligned(["ours", "C"], ["2", "3"], {"B": "ours"})

    assert (aligned.systems, aligned.items) == (("ours", "C"), ("2", "3"))
    np.testing.assert_array_equal(
        aligned.of("ESIM"), [[0.0625, np.nan], [np.nan, np.nan]], strict=True
    )
    assert {finding.kind: finding.examples for finding in aligned.findings} == {
        UNKNOWN_SYSTEM: ("A",),
        UNKNOWN_SEGMENT: ("1",),
        MISSING: ("ours 3", "C 2", "C 3"),
    }
    assert sentences(aligned)[:2] == [
        "ESIM: systems that are unknown here, whose scores are left out: 1, such as A.",
        "ESIM: segments that are unknown here, whose scores are left out: 1, such as 1.",
    ]


def test_a_system_that_is_left_out_by_name_is_not_unknown(tmp_path):
    aligned = table_of(tmp_path, *SEGMENTS).aligned(["B"], names={"A": None})

    assert aligned.findings == ()
    assert aligned.of("ESIM").tolist() == [[0.125, 0.0625]]


def test_of_two_systems_with_one_name_the_first_counts(tmp_path):
    aligned = table_of(tmp_path, *SEGMENTS).aligned(["X"], names={"A": "X", "B": "X"})

    (finding,) = aligned.findings
    assert (finding.kind, finding.examples) == (DOUBLED, ("B",))
    assert aligned.of("ESIM").tolist() == [[0.5, 0.25]]


def test_scores_of_systems_have_no_segments_to_align(tmp_path):
    (table,) = read_scores([write(tmp_path / "a", ["BEER cs-en t A 1", "BEER cs-en t B 2"])]).tables

    aligned = table.aligned(["B", "A"], ["1", "2"])

    assert (aligned.items, aligned.scores.tolist()) == ((), [[2, 1]])


def test_an_unknown_metric_has_no_scores(tmp_path):
    with pytest.raises(KeyError):
        table_of(tmp_path, *SEGMENTS).of("BEER")


@given(
    st.lists(
        st.tuples(
            st.sampled_from("AB"),
            st.integers(1, 3),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
    )
)
def test_every_row_is_the_first_score_of_its_cell_or_found_again(rows):
    builder = TableBuilder()
    builder.start("a", "")
    first: dict[tuple[str, str], float] = {}
    for number, (system, segment, score) in enumerate(rows, start=1):
        first.setdefault((system, str(segment)), score)
        builder.add(
            TableKey("cs-en", "", "seg"), "m", system, repr(score), number, item=str(segment)
        )

    (table,) = builder.tables()

    scores = table.of("m")
    for row, system in enumerate(table.systems):
        for column, segment in enumerate(table.items):
            expected = first.get((system, segment), np.nan)
            np.testing.assert_equal(scores[row, column], expected)
    again = sum(f.count for f in table.findings if f.kind in (DOUBLED, CONTRADICTING))
    assert again == len(rows) - len(first)
    assert table.missing["m"] == scores.size - len(first)


def test_few_rows_with_as_many_names_are_no_table():
    """Laid out, these 500 rows would take a gigabyte."""
    builder = TableBuilder()
    builder.start("a", "")
    for number in range(500):
        name = str(number)
        builder.add(TableKey("cs-en", "", "seg"), name, name, "1", number, item=name)
    with pytest.raises(InputError, match=r"^a: "):
        builder.tables()
