"""Single direct assessments from the files of WMT and from exports of Appraise."""

import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.formats.assessments import read_assessments
from evaluation.formats.file_kinds import kind_of
from evaluation.formats.score_files import read_scores

HEADING = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def names(assessments):
    """Return pair, annotator, batch, system, segment and type of each assessment."""
    return [
        (
            assessments.language_pairs[pair],
            assessments.annotator_names[annotator],
            assessments.batch_names[batch],
            assessments.system_names[system],
            assessments.segment_names[segment],
            kind,
        )
        for pair, annotator, batch, system, segment, kind in zip(
            *(assessments.pairs, assessments.annotators, assessments.batches),
            *(assessments.systems, assessments.segments, assessments.types),
            strict=True,
        )
    ]


def test_files_of_wmt_have_batches_with_times(tmp_path):
    path = write(
        tmp_path / "ad-good-raw.csv",
        [
            HEADING,
            "H1\tM1\tcs\ten\tad\t4\tA.5\t1\tSYSTEM\t177\t60\t931.0",
            'H1\tM1\tcs\ten\tad NA\t"A.5" 1 BAD_REF\t177\t20\t931.0',
            "H1\tM2\tcs\ten\tad\t4\tB\t1\tREPEAT\t177\t70\t0",
            "",
            "NA\tM2\tcs\tde\tad\tNA\tB\t1\tREF\t1\t100\tNA",
        ],
    )
    # Blanks and tabs may be mixed.
    found = read_assessments([path]).assessments

    assert names(found) == [
        ("cs-en", "M1", "H1", "A.5", "177", 0),
        ("cs-en", "M1", "H1", "A.5", "177", 3),
        ("cs-en", "M2", "H1", "B", "177", 1),
        ("cs-de", "M2", "NA", "B", "1", 2),
    ]
    assert found.scores.tolist() == [60, 20, 70, 100]
    assert found.order.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(found.batch_seconds, [931, np.nan, np.nan])
    assert not found.standardised
    assert len(read_scores([path]).assessments) == 4


def test_a_file_of_wmt_counts_once_if_another_has_all_of_it(tmp_path):
    rows = [f"H1 M1 cs en ad 4 A 1 SYSTEM {sid} 60 931" for sid in (1, 2, 3)]
    part = write(tmp_path / "part", [HEADING, *rows[:2]])
    other = write(tmp_path / "other", [HEADING, rows[0], rows[2], rows[2]])
    whole = write(tmp_path / "whole", [HEADING, *rows])

    found = read_assessments([whole, part, whole])
    both = read_assessments([part, other])
    # Without a HIT, equal rows may be two answers.
    parts = [
        write(tmp_path / f"no-{path.name}", [path.read_text().replace("H1 ", "NA ")])
        for path in (part, other)
    ]
    unidentified = read_assessments(parts)

    assert (len(found.assessments), found.repeated) == (3, 5)
    assert (len(both.assessments), both.repeated) == (3, 2)
    assert (len(unidentified.assessments), unidentified.repeated) == (5, 0)


def test_standardised_scores_are_recognised_by_their_sign(tmp_path):
    path = write(tmp_path / "a", [HEADING, "H M cs en ad 4 A 1 SYSTEM 1 -0.5 9"])
    assert read_assessments([path]).assessments.standardised


APPRAISE = [
    "engces0102,A.txt,7,TGT,eng,ces,55,doc#A,False,1000.5,1010.5",
    "engces0102,A.txt,7,BAD,eng,ces,10,doc#A#bad1,False,990.0,1000.5",
    "engces0102,A.txt,7,CHK,eng,ces,54,doc#A,False,1010.5,1050.5",
    "engces0102,A.txt,7,TGT,eng,ces,80,doc#A,True,1050.5,1060.5",
    # A later answer, and an earlier one.
    "engces0102,A.txt,7,TGT,eng,ces,65,doc#A,False,1100,1101",
    "engces0102,A.txt,7,CHK,eng,ces,1,doc#A,False,900,901",
]


def test_exports_of_appraise_have_documents_and_the_last_answers(tmp_path):
    found = read_assessments([write(tmp_path / "scores.csv", APPRAISE)])

    rows = found.assessments
    assert names(rows) == [
        ("eng-ces", "engces0102", "engces0102", "A.txt", "doc::7", kind) for kind in (0, 3, 1)
    ]
    assert rows.scores.tolist() == [65, 10, 54]
    assert rows.seconds.tolist() == [1, 10.5, 40]
    assert rows.order.tolist() == [2, 0, 1]
    assert rows.batch_seconds.tolist() == [111]
    assert (found.document_scores, found.revised) == (1, 2)


def test_answers_that_several_exports_of_appraise_have_count_once(tmp_path):
    first = write(
        tmp_path / "day-1.csv", [*APPRAISE[:3], "u,A.txt,8,TGT,eng,ces,7,doc#A,False,1,2"]
    )
    # The first answer was revised; an export may write times otherwise.
    longer = [
        APPRAISE[4],
        APPRAISE[1].replace("990.0", "990"),
        APPRAISE[2],
        "u,A.txt,8,TGT,eng,ces,7,doc#A,False,1.0,2.0",
        "u,A.txt,9,TGT,eng,ces,8,doc#A,False,3,4",
    ]
    second = write(tmp_path / "day-2.csv", longer)

    # In one file, too: both exports in one.
    joined = write(tmp_path / "joined.csv", [first.read_text() + second.read_text()])
    for files, repeated in (
        ([first, second], 3),
        ([second, first, second], 8),
        ([joined], 3),
    ):
        found = read_assessments(files)
        assert sorted(found.assessments.scores) == [7, 8, 10, 54, 65]
        assert (found.revised, found.repeated) == (1, repeated)

    other = write(tmp_path / "other.csv", [longer[0], longer[4].replace(",8,", ",9,", 1)])
    with pytest.raises(InputError, match=r"line 2: .*day-2\.csv, line 5 has another score of the"):
        read_assessments([second, other])


def test_only_a_system_and_a_copy_are_cut_from_the_name_of_a_document(tmp_path):
    documents = {
        "en-cs_CZ_#_news_#_a": "en-cs_CZ_#_news_#_a",
        "en-cs_CZ_#_news_#_b#A": "en-cs_CZ_#_news_#_b",
        "talk#1#A#bad5#duplicate1": "talk#1",
        "talk#2#incomplete": "talk#2",
        "talk#A+B": "talk",
        "talk#B": "talk#B",
        "#A": "#A",
    }
    lines = [
        f"u,wmt25.A,{number},TGT,eng,ces,55,{name},False,{number},{number + 1}"
        for number, name in enumerate(documents)
    ]

    rows = read_assessments([write(tmp_path / "scores.csv", lines)]).assessments

    assert [name.partition("::")[0] for name in rows.segment_names] == list(documents.values())


@pytest.mark.parametrize("documents", [",doc#A,False", ""])
def test_exports_of_appraise_may_say_the_batch_and_the_item(tmp_path, documents):
    heading = ["user", "system", "itemId", "itemType", "src", "trg", "score", *"abcdef"]
    lines = [
        f"u,A,{item},{kind},eng,ces,{score}{documents},{start},{start + 1},{batch},{item + 500}"
        for item, kind, score, start, batch in (
            (7, "TGT", 55, 10, 3),
            (7, "BAD", 5, 11, 3),
            (8, "TGT", 65, 5000, 4),
        )
    ]
    width = len(lines[0].split(","))
    path = write(tmp_path / "scores.csv", [",".join(heading[:width]), *lines])

    found = read_assessments([path]).assessments

    assert kind_of(path).kind == "appraise"
    assert found.batch_names == ("3", "4")
    assert found.batch_seconds.tolist() == [2, 1]
    assert found.scores.tolist() == [55, 5, 65]
    assert found.originals().tolist() == [0, 0, 2]


def test_degraded_documents_numbered_by_place_have_their_originals(tmp_path):
    lines = [
        "u,A,9,TGT,eng,ces,55,doc#A,False,1,2",
        "u,A,10,TGT,eng,ces,65,doc#A,False,2,3",
        "u,A,41,BAD,eng,ces,15,doc#A#bad1,False,3,4",
        "u,A,40,BAD,eng,ces,5,doc#A#bad1,False,4,5",
        # Of another document there is no original, of a third one not all items are degraded.
        "u,A,50,BAD,eng,ces,5,other#A#bad1,False,5,6",
        "u,A,60,TGT,eng,ces,5,third#A,False,6,7",
        "u,A,61,TGT,eng,ces,5,third#A,False,7,8",
        "u,A,70,BAD,eng,ces,5,third#A#bad1,False,8,9",
    ]
    rows = read_assessments([write(tmp_path / "scores.csv", lines)]).assessments
    assert rows.originals().tolist() == [0, 1, 1, 0, -1, 5, 6, -1]


@pytest.mark.parametrize(
    "heading", [[], ["username,system,itemId,itemType,srcLang,trgLang,score,timeStart,timeEnd"]]
)
def test_exports_of_appraise_may_have_no_documents_and_a_heading(tmp_path, heading):
    rows = ['u,"A, new",7,TGT,eng,ces,55,1000.5,1010.5', "u,B,7,REF,eng,ces,99,1,2"]
    found = read_assessments([write(tmp_path / "scores.csv", [*heading, *rows])]).assessments

    assert [row[3:] for row in names(found)] == [("A, new", "7", 0), ("B", "7", 2)]


def test_all_problems_of_all_files_are_named(tmp_path):
    wmt = write(
        tmp_path / "wmt",
        [
            HEADING,
            "H M cs en ad 4 A 1 SYSTEM 1 50 9",
            "H M cs en ad 4 A 1 SYSTEM",
            "H M cs en ad 4 A 1 OTHER 1 x -9",
            "H M cs en ad 4 A 1 REF 1 100.5 9",
            "H M cs en ad 4 A 1 REF 1 nan soon",
        ],
    )
    appraise = write(
        tmp_path / "appraise",
        [
            "u,A,7,TGT,eng,ces,55,doc,False,2,1",
            "u,,7,TGT,eng,ces,55,doc,maybe,1,2",
            "u,A,7,TGT",
            "u,A,7,TGT,eng,ces,-1,doc,True,1,2",
            "u,A,7,TGT,eng,ces,101,doc,False,1,2",
        ],
    )
    other = write(tmp_path / "other", ["a b c"])
    empty = write(tmp_path / "empty", [])
    standardised = write(tmp_path / "z", [HEADING, "H M cs en ad 4 A 1 SYSTEM 1 -0.5 9"])
    problems: list[InputError] = []

    found = read_assessments([wmt, appraise, other, empty, standardised], problems.append)

    places = [(error.place[0].rpartition("/")[2], error.place[1]) for error in problems]
    assert places == [
        *(("wmt", line) for line in (3, 4, 4, 4, 6, 6, 5)),
        *(("appraise", line) for line in (1, 2, 2, 3, 5)),
        *(("other", 1), ("empty", 0), ("z", 0)),
    ]
    assert found.assessments.scores.tolist() == [50]
    with pytest.raises(InputError, match="line 3: 9 columns where 12 are needed"):
        read_assessments([wmt])
