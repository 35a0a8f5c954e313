"""What kinds of judgement mean for results."""

from annotation.kinds import KINDS
from annotation.models import Project
from evaluation.services.kinds import has_assessments


def test_plain_scores_of_single_translations_are_assessments() -> None:
    assert {name for name in KINDS if has_assessments(Project(kind=name))} == {
        "direct_assessment",
        "direct_assessment_source",
        "direct_assessment_fluency",
        "direct_assessment_sqm",
        "document_sqm",
    }
