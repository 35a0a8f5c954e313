"""Campaigns of Pearmut become projects, and projects campaigns."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.pearmut import Item, Slider, read_campaigns
from annotation.models import Candidate, Project, Translation
from annotation.selectors.documents import sheets_of_documents
from tests.factories import make_project

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


def texts(project: Project, system: str | None) -> list[str]:
    rows = Translation.objects.filter(
        sentence__project=project, sentence__source_line=None, system__name=system
    )
    return list(rows.order_by("sentence__number").values_list("text", flat=True))


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


def test_a_shuffled_copy_beside_an_output_is_left_out(tmp_path: Path) -> None:
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
    project = created(campaign(tmp_path / "c.json", [[items]], "cESA"))
    assert sheets_of_documents(project) == [([1, 2], ["X", "Y"])]


def test_what_a_project_does_not_take_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    span = {"start_i": 0, "end_i": 1, "severity": "minor"}
    item = HELLO | {
        "src": 'Look: <video src="https://example.org/a.mp4"></video>',
        "instructions": "Hurry.",
        "error_spans": {"A": [span]},
    }
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


def test_own_sliders_stay_scales_both_ways(tmp_path: Path) -> None:
    path = campaign(tmp_path / "c.json", [[[HELLO]]], sliders=[FLUENCY, ADEQUACY])
    project = created(path)
    assert project.kind == "scores"
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
        ([[[HELLO]]], "MQM", "MQM"),
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
