import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Job, Project, User
from tests.evaluation.projects import revise, submit
from tests.evaluation.thesis_texts import first_half
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def project():
    """One sentence by jana, twice, and petr."""
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}, seconds=30)
    submit(project, jana, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}, seconds=700)
    submit(project, petr, 2, {"4 5 6": [2, 1]}, seconds=10)
    return project


def test_statistics_as_json(project):
    report = json.loads(run("statistics", "houses", "--json"))

    # Ties: 1 of 9 pairs.
    expected = (1 / 9) ** 2 + 2 * (4 / 9) ** 2
    kappa = (3 / 4 - expected) / (1 - expected)
    names = ("sentences", "sentences_judged", "segments", "candidates", "judgements")
    assert [report[name] for name in names] == [3, 2, 6, 15, 5]
    assert (report["together"]["assignments"], report["together"]["seconds"]) == (3, 70)
    agreement = report["agreement"]
    assert agreement["intra"]["expected"] == round(expected, 6)
    assert kappas(agreement) == (round(kappa, 6), None)
    assert [row["sentences"] for row in (agreement["intra"], agreement["inter"])] == [1, 0]
    work = {"controls": 0, "controls_passed": 0, "sentences": 1}
    assert report["annotators"] == [
        {
            "annotator": "jana",
            "assignments": 2,
            "judgements": 4,
            "seconds": 60,
            "seconds_per_segment": 30,
            **work,
        },
        {
            "annotator": "petr",
            "assignments": 1,
            "judgements": 1,
            "seconds": 10,
            "seconds_per_segment": 10,
            **work,
        },
    ]
    assert {row["annotator"]: kappas(row) for row in agreement["annotators"]} == {
        "jana": (round(kappa, 6), None),
        "petr": (None, None),
    }


def kappas(agreement: dict[str, Any]) -> tuple[float | None, float | None]:
    return agreement["intra"]["kappa"]["value"], agreement["inter"]["kappa"]["value"]


def counts(row: dict[str, Any]) -> list[Any]:
    names = ("system", "wins", "losses", "ties", "same_text", "ties_of_different_texts")
    return [*(row[name] for name in names), row["score"]["value"]]


def test_rank_systems_as_json(project):
    ranking = json.loads(run("rank_systems", str(project.pk), "--json"))["ranking"]

    assert [counts(row) for row in ranking["systems"]] == [
        ["A", 5, 1, 1, 0, 1, 0.833333],
        ["B", 3, 3, 1, 0, 1, 0.5],
        ["C", 0, 4, 0, 0, 0, 0],
    ]
    assert ranking["signature"].startswith("ratio of wins|ties ignored|repeats included|")
    assert ranking["signature"].endswith("|judgements 5|sentences 2|SegRanks 1.0.0")


def test_a_revised_judgement_replaces_its_predecessor_in_every_figure(project):
    revised = make_project("revised")
    jana, petr = User.objects.get(username="jana"), User.objects.get(username="petr")
    first = submit(revised, jana, 1, {"0 1 2": [3, 2, 1], "4 5 6": [2, 1]}, seconds=20)
    revise(first, {"0 1 2": [None, 1, 1], "4 5 6": [1, 2]}, seconds=20)
    repeat = submit(revised, jana, 1, {"0 1 2": [1, 2, 3], "4 5 6": [2, 1]}, seconds=700)
    other = submit(revised, petr, 2, {"4 5 6": [1, 1]}, seconds=10)
    revise(first, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}, seconds=30)
    revise(repeat, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}, seconds=700)
    revise(other, {"4 5 6": [2, 1]}, seconds=10)

    for command in ("statistics", "rank_systems"):
        assert run(command, "revised", "--json") == run(command, "houses", "--json")


def test_the_signature_names_parser_and_aligner(project):
    project.provenance = {
        "parser": {"name": "phrases", "version": "1"},
        "aligner": {"name": "eflomal", "version": "2.0.0"},
    }
    project.save()

    report = json.loads(run("rank_systems", "houses", "--json"))["ranking"]

    assert report["signature"].endswith("|SegRanks 1.0.0|parser phrases 1|aligner eflomal 2.0.0")


@pytest.mark.parametrize(
    ("parser", "signature"),
    [({"name": "phrases"}, "|parser phrases"), ({}, ""), ("phrases", ""), ({"name": None}, "")],
)
def test_a_restored_project_may_not_know_its_tools(project, parser, signature):
    project.provenance = {"parser": parser, "aligner": ["eflomal"]}
    project.save()

    report = json.loads(run("rank_systems", "houses", "--json"))["ranking"]

    assert report["signature"].endswith(f"|SegRanks 1.0.0{signature}")


def test_statistics_as_a_table(project):
    printed = run("statistics", "houses")

    rows = [line.split() for line in printed.splitlines()]
    assert ["3", "2", "6", "15", "3", "5"] in rows
    assert "agree on 3 of 4 pairs on one line" in printed
    assert "no two judgements of the same candidates to compare" in printed
    jana = ["jana", "1", "2", "4", "0:01:00", "30.0", "0.578"]
    together = ["Together", "2", "3", "5", "0:01:10", "23.3", "0.578"]
    assert [jana, together] == [row[:7] for row in rows if row[:1] in (["jana"], ["Together"])]


def test_ranking_as_a_table(project):
    printed = run("rank_systems", "houses")

    rows = [line.split() for line in printed.splitlines()]
    assert ["1", "A", "0.833", "5", "1", "1", "0"] in [row[:7] for row in rows]
    assert printed.splitlines()[-1].startswith("ratio of wins|ties ignored")


def test_nothing_judged_is_undefined_everywhere():
    make_project()

    statistics = json.loads(run("statistics", "houses", "--json"))
    ranking = json.loads(run("rank_systems", "houses", "--json"))

    assert statistics["judgements"] == statistics["sentences_judged"] == 0
    assert statistics["agreement"]["intra"]["expected"] is None
    assert kappas(statistics["agreement"]) == (None, None)
    assert statistics["annotators"] == []
    systems = ranking["ranking"]["systems"]
    assert [system["score"]["value"] for system in systems] == [None, None, None]
    assert "–" in run("rank_systems", "houses")


def test_unknown_systems_cannot_be_ranked():
    project = make_project(sentences=0)
    project.systems.all().delete()

    assert "--systems" in run("rank_systems", "houses")
    assert json.loads(run("rank_systems", "houses", "--json"))["ranking"]["systems"] == []


def test_unknown_annotators_are_mentioned(project):
    unidentified = User.objects.create(username="unknown", unidentified=True)
    submit(project, unidentified, 1, {"4 5 6": [1, 2]})

    assert "unknown annotators: 1." in run("statistics", "houses")
    assert json.loads(run("statistics", "houses", "--json"))["judgements"] == 6


def test_without_a_project_it_lists_all(project):
    make_project("second", sentences=1)

    listed = json.loads(run("statistics", "--json"))

    assert [(row["id"], row["name"], row["sentences"], row["judgements"]) for row in listed] == [
        (project.pk, "houses", 3, 5),
        (project.pk + 1, "second", 1, 0),
    ]
    assert "houses   open   en-cs" in run("statistics")


def unprepared(state: str, /, **job: Any) -> Project:
    project = Project.objects.create(
        name="essays", source_language="en", target_language="cs", state=state
    )
    Job.objects.create(project=project, **job)
    return project


@pytest.mark.parametrize("arguments", [[], ["essays"]])
@pytest.mark.parametrize(
    ("state", "job", "shown"),
    [
        ("preparing", {"state": "queued"}, "manage.py up"),
        (
            "preparing",
            {"state": "running", "stage": "alignment", "done": 30, "total": 70},
            "alignment, 30 of 70.",
        ),
        ("failed", {"state": "failed", "error": "line 3: 5 tokens."}, "line 3: 5 tokens."),
    ],
)
def test_it_shows_the_state_of_a_preparation(arguments, state, job, shown):
    project = unprepared(state, **job)

    printed = run("statistics", *arguments)

    assert f"'essays' {'is' if state == 'preparing' else 'failed'}" in printed
    assert shown in printed
    assert (f"delete_project {project.pk}`" in printed) == (state == "failed")


def test_the_list_as_json_has_each_projects_job():
    make_project()
    unprepared("preparing", state="running", stage="alignment", done=30, total=70)

    listed = json.loads(run("statistics", "--json"))

    assert [row["job"] for row in listed] == [
        None,
        {"state": "running", "stage": "alignment", "done": 30, "total": 70, "error": None},
    ]


def test_no_projects_are_an_empty_list():
    assert json.loads(run("statistics", "--json")) == []
    assert "no projects yet" in run("statistics")


@pytest.mark.parametrize("command", ["statistics", "rank_systems"])
def test_an_unknown_project_is_one_clear_sentence(command):
    with pytest.raises(CommandError, match="There is no project 'flats'") as refusal:
        run(command, "flats")

    assert refusal.value.returncode == 1


@pytest.mark.shared
def test_the_first_half_of_the_thesis(shared):
    folder = first_half(shared)
    expected = json.loads((folder / "expected.json").read_text())
    segments, systems = str(folder / "segments.tsv"), str(folder / "systems-improved.tsv")
    run("import_segments", "first half", segments, "--systems", systems, "--languages", "en-cs")
    run("import_judgements", "first half", str(folder / "annotations.jsonl"))

    statistics = json.loads(run("statistics", "first half", "--json"))
    ranking = json.loads(run("rank_systems", "first half", "--json"))

    for key in ("sentences", "segments", "candidates", "judgements"):
        assert statistics[key] == expected[key]
    agreement = statistics["agreement"]
    assert_same(
        flat(agreement) | {"expected_agreement": agreement["intra"]["expected"]},
        expected,
        *("expected_agreement", "kappa_intra", "kappa_inter"),
    )
    of_annotators = {row["annotator"]: flat(row) for row in agreement["annotators"]}
    annotators = {row["annotator"]: row for row in statistics["annotators"]}
    assert annotators.keys() == expected["annotators"].keys()
    for name, figures in expected["annotators"].items():
        for key, expected_key in (
            ("sentences", "sentences"),
            ("judgements", "segments"),
            ("seconds", "seconds"),
        ):
            assert annotators[name][key] == figures[expected_key], (name, key)
        assert_same(of_annotators[name], figures, "kappa_intra", "kappa_inter")
    unseen = json.loads((folder / "expected-unseen.json").read_text())["half/new"]
    systems = ranking["ranking"]["systems"]
    ratios = {row["system"]: round(row["score"]["value"], 4) for row in systems}
    assert ratios == unseen["full"]
    for row in systems:
        assert row["same_text"] + row["ties_of_different_texts"] == row["ties"]


def flat(agreement: dict[str, Any]) -> dict[str, float | None]:
    return dict(zip(("kappa_intra", "kappa_inter"), kappas(agreement), strict=True))


def assert_same(computed: dict[str, Any], expected: dict[str, Any], *keys: str) -> None:
    """Equal to 4 decimals, and undefined where expected."""
    for key in keys:
        if expected[key] is None:
            assert computed[key] is None, key
        else:
            assert round(computed[key], 4) == round(expected[key], 4), key


def test_systems_can_be_ranked_by_any_score_by_wins(project):
    options = ("rank_systems", "houses", "--method", "hopkins_may")

    ranking = json.loads(run(*options, "--json"))["ranking"]

    assert {row["system"] for row in ranking["systems"]} == {"A", "B", "C"}
    assert ranking["signature"].startswith("Hopkins-May|")
    assert "abilities of Hopkins and May" in run(*options)
