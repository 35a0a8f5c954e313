"""Campaigns of Pearmut become projects, and projects campaigns."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.pearmut import Campaign, Check, Item, Slider, read_campaigns
from annotation.formats.pearmut_categories import DEFAULT_CATEGORIES
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.judging.control_items import control_outcomes
from annotation.judging.errors import LookAgain
from annotation.models import (
    Candidate,
    Control,
    ExpectedPlacement,
    GivenErrors,
    Project,
    Translation,
)
from annotation.projects.provenance import provenance_of
from annotation.selectors.documents import sheets_of_documents
from tests.annotation.kinds.document_project import judge
from tests.factories import assign_next, make_annotator, make_project
from tests.jobs import run_job

pytestmark = pytest.mark.django_db

HELLO = {"item_id": "1", "src": "Hello!", "ref": "Ahoj!", "tgt": {"A": "Ahoj!", "B=1": "Na\nzdar"}}
BYE = {"item_id": "2", "src": "Bye.", "ref": "Sbohem.", "tgt": {"A": "Nashle.", "C": "Čau."}}
CHECKED = BYE | {"item_id": "3", "validation": {"A": {"score": [0, 10]}}}


def campaign(path: Path, data: list[Any], protocol: str = "DA", **info: Any) -> Path:
    info |= {"protocol": protocol, "assignment": "task-based"}
    path.write_text(json.dumps({"campaign_id": "demo", "info": info, "data": data}))
    return path


def created(path: Path, name: str = "from pearmut") -> Project:
    call_command("create_project_from_pearmut", str(path), name, "--languages", "en-cs")
    return Project.objects.get(name=name)


def exported(project: Project, folder: Path) -> Campaign:
    call_command("export_pearmut_campaign", project.name, str(folder / "again.json"))
    (read,) = read_campaigns(folder / "again.json")
    return read


def texts(project: Project, system: str | None) -> list[str]:
    rows = Translation.objects.filter(
        sentence__project=project, sentence__source_line=None, system__name=system
    )
    return list(rows.order_by("sentence__number").values_list("text", flat=True))


def test_systems_are_chosen_where_the_campaign_chooses_them(tmp_path: Path) -> None:
    info = {"protocol": "ESA", "assignment": "dynamic", "dynamic_models": 3, "dynamic_coldstart": 4}
    systems = {name: f"{name} says hello." for name in "ABCDEFG"}
    documents = [[{"item_id": str(n), "src": f"Hello {n}!", "tgt": systems}] for n in range(3)]
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"campaign_id": "demo", "info": info, "data": documents}))
    project = created(path)
    run_job(project.job.pk)
    assert project.kind == "contrastive_error_spans"
    design = provenance_of(Project.objects.get(pk=project.pk)).sheets
    assert (design.choice, design.systems, design.first) == ("dynamic", 3, 4)
    again = exported(project, tmp_path)
    assert again.assignment == "dynamic"
    assert again.settings == {"dynamic_models": 3, "dynamic_coldstart": 4}
    items = [one for document in again.tasks[0] for one in document if isinstance(one, Item)]
    assert [len(one.outputs) for one in items] == [7, 7, 7]


def test_a_document_of_several_users_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Two users judge the same document; the item that checks them is left out.
    document = [HELLO, BYE, CHECKED]
    project = created(campaign(tmp_path / "c.json", [[document], [document]]))
    assert project.kind == "document_sqm"
    lines = project.sentences.filter(purpose="judge", source_line=None).order_by("number")
    assert [(row.text, row.document, row.item_id) for row in lines] == [
        ("Hello!", "1", "1"),
        ("Bye.", "1", "2"),
    ]
    assert texts(project, None) == ["Ahoj!", "Sbohem."]
    assert texts(project, "B=1") == ["Na zdar"]
    assert "outputs that check annotators (2)" in capsys.readouterr().out


def one_system(system: str, document: str, lines: int = 5) -> list[dict[str, Any]]:
    return [
        {
            "item_id": f"{document}_###_{line}",
            "src": f"Line {line} of {document}",
            "tgt": {system: f"{system} has line {line} of {document}"},
        }
        for line in range(lines)
    ]


def test_systems_of_one_document_are_compared(tmp_path: Path) -> None:
    # Three documents of five paragraphs by three systems, one at a time.
    sheets = [one_system(system, name) for name in ("news_#_a", "talk-b", "c") for system in "XYZ"]
    project = created(campaign(tmp_path / "c.json", [sheets[::2], sheets[1::2]], "ESA"))
    assert project.kind == "document_error_spans"
    lines = project.sentences.filter(source_line=None)
    assert lines.count() == 15
    assert sorted(set(lines.values_list("document", flat=True))) == ["c", "news_#_a", "talk-b"]
    assert project.sentences.filter(sheet=None).count() == 9
    again = tmp_path / "again.json"
    call_command("export_pearmut_campaign", project.name, str(again))
    (read,) = read_campaigns(again)
    (task,) = read.tasks
    (given,) = read_campaigns(tmp_path / "c.json")
    written = sorted(task, key=str)
    assert written == sorted((one for of_user in given.tasks for one in of_user), key=str)


def test_systems_side_by_side_stay_on_their_sheets(tmp_path: Path) -> None:
    def beside(names: str, document: str) -> list[dict[str, Any]]:
        of_systems = [one_system(name, document, 2) for name in names]
        return [
            items[0] | {"tgt": {key: text for one in items for key, text in one["tgt"].items()}}
            for items in zip(*of_systems, strict=True)
        ]

    # Two users see other systems of the same document, one of them both times.
    data = [[beside("XYZ", "a"), beside("WX", "b")], [beside("WXV", "a")]]
    path = campaign(tmp_path / "c.json", data, "cESA", shuffle=True)
    project = created(path)
    assert project.kind == "contrastive_error_spans"
    assert sheets_of_documents(project) == [
        ([1, 2], ["V", "W", "X"]),
        ([1, 2], ["X", "Y", "Z"]),
        ([3, 4], ["W", "X"]),
    ]
    again = tmp_path / "again.json"
    call_command("export_pearmut_campaign", project.name, str(again))
    (read,), (given,) = read_campaigns(again), read_campaigns(path)
    assert read.protocol == "cESA"
    assert sorted(read.tasks[0], key=str) == sorted(
        (one for of_user in given.tasks for one in of_user), key=str
    )


def test_a_worse_copy_beside_an_output_is_a_control(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [
        {
            "item_id": str(line),
            "src": f"Line {line}",
            "tgt": {"X": f"One two {line}", "Y": f"Other {line}", "Z": f"{line} two One"},
            "validation": {"X": {"score_greaterthan": "Z", "warning": "Look again."}},
        }
        for line in (1, 2)
    ]
    del items[1]["validation"]
    path = campaign(tmp_path / "c.json", [[items]], "cESA")
    project = created(path)
    assert sheets_of_documents(project) == [([1, 2], ["X", "Y"])]
    control = Control.objects.get(segment__sentence__project=project)
    assert (control.original.text, control.changed.text) == ("One two 1", "1 two One")
    assert control.message == "Look again."
    assert "Left out" not in capsys.readouterr().out
    read = exported(project, tmp_path)
    ((first, second),) = read.tasks[0]
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert first.outputs["X copy"] == "1 two One"
    assert first.checks == {"X": Check(greater_than="X copy", warning="Look again.")}
    assert second.outputs.keys() == {"X", "Y"}
    export_project(project=project, format_name="archive", to=tmp_path / "archive")
    copy = import_project(path=tmp_path / "archive", name="copy")
    assert Control.objects.get(segment__sentence__project=copy).message == "Look again."


def test_the_message_of_a_control_is_what_a_careless_annotator_is_told(tmp_path: Path) -> None:
    item = HELLO | {
        "tgt": {"X": "One two", "Y": "Other", "Z": "two One"},
        "validation": {"X": {"score_greaterthan": "Z", "warning": "Look again."}},
    }
    project = created(campaign(tmp_path / "c.json", [[[item]]], "cESA"))
    Project.objects.filter(pk=project.pk).update(control_rate=1)
    annotator = make_annotator(project)
    control = assign_next(annotator, project)
    assert control.kind == "control"
    with pytest.raises(LookAgain, match="Look again"):
        judge(annotator, control)
    judge(annotator, control)
    assert [outcome.passed for outcome in control_outcomes(project)] == [False]


TUTORIAL = {
    "src": "Welcome.",
    "tgt": {"T": "Vítejte ."},
    "validation": {
        "T": {
            "warning": "Between 70 and 80.",
            "score": [70, 80],
            "error_spans": [{"start_i": [0, 2], "end_i": [5, 7], "severity": "minor"}],
        }
    },
}


@pytest.mark.parametrize("place", ["data", "data_welcome"])
def test_a_tutorial_with_right_answers_is_practice(tmp_path: Path, place: str) -> None:
    path = campaign(tmp_path / "c.json", [[[HELLO]]], "cESA")
    whole = json.loads(path.read_text())
    if place == "data":
        whole["data"][0].insert(0, [TUTORIAL | {"skippable": True}])
    else:
        whole["data_welcome"] = [[TUTORIAL]]
    path.write_text(json.dumps(whole))
    project = created(path)
    gold = ExpectedPlacement.objects.get(candidate__text="Vítejte .")
    assert (gold.rank, gold.detail) == (101 - 75, "1-7 minor")
    assert gold.answer.explanation == "Between 70 and 80."
    # Those that can be skipped are offered, and not required.
    assert project.practice_required == (place == "data_welcome")
    annotator = make_annotator(project)
    first = "Welcome." if place == "data_welcome" else "Hello!"
    assert assign_next(annotator, project).sentence.text == first
    read = exported(project, tmp_path)
    ((item,),) = read.welcome
    assert isinstance(item, Item)
    assert (item.checks["T"].score, item.skippable) == ((65, 85), place == "data")
    assert len(read.tasks[0]) == 1


def test_errors_marked_before_come_and_return(tmp_path: Path) -> None:
    # Characters outside the Basic Multilingual Plane count twice, and blanks are single here.
    text = "😀 Ahoj,  lidi"
    spans = [
        {"start_i": 3, "end_i": 6, "severity": "minor", "category": None},
        {"start_i": len(text) + 1, "end_i": len(text) + 1, "severity": "major", "category": None},
    ]
    item = HELLO | {"tgt": {"A": text, "B": "Zdar"}, "error_spans": {"A": spans, "B": []}}
    path = campaign(tmp_path / "c.json", [[[item]]], "ESA")
    project = created(path)
    given = dict(GivenErrors.objects.values_list("candidate__text", "detail"))
    assert given == {"😀 Ahoj, lidi": "2-6 minor, missing major", "Zdar": ""}
    ((written,),) = exported(project, tmp_path).tasks[0]
    assert isinstance(written, Item)
    ((marked,),) = read_campaigns(path)[0].tasks[0]
    assert isinstance(marked, Item)
    assert written.marked == marked.marked


def test_categories_of_a_campaign_are_those_of_the_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {"General": ["Accuracy", "Fluency"], "Style": ["", "Awkward"], "Unknown": []}
    path = campaign(
        tmp_path / "c.json",
        [[[HELLO]]],
        "MQM",
        mqm_categories=own,
        mqm_severities=["Neutral", "Minor", "Critical"],
        special_tokens=["[missing]", "[untranslated]"],
    )
    project = created(path)
    assert project.kind == "contrastive_mqm"
    assert project.answer_options.splitlines() == [
        "severities: neutral, minor, critical",
        "marks: [untranslated]",
        *("General/Accuracy", "General/Fluency", "Style/Awkward", "Unknown"),
    ]
    # Pearmut asks for a score, too.
    assert "(2)" in capsys.readouterr().out
    read = exported(project, tmp_path)
    assert read.categories == {
        "General": ("Accuracy", "Fluency"),
        "Style": ("Awkward",),
        "Unknown": (),
    }
    assert read.severities == ("Neutral", "Minor", "Critical")
    assert (read.special_tokens, read.sliders) == (("[missing]", "[untranslated]"), ())


def test_the_usual_categories_of_pearmut_stay_the_usual_ones(tmp_path: Path) -> None:
    item = HELLO | {"tgt": {"A": "Ahoj!"}}
    project = created(campaign(tmp_path / "c.json", [[[item]]], "MQM", sliders=[]))
    assert project.kind == "mqm"
    assert exported(project, tmp_path).categories == DEFAULT_CATEGORIES


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        ({"mqm_categories": "input"}, "write categories themselves"),
        ({"mqm_severities": ["Low", "High"]}, "Low, High"),
        ({"mqm_severities": []}, "one of the severities"),
        ({"special_tokens": ["[untranslated]"]}, "first"),
        ({"sliders": [{"name": "Fluency", "min": 0, "max": 5, "step": 1}]}, "sliders of its own"),
    ],
)
def test_categories_that_a_project_cannot_have_are_refused(
    tmp_path: Path, info: dict[str, Any], problem: str
) -> None:
    with pytest.raises(CommandError, match=problem):
        created(campaign(tmp_path / "c.json", [[[HELLO]]], "MQM", **info))
    assert not Project.objects.exists()


def test_what_a_project_does_not_take_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    span = {"start_i": 0, "end_i": 1, "severity": "minor"}
    item = HELLO | {
        "src": 'Look: <video src="https://example.org/a.mp4"></video>',
        "instructions": "Hurry.",
        "error_spans": {"A": [span]},
    }
    # Of direct assessment, annotators mark no errors.
    path = campaign(tmp_path / "c.json", [[[item], [{"text": "Your age?", "form": "number"}]]])
    whole = json.loads(path.read_text()) | {"data_welcome": [[BYE]]}
    path.write_text(json.dumps(whole))
    created(path)
    (said,) = capsys.readouterr().out.splitlines()[-1:]
    assert said.count("(1)") == 5


def test_single_items_keep_their_protocol(tmp_path: Path) -> None:
    item = HELLO | {"tgt": {"A": "Ahoj!"}}
    project = created(campaign(tmp_path / "c.json", [[[item]]], "ESA"))
    assert project.kind == "error_spans"
    again = tmp_path / "again.json"
    call_command("export_pearmut_campaign", project.name, str(again), "--users", "3")
    (read,) = read_campaigns(again)
    assert (read.protocol, read.assignment, read.users) == ("ESA", "single-stream", 3)
    ((document,),) = read.tasks
    assert document == (Item({"A": "Ahoj!"}, "Hello!", "Ahoj!", "1"),)


FLUENCY = {"name": "Fluency", "min": 0, "max": 5, "step": 1}
ADEQUACY = {"name": "Adequacy", "min": 0, "max": 100.0, "step": 5}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ([[HELLO | {"tgt": {"A": "Ahoj!"}}]], "scores"),
        ([[{**HELLO, "tgt": {"A": "Ahoj!"}}, {**BYE, "tgt": {"A": "Nashle."}}]], "document_scores"),
        ([[HELLO]], "contrastive_scores"),
    ],
)
def test_own_sliders_stay_scales_both_ways(tmp_path: Path, data: list[Any], kind: str) -> None:
    path = campaign(tmp_path / "c.json", [data], sliders=[FLUENCY, ADEQUACY])
    project = created(path)
    assert project.kind == kind
    assert project.answer_options.splitlines() == ["Fluency 0-5", "Adequacy 0-100 step 5"]
    again = tmp_path / "again.json"
    call_command("export_pearmut_campaign", project.name, str(again))
    (read,) = read_campaigns(again)
    assert read.protocol == "DA"
    assert read.sliders == (Slider("Fluency", 0, 5, 1), Slider("Adequacy", 0, 100, 5))


def test_one_slider_from_0_to_100_is_the_usual_score(tmp_path: Path) -> None:
    slider = {"name": "Score", "min": 0, "max": 100, "step": 1}
    project = created(campaign(tmp_path / "c.json", [[[HELLO]]], "ESA", sliders=[slider]))
    assert project.kind == "contrastive_error_spans"


@pytest.mark.parametrize(
    ("protocol", "slider", "problem"),
    [
        ("ESA", FLUENCY, "sliders of its own"),
        ("DA", FLUENCY | {"step": 0.5}, "not whole"),
        ("DA", FLUENCY | {"name": "A, b"}, "comma"),
    ],
)
def test_sliders_that_a_project_cannot_have_are_refused(
    tmp_path: Path, protocol: str, slider: dict[str, Any], problem: str
) -> None:
    with pytest.raises(CommandError, match=problem):
        created(campaign(tmp_path / "c.json", [[[HELLO]]], protocol, sliders=[slider]))
    assert not Project.objects.exists()


def test_excluded_translations_are_left_out(tmp_path: Path) -> None:
    project = created(campaign(tmp_path / "c.json", [[[HELLO, BYE]]], "ESA"))
    Candidate.objects.filter(text__in=("Ahoj!", "Čau.")).update(excluded=True)
    again = tmp_path / "again.json"
    call_command("export_pearmut_campaign", project.name, str(again))
    (read,) = read_campaigns(again)
    ((document,),) = read.tasks
    assert [set(one.outputs) for one in document if isinstance(one, Item)] == [{"B=1"}, {"A"}]


@pytest.mark.parametrize(
    ("data", "protocol", "problem"),
    [
        ([[[HELLO]]], "XYZ", "XYZ"),
        ([[[CHECKED]]], "DA", "no translations"),
        ([[[HELLO | {"src": ""}]]], "DA", "item 1 has no source"),
        ([[[HELLO | {"tgt": {}}, BYE | {"tgt": {}}]]], "DA", "2 problems"),
        ([[[HELLO | {"tgt": dict.fromkeys("ABCDEF", "x")}]]], "cESA", "6 systems side by side"),
    ],
)
def test_it_refuses_other_campaigns(
    tmp_path: Path, data: list[Any], protocol: str, problem: str
) -> None:
    with pytest.raises(CommandError, match=problem):
        created(campaign(tmp_path / "c.json", data, protocol))
    assert not Project.objects.exists()


def test_pearmut_does_not_ask_for_ranks(tmp_path: Path) -> None:
    project = make_project()
    with pytest.raises(CommandError, match="Pearmut does not ask"):
        call_command("export_pearmut_campaign", project.name, str(tmp_path / "c.json"))
