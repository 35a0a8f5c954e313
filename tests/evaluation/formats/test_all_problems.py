"""Each format of scores and judgements is recognised, and all wrong lines of a file are named."""

import json

import pytest

from annotation.formats.errors import InputError
from annotation.formats.mqm_lines import read_mqm
from annotation.formats.pearmut import read_annotations, read_campaigns
from annotation.formats.problems import MOST, MOST_OF_A_FILE, ErrorList, InputErrors
from annotation.formats.wmt import FIVE_WAY, PAIRWISE
from annotation.formats.wmt_forms import read_screens
from evaluation.formats.assessments import read_assessments
from evaluation.formats.error_span_scores import read_span_scores
from evaluation.formats.file_kinds import kind_of
from evaluation.formats.metrics_eval_folder import read_eval_set
from evaluation.formats.score_files import read_scores
from evaluation.report.gold_files import read_gold

FIVE = "Czech,English,1,doc,1,jana,1,A,2,B,3,C,4,D,5,E,"
SCREEN = "WMT08 German-English Europarl,NIST,1,jana,30,A,"
APPRAISE = "jana,A,1,TGT,eng,ces,"
ANSWER = {"user_id": "jana", "item_i": 0, "item": [{"tgt": {"A": "x"}}]}
GOOD_ANSWER = ANSWER | {"annotation": [{"A": {"score": 5}}]}
WRONG_ANSWER = ANSWER | {"annotation": [{"B": {"score": 5}}]}
OF_WRONG_TYPE = ANSWER | {"annotation": 7}
MQM_LINE = "A\tdoc\t1\t1\tr1\tsource\ttarget\tFluency\t"


def scores(path, on_error):
    read_scores([path], on_error=on_error)


def assessments(path, on_error):
    read_assessments([path], on_error)


def span_scores(path, on_error):
    list(read_span_scores(path, on_error=on_error))


def mqm(path, on_error):
    list(read_mqm(path, on_error=on_error))


def screens(path, on_error):
    list(read_screens(path, on_error=on_error))


def annotations(path, on_error):
    read_annotations(path, on_error=on_error)


# Name, kind, reader, and lines; the second and the fourth are wrong.
FILES = {
    "WMT13-16": ("a", "scores", scores, [f"BEER cs-en t {x}" for x in ("A 1", "1", "B 2", "C x")]),
    "WMT20 seg": (
        *("a", "scores", scores),
        [f"BEER cs-en t ref A doc {x}" for x in ("1 1", "2 x", "3 1", "4")],
    ),
    "WMT25": (
        *("a", "scores", scores),
        [
            "doc_id segment_id source_lang target_lang set_id system_id domain_name method overall",
            *(f"d 1 en cs s {x}" for x in ("A x m high", "B x m 1", "C 1")),
        ],
    ),
    "combined": ("a", "scores", scores, ["LP SYSTEM HUMAN M", "cs-en A x 1", "cs-en B 1 1", "C"]),
    "mt-metrics-eval": ("en-cs.h.seg.score", "scores", scores, ["A 1", "A x", "B 1", "B 1 1"]),
    "DA segments": (
        *("a", "scores", scores),
        ["SYS SID RAW.SCR Z.SCR N", "A 1 x 1 1", "A 2 5 0 1", "A 3 5 0 x"],
    ),
    "DA 2017": (
        *("a", "scores", scores),
        ["LP DATA SYSTEM SID HUMAN", "cs-en t A 1 x", "cs-en t A 2 1", "B"],
    ),
    "MQM averages": (
        *("a", "scores", scores),
        ["system mqm_avg_score seg_id", "A x 1", "A -1 2", "A -1"],
    ),
    "daRR": (
        *("a", "pairs", scores),
        ["LP DATA SID BETTER WORSE", "cs-en t 1 A A", "cs-en t 1 A B", "cs-en t 2 B B"],
    ),
    "WMT12": (
        *("a", "rankings", scores),
        [",".join(FIVE_WAY), FIVE + "1,2,3,4,9", FIVE + "1,2,3,4,5", FIVE + '1,2,3,4,"5"x'],
    ),
    "WMT16": (
        *("a", "rankings", scores),
        [",".join(PAIRWISE), "c,e,1,1,j,A,9,B,2,1", "c,e,1,1,j,A,1,B,2,1", "c,e,1,1,j,A"],
    ),
    "single DA": (
        *("a", "assessments", scores),
        [
            "HITId WorkerId Input.src Input.trg sys_id type sid score",
            *(f"h w cs en A SYSTEM {x}" for x in ("1 200", "2 50", "3 x")),
        ],
    ),
    "WMT07-09": (
        *("a", "wmt-forms", screens),
        [
            "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B",
            *(SCREEN + x for x in ("9,1", "1,1", "1,7")),
        ],
    ),
    "MQM": (
        *("a", "mqm", mqm),
        [
            "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity",
            *(MQM_LINE + x for x in ("bad", "minor", "worse")),
        ],
    ),
    "ESA": (
        *("a", "esa", span_scores),
        [f"{APPRAISE}{x},[],1,2" for x in ("9,d,False", "x,d,False", "9,d,False", "9,d,No")],
    ),
    "DA and SQM": (
        *("a", "appraise", assessments),
        [APPRAISE + x for x in ("9,d,False,1,2", "x,d,False,1,2", "9,d,False,1,2", "9,d,No,1,2")],
    ),
    "Appraise": (
        *("a", "appraise", assessments),
        [APPRAISE + x for x in ("9,1,2", "x,1,2", "9,1,2", "9,1,x")],
    ),
    "Pearmut": (
        *("a", "pearmut-annotations", annotations),
        [json.dumps(one) for one in (GOOD_ANSWER, WRONG_ANSWER, GOOD_ANSWER, OF_WRONG_TYPE)],
    ),
}


@pytest.mark.parametrize(("name", "kind", "read", "lines"), FILES.values(), ids=FILES)
def test_both_wrong_lines_are_named(tmp_path, name, kind, read, lines):
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines))
    errors: list[InputError] = []

    read(path, errors.append)

    assert kind_of(path).kind == kind
    assert sorted(error.place for error in errors) == [(str(path), 2), (str(path), 4)]


def test_both_wrong_annotations_and_items_of_pearmut_are_named(tmp_path):
    path = tmp_path / "pearmut.json"
    path.write_text(json.dumps({"demo": [OF_WRONG_TYPE, GOOD_ANSWER, WRONG_ANSWER]}))
    errors: list[InputError] = []

    read_annotations(path, on_error=errors.append)

    assert [error.where.rpartition(", ")[2] for error in errors] == ["annotation 0", "annotation 2"]

    path.write_text(json.dumps({"campaign_id": "demo", "data": [[{"tgt": 7}, {}], []]}))
    errors.clear()

    read_campaigns(path, on_error=errors.append)

    assert [error.where.rpartition("task 0, ")[2] for error in errors] == [
        *("document 0, item 0", "document 0, item 1", "document 1"),
    ]


def test_all_problems_of_a_folder_of_mt_metrics_eval_are_named(tmp_path):
    files = {
        "sources/en-cs.txt": "one\ntwo\n",
        "references/en-cs.ref.txt": "jedna\n",
        "system-outputs/en-cs/A.txt": "jeden\ndva\n",
        "documents/en-cs.docs": "news\nnews d\n",
        "human-scores/en-cs.h.seg.score": "A 1\nA x\nB 1\nB y\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    with pytest.raises(InputErrors) as problem:
        read_eval_set(tmp_path, "en-cs")

    assert len(problem.value.errors) == 4
    for name in ("en-cs.ref.txt", "en-cs.docs, line 1", "seg.score, line 2", "seg.score, line 4"):
        assert name in str(problem.value)


def test_problems_of_gold_and_of_scores_are_named_together(tmp_path):
    files = {
        "mqm.tsv": FILES["MQM"][3],
        "gold.en-cs.sys.score": ["A x"],
        "forms": FILES["WMT07-09"][3],
        "M.sys.score": ["M en-cs t A x"],
        "words": ["one two three"],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    gold = [tmp_path / name for name in ("mqm.tsv", "gold.en-cs.sys.score", "forms")]

    with pytest.raises(InputErrors) as problem:
        read_gold(gold, [tmp_path / "M.sys.score", tmp_path / "words"])

    assert len(problem.value.errors) == 6


def test_a_file_hides_no_other_and_the_rest_is_counted():
    errors = ErrorList()
    for name in "abcdefg":
        for line in range(30, 0, -1):
            errors.add(InputError("wrong.", f"{name}, line {line}"))

    with pytest.raises(InputErrors) as problem:
        errors.raise_all()

    shown = problem.value.errors
    assert [len([e for e in shown if e.place[0] == name]) for name in "abcdefg"] == [
        *([MOST_OF_A_FILE] * 5),
        *(0, 0),
    ]
    assert problem.value.more == 7 * 30 - MOST
    assert shown[0].place == ("a", 11)
    assert str(problem.value).startswith("210 problems:\na, line 11: wrong.\n")
    named = problem.value.with_names({"a": "A"})
    assert isinstance(named, InputErrors)
    assert named.errors[0].place == ("A", 11)
