import gzip

import pytest

from annotation.formats.errors import InputError
from annotation.formats.wmt import FIVE_WAY, PAIRWISE
from evaluation.formats import score_layouts as layouts
from evaluation.formats.score_layouts import recognise

DA_HEADING = "SYS SEGID RAW.SCR Z.SCR N SID"


@pytest.mark.parametrize(
    ("name", "line", "layout"),
    [
        ("human.scores", "human cs-en newstest2014 cu-moses.3383 -0.468", layouts.WMT13_SYS),
        ("a", "BEER\tcs-en\tnewstest2014\tonlineA.0\t17\t0.25", layouts.WMT13_SEG),
        ("a", "BLEU\ten-cs\tnewstest2017\tCU-Chimera.4886\t.2\tno\thttps://a.b", layouts.WMT17_SYS),
        (
            "a",
            "BEER en-cs himltest2017a Chimera 1 0.509 no https://github.com/a/b",
            layouts.WMT17_SEG,
        ),
        ("a", "chrF\tcs-en\tnewstest2020\tref\tOPPO.1481\t0.3", layouts.WMT20_SYS),
        ("a", "chrF\tcs-en\tnewstest2020\tnewstest2020-ref\tOPPO\tctk.1\t0.3", layouts.WMT20_DOC),
        ("a", "chrF\tcs-en\tnewstest2020\tref\tOPPO\tctk.1\t3\t0.3", layouts.WMT20_SEG),
        ("a", "chrF\tcs-en\tnewstest2021\trefA\tOPPO\t12\t0.3", layouts.WMT21_SEG),
        ("a", "COMET\ten-de\tgeneraltest2022\tnews\trefA\tOPPO\t0.3", layouts.WMT22_SYS),
        ("a", "COMET\ten-de\tgeneraltest2022\tnews\tdoc1\tsrc\tM2M\t12\t0.3", layouts.WMT22_SEG),
        ("cs-en.segranks.sys.score", "OPPO.1481 0.3", layouts.SYSTEM_SCORE),
        ("cs-en.segranks.domain.score", "news OPPO.1481 None", layouts.DOMAIN_SCORE),
        ("a", "82.1 0.202 494 494 GTCOM.0 GTCOM", layouts.DA_RANKING),
        ("cs-en.rank", "12\tcs-en\tsys1\tcs-en\tsys2", layouts.RR_PAIRS),
        ("a", "\t".join(layouts.WMT25.columns), layouts.WMT25),
        ("a", DA_HEADING, layouts.DA_SEGMENTS),
        ("a", "SYS SID RAW.SCR Z.SCR N ", layouts.DA_SENTENCES),
        ("a", "SYS SEGID RAW.SCR Z.SCR N", layouts.DA_DOCUMENTS),
        ("a", "RAW.SCR Z.SCR N SYS N.ALL ", layouts.DA_SYSTEMS),
        ("a", "LP DATA SYSTEM SID HUMAN", layouts.DA_2017),
        ("a", "system mqm_avg_score seg_id", layouts.MQM),
        ("a", "LP DATA SID BETTER WORSE DIFF", layouts.DARR),
        ("a", "LP SYSTEM HUMAN BLEU LP", layouts.COMBINED),
        ("a", ",".join(FIVE_WAY), layouts.FIVE_WAY_RANKINGS),
        ("a", ",".join(PAIRWISE), layouts.PAIRWISE_RANKINGS),
        (
            "a",
            "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time",
            layouts.ASSESSMENTS,
        ),
    ],
)
def test_columns_say_which_layout_a_file_has(tmp_path, name, line, layout):
    path = tmp_path / name
    path.write_text(f"{line}\n")

    assert recognise(path).layout is layout


def test_a_heading_may_be_written_in_small_letters(tmp_path):
    path = tmp_path / "scores"
    path.write_text("lp data sid better worse diff\n")

    recognised = recognise(path)

    assert recognised.heading
    assert recognised.columns == ("LP", "DATA", "SID", "BETTER", "WORSE", "diff")


def test_a_gzipped_file_has_the_level_that_its_name_says(tmp_path):
    path = tmp_path / "cs-en.wmt-z.seg.score.gz"
    path.write_bytes(gzip.compress(b"OPPO 0.5\nOPPO None\n"))

    assert (recognise(path).layout, recognise(path).level) == (layouts.SYSTEM_SCORE, "seg")


def test_the_name_of_a_file_decides_between_documents_and_domains(tmp_path):
    line = "m\tcs-en\ttest\ta\tb\tc\t0.5\n"
    for name, layout in (("m.doc.score", layouts.WMT20_DOC), ("m.sys.score", layouts.WMT22_SYS)):
        path = tmp_path / name
        path.write_text(line)
        assert recognise(path).layout is layout

    path = tmp_path / "scores"
    path.write_text(line)
    with pytest.raises(InputError, match="scores: the file may have scores of documents"):
        recognise(path)


def test_a_system_named_by_a_number_is_no_segment_in_a_file_of_systems(tmp_path):
    path = tmp_path / "chrF.sys.score"
    path.write_text("chrF\tcs-en\ttest\tref\t1481\t0.3\n")

    assert recognise(path).layout is layouts.WMT20_SYS


@pytest.mark.parametrize(
    ("name", "line"),
    [("cs-en.mqm.seg.score", "news OPPO 0.5"), ("cs-en.mqm.domain.score", "OPPO 0.5")],
)
def test_only_files_of_domains_have_a_column_for_them(tmp_path, name, line):
    path = tmp_path / name
    path.write_text(f"{line}\n")

    with pytest.raises(InputError, match="columns are not those of a known layout"):
        recognise(path)


def test_tabs_and_blanks_may_be_mixed(tmp_path):
    path = tmp_path / "scores"
    path.write_text("BEER cs-en\tnewstest2014\tA 0.5\n")

    assert recognise(path).layout is layouts.WMT13_SYS


def test_a_later_row_decides_where_the_first_one_fits_two_layouts(tmp_path):
    path = tmp_path / "scores"
    path.write_text("chrF\tcs-en\ttest\tref\t1481\t0.3\nchrF\tcs-en\ttest\tref\tOPPO\t0.3\n")

    assert recognise(path).layout is layouts.WMT20_SYS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("\n \n", "line 1: there is no score"),
        ("a b c d\n", "line 1: the number of columns is 4, but files of scores have 2, 3, 5"),
        (
            "BLEU cs-en test OPPO high\n",
            "line 1: the 5 columns are not those of a known layout: SEGMENT LP BETTER LP2 WORSE "
            "| METRIC LP TESTSET SYSTEM SCORE",
        ),
    ],
)
def test_it_refuses_a_file_without_a_known_layout(tmp_path, text, sentence):
    path = tmp_path / "scores"
    path.write_text(text)

    with pytest.raises(InputError) as problem:
        recognise(path)
    assert sentence in str(problem.value)
