"""What results say of documents."""

import pytest

from annotation.judging.control_items import make_controls
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.selectors.judgements import Speed, project_summary, speeds
from annotation.selectors.submitted_work import submitted_work
from annotation.selectors.working_time import working_time
from evaluation.findings.options import ReportOptions
from evaluation.models import default_options
from evaluation.services.loading import load, load_assessments
from evaluation.services.report_kinds import make_report
from tests.annotation.kinds.document_project import judge_all, prepared
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def scored(project, **scores):
    """Judge all sheets: a text has the score of the system that it names, a document 5 less."""
    highest = kind_of(project).answer.highest
    judge_all(
        make_annotator(project),
        project,
        lambda text, whole: highest + 1 - scores.get(text[0], 20) + 5 * whole,
    )


def test_documents_as_a_whole_count_in_no_figure_of_paragraphs(tmp_path) -> None:
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


def test_paragraphs_of_control_documents_are_in_no_results(tmp_path) -> None:
    project = prepared(tmp_path, kind="document_sqm")
    make_controls(project=project, count=9, seed=1)
    project.control_rate = 0.5
    project.save()
    scored(project, A=80, B=60, C=40)
    items = load_assessments(project).items
    outputs = items.types == 0
    assert outputs.sum() == 18
    assert (items.types == 3).sum() >= 1


def test_the_report_samples_documents_unless_sentences_are_chosen(tmp_path) -> None:
    project = prepared(tmp_path, kind="document_sqm")
    project.sentences.filter(document="note 3").update(document="")
    scored(project, A=80, B=60, C=40)
    found = make_report(project, default_options(project)).data
    # A line without a document is one by itself.
    assert found.judged.units == 3
    assert "resamples of documents" in found.signature
    assert make_report(project, ReportOptions()).data.judged.units is None
    assert default_options(Project(kind="direct_assessment")) == ReportOptions()
