"""The pilot of docs/pilot.md from its plan to its analysis, with six people and short texts."""

import csv
import json
import random
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from subprocess import run
from uuid import uuid4

import nbformat
import pytest
from django.core.management import call_command
from nbclient import NotebookClient

from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import assign_next
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.models import Project, User
from annotation.process import clock
from evaluation.services.agreement import agreement_so_far
from people.questionnaires import answer_table, answers_csv, current_questionnaire, store_response
from tests.installation import REPOSITORY

PILOT = REPOSITORY / "examples" / "pilot"
TEXTS = REPOSITORY / "annotation" / "uploads" / "sample_texts"
KINDS = {
    "ranking": ("segment_ranking", "--aligner", "systran"),
    "esa": ("document_error_spans",),
    "side-by-side": ("contrastive_error_spans", "--side-by-side", "4"),
}


def make_plan(folder: Path, people: int) -> list[dict[str, str]]:
    program, documents = PILOT / "assignments.py", PILOT / "documents.txt"
    run([sys.executable, program, documents, folder, "--people", str(people)], check=True)
    with (folder / "assignments.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("people", [18, 20, 23])
def test_the_plan_is_balanced(people: int, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, people)
    orders = Counter(
        tuple(row["condition"] for row in plan[3 * n : 3 * n + 3]) for n in range(people)
    )
    assert len(orders) == 6
    for one, other in (("session", "condition"), ("session", "set"), ("condition", "set")):
        counts = Counter((row[one], row[other]) for row in plan)
        assert len(counts) == 9
        assert max(counts.values()) - min(counts.values()) == (people % 3 > 0)


def test_the_stored_plan_is_that_of_the_program(tmp_path: Path) -> None:
    make_plan(tmp_path, 20)
    stored = (PILOT / "assignments.csv").read_text()
    assert (tmp_path / "assignments.csv").read_text() == stored


@pytest.mark.slow
@pytest.mark.django_db
def test_the_notebook_reads_the_exports_of_three_projects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = {row["person"] for row in make_plan(tmp_path, 6)}
    for condition, kind in KINDS.items():
        project = prepare(condition, kind)
        for person in sorted(people):
            call_command("add_user", person, "--project", str(project.pk), "--existing")
        table = tmp_path / "assigned" / f"{condition}.csv"
        call_command("assign_sentences", str(project.pk), str(table), "--limit")
        for person in sorted(people):
            judge_all(User.objects.get(username=person), project)
        export = tmp_path / f"{condition}.csv"
        call_command("export_project", str(project.pk), str(export), "--format", "csv")
        answers = "".join(answers_csv(answer_table(project)))
        (tmp_path / f"questionnaire-{condition}.csv").write_text(answers)
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PILOT_DATA", str(tmp_path))
    notebook = nbformat.read(REPOSITORY / "examples" / "pilot_analysis.ipynb", as_version=4)
    found = "print(json.dumps([[c, len(asked[c]), kappas[c][0]] for c in CONDITIONS]))"
    notebook.cells.append(nbformat.v4.new_code_cell(found))

    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()

    by_condition = {one: rest for one, *rest in json.loads(notebook.cells[-1].outputs[-1].text)}
    for condition in ("ranking", "side-by-side"):
        answered, kappa = by_condition[condition]
        measured = agreement_so_far(Project.objects.get(name=f"Pilot {condition}"))
        assert answered == 6
        assert measured
        assert kappa == pytest.approx(measured.inter.kappa, abs=1e-6)


def prepare(condition: str, kind: tuple[str, ...]) -> Project:
    name = f"Pilot {condition}"
    systems = (f"{one.stem}={one}" for one in sorted(TEXTS.glob("systems/*"))[:4])
    call_command(
        *("create_project", name, "--languages", "en-cs", "--kind", *kind),
        *("--source", str(TEXTS / "source.en.txt"), "--documents", str(PILOT / "documents.txt")),
        *(f"--system={system}" for system in systems),
        *("--intra-rate", "0", "--inter-rate", "0"),
    )
    consent = ("--consent", str(PILOT / "consent.md"))
    call_command("set_questionnaire", name, str(PILOT / "questionnaire.json"), *consent)
    return Project.objects.get(name=name)


def judge_all(annotator: User, project: Project) -> None:
    """Answer the questionnaire, and judge all that the annotator gets, a minute each."""
    asked = current_questionnaire(project)
    assert asked
    options = {one.pk: one.choices[-1] for one in asked.questions.all() if one.choices}
    store_response(user=annotator, questionnaire=asked, values=options)
    answer, drawn = kind_of(project).answer, random.Random(f"{annotator} {project}")
    while True:
        member = load_annotator(annotator, project.pk)
        assert member
        assignment = assign_next(member)
        if assignment is None:
            return
        assignment.shown = clock.now() - timedelta(minutes=1)
        assignment.save(update_fields=["shown"])
        cards = [card.key for segment in sheet(assignment).segments for card in segment.cards]
        if answer.has_details:
            choices = {card: answer.rank_of(drawn.randint(40, 100)) for card in cards}
        else:
            choices = {card: drawn.randint(1, 2) for card in cards}
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices=choices,
            details=dict.fromkeys(choices, "0-3 minor") if answer.has_details else {},
        )
