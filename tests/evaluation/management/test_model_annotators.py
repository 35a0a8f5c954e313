"""Models of the annotators of projects in which each candidate is answered about by itself."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project, Segment, ShownCandidate
from evaluation.stats.annotators.assessment_model import UNKNOWN_ORDER
from tests.evaluation.projects import LABELLED_SENTENCES, labelled_project
from tests.factories import make_project

pytestmark = pytest.mark.django_db
LABELS = {
    *("label-annotators", "label-systems", "label-confusion", "label-spamming", "label-items"),
}


def tables(project: Project, folder: Path, *options: str) -> dict[str, list[dict[str, Any]]]:
    call_command(
        *("model_annotators", str(project.pk), "--output", str(folder), "--resamples", "100"),
        *options,
        stdout=StringIO(),
    )
    return {
        path.stem: json.loads(path.read_text())["rows"]
        for path in (folder / "tables").glob("*.json")
    }


def test_yes_and_no_have_labels_and_a_sequence(tmp_path: Path) -> None:
    found = tables(labelled_project("acceptability", 3), tmp_path)

    assert set(found) == LABELS | {"answer-sequence"}
    right = {row["annotator"]: row["accuracy"] for row in found["label-annotators"]}
    assert min(right["jana"], right["petr"]) > right["eva"]
    assert [row["system"] for row in found["label-systems"]] == ["A", "B"]


def test_items_have_the_probability_of_each_answer(tmp_path: Path) -> None:
    project = labelled_project("acceptability", 3)

    found = tables(project, tmp_path)

    rows = found["label-items"]
    assert [(row["sentence"], row["text"], row["systems"]) for row in rows[:2]] == [
        (1, "dům", "A"),
        (1, "domek", "B"),
    ]
    assert len(rows) == 2 * LABELLED_SENTENCES
    assert {row["segment"] for row in rows} == set(
        Segment.objects.filter(sentence__project=project).values_list("pk", flat=True)
    )
    assert {row["answers"] for row in rows} == {3}
    # Jana and petr said "not sure" of the first text of sentence 1, and "yes" of that of 2.
    first, third = rows[0], rows[2]
    for label, prefix in (("label", "posterior"), ("mace", "mace")):
        assert first[f"{prefix}-2"] == max(first[f"{prefix}-{place}"] for place in (1, 2, 3))
        assert third[f"{prefix}-1"] > 0.5
        assert first[label] != third[label]
        assert sum(first[f"{prefix}-{place}"] for place in (1, 2, 3)) == pytest.approx(1)


def test_annotators_have_a_confusion_matrix_and_a_probability_of_spamming(tmp_path: Path) -> None:
    found = tables(labelled_project("acceptability", 3), tmp_path)

    matrix = found["label-confusion"]
    assert [row["annotator"] for row in matrix[::3]][-1] == "eva"
    assert len(matrix) == 9
    for row in matrix:
        assert sum(row[f"given-{place}"] for place in (1, 2, 3)) == pytest.approx(1)
    spamming = {row["annotator"]: row["spamming"] for row in found["label-spamming"]}
    assert max(spamming["jana"], spamming["petr"]) < spamming["eva"]


def test_answers_in_an_unknown_order_have_no_effect_of_the_order(tmp_path: Path) -> None:
    project = labelled_project("acceptability", 3)
    ShownCandidate.objects.all().delete()

    assert tables(project, tmp_path)["answer-sequence"] == []
    assert UNKNOWN_ORDER in (tmp_path / "tables" / "answer-sequence.json").read_text()


def test_grades_have_labels_and_scores(tmp_path: Path) -> None:
    found = tables(labelled_project("adequacy", 5), tmp_path, "--keep", "2")

    assert {name.partition("-adequacy")[0] for name in found} == {
        *LABELS,
        *("model-annotators", "model-systems", "score-agreement", "score-sequence"),
    }
    assert [row["annotator"] for row in found["model-annotators-adequacy"]][-1] == "eva"
    (best, _other) = found["model-systems-adequacy"]
    assert (best["system"], best["kept_place"]) == ("A", 1)
    given = {row["others"] for row in found["score-sequence-adequacy"]}
    assert given == {"systems", "yes"}


def test_scores_beside_marked_errors_have_no_labels(tmp_path: Path) -> None:
    found = tables(labelled_project("error_spans", 101), tmp_path)

    assert {name.partition("-error")[0] for name in found} == {
        *("model-annotators", "model-systems", "score-agreement", "score-sequence"),
    }


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("segment_ranking", "rank candidates"),
        ("direct_assessment", "score_assessments"),
        ("adequacy", "No answers of identified annotators"),
        ("error_spans", "No answers of identified annotators"),
    ],
)
def test_other_kinds_and_projects_without_answers_are_refused(kind: str, words: str) -> None:
    project = make_project(kind=kind)

    with pytest.raises(CommandError, match=words):
        call_command("model_annotators", str(project.pk), stdout=StringIO())
