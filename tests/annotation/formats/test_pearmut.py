import json

import pytest

from annotation.formats.errors import InputError
from annotation.formats.marked_errors import MISSING, MarkedError
from annotation.formats.pearmut import (
    Campaign,
    Check,
    Item,
    Question,
    Slider,
    read_annotations,
    read_campaigns,
    write_campaign,
)

OUTPUTS = {"A": "Ahoj!", "B": "Nazdar!"}
ITEM = {"src": "Hello!", "tgt": OUTPUTS, "item_id": "doc1-0"}
INFO = {"assignment": "task-based", "protocol": "ESA"}


def campaign_of(tmp_path, data, info=INFO, **keys):
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps({"info": info, "campaign_id": "demo", "data": data} | keys))
    (campaign,) = read_campaigns(path)
    return campaign


def test_a_campaign_has_tasks_of_documents_of_items(tmp_path):
    item = ITEM | {
        "error_spans": {"A": [{"start_i": 0, "end_i": 3, "severity": "minor", "category": None}]},
        "validation": {
            "B": {
                "score": [70, 80],
                "score_greaterthan": "A",
                "warning": "Look again",
                "Fluency": [2, 5],
            }
        },
        "skippable": True,
    }

    campaign = campaign_of(tmp_path, [[[item, ITEM]], [[ITEM], [ITEM]]])

    assert [[len(document) for document in task] for task in campaign.tasks] == [[2], [1, 1]]
    assert campaign.tasks[0][0][0] == Item(
        outputs=OUTPUTS,
        source="Hello!",
        item_id="doc1-0",
        marked={"A": (MarkedError("minor", places=((0, 4),)),)},
        checks={"B": Check((70, 80), "A", (), "Look again", {"Fluency": (2, 5)})},
        skippable=True,
    )


def test_users_of_other_assignments_share_one_pool(tmp_path):
    info = {"assignment": "dynamic", "users": [{"user_id": "jana", "token_pass": "x"}, "petr"]}

    campaign = campaign_of(tmp_path, [[ITEM], [ITEM]], info)

    assert [len(task) for task in campaign.tasks] == [2]
    assert campaign.users == ("jana", "petr")


def test_tasks_of_a_campaign_that_was_added_have_users(tmp_path):
    campaign = campaign_of(tmp_path, {"jana": [[ITEM]], "petr": [[ITEM]]})

    assert (campaign.users, len(campaign.tasks)) == (("jana", "petr"), 2)


WHOLE = Campaign(
    campaign_id="wmt25_#_en-cs",
    assignment="task-based",
    tasks=(
        (
            (
                Item(
                    outputs={"A": "Ahoj!", "B": ""},
                    source="Hello!",
                    reference="Nazdar!",
                    item_id="1",
                    instructions="Judge.",
                    marked={
                        "A": (
                            MarkedError("minor", "Style", ((1, 3),)),
                            MarkedError("major", token=MISSING),
                        ),
                        "B": (MarkedError("major", "Accuracy/Omission", token="[untranslated]"),),
                    },
                    checks={
                        "A": Check(
                            (1, 30),
                            "B",
                            ({"start_i": [0, 2], "end_i": 3},),
                            "Low",
                            {"Fluency": (0, 2)},
                        )
                    },
                ),
            ),
        ),
    ),
    protocol="MQM",
    sliders=(Slider("Fluency", 0, 5, 1),),
    categories={"Style": ("Awkward",), "Unknown": ()},
    severities=("Minor", "Critical"),
    special_tokens=(MISSING, "[untranslated]"),
    validation_threshold=0,
    users=("jana",),
    welcome=((Question("How old are you?", "number"),), (Item({"A": "x"}, skippable=True),)),
    goodbye=((Question("Easy?", "choices", ("yes", "no")), Question("", "script", script="1")),),
    random=((Item({"B": "y"}),),),
    settings={"shuffle": True, "data_random_prob": 0.1},
)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"sliders": None, "users": 5, "categories": "input"},
        {"sliders": (), "validation_threshold": 0.5, "categories": {}},
    ],
)
def test_a_written_campaign_is_read_the_same(tmp_path, changes):
    campaign = Campaign(**{**vars(WHOLE), **changes})
    path = tmp_path / "campaign.json"
    path.write_text(write_campaign(campaign), encoding="utf-8")

    assert read_campaigns(path) == [campaign]


def test_a_file_may_have_several_campaigns_that_say_little(tmp_path):
    path = tmp_path / "campaigns.json"
    path.write_text(
        json.dumps([{"campaign_id": "a", "data": [[ITEM]]}, {"campaign_id": "b", "data": []}])
    )

    first, second = read_campaigns(path)

    assert (first.assignment, first.protocol, first.users) == ("single-stream", "cESA", 1)
    assert (first.special_tokens, second.campaign_id) == ((MISSING,), "b")


def test_without_marked_errors_there_is_no_token_for_what_is_missing(tmp_path):
    info = {"assignment": "single-stream", "protocol": "DA"}

    campaign = campaign_of(tmp_path, [[ITEM]], info)

    assert campaign.special_tokens == ()
    assert "special_tokens" not in json.loads(write_campaign(campaign))["info"]


def test_a_simple_campaign_is_written_as_pearmut_describes_it():
    campaign = Campaign("demo", "single-stream", (((Item(OUTPUTS, "Hello!"),),),))

    assert json.loads(write_campaign(campaign)) == {
        "info": {"assignment": "single-stream", "protocol": "cESA"},
        "campaign_id": "demo",
        "data": [[{"src": "Hello!", "tgt": OUTPUTS}]],
    }


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ((Item({"17": "x"}),), "the system name '17': it has digits only"),
        ((Item({"A": "x"}), Item({"B": "x"})), "can only shuffle the systems"),
    ],
)
def test_a_campaign_that_pearmut_refuses_is_not_written(items, message):
    with pytest.raises(InputError, match=message):
        write_campaign(Campaign("demo", "task-based", (((items),),)))


def test_a_campaign_that_cannot_be_the_name_of_a_file_is_not_written():
    with pytest.raises(InputError, match="'x/y', which has a slash"):
        write_campaign(Campaign("x/y", "task-based", ()))


def test_documents_inserted_at_random_need_a_probability():
    campaign = Campaign(**{**vars(WHOLE), "settings": {}})

    with pytest.raises(InputError, match="data_random_prob"):
        write_campaign(campaign)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            {"src": "x"},
            r"campaign.json, key 'data', task 0, document 0, item 0: the item has no tr",
        ),
        ({"tgt": "x"}, r"Expected `object \| null`, got `str`"),
        (ITEM | {"error_spans": {"C": []}}, "the system 'C' has no translation"),
        (
            ITEM | {"error_spans": {"A": [{"start_i": 2, "end_i": 6}]}},
            "from 2 to 6 is not within the text, .* have the numbers 0 to 5",
        ),
        (ITEM | {"error_spans": [[]]}, "Expected `object`, got `array`"),
    ],
)
def test_it_refuses_a_malformed_item(tmp_path, item, message):
    with pytest.raises(InputError, match=message):
        campaign_of(tmp_path, [[[item]]])


def test_it_refuses_an_unknown_assignment_and_an_empty_document(tmp_path):
    with pytest.raises(InputError, match="key 'info': Invalid enum value 'guess'"):
        campaign_of(tmp_path, [], {"assignment": "guess"})
    with pytest.raises(InputError, match="document 0: the document has no items: leave it out"):
        campaign_of(tmp_path, [[[]]])


def test_all_items_of_a_campaign_with_problems_are_reported(tmp_path):
    path = tmp_path / "campaign.json"
    data = [[[{"src": "x"}, ITEM], []], [[ITEM | {"validation": {"C": {}}}]]]
    path.write_text(json.dumps({"info": INFO, "campaign_id": "demo", "data": data}))
    problems: list[InputError] = []

    (campaign,) = read_campaigns(path, on_error=problems.append)

    assert [len(task) for task in campaign.tasks] == [1, 1]
    assert [problem.where.rpartition("'data', ")[2] for problem in problems] == [
        "task 0, document 0, item 0",
        "task 0, document 1",
        "task 1, document 0, item 0",
    ]


# --- annotations ---


def entry(user="jana", item_i=0, score=70, text="Ahoj!", spans=(), **keys):
    answer = {"score": score, "error_spans": list(spans), "textfield": None}
    return {
        "annotation": [{"A": answer}],
        "actions": [{"time": 100.0, "action": "load"}, {"time": 110, "action": "submit"}],
        "item": [{"src": "Hello!", "tgt": {"A": text}, "item_id": "doc1-0"}],
        "user_id": user,
        "item_i": item_i,
    } | keys


def lines_of(tmp_path, *entries, **options):
    path = tmp_path / "demo.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in entries))
    return read_annotations(path, **options)


def test_an_annotation_has_a_score_spans_and_times(tmp_path):
    spans = [{"start_i": 1, "end_i": 2, "severity": "Minor", "category": "Style/Awkward"}]
    actions = [{"time": time} for time in (100, 130, 400)]

    (one,) = lines_of(tmp_path, entry(spans=spans, actions=actions))

    assert (one.user, one.origin, one.document, one.item) == ("jana", "task", 0, 0)
    assert (one.item_id, one.system, one.score) == ("doc1-0", "A", 70)
    assert (one.source, one.output, one.comment) == ("Hello!", "Ahoj!", "")
    assert one.errors == (MarkedError("minor", "Style/Awkward", ((1, 3),)),)
    assert (one.started, one.ended, one.seconds) == (100, 400, 90)


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        # As in JavaScript, 𝐱 counts twice.
        ("𝐱y", (0, 1), MarkedError("major", places=((0, 1),))),
        ("𝐱y", (2, 2), MarkedError("major", places=((1, 2),))),
        ("a\nbc", (1, 2), MarkedError("major", places=((1, 3),))),
        ("𝐱\n", (3, 3), MarkedError("major", token=MISSING)),
        ("ab", (3, 3), MarkedError("major", token="[fault]")),
        ("ab", (1, 2), MarkedError("major", places=((1, 2),))),
    ],
)
def test_places_are_turned_into_those_of_the_text(tmp_path, text, span, expected):
    spans = [{"start_i": span[0], "end_i": span[1], "severity": "major"}]

    (one,) = lines_of(tmp_path, entry(text=text, spans=spans), special_tokens=(MISSING, "[fault]"))

    assert one.errors == (expected,)


def test_the_last_answers_count_and_none_before_a_reset(tmp_path):
    found = lines_of(
        tmp_path,
        entry(score=10),
        entry(score=20),
        entry("petr", score=30),
        entry("eva", score=40),
        {"user_id": "eva", "annotation": "__RESET__"},
        entry(item_i=1, score=50),
        entry("petr", item_i=1, score=60),
        {"user_id": "petr", "item_i": 0, "annotation": "__RESET__"},
    )

    assert [(one.user, one.document, one.score) for one in found] == [
        ("jana", 0, 20),
        ("jana", 1, 50),
        ("petr", 1, 60),
    ]


def test_a_user_may_judge_other_systems_of_a_document_later(tmp_path):
    outputs = {"B": "Nazdar!"}
    later = entry(annotation=[{"B": {"score": 5}}], item=[{"tgt": outputs}])

    found = lines_of(tmp_path, entry(), later)

    assert [(one.system, one.score) for one in found] == [("A", 70), ("B", 5)]


def test_answers_to_questions_and_skipped_items_are_left_out(tmp_path):
    question = entry(item_i="welcome_0", annotation=["37"], item=[{"text": "Age?", "form": None}])
    without_answer = entry(item_i="welcome_1", annotation=[None])
    skipped = entry(item_i="welcome_2", actions=[{"time": 1, "action": "submit_skip"}])

    (one,) = lines_of(tmp_path, question, without_answer, skipped, entry(item_i="random_3"))

    assert (one.origin, one.document) == ("random", 3)


def test_sliders_may_replace_the_score(tmp_path):
    sliders = {"Fluency": 3, "Adequacy": None}

    (one,) = lines_of(tmp_path, entry(annotation=[{"A": {"score": None, "sliders": sliders}}]))

    assert (one.score, one.sliders) == (None, sliders)


def test_a_download_has_the_annotations_of_several_campaigns(tmp_path):
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({"a": [entry()], "b": [entry()], "c": []}, indent=1))

    assert [one.campaign_id for one in read_annotations(path)] == ["a", "b"]


def test_all_problems_of_a_file_are_reported(tmp_path):
    problems: list[InputError] = []

    found = lines_of(
        tmp_path,
        entry(annotation={"A": {}}),
        entry(),
        entry("a", annotation=[]),
        entry("b", annotation=[{"C": {}}]),
        entry("c", annotation=[{"A": {"score": "good"}}]),
        entry("d", item_i="start"),
        entry("e", spans=[{"start_i": 3, "end_i": 2}]),
        on_error=problems.append,
    )

    assert [one.user for one in found] == ["jana"]
    parts = [
        "line 1: Expected `str | array`, got `object` - at `$.annotation`",
        "line 3: 0 answers to 1 items",
        "line 4: the system 'C' has no translation",
        "line 5, item 0: Expected `float | null`, got `str` - at `$[...].score`",
        "line 6: the document 'start' is neither a number nor such as welcome_0",
        "line 7: the error span from 3 to 2 is not within the text",
    ]
    for problem, part in zip(problems, parts, strict=True):
        assert part in str(problem)
