from collections import Counter

import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.formats.human_scores import (
    EQUAL,
    FIRST_BETTER,
    SECOND_BETTER,
)
from evaluation.formats.score_files import read_scores
from evaluation.formats.score_tables import TURNED
from tests.evaluation.formats.wmt_files import write, write_five_way, write_pairwise


def table_of(path, *lines):
    (table,) = read_scores([write(path, lines)]).tables
    return table


def pairs_of(path, *lines):
    (pairs,) = read_scores([write(path, lines)]).pairs
    return pairs


def compared(pairs):
    return [
        (pairs.segments[segment], pairs.systems[first], pairs.systems[second], int(outcome))
        for segment, first, second, outcome in zip(
            pairs.segments_of, pairs.first, pairs.second, pairs.outcomes, strict=True
        )
    ]


def test_direct_assessments_of_segments_have_raw_and_standardised_scores(tmp_path):
    table = table_of(
        tmp_path / "metrics-ad-seg-scores-cs-en.csv",
        "SYS SEGID RAW.SCR Z.SCR N SID",
        "Online-A.1570 denik.cz.201552::1 92.0 0.5 1 656",
        "Online-A.1570 blesk.cz.189703::1 89.5 0.25 2 632",
        "OPPO.1481 blesk.cz.189703::1 50 -0.5 4 632",
    )

    assert (table.pair, table.level) == ("cs-en", "seg")
    assert table.items == ("denik.cz.201552::1", "blesk.cz.189703::1")
    assert table.documents == ("denik.cz.201552", "blesk.cz.189703")
    np.testing.assert_array_equal(table.of("RAW.SCR"), [[92, 89.5], [np.nan, 50]])
    np.testing.assert_array_equal(table.of("Z.SCR"), [[0.5, 0.25], [np.nan, -0.5]])
    assert table.counts is not None
    assert table.counts.tolist() == [[1, 2], [0, 4]]


def test_names_in_tables_of_segments_may_have_commas_and_blanks(tmp_path):
    table = table_of(
        tmp_path / "segment-scores.csv",
        "SYS,SID,RAW.SCR,Z.SCR,N",
        '"A, new",doc::1,90.5,0.5,1',
        '"B ""old""",doc::1,80.5,None,1',
    )
    assert table.systems == ("A, new", 'B "old"')
    np.testing.assert_array_equal(table.of("RAW.SCR"), [[90.5], [80.5]])


def test_direct_assessments_may_have_blanks_at_the_end_of_lines(tmp_path):
    table = table_of(
        tmp_path / "ad-seg-scores-cs-en.csv",
        "SYS SID RAW.SCR Z.SCR N ",
        "Facebook-AI.7 178 75 -0.5 1 ",
        "Facebook-AI.7 177 100 0.5 1 ",
    )

    assert table.items == ("177", "178")
    assert table.of("RAW.SCR").tolist() == [[100, 75]]


def test_direct_assessments_of_documents_and_systems_count_judgements(tmp_path):
    documents = table_of(
        tmp_path / "a", "SYS SEGID RAW.SCR Z.SCR N", "OPPO.1481 aktualne.cz.1 71.5 -0.25 10"
    )
    systems = table_of(tmp_path / "b", "RAW.SCR Z.SCR N SYS N.ALL ", "77.5 0.25 494 GTCOM.0 500 ")
    ranking = table_of(tmp_path / "c", "77.5 0.25 494 500 GTCOM.0 GTCOM")

    assert (documents.level, documents.items) == ("doc", ("aktualne.cz.1",))
    for table in (systems, ranking):
        assert (table.systems, table.scores.tolist()) == (("GTCOM.0",), [[77.5], [0.25]])
        assert table.counts is not None
        assert table.counts.tolist() == [494]


def test_scores_with_and_without_counts_can_be_one_table(tmp_path):
    counted = write(
        tmp_path / "ad-sys-scores-cs-en.csv", ["RAW.SCR Z.SCR N SYS N.ALL", "77.5 0.25 494 A 500"]
    )
    official = write(tmp_path / "official.cs-en", ["A 0.5", "B 1.5"])

    (table,) = read_scores([counted, official]).tables

    assert table.metrics == ("RAW.SCR", "Z.SCR", "HUMAN")
    assert table.counts is not None
    assert table.counts.tolist() == [494, 0]
    assert table.missing == {"RAW.SCR": 1, "Z.SCR": 1, "HUMAN": 0}


def test_a_text_of_several_systems_has_a_score_for_each(tmp_path):
    table = table_of(
        tmp_path / "DA-seglevel.csv",
        "LP DATA SYSTEM SID HUMAN",
        "cs-en newstest2017 online-A.0+online-B.0 7 -0.5",
        "cs-en newstest2017 PJATK.4760 7 0.25",
    )

    assert table.systems == ("online-A.0", "online-B.0", "PJATK.4760")
    assert table.of("HUMAN").tolist() == [[-0.5], [-0.5], [0.25]]


def test_penalties_of_mqm_stay_and_may_be_missing(tmp_path):
    table = table_of(
        tmp_path / "mqm_newstest2020_zhen.avg_seg_scores.tsv",
        "system mqm_avg_score seg_id",
        "DeepMind.381 -5.666667 1",
        "DeepMind.381 -0.000000 2",
        "DeepMind.381 None 3",
    )

    assert table.pair == "zh-en"
    np.testing.assert_array_equal(table.of("mqm"), [[-5.666667, 0, np.nan]])
    assert not np.signbit(table.of("mqm")[0, 1])
    assert table.missing == {"mqm": 1}


def test_error_points_of_mqm_are_turned_and_it_says_so(tmp_path):
    table = table_of(
        tmp_path / "mqm_ted_ende.avg_seg_scores.tsv",
        "system\tmqm_avg_score\tseg_id",
        *["Online-A\t0.1\t1", "Online-A\t0.0\t2", "Online-B\t25\t1", "Online-B\tNone\t2"],
    )

    np.testing.assert_array_equal(table.of("mqm"), [[-0.1, 0], [-25, np.nan]])
    turned = [finding for finding in table.findings if finding.kind == TURNED]
    assert [(finding.count, finding.examples) for finding in turned] == [(2, ("0.1", "25"))]


def test_relative_rankings_from_direct_assessments_are_pairs(tmp_path):
    pairs = pairs_of(
        tmp_path / "RR-seglevel.csv",
        "LP DATA SID BETTER WORSE DIFF",
        "cs-en newstest2018 9 A.1 B.2 30.5",
        "cs-en newstest2018 9 C.3 A.1 25",
        "cs-en newstest2018 12 B.2 A.1 40",
    )

    assert (pairs.pair, pairs.test_set, pairs.layout) == ("cs-en", "newstest2018", "daRR")
    assert compared(pairs) == [
        ("9", "A.1", "B.2", FIRST_BETTER),
        ("9", "C.3", "A.1", FIRST_BETTER),
        ("12", "B.2", "A.1", FIRST_BETTER),
    ]
    assert pairs.differences.tolist() == [30.5, 25, 40]
    assert (pairs.repeated, pairs.contradicting, pairs.complete) == (0, 0, False)


def test_pairs_of_the_meteor_trainer_are_kept_when_repeated(tmp_path):
    pairs = pairs_of(
        tmp_path / "cs-en.rank",
        "12\tcs-en\tsys1\tcs-en\tsys2",
        "12\tcs-en\tsys1\tcs-en\tsys2",
        "12\tcs-en\tsys2\tcs-en\tsys1",
        "7\tcs-en\tsys2\tcs-en\tsys1",
    )

    assert len(pairs) == pairs.untied == 4
    assert (pairs.repeated, pairs.contradicting) == (2, 1)
    assert np.isnan(pairs.differences).all()


def test_pairs_are_aligned_with_the_systems_and_segments_of_a_metric(tmp_path):
    pairs = pairs_of(
        tmp_path / "cs-en.rank",
        "12\tcs-en\tsys1\tcs-en\tsys2",
        "12\tcs-en\tsys3\tcs-en\tsys2",
        "12\tcs-en\tsys4\tcs-en\tsys2",
        "99\tcs-en\tsys2\tcs-en\tsys1",
        "7\tcs-en\tsys2\tcs-en\tsys1",
        "7\tcs-en\tsys1\tcs-en\tsys2",
    )

    aligned = pairs.aligned(["B", "A"], ["7", "12"], {"sys1": "A", "sys2": "B", "sys4": None})

    assert compared(aligned) == [
        ("12", "A", "B", FIRST_BETTER),
        ("7", "B", "A", FIRST_BETTER),
        ("7", "A", "B", FIRST_BETTER),
    ]
    assert aligned.first.tolist() == [1, 0, 1]
    assert aligned.segments_of.tolist() == [1, 0, 0]
    assert (aligned.left_out, aligned.unknown) == (3, ("sys3", "99"))
    assert (aligned.repeated, aligned.contradicting) == (1, 1)


def test_pairs_and_rankings_that_two_files_have_count_once(tmp_path):
    lines = ["12\tcs-en\tsys1\tcs-en\tsys2", "7\tcs-en\tsys2\tcs-en\tsys1"]
    part, whole = (write(tmp_path / f"{n}.rank", lines[:n]) for n in (1, 2))
    rows = [(7, "j", "A 1 B 2 C 3"), (7, "k", "A 1 B 2")]
    five = write_five_way(tmp_path / "five.csv", rows)
    other = write_five_way(tmp_path / "other.csv", [(7, "l", "A 1 B 2")])

    meteor, wmt = read_scores([part, whole, five, five, other]).pairs

    assert (len(meteor), meteor.given_again) == (2, 1)
    # Three judges compared A and B, and each counts.
    assert (len(wmt), wmt.given_again) == (5, 4)
    assert wmt.files == (str(five), str(other))


def test_rankings_of_five_are_all_pairs_with_ties(tmp_path):
    path = write_five_way(
        tmp_path / "five.csv",
        [(7, "judge", "newstest2014.C.1.cs-en 2 A 1 B+D 2 E -1")],
    )

    (pairs,) = read_scores([path]).pairs

    assert pairs.complete
    assert compared(pairs) == [
        ("7", "C.1", "A", SECOND_BETTER),
        ("7", "C.1", "B", EQUAL),
        ("7", "C.1", "D", EQUAL),
        ("7", "A", "B", FIRST_BETTER),
        ("7", "A", "D", FIRST_BETTER),
    ]


def test_rankings_of_two_are_pairs(tmp_path):
    path = write_pairwise(tmp_path / "two.csv", [(7, "judge", "C 2 A 1", "1")])

    (pairs,) = read_scores([path]).pairs

    assert compared(pairs) == [("7", "C", "A", SECOND_BETTER)]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ["SYS SID RAW.SCR Z.SCR N", "A 1 50 0.5 many"],
            "line 2: the number of judgements 'many' is not a whole number.",
        ),
        # A long text is quoted in part.
        (
            ["SYS SID RAW.SCR Z.SCR N", f"A 1 50 0.5 {'x' * 70}"],
            f"the number of judgements '{'x' * 60}' is not a whole number.",
        ),
        (
            ["system mqm_avg_score seg_id", "A 1 1", "A -2 2"],
            "line 3: the score -2 is negative, but others are positive: give all as penalties or "
            "all as error points.",
        ),
        (
            ["LP DATA SID BETTER WORSE", "cs-en test 1 A A"],
            "line 2: the system 'A' cannot be better than itself.",
        ),
        (
            ["LP DATA SID BETTER WORSE DIFF", "cs-en test 1 A B big"],
            "line 2: the difference of scores 'big' is not a number.",
        ),
        (
            ["1 cs-en A de-en B"],
            "line 1: the better text is of cs-en, the worse one of de-en: give one pair.",
        ),
    ],
)
def test_it_refuses_rows_that_are_no_judgements(tmp_path, lines, sentence):
    with pytest.raises(InputError) as problem:
        read_scores([write(tmp_path / "a", lines)])
    assert sentence in str(problem.value)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "pair", "single", "segments", "counted"),
    [("wmt21-cs-en", "cs-en", 13069, 1000, 8155), ("facebook-bn-hi", "bn-hi", 4461, 4461, 4461)],
)
def test_published_direct_assessments_agree_at_all_levels(
    shared, folder, pair, single, segments, counted
):
    files = shared / "data/direct-assessment" / folder
    assessments = read_scores(sorted(files.glob("ad-*-good-stnd.csv"))).assessments
    (of_segments,) = read_scores([files / f"ad-seg-scores-{pair}.csv"]).tables
    (of_systems,) = read_scores([files / f"ad-sys-scores-{pair}.csv"]).tables
    (ranking,) = read_scores([files / f"ad-sys-ranking-{pair}-z-names.csv"]).tables

    assert (assessments.language_pairs, of_segments.pair) == ((pair,), pair)
    assert of_systems.pair == pair
    assert (len(assessments), len(of_segments.items)) == (single, segments)
    assert len(of_systems.systems) == 9
    assert of_systems.counts is not None
    assert of_systems.counts.sum() == counted
    aligned = of_segments.aligned(of_systems.systems)
    assert np.isfinite(aligned.of("Z.SCR")).sum() == counted
    # A system's published score is the mean of those of its segments.
    np.testing.assert_allclose(np.nanmean(aligned.scores, axis=2), of_systems.scores, rtol=1e-12)
    np.testing.assert_allclose(
        ranking.aligned(of_systems.systems).of("Z.SCR"), of_systems.of("Z.SCR"), atol=5.1e-4
    )


@pytest.mark.shared
def test_pairs_of_wmt12_are_the_published_wins_and_ties(shared):
    folder = shared / "data/judgements/wmt12"
    tables = {
        pairs.pair: pairs for pairs in read_scores([folder / "wmt12.RNK_results.csv.gz"]).pairs
    }

    pairs = tables["Czech-English"]

    counts: Counter[tuple[str, str, int]] = Counter()
    for _segment, first, second, outcome in compared(pairs):
        counts[first, second, outcome] += 1
        counts[second, first, -outcome] += 1
    published = (folder / "published/pairwise/wmt12.Czech-English").read_text().split("\n")
    rows = [line.split() for line in published if line.strip()]
    assert len(rows) > 10
    for first, second, *expected in rows:
        found = [counts[first, second, outcome] for outcome in (1, 0, -1)]
        assert found == [int(text) for text in expected], (first, second)
