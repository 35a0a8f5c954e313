"""Annotations of Pearmut become judgements of the project of their campaign, and return."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.formats.pearmut import read_annotations
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.import_export.judgements_import import import_judgements
from annotation.models import Assignment, ErrorSpan, Judgement, Placement, Project
from tests.media_files import png

pytestmark = pytest.mark.django_db

SIDE_BY_SIDE = [
    {
        "item_id": f"a_###_{line}",
        "src": f"Line {line}  of a",
        "tgt": {"X": f"😀 X  has\n{line}", "Y": f"Y has {line}", "Z": "The same"},
    }
    for line in range(2)
]
ALONE = [
    [{"item_id": "b_###_0", "src": "Line of b", "tgt": {system: f"{system} has b"}}]
    for system in "XY"
]
# "[missing]" has the number behind the text.
MARKS = [
    {"start_i": 3, "end_i": 8, "severity": "minor", "category": None},
    {"start_i": 11, "end_i": 11, "severity": "major", "category": None},
]


def created(folder: Path, data: list[Any], protocol: str, name: str = "c", **info: Any) -> Project:
    path = folder / f"{name}.json"
    info |= {"protocol": protocol, "assignment": "task-based"}
    path.write_text(json.dumps({"campaign_id": name, "info": info, "data": data}))
    call_command("create_project_from_pearmut", str(path), name, "--languages", "en-cs")
    return Project.objects.get(name=name)


def test_media_inside_a_campaign_are_those_of_its_project(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "stored"
    picture = f'<img src="data:image/png;base64,{b64encode(png()).decode()}">'
    items = [
        {"item_id": f"a_{line}", "src": text, "tgt": {"X": "x", "Y": "y"}}
        for line, text in enumerate(("One", f"Two {picture}"))
    ]
    project = created(tmp_path, [[items]], "cESA")
    assert list(project.media.values_list("line", "name")) == [(2, "2-1.png")]
    assert set(project.sentences.values_list("text", flat=True)) >= {"One", "Two"}


def answers(
    folder: Path,
    user: str,
    documents: dict[int | str, list[dict[str, Any]]],
    *,
    spans: list[dict[str, Any]] | None = None,
) -> Path:
    path = folder / f"{user}.jsonl"
    lines = []
    for time, (number, items) in enumerate(documents.items(), start=1):
        annotation = [
            {
                system: {
                    "score": 50 + ord(system) - ord("X"),
                    "error_spans": spans if system == "X" and spans else [],
                }
                for system in item["tgt"]
            }
            for item in items
        ]
        actions = [
            {"time": 1800000000.0 + 100 * time, "action": "load"},
            {"time": 1800000020.0 + 100 * time, "action": "submit"},
        ]
        entry = {"user_id": user, "item_i": number, "item": items, "actions": actions}
        lines.append(json.dumps(entry | {"annotation": annotation}) + "\n")
    path.write_text("".join(lines))
    return path


def test_a_document_side_by_side_is_one_submission(tmp_path: Path) -> None:
    project = created(tmp_path, [[SIDE_BY_SIDE]], "cESA")
    path = answers(tmp_path, "jana", {0: SIDE_BY_SIDE}, spans=MARKS)
    imported = import_judgements(project=project, path=path)
    assert (imported.judgements, imported.left_out) == (2, {})
    assert imported.format == "annotations of Pearmut"
    (assignment,) = Assignment.objects.filter(project=project)
    assert assignment.sentence.sheet is None
    assert [one.seconds for one in Judgement.objects.all()] == [10, 10]
    scores = Placement.objects.values_list("candidate__projections__system__name", "rank")
    assert {(name, 101 - (rank or 0)) for name, rank in scores} == {("X", 50), ("Y", 51), ("Z", 52)}
    # Blanks that follow each other are one in the project.
    marked = ErrorSpan.objects.filter(start__isnull=False, placement__candidate__text="😀 X has 0")
    assert [(span.start, span.end) for span in marked] == [(2, 7)]
    assert ErrorSpan.objects.filter(side="missing", severity="major").count() == 2
    again = import_judgements(project=project, path=path)
    assert (again.judgements, again.there_already) == (0, 2)


def test_systems_one_at_a_time_have_submissions_of_their_own(tmp_path: Path) -> None:
    project = created(tmp_path, [ALONE], "ESA")
    assert project.kind == "error_spans"
    path = answers(tmp_path, "jana", dict(enumerate(ALONE)))
    other = answers(tmp_path, "petr", {0: ALONE[1]})
    assert import_judgements(project=project, path=path).judgements == 2
    assert import_judgements(project=project, path=other).judgements == 1
    assert Assignment.objects.filter(project=project).count() == 3


def test_systems_beside_each_other_can_be_judged_apart(tmp_path: Path) -> None:
    # No kind of direct assessment shows several.
    project = created(tmp_path, [[SIDE_BY_SIDE]], "DA")
    assert project.kind == "document_sqm"
    path = answers(tmp_path, "jana", {0: SIDE_BY_SIDE})
    assert import_judgements(project=project, path=path).judgements == 6
    assert Assignment.objects.filter(project=project, kind="first").count() == 3


def test_own_sliders_return_as_scales(tmp_path: Path) -> None:
    sliders = [
        {"name": "Fluency", "min": 0, "max": 5, "step": 1},
        {"name": "Adequacy", "min": 0, "max": 100, "step": 5},
    ]
    project = created(tmp_path, [ALONE], "DA", sliders=sliders)
    path = answers(tmp_path, "jana", dict(enumerate(ALONE)))
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    entries[0]["annotation"] = [{"X": {"score": None, "sliders": {"Fluency": 4, "Adequacy": 85}}}]
    entries[1]["annotation"] = [{"Y": {"score": None, "sliders": {"Fluency": 4, "Adequacy": None}}}]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    imported = import_judgements(project=project, path=path)
    assert (imported.judgements, imported.left_out) == (1, {"unscored": 1})
    export_project(project=project, format_name="pearmut", to=tmp_path / "again")
    (again,) = read_annotations(tmp_path / "again")
    assert again.sliders == {"Fluency": 4, "Adequacy": 85}


def test_errors_with_categories_come_and_return(tmp_path: Path) -> None:
    info: dict[str, Any] = {
        "mqm_categories": {"Accuracy": ["Mistranslation"], "Other": []},
        "special_tokens": ["[missing]", "[untranslated]"],
    }
    project = created(tmp_path, [[SIDE_BY_SIDE]], "MQM", **info)
    length = 11
    spans = [
        {"start_i": 3, "end_i": 8, "severity": "minor", "category": "Accuracy/Mistranslation"},
        {"start_i": length, "end_i": length, "severity": "major", "category": "Other/Other"},
        {"start_i": length + 1, "end_i": length + 1, "severity": "major", "category": None},
    ]
    path = answers(tmp_path, "jana", {0: SIDE_BY_SIDE}, spans=spans)
    imported = import_judgements(project=project, path=path)
    # Pearmut asks for scores beside the errors.
    assert (imported.judgements, imported.left_out) == (2, {"beside": 6})
    marked = ErrorSpan.objects.filter(placement__candidate__text="😀 X has 0").order_by("pk")
    assert [(one.side, one.start, one.end, one.category) for one in marked] == [
        ("target", 2, 7, "Accuracy/Mistranslation"),
        ("missing", None, None, "Other"),
        ("whole", None, None, "[untranslated]"),
    ]
    # Minor 1, major 5 each; without errors, the first rank.
    ranks = Placement.objects.values_list("candidate__projections__system__name", "rank")
    assert set(ranks) == {("X", 111), ("Y", 1), ("Z", 1)}
    again = tmp_path / "again.jsonl"
    export_project(project=project, format_name="pearmut", to=again)
    copy = created(tmp_path, [[SIDE_BY_SIDE]], "MQM", "copy", **info)
    assert import_judgements(project=copy, path=again).judgements == 2
    assert sorted(placed(copy)) == sorted(placed(project))
    # The TSV has them, too.
    export_project(project=project, format_name="mqm", to=tmp_path / "mqm.tsv")
    third = created(tmp_path, [[SIDE_BY_SIDE]], "MQM", "third", **info)
    assert import_judgements(project=third, path=tmp_path / "mqm.tsv").judgements == 2
    assert sorted(placed(third)) == sorted(placed(project))


def placed(project: Project) -> list[tuple[Any, ...]]:
    rows = ErrorSpan.objects.filter(placement__judgement__submission__assignment__project=project)
    return list(rows.values_list("side", "severity", "category", "start", "end"))


def outputs_of(item: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = item["tgt"]
    return found


def test_what_a_project_does_not_have_is_counted(tmp_path: Path) -> None:
    project = created(tmp_path, [[SIDE_BY_SIDE]], "cESA")
    copy: list[dict[str, Any]] = [
        {**item, "tgt": {**outputs_of(item), "W": "x"}, "validation": {"W": {"score": [0, 10]}}}
        for item in SIDE_BY_SIDE
    ]
    path = answers(tmp_path, "jana", {0: copy, "welcome_0": ALONE[0]})
    imported = import_judgements(project=project, path=path)
    assert imported.judgements == 2
    assert imported.left_out == {"checks": 2, "tutorials": 1}


def test_annotations_return_with_their_items(tmp_path: Path) -> None:
    project = created(tmp_path, [[SIDE_BY_SIDE]], "cESA")
    path = answers(tmp_path, "jana", {0: SIDE_BY_SIDE}, spans=MARKS)
    import_judgements(project=project, path=path)
    again = tmp_path / "again.jsonl"
    export_project(project=project, format_name="pearmut", to=again)
    (line,) = again.read_text().splitlines()
    assert [item["item_id"] for item in json.loads(line)["item"]] == ["a_###_0", "a_###_1"]

    def figures(of: Path) -> list[tuple[object, ...]]:
        return sorted(
            (one.user, one.document, one.item, one.item_id, one.system, one.score, one.ended)
            for one in read_annotations(of)
        )

    assert figures(again) == figures(path)
    copy = created(tmp_path, [[SIDE_BY_SIDE]], "cESA", "copy")
    assert import_judgements(project=copy, path=again).judgements == 2


def test_an_archive_keeps_items_and_sheets(tmp_path: Path) -> None:
    project = created(tmp_path, [[SIDE_BY_SIDE, *ALONE]], "cESA")
    marked = answers(tmp_path, "jana", {0: SIDE_BY_SIDE}, spans=MARKS)
    for path in (marked, answers(tmp_path, "petr", {1: ALONE[0]})):
        import_judgements(project=project, path=path)
    export_project(project=project, format_name="archive", to=tmp_path / "archive")
    copy = import_project(path=tmp_path / "archive", name="copy")
    written = []
    for one in (project, copy):
        files = [tmp_path / f"{one.pk}.{ending}" for ending in ("json", "jsonl")]
        call_command("export_pearmut_campaign", one.name, str(files[0]))
        export_project(project=one, format_name="pearmut", to=files[1])
        whole = json.loads(files[0].read_text())
        written.append((whole["data"], whole["info"], sorted(files[1].read_text().splitlines())))
    assert written[0] == written[1]


def test_an_answer_that_fits_nothing_is_named(tmp_path: Path) -> None:
    project = created(tmp_path, [[SIDE_BY_SIDE]], "cESA")
    path = answers(tmp_path, "jana", {0: ALONE[0]})
    with pytest.raises(Exception, match="line 1: the project has no translation of item 'b_###_0'"):
        import_judgements(project=project, path=path)
    assert not Assignment.objects.exists()
