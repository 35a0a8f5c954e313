"""Campaigns of Pearmut become projects, and projects campaigns."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Candidate, Project, Translation
from evaluation.formats.pearmut import Item, Slider, read_campaigns
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


def test_each_item_becomes_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Two users judge the same document.
    document = [HELLO, BYE, CHECKED]
    project = created(campaign(tmp_path / "c.json", [[document], [document, [HELLO]]]))
    sentences = project.sentences.filter(purpose="judge").order_by("number")
    assert [row.text for row in sentences if row.source_number == row.number] == ["Hello!", "Bye."]
    assert project.kind.startswith("direct_assessment")
    assert {row.document for row in sentences} == {"1"}
    assert texts(project, None) == ["Ahoj!", "Sbohem."]
    assert texts(project, "B=1") == ["Na zdar"]
    assert "left out    1 (checks" in capsys.readouterr().out


def test_error_spans_keep_their_protocol(tmp_path: Path) -> None:
    project = created(campaign(tmp_path / "c.json", [[[HELLO]]], "ESA"))
    assert project.kind == "error_spans"
    again = tmp_path / "again.json"
    call_command("export_pearmut_campaign", project.name, str(again), "--users", "3")
    (read,) = read_campaigns(again)
    assert (read.protocol, read.assignment, read.users) == ("ESA", "single-stream", 3)
    ((document,),) = read.tasks
    assert document == (Item({"A": "Ahoj!", "B=1": "Na zdar"}, "Hello!", "Ahoj!", "1"),)


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
    assert project.kind == "error_spans"


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
    # One is the first translation of its line, the other a further one.
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
