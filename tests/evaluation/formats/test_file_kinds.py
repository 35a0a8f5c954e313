import json

import pytest

from annotation.formats.errors import InputError
from annotation.formats.wmt import FIVE_WAY
from evaluation.formats import score_layouts
from evaluation.formats.file_kinds import kind_of

ENTRY = {"user_id": "jana", "item_i": 0, "annotation": []}
CAMPAIGN = {"info": {}, "campaign_id": "demo", "data": []}
APPRAISE = "u1,A,7,TGT,eng,jpn,90"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B", "wmt-forms"),
        ("\nJUDGEMENT_ID\tTASK\tTYPE\tSYSTEM_0", "wmt-forms"),
        ("system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity", "mqm"),
        (f"{APPRAISE},doc,False,[],1,2", "esa"),
        (f'{APPRAISE},doc,False,"[{{""start_i"":1}}]",1,2', "esa"),
        (f"{APPRAISE},doc,False,1,2", "appraise"),
        (f"{APPRAISE},1,2", "appraise"),
        (json.dumps(CAMPAIGN), "pearmut-campaign"),
        ("\ufeff\n" + json.dumps(CAMPAIGN, indent=1), "pearmut-campaign"),
        (json.dumps([CAMPAIGN, CAMPAIGN]), "pearmut-campaign"),
        (json.dumps(ENTRY) + "\n" + json.dumps(ENTRY), "pearmut-annotations"),
        (json.dumps({"demo": [ENTRY], "other": []}), "pearmut-annotations"),
        (",".join(FIVE_WAY), "rankings"),
        ("HITId WorkerId Input.src Input.trg sys_id type sid score", "assessments"),
        ("LP DATA SID BETTER WORSE", "pairs"),
    ],
)
def test_the_content_says_which_kind_a_file_has(tmp_path, text, kind):
    path = tmp_path / "file"
    path.write_text(text + "\n", encoding="utf-8")

    assert kind_of(path).kind == kind


def test_scores_have_a_layout(tmp_path):
    path = tmp_path / "BLEU.seg.score"
    path.write_text("OPPO 0.5\n")

    found = kind_of(path)

    assert found.kind == "scores"
    assert found.layout is not None
    assert found.layout.layout is score_layouts.SYSTEM_SCORE


@pytest.mark.parametrize(
    "text",
    [
        "a text of words that is none of them",
        '{"9,at each station": [{"na každé stanici": 1}]}',
        '{"sentence": 9, "ranks": {}}',
        "[1, 2]",
        "{",
    ],
)
def test_a_file_of_no_known_kind_is_refused_in_one_sentence(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text + "\n", encoding="utf-8")

    with pytest.raises(InputError, match="file: the file is of no known kind: give "):
        kind_of(path)


def test_it_still_says_what_is_unclear_in_a_file_of_scores(tmp_path):
    path = tmp_path / "scores"
    path.write_text("m\tcs-en\ttest\ta\tb\tc\t0.5\n")

    with pytest.raises(InputError, match="scores of documents"):
        kind_of(path)
