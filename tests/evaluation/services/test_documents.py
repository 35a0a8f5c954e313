"""What results say of documents."""

from functools import partial
from typing import Any

import pytest
from scipy.stats import pearsonr, spearmanr

from annotation.judging.control_items import make_controls
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.selectors.judgements import Speed, project_summary, speeds
from annotation.selectors.submitted_work import submitted_work
from annotation.selectors.working_time import working_time
from evaluation.findings import marked_errors
from evaluation.findings.evidence import AskedScale, Evidence
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import table, tables
from evaluation.models import default_options
from evaluation.services.findings import ranking_now
from evaluation.services.loading import load, load_assessments
from evaluation.services.report_kinds import make_report
from tests.annotation.kinds.document_project import judge_all, prepared
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def scored(project, **scores):
    """Judge all sheets: a text has the score of the system that it names, a document 5 less."""
    answer: Any = kind_of(project).answer
    highest = answer.highest
    judge_all(
        make_annotator(project),
        project,
        lambda text, whole: highest + 1 - scores.get(text[0], 20) + 5 * whole,
    )


def test_documents_as_a_whole_count_in_no_figure_of_paragraphs(tmp_path):
    project = prepared(tmp_path, kind="document_sqm", rate_documents=True)
    scored(project, A=80, B=60, C=40)
    summary = project_summary(project)
    assert (summary.sentences, summary.segments, summary.candidates) == (6, 18, 18)
    assert summary.judgements == 18
    assert submitted_work(project).together.judgements == 18
    assert sum(speeds(project).values(), start=Speed()).segments == 18
    assert working_time(project, sentences=9, speed=Speed()).items == 18
    judgements = load(project)
    assert len(judgements) == 18
    assert judgements.sentences_judged == 6
    assert sorted(load_assessments(project).items.scores.tolist()) == [40] * 6 + [60] * 6 + [80] * 6


def test_paragraphs_of_control_documents_are_in_no_results(tmp_path):
    project = prepared(tmp_path, kind="document_sqm")
    make_controls(project=project, count=9, seed=1)
    project.control_rate = 0.5
    project.save()
    scored(project, A=80, B=60, C=40)
    items = load_assessments(project).items
    outputs = items.types == 0
    assert outputs.sum() == 18
    assert (items.types == 3).sum() >= 1


def test_the_report_samples_documents_unless_sentences_are_chosen(tmp_path):
    project = prepared(tmp_path, kind="document_sqm")
    project.sentences.filter(document="note 3").update(document="")
    scored(project, A=80, B=60, C=40)
    found: Any = make_report(project, default_options(project)).data
    # A line without a document is one by itself.
    assert found.judged.units == 3
    assert "resamples of documents" in found.signature
    assert make_report(project, ReportOptions()).data.judged.units is None
    assert default_options(Project(kind="direct_assessment")) == ReportOptions()


def test_a_system_lacks_no_text_where_it_is_not_on_the_sheet(tmp_path):
    project = prepared(tmp_path, kind="contrastive_error_spans", sheet_systems=2, missing=("A", 3))
    scored(project, A=80, B=60, C=40)
    report: Any = make_report(project, default_options(project)).data
    now = ranking_now(project, "ratio_of_wins", default_options(project))
    for ranking in (report.rankings["ratio_of_wins"], now):
        missing = {row.system: row.missing for row in ranking.systems}
        assert missing == {"A": pytest.approx(1 / 6, abs=1e-6), "B": 0, "C": 0}


def judged_as_a_whole(project, annotator, scores):
    """Judge all sheets: `scores` are those of A by the line, and by the lines of a document."""
    answer: Any = kind_of(project).answer
    highest = answer.highest

    def rank(text, whole):
        lines = [int(line.split()[2]) for line in text.splitlines()]
        shift = {"A": 0, "B": -10, "C": -20}[text[0]]
        key = tuple(lines) if whole else lines[0]
        return highest + 1 - (scores[key] + shift)

    judge_all(annotator, project, rank)


@pytest.mark.parametrize("kind", ["document_sqm", "document_error_spans"])
def test_scores_of_whole_documents_stand_beside_those_of_paragraphs(tmp_path, kind):
    project = prepared(tmp_path, kind=kind, rate_documents=True)
    lines = {1: 90, 2: 60, 3: 90, 4: 70, 5: 50, 6: 40}
    documents = {(1, 2, 3): 60, (4, 5): 60, (6,): 30}
    judged_as_a_whole(project, make_annotator(project), lines | documents)
    report: Any = make_report(project, default_options(project)).data
    found: Any = report.whole_documents
    assert [(row.system, row.document.value, row.sheets, row.scores) for row in found.systems] == [
        ("A", 50, 3, 3),
        ("B", 40, 3, 3),
        ("C", 30, 3, 3),
    ]
    assert found.systems[0].paragraphs.value == pytest.approx(400 / 6)
    mean, least = found.relations
    # Of A, means are 80, 60, 40 and documents 60, 60, 30; the least are 60, 50, 40.
    assert (mean.pairs, least.pairs) == (9, 9)
    assert mean.difference.value == pytest.approx((-20 + 0 - 10) / 3)
    assert least.difference.value == pytest.approx((0 + 10 - 10) / 3)
    scores = [score + shift for shift in (0, -10, -20) for score in (60, 60, 30)]
    means = [score + shift for shift in (0, -10, -20) for score in (80, 60, 40)]
    leasts = [score + shift for shift in (0, -10, -20) for score in (60, 50, 40)]
    assert mean.pearson == pytest.approx(pearsonr(scores, means).statistic)
    assert least.spearman == pytest.approx(spearmanr(scores, leasts).statistic)
    names = {one.name for one in tables(report)}
    assert {"whole-documents", "document-scores"} <= names
    assert report.judged.judgements == 18


def rank(scores, text, _whole):
    return 101 - scores.get(text[0], 60)


def test_scores_side_by_side_are_a_ranking_too(tmp_path):
    project = prepared(tmp_path, kind="contrastive_error_spans", alike=(2,))
    first, second = make_annotator(project, "eva"), make_annotator(project, "jan")
    project.judges_per_sentence = 2
    project.save()
    scores = {"eva": {"A": 90, "B": 50}, "jan": {"A": 70, "B": 50}}
    for annotator in (first, second):
        judge_all(annotator, project, partial(rank, scores[annotator.username]))
    report: Any = make_report(project, default_options(project)).data
    assert "side-by-side:3" in report.signature
    systems = {row.system: row for row in report.marked_errors.by_system.systems}
    # Text 2 is of all systems, and has 90 and 70 for each.
    assert {name: row.score.value for name, row in systems.items()} == {
        "A": pytest.approx(80),
        "B": pytest.approx((5 * 50 + 80) / 6),
        "C": pytest.approx((5 * 60 + 80) / 6),
    }
    assert all(row.judgements == 12 for row in systems.values())
    assert report.has_order
    ranked = {row.system: row for row in report.rankings["ratio_of_wins"].systems}
    assert {name: (row.wins, row.losses, row.same_text) for name, row in ranked.items()} == {
        "A": (20, 0, 4),
        "B": (0, 20, 4),
        "C": (10, 10, 4),
    }
    assert report.agreement.inter.kappa.value == 1
    # Five lines of three documents by two annotators, each in a column of its own.
    assert sum(row.scores for row in report.columns.columns) == 30
    assert [row.column for row in report.columns.columns] == [1, 2, 3]
    assert sum(row.above.value for row in report.columns.columns) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize(
    ("kind", "figures"),
    [
        ("document_sqm", ["score"]),
        ("document_error_spans", ["score", "points"]),
        ("document_ranking", []),
    ],
)
def test_systems_are_compared_by_the_model_of_documents(tmp_path, kind, figures):
    project = prepared(tmp_path, kind=kind)
    place = {"A": 1, "B": 2, "C": 3}
    judge_all(make_annotator(project), project, lambda text, _whole: place[text[0]])
    report: Any = make_report(project, ReportOptions()).data
    assert [each.figure for each in report.conclusions] == figures
    for each in report.conclusions[:1]:
        assert [row.system for row in each.found.systems] == ["A", "B", "C"]
        assert [row.documents for row in each.found.systems] == [3, 3, 3]
        means = [row.score.value for row in each.found.systems]
        assert means == pytest.approx([row.wmt_score for row in each.found.systems])
        assert "system + document" in each.found.signature


def test_tables_speak_of_paragraphs_and_of_what_is_sampled(tmp_path):
    project = prepared(tmp_path)
    scored(project, A=80, B=60, C=40)

    def words(options):
        made: Any = table(make_report(project, options).data, "marked-errors")
        columns = made.columns
        return {str(column.heading) for column in columns}, {str(column.unit) for column in columns}

    headings, units = words(default_options(project))
    assert "Paragraphs" in headings
    assert "Sentences" not in headings
    assert "other documents" in units
    assert "other paragraphs" in words(ReportOptions())[1]


def test_scores_side_by_side_need_no_marks(tmp_path):
    project = prepared(tmp_path, kind="contrastive_error_spans")
    scored(project, A=80, B=60, C=40)
    evidence = Evidence(load(project), ReportOptions(), scale=AskedScale(highest=100))
    found: Any = marked_errors.compute(evidence)
    assert [(row.system, row.score.value) for row in found.by_system.systems] == [
        ("A", 80),
        ("B", 60),
        ("C", 40),
    ]
    assert found.marks is None
    systems, agreement = marked_errors.tables(found)
    assert "minor" not in {column.name for column in systems.columns}
    assert len(agreement.rows) == 5


def test_ranks_of_whole_documents_are_a_ranking_of_their_own(tmp_path):
    project = prepared(tmp_path, kind="document_ranking", rate_documents=True)
    # Of whole documents, the order is the other one.
    ranks = {True: {"A": 3, "B": 2, "C": 1}, False: {"A": 1, "B": 2, "C": 3}}
    judge_all(make_annotator(project), project, lambda text, whole: ranks[whole][text[0]])
    report: Any = make_report(project, default_options(project)).data
    orders = [
        [row.system for row in ranking.systems]
        for ranking in (report.rankings["ratio_of_wins"], report.whole_documents.ranking)
    ]
    assert orders == [["A", "B", "C"], ["C", "B", "A"]]
    assert [row.wins for row in report.whole_documents.ranking.systems] == [6, 3, 0]
    assert table(report, "ranking-of-documents")
    assert table(report, "whole-documents") is None
