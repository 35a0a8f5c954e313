import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db

OUTPUTS = {
    "A": "starý dům stojí u řeky",
    "B": "stará dům stojí blízko řeky",
    "C": "dům reference",
}
SENTENCES = 24
QUICK = ("--restarts", "1", "--seeds", "2", "--resamples", "100", "--tokenized")


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("tune", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def project() -> Project:
    """In all sentences, A is better than B, and C is garbage or has no candidate."""
    project = make_project(sentences=SENTENCES)
    jana = make_annotator(project)
    for number in range(1, SENTENCES + 1):
        submit(project, jana, number, {"0 1 2": [1, 2, None], "4 5 6": [1, 2]})
    return project


@pytest.fixture
def outputs(tmp_path: Path) -> list[str]:
    """Options with a file of each system."""
    arguments = []
    for name, line in OUTPUTS.items():
        path = tmp_path / name
        path.write_text(f"{line}\n" * SENTENCES)
        arguments += ["--output-of", f"{name}={path}"]
    return arguments


@pytest.fixture
def nbest(tmp_path: Path) -> Path:
    """Two hypotheses of each sentence; the second, which has A's candidates, has a lower score."""
    path = tmp_path / "nbest"
    path.write_text(
        "".join(
            f"{number} ||| {OUTPUTS[name]} ||| LM0= {features} ||| {score}\n"
            for number in range(SENTENCES)
            for name, features, score in (("B", "-1 -3", -1), ("A", "-2 -2", -2))
        )
    )
    return path


def test_people_choose_the_best_system_of_the_outputs(project, outputs):
    report = json.loads(run(project.name, *QUICK, *outputs, "--json", "--system-indicators"))

    tuned = {one["choice"]["name"]: one for one in report["tuned"]}
    assert (report["training_sentences"], report["test_sentences"]) == (12, 12)
    assert len(tuned) == 8
    for name in ("people", "ExactMatch"):
        assert tuned[name]["choice"]["people"]["value"] == 1
        assert tuned[name]["choice"]["hit_rate"] == 1
        assert tuned[name]["training_values"] == [1, 1]
    assert tuned["BLEU"]["choice"]["minus_bleu"] is None
    assert "best system in training, A" in [one["name"] for one in report["untrained"]]
    bounds = {one["name"]: one["people"]["value"] for one in report["bounds"]}
    assert bounds["oracle, people"] == 1
    assert "restarts 1" in report["signature"]


def test_all_sentences_but_those_of_the_test_are_for_training(project, outputs):
    report = json.loads(run(project.name, *QUICK, *outputs, "--test", "1-10", "--json"))

    assert (report["training_sentences"], report["test_sentences"]) == (SENTENCES - 10, 10)


def test_the_table_names_the_features_and_the_consensus(project, outputs):
    printed = run(project.name, *QUICK, *outputs, "--objective", "ExactMatch")

    rows = [line.split("  ")[0] for line in printed.splitlines()]
    assert {"BLEU", "ExactMatch", "most similar, characters", "language model"} <= set(rows)
    assert "people" not in rows


def test_nbest_lists_are_judged_by_the_candidates_that_they_contain(project, nbest, tmp_path):
    chosen = tmp_path / "chosen"
    arguments = ["--nbest", str(nbest), "--objective", "ExactMatch", "--train", "1-12"]

    report = json.loads(run(project.name, *QUICK, *arguments, "--chosen", str(chosen), "--json"))

    tuned = {one["choice"]["name"]: one for one in report["tuned"]}
    assert tuned["ExactMatch"]["choice"]["people"]["value"] == 1
    assert [one["feature"] for one in tuned["ExactMatch"]["weights"]] == ["LM0[1]", "LM0[2]"]
    assert "people" in report["impossible_objectives"]
    untrained = {one["name"]: one["people"]["value"] for one in report["untrained"]}
    # B's candidates win against C and lose against A in the first segment, and lose in the second.
    assert untrained["first of the list"] == pytest.approx(1 / 3, abs=1e-6)
    lines = (chosen / "ExactMatch.txt").read_text().splitlines()
    assert lines == [OUTPUTS["A"]] * SENTENCES
    assert (chosen / "consensus.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "has no outputs of two systems"),
        (["--train", "1-12", "--test", "12-24"], "Sentence 12 is for training and for the test"),
        (["--train", "1-5"], "has 5 sentences for training"),
        (["--train", "1-12", "--test", "100-200"], "has 0 sentences for the test"),
        (["--train", "5"], "not a range"),
        (["--train", "9-3"], "not a range"),
        (["--objective", "METEOR"], "invalid choice"),
        (["--seeds", "0"], "not a positive whole number"),
        (["--nbest", "nowhere"], "nowhere cannot be read"),
        (["--chosen", "/dev/null/x"], "/dev/null is not a folder: choose another --chosen"),
        (["--output-of", "A"], "not of the form NAME=FILE"),
        (["--output-of", "D=nowhere"], "no system D"),
    ],
)
def test_it_refuses_what_cannot_be_tuned(project, arguments, message):
    with pytest.raises(CommandError, match=message):
        run(project.name, *arguments)


def test_it_refuses_outputs_with_too_few_lines(project, tmp_path):
    (tmp_path / "A").write_text("dům\n" * 3)

    with pytest.raises(CommandError, match="ends with line 3, but the project's last sentence is"):
        run(project.name, "--output-of", f"A={tmp_path / 'A'}")


def test_it_refuses_nbest_lists_without_a_sentence(project, nbest):
    lines = nbest.read_text().splitlines(keepends=True)
    nbest.write_text("".join(lines[:8] + lines[10:]))

    with pytest.raises(CommandError, match="no hypothesis of sentence 5, which has the id 4"):
        run(project.name, "--nbest", str(nbest))


def test_it_refuses_both_kinds_of_hypotheses(project, nbest, outputs):
    with pytest.raises(CommandError, match="not both"):
        run(project.name, "--nbest", str(nbest), *outputs)


def test_it_refuses_a_project_without_judgements(outputs):
    with pytest.raises(CommandError, match="no judgements"):
        run(make_project().name)
