"""A project of any kind as gold for metrics, and its scores in files of mt-metrics-eval."""

from pathlib import Path

import pytest

from annotation.kinds import KINDS, Kind, kind_of
from annotation.models import Project, Translation
from evaluation.formats.metrics_eval_folder import read_eval_set
from evaluation.report.options import MetricsOptions
from evaluation.services.human_scores import golds_of, step_values
from evaluation.services.metric_evaluation import evaluate_project_metrics
from evaluation.services.metrics_export import export_metrics_eval
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
SENTENCES = 12
# Better and worse, of what A and B are judged in a sentence.
OUTPUTS = ("starý dům", "dům")


def judged(kind: Kind) -> Project:
    """Return a project in which A is better than B in all sentences but the first."""
    project = make_project(kind=kind.name, sentences=SENTENCES, segments={"0 1 2": OUTPUTS})
    for sentence in project.sentences.all():
        for name, text in zip("AB", OUTPUTS, strict=True):
            Translation.objects.create(
                sentence=sentence, system=project.systems.get(name=name), text=text
            )
    annotator = make_annotator(project)
    count = kind_of(project).steps
    worst = count or 2
    for number in range(1, SENTENCES + 1):
        steps = [worst, 1] if number == 1 else [1, worst]
        submit(project, annotator, number, {"0 1 2": steps}, steps=count or None)
    return project


@pytest.mark.parametrize(
    "name", ["segment_ranking", "acceptability", "adequacy", "direct_assessment"]
)
def test_a_project_is_gold_for_metrics(name: str) -> None:
    project = judged(KINDS[name])
    options = MetricsOptions(metrics=("chrf",), gold=golds_of(project)[0], resamples=100)
    found = evaluate_project_metrics(project, options)
    a, b = found["gold"]["systems"]
    assert (a["system"], b["system"]) == ("A", "B")
    values = step_values(project)
    best, worst = (values.bounds[1], values.bounds[0]) if values else (1.0, 0.0)
    expected = best - (best - worst) / SENTENCES
    assert a["score"] == pytest.approx(expected, abs=1e-6)
    assert (a["low"] or 0.0) < a["score"]
    (row,) = found["pairs"]
    assert row["concordant"] + row["discordant"] + row["metric_ties"] == SENTENCES


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_its_scores_are_read_from_mt_metrics_eval(kind: Kind, tmp_path: Path) -> None:
    project = judged(kind)
    export_metrics_eval(project, tmp_path)
    read = read_eval_set(tmp_path / project.name, "en-cs")
    assert len({table.metrics for table in read.human}) == 1
    systems, segments = (
        next(table for table in read.human if table.level == level).of(read.human[0].metrics[0])
        for level in ("sys", "seg")
    )
    values = step_values(project)
    best, worst = (values.bounds[1], values.bounds[0]) if values else (1.0, -1.0)
    assert segments[0].tolist() == [worst] + [best] * (SENTENCES - 1)
    if values:
        assert systems.ravel()[0] == pytest.approx(segments[0].mean())
    (written,) = (tmp_path / project.name / "human-scores").glob("*.signature.txt")
    assert f"judgements {SENTENCES}" in written.read_text()


@pytest.mark.parametrize(
    ("kind", "means"),
    [
        ("acceptability", (1, None, 0)),
        ("adequacy", (5, 4, 3, 2, 1)),
        ("segment_ranking", None),
    ],
)
def test_steps_count_as_numbers(kind: str, means: tuple[float | None, ...] | None) -> None:
    values = step_values(Project(kind=kind))
    assert (values and values.values) == means
    if values is None:
        assert "mean_score" not in golds_of(Project(kind=kind))
