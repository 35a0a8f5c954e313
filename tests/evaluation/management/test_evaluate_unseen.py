import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Candidate, Project, Projection, Sentence, System, Translation
from annotation.pipeline.system_candidates import project_new_system
from tests.annotation.judging.judged_next import judge
from tests.annotation.pipeline.system_files import files, store
from tests.evaluation.projects import submit
from tests.evaluation.thesis_texts import first_half
from tests.factories import make_annotator, make_project, places

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def evaluate(*arguments: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(run("evaluate_unseen", *arguments, "--json"))
    return report


@pytest.fixture
def project() -> Project:
    """Three sentences; A's "starý dům" has rank 1, C's "dům" is garbage in the first of them."""
    project = make_project()
    jana = make_annotator(project)
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [2, 1]})
    submit(project, jana, 2, {"0 1 2": [1, 2, 2], "4 5 6": [1, 1]})
    return project


def give_outputs(project: Project) -> None:
    """Store whole sentences of system A, which projects of ready-made segments do not have."""
    a = System.objects.get(project=project, name="A")
    text = "starý dům stojí u řeky"
    for sentence in Sentence.objects.filter(project=project):
        Translation.objects.create(sentence=sentence, system=a, text=text, tokens=places(text))


def with_links(folder: Path, *lines: str, name: str = "D") -> list[str]:
    """Return arguments for outputs whose words are aligned as those of `system_files`."""
    text, links = files(folder, *lines)
    return [f"{name}={text}", "--alignment", f"{name}={links}"]


def counts() -> list[int]:
    return [model.objects.count() for model in (System, Translation, Candidate, Projection)]


def test_new_outputs_are_matched_by_their_alignment_and_nothing_is_stored(project, tmp_path):
    before = counts()

    report = evaluate("houses", *with_links(tmp_path, "starý dům u řeky", "starou dům u řekou", ""))

    (system,) = report["systems"]
    assert system["system"] == "D"
    # "starou dům" is 2 from "stará dům", "u řekou" 2 from "u řeky".
    assert (system["judgements"], system["hits"], system["missing"]) == (4, 2, 0)
    assert system["distances"] == [2, 0, 2]
    assert system["outcomes"] is system["true_ratio_of_wins"] is None
    assert {row["system"] for row in system["ranking"]} == {"A", "B", "C", "D"}
    assert report["errors"]["systems"] == 3
    assert report["method"] == "closest"
    assert "closest|new 1|links given|" in report["signature"]
    assert counts() == before


def test_exact_matches_use_hits_only(project, tmp_path):
    report = evaluate(
        "houses",
        *with_links(tmp_path, "starý dům u řeky", "", ""),
        "--method",
        "exact",
    )

    (system,) = report["systems"]
    assert (system["hits"], system["missing"]) == (2, 2)
    ratios = {row["system"]: row["ratio_of_wins"] for row in system["ranking"]}
    # In the only sentence with hits, A and D won against B and C, then B against both, and always
    # against C.
    assert ratios == {"A": 0.666667, "B": 0.6, "C": 0.0, "D": 0.666667}


def test_new_outputs_are_predicted_with_an_interval_and_nothing_is_stored(project, tmp_path):
    outputs = with_links(tmp_path, "starý dům u řeky", "starou dům u řekou", "")
    before = counts()

    report = evaluate("houses", *outputs, "--method", "prediction")

    (system,) = report["systems"]
    assert (system["system"], system["predicted_segments"]) == ("D", 2)
    score = system["score"]
    assert score["low"] <= score["value"] <= score["high"]
    assert system["best_rank"] <= system["rank"] <= system["worst_rank"]
    assert "learned from 3 systems" in system["signature"]
    assert counts() == before
    assert "D" in run("evaluate_unseen", "houses", *outputs, "--method", "prediction")


def test_the_effect_of_a_system_judged_in_another_project_corrects_the_prediction(
    project, tmp_path
):
    old = make_project("old", sentences=12)
    annotator = make_annotator(old, "eva")
    while judge(annotator, old):
        pass
    text, links = files(tmp_path, *["starobylý dům při řece"] * 12)
    project_new_system(system=store(old, "D", text, links))
    while judge(annotator, old):
        pass
    outputs = with_links(tmp_path, *["starobylý dům při řece"] * 3, name="N")

    report = evaluate(
        *("houses", *outputs, "--method", "prediction"),
        *("--effect-from", "old", "--effect-of", "D"),
    )

    (system,) = report["systems"]
    corrected = system["with_effect"]
    assert (report["effect_from"], corrected["judged_system"]) == ("old", "D")
    score = corrected["score"]
    assert score["low"] <= score["value"] <= score["high"]
    assert "effect from 24 segments" in corrected["signature"]


def test_an_effect_needs_a_judged_system_of_another_project(project, tmp_path):
    outputs = with_links(tmp_path, *["starý dům u řeky"] * 3)
    predict = ("evaluate_unseen", "houses", *outputs, "--method", "prediction")
    with pytest.raises(CommandError, match="together"):
        run(*predict, "--effect-of", "A")
    with pytest.raises(CommandError, match="no judged system 'X'"):
        run(*predict, "--effect-from", "houses", "--effect-of", "X")
    with pytest.raises(CommandError, match="only"):
        run("evaluate_unseen", "houses", *outputs, "--effect-from", "houses", "--effect-of", "A")


def test_too_few_systems_cannot_be_predicted_from_each_other(project):
    with pytest.raises(CommandError, match="3 other systems"):
        run("evaluate_unseen", "houses", "--leave-one-out", "--method", "prediction")


def test_the_aligner_of_the_project_aligns_outputs_without_links(project, tmp_path):
    give_outputs(project)
    text, _links = files(tmp_path, *["starý dům stojí u řeky"] * 3)

    (system,) = evaluate("houses", f"D={text}")["systems"]

    assert system["judgements"] == 4
    assert system["missing"] < 4
    assert not System.objects.filter(name="D").exists()


def test_each_system_left_out_as_json_and_as_text(project):
    report = evaluate("houses", "--leave-one-out", "--examples", "2")

    assert [system["system"] for system in report["systems"]] == ["A", "B", "C"]
    assert all(system["true_ratio_of_wins"] is not None for system in report["systems"])
    total = report["outcomes"]
    assert sum(total[name] for name in ("worse", "equal", "better")) == 10
    assert [sum(column) for column in zip(*total["by_distance"], strict=True)] == [
        total[name] for name in ("worse", "equal", "better")
    ]
    assert len(report["examples"]) == 2
    text = run("evaluate_unseen", "houses", "--leave-one-out", "--examples", "2")
    assert report["signature"] in text
    for example in report["examples"]:
        assert example["candidate"] in text
    assert run("evaluate_unseen", "houses", "--leave-one-out", "--method", "exact")


def test_a_file_of_candidates(project, tmp_path):
    path = tmp_path / "candidates.tsv"
    path.write_text(
        "1\tthe old house\tD\tstarý dům\t0 1 2\n2\tnear the river\tE\tu řek\t4 5 6\n",
        encoding="utf-8",
    )

    d, e = evaluate("houses", "--candidates", str(path))["systems"]

    assert (d["hits"], d["missing"]) == (1, 3)
    assert (e["hits"], e["missing"], e["distances"]) == (0, 3, [3, 1])


def test_why_a_ratio_is_undefined(project, tmp_path):
    path = tmp_path / "candidates.tsv"
    path.write_text(
        "3\tthe old house\tD\tstarý dům\t0 1 2\n1\tthe old house\tE\tdomek\t0 1 2\n",
        encoding="utf-8",
    )

    d, e = evaluate("houses", "--candidates", str(path), "--method", "exact")["systems"]

    # D has a candidate of a segment without judgements only.
    assert (d["ratio_of_wins"], d["place"], e["ratio_of_wins"]) == (None, None, None)
    assert "" not in (d["undefined"], e["undefined"])
    assert d["undefined"] != e["undefined"]
    text = run("evaluate_unseen", "houses", "--candidates", str(path), "--method", "exact")
    assert d["undefined"] in text
    assert e["undefined"] in text


def test_a_system_of_the_project_is_left_out_if_its_outputs_are_given(project, tmp_path):
    arguments = with_links(tmp_path, *["starý dům u řeky"] * 3, name="A")

    (system,) = evaluate("houses", *arguments)["systems"]

    assert [row["system"] for row in system["ranking"] if row["system"] == "A"] == ["A"]
    assert system["hits"] == 0


def test_segranks_bleu_beside_bleu(project, tmp_path):
    Translation.objects.filter(system=None).update(
        text="dům stojí u řeky", tokens=places("dům stojí u řeky")
    )
    text, _links = files(tmp_path, *["starý dům stojí u řeky"] * 3)

    report = evaluate("houses", f"D={text}", "--method", "segranks-bleu")

    (system,) = report["systems"]
    assert system["segranks_bleu"] > system["bleu"] > 0
    assert report["people"] == {"D": None}
    assert report["r"]["segranks_bleu"] is None
    give_outputs(project)
    rows = evaluate("houses", "--leave-one-out", "--method", "segranks-bleu")["systems"]
    assert [row["system"] for row in rows] == ["A", "B", "C"]
    assert rows[0]["segranks_bleu"] == system["segranks_bleu"]
    assert rows[0]["without_own"] < rows[0]["segranks_bleu"]
    assert rows[1]["segranks_bleu"] is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "Give outputs"),
        (["D=short"], "ends with line 1"),
        (["D=missing.txt"], "cannot be read"),
        (["D"], "not of the form"),
        (["reference=short"], "human translation"),
        (["D=short", "--leave-one-out"], "Give outputs"),
        (["D=short", "--alignment", "E=short"], "'E'"),
        (["--candidates", "short"], "1 columns where 5"),
        (["--candidates", "short", "--method", "segranks-bleu"], "whole outputs"),
        (["--leave-one-out", "--examples", "-1"], "from 0"),
    ],
)
def test_bad_arguments_and_files(project, tmp_path, monkeypatch, arguments, problem):
    give_outputs(project)
    monkeypatch.chdir(tmp_path)
    Path("short").write_text("dům\n", encoding="utf-8")

    with pytest.raises(CommandError, match=problem) as refusal:
        run("evaluate_unseen", "houses", *arguments)

    assert refusal.value.returncode == 1


def test_outputs_alone_say_nothing_of_ready_made_candidates(project, tmp_path):
    text, _links = files(tmp_path, "", "", "dům")

    with pytest.raises(CommandError, match="--alignment D=FILE"):
        run("evaluate_unseen", "houses", f"D={text}")
    with pytest.raises(CommandError, match="NAME=FILE"):
        run("evaluate_unseen", "houses", "--leave-one-out", "--method", "segranks-bleu")
    Translation.objects.all().delete()
    with pytest.raises(CommandError, match="no reference"):
        run("evaluate_unseen", "houses", f"D={text}", "--method", "segranks-bleu")


def test_a_project_in_which_nothing_can_be_compared():
    project = make_project()
    with pytest.raises(CommandError, match="not judged any segment"):
        run("evaluate_unseen", "houses", "--leave-one-out")
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, 3]})
    Projection.objects.all().delete()
    System.objects.all().delete()
    with pytest.raises(CommandError, match="fewer than two known systems"):
        run("evaluate_unseen", "houses", "--leave-one-out")
    Project.objects.update(state=Project.State.PREPARING)
    with pytest.raises(CommandError, match="not prepared"):
        run("evaluate_unseen", "houses", "--leave-one-out")


@pytest.mark.shared
@pytest.mark.slow
def test_the_first_half_of_the_thesis(shared):
    folder = first_half(shared)
    links = str(folder / "systems-improved.tsv")
    segments = str(folder / "segments.tsv")
    run("import_segments", "first half", segments, "--systems", links, "--languages", "en-cs")
    run("import_judgements", "first half", str(folder / "annotations.jsonl"))
    expected = json.loads((folder / "expected-unseen.json").read_text())["half/new"]["left_out"]

    left_out = evaluate("first half", "--leave-one-out")
    given = evaluate("first half", "--candidates", links)

    for report in (left_out, given):
        assert {row["system"]: row["hits"] for row in report["systems"]} == {
            name: figures["hits"] for name, figures in expected.items()
        }
        for row in report["systems"]:
            ratios = {each["system"]: each["ratio_of_wins"] for each in row["ranking"]}
            assert ratios == pytest.approx(expected[row["system"]]["closest"], abs=1e-4)
            assert row["distances"] == expected[row["system"]]["distances"]
    assert left_out["errors"] == given["errors"]
    assert left_out["errors"]["score"] == pytest.approx(0.0604, abs=5e-5)


@pytest.fixture
def graded() -> Project:
    """Three whole sentences; of each, A's translation is on the best step and B's on the fourth."""
    whole = {"0 1 2 3 4 5 6": ("starý dům u řeky", "domy u řek")}
    project = make_project("grades", kind="adequacy", segments=whole)
    jana = make_annotator(project)
    for number in (1, 2, 3):
        submit(project, jana, number, {"0 1 2 3 4 5 6": [1, 4]}, steps=5)
    give_outputs(project)
    return project


def test_whole_outputs_keep_the_answers_about_identical_texts(graded, tmp_path):
    text = tmp_path / "D.txt"
    text.write_text("starý dům u řeky\ndomy u řeky\n\n", encoding="utf-8")
    before = counts()

    report = evaluate("grades", f"D={text}")

    (system,) = report["systems"]
    assert (report["method"], system["hits"], system["missing"]) == ("answers", 1, 1)
    assert system["answers"] == [1, 0, 0, 0, 0]
    assert system["extrapolated_grade"]["value"] == 3.5
    assert system["best_of_decided"] is None
    assert report["scale"][0] == "All meaning"
    assert "stored answers|new 1|edit distance|" in report["signature"]
    assert counts() == before


def test_left_out_systems_have_the_bias_of_extrapolated_grades(graded):
    report = evaluate("grades", "--leave-one-out")

    assert [row["real_grade"]["value"] for row in report["systems"][:2]] == [5, 2]
    assert [row["extrapolated_grade"]["value"] for row in report["systems"][:2]] == [2, 5]
    assert report["errors"]["absolute"]["value"] == 3
    assert report["errors"]["bias"]["value"] == 0
    assert report["errors"]["texts"] == 6
    assert report["signature"] in run("evaluate_unseen", "grades", "--leave-one-out")


def test_yes_and_no_have_both_denominators():
    project = make_project("labels", kind="acceptability")
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, 3], "4 5 6": [3, 1]}, steps=3)

    report = evaluate("labels", "--leave-one-out", "--method", "answers")

    assert {row["hits"] for row in report["systems"]} == {0}
    assert report["systems"][0]["real_best_of_decided"]["value"] == 0.5
    assert report["systems"][1]["real_best_of_all"]["value"] == 0.5
    assert "Yes / (Yes + No)" in run("evaluate_unseen", "labels", "--leave-one-out")


def test_rankings_have_no_answers(project):
    with pytest.raises(CommandError, match="ranked"):
        evaluate("houses", "--leave-one-out", "--method", "answers")


def test_scores_of_single_translations_are_refused_with_what_to_use() -> None:
    make_project(kind="error_spans")
    with pytest.raises(CommandError, match="evaluate_metrics"):
        run("evaluate_unseen", "houses", "--leave-one-out", "--method", "closest")
