"""A project of any kind as gold for metrics, and its scores in files of mt-metrics-eval."""

import json
from pathlib import Path

import pytest

from annotation.kinds import KINDS, Kind, kind_of
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Edit, ErrorSpan, Placement, Project, Translation
from annotation.projects.instructions import write_instructions
from evaluation.findings.options import MetricsOptions
from evaluation.formats.metrics_eval_folder import read_eval_set
from evaluation.services.human_scores import PEOPLE, SUFFIXES, golds_of, step_values
from evaluation.services.metric_evaluation import evaluate_project_metrics
from evaluation.services.metrics_export import export_metrics_eval
from evaluation.stats.ranking.systems import METHODS
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
SENTENCES = 12
RANKINGS = ("segment_ranking", "constituents_in_context", "sentence_ranking", "document_ranking")
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
    count = kind_of(project).answer.worst
    worst = count or 2
    for number in range(1, SENTENCES + 1):
        steps = [worst, 1] if number == 1 else [1, worst]
        submit(project, annotator, number, {"0 1 2": steps}, steps=count)
    return project


@pytest.mark.parametrize(
    ("name", "gold"),
    [
        ("segment_ranking", "ratio_of_wins"),
        ("acceptability", "mean_score"),
        ("adequacy", "mean_score"),
        ("direct_assessment", "mean_score"),
    ],
)
def test_a_project_is_gold_for_metrics(name: str, gold: str) -> None:
    project = judged(KINDS[name])
    options = MetricsOptions(metrics=("chrf",), gold=gold, resamples=100)
    found = evaluate_project_metrics(project, options)
    a, b = found.gold.systems
    assert (a.system, b.system) == ("A", "B")
    values = step_values(project)
    best, worst = (values.bounds[1], values.bounds[0]) if values else (1.0, 0.0)
    expected = best - (best - worst) / SENTENCES
    assert a.score.value == pytest.approx(expected, abs=1e-6)
    assert (a.score.low or 0.0) < (a.score.value or 0.0)
    (row,) = found.pairs
    assert row.concordant + row.discordant + row.metric_ties == SENTENCES


@pytest.mark.parametrize(
    ("name", "default", "others"),
    [
        ("sentence_ranking", "ratio_of_wins", set()),
        ("acceptability", "mean_score", set()),
        ("edit_acceptance", "mean_score", set()),
        ("adequacy", "mean_score", {"mean_z"}),
        ("error_spans", "mean_score", {"mean_z"}),
        ("direct_assessment_sqm", "mean_z", {"mean_score"}),
        ("post_editing", "minus_hter", {"mean_score"}),
    ],
)
def test_the_kind_says_which_golds_there_are(name: str, default: str, others: set[str]) -> None:
    golds = golds_of(Project(kind=name))
    assert golds[0] == default
    assert {gold for gold in golds[1:] if gold not in METHODS} == others


def test_direct_assessments_are_standardised_by_annotator() -> None:
    project = judged(KINDS["direct_assessment"])
    options = MetricsOptions(metrics=("chrf",), gold="mean_z", resamples=100)
    found = evaluate_project_metrics(project, options).gold
    # 12 times 100 and 12 times 0: the mean is 50.
    deviation = (24 * 50**2 / 23) ** 0.5
    scores = {row.system: row.score.value for row in found.systems}
    assert scores == {
        "A": pytest.approx((11 - 1) * 50 / deviation / 12, abs=1e-6),
        "B": pytest.approx(-(11 - 1) * 50 / deviation / 12, abs=1e-6),
    }
    assert found.words == (
        *("z by annotator of mean score", "all scores of the annotator, control items included"),
        "mean of sentences",
    )
    assert found.systems[0].score.no_wide_interval == "fewer than 3 annotators"


def test_edits_of_outputs_are_gold() -> None:
    project = judged(KINDS["post_editing"])
    placements = Placement.objects.filter(judgement__submission__assignment__project=project)
    placements.filter(rank=3).update(rank=2)
    Edit.objects.bulk_create(
        Edit(placement=placement, text=f"{placement.candidate.text} stojí")
        for placement in placements.filter(rank=2)
    )
    options = MetricsOptions(metrics=("chrf",), gold=golds_of(project)[0], resamples=100)
    found = evaluate_project_metrics(project, options)
    scores = {row.system: row.score.value for row in found.gold.systems}
    # One word is added to one of A's outputs, of two words, and to eleven of B's, of one word.
    assert scores == {
        "A": pytest.approx(-1 / 25, abs=1e-6),
        "B": pytest.approx(-11 / 23, abs=1e-6),
    }
    (row,) = found.pairs
    assert (row.concordant, row.discordant) == (11, 1)


# Several scores are of scales, see `test_reports_of_several_scores`.
@pytest.mark.parametrize(
    "kind",
    [kind for kind in KINDS.values() if not isinstance(kind.answer, SeveralScores)],
    ids=lambda kind: kind.name,
)
def test_its_scores_are_read_from_mt_metrics_eval(kind: Kind, tmp_path: Path) -> None:
    project = judged(kind)
    export_metrics_eval(project, tmp_path)
    read = read_eval_set(tmp_path / project.name, "en-cs")
    raw = PEOPLE if kind.name in RANKINGS else f"{PEOPLE}-{kind.name}"
    golds = [raw + SUFFIXES[gold] for gold in golds_of(project) if gold in SUFFIXES]
    human = {table.level: table for table in read.human}
    assert set(human["sys"].metrics) == set(human["seg"].metrics) == set(golds or [raw])
    systems, segments = (human[level].of(raw) for level in ("sys", "seg"))
    values = step_values(project)
    best, worst = (values.bounds[1], values.bounds[0]) if values else (1.0, -1.0)
    assert segments[0].tolist() == [worst] + [best] * (SENTENCES - 1)
    if values:
        assert systems.ravel()[0] == pytest.approx(segments[0].mean())
    written = list((tmp_path / project.name / "human-scores").glob("*.signature.txt"))
    assert len(written) == len(golds or [raw])
    assert all(f"judgements {SENTENCES}" in path.read_text() for path in written)


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


def test_files_have_documents_domains_and_marked_errors(tmp_path: Path) -> None:
    project = judged(KINDS["error_spans"])
    lines = project.sentences.filter(purpose="judge")
    lines.update(document="news-1")
    lines.filter(number=1).update(document="talk-1")
    author = make_annotator(project, "boss", "owner")
    write_instructions(project=project, author=author, text="# Documents: news\n\nNews.")
    placement = Placement.objects.filter(candidate__projections__system__name="A").earliest("pk")
    ErrorSpan.objects.create(placement=placement, side="target", start=0, end=2, severity="major")

    export_metrics_eval(project, tmp_path)

    read = read_eval_set(tmp_path / project.name, "en-cs")
    assert read.domains == ("all", *["news"] * (SENTENCES - 1))
    of = {table.level: table.of(f"{PEOPLE}-error_spans")[0].tolist() for table in read.human}
    first, *others = of["seg"]
    assert of["doc"] == of["domain"] == [first, sum(others) / len(others)]
    [file] = (tmp_path / project.name / "human-scores").glob("*.rating")
    assert file.name == "en-cs.segranks-error_spans.rater1.seg.rating"
    written = [line.split("\t") for line in file.read_text().splitlines()]
    assert [row[0] for row in written] == ["A"] * SENTENCES + ["B"] * SENTENCES
    [error] = json.loads(written[0][1])["errors"]
    assert (error["start"], error["end"], error["severity"]) == (0, 2, "major")
