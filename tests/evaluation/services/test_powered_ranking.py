"""Prediction-powered estimates in the report, where they are asked for."""

import pytest

from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.services.report_kinds import make_report
from tests.annotation.judging.judged_next import judge
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
OPTIONS = ReportOptions(resamples=100, predictions=True)


def judged(sentences: int) -> Project:
    """Forty sentences; one annotator judged some of them."""
    project = make_project(sentences=40)
    annotator = make_annotator(project)
    for _number in range(sentences):
        assert judge(annotator, project)
    return project


def test_they_stand_beside_the_plain_ones() -> None:
    project = judged(25)

    data = make_report(project, OPTIONS).data

    part = data.powered
    assert part is not None
    assert (part.judged, part.sentences, part.undefined) == (25, 40, "")
    assert {row.system for row in part.systems} == {"A", "B", "C"}
    assert "prediction-powered" in part.signature
    plain = {row.system: row.score.value for row in data.rankings["ratio_of_wins"].systems}
    assert {row.system: row.plain.value for row in part.systems} == plain
    assert len(part.pairs) == 3


def test_few_sentences_are_too_few_and_by_default_there_are_none() -> None:
    project = judged(5)

    part = make_report(project, OPTIONS).data.powered

    assert part is not None
    assert part.systems == ()
    assert part.undefined
    assert make_report(project, ReportOptions(resamples=100)).data.powered is None


def test_the_option_is_part_of_the_key() -> None:
    assert OPTIONS.key == "resamples 100|seed 0|with predictions"
