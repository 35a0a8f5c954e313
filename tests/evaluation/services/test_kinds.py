"""Each class of answers and units that a kind of judgement can have is registered for results."""

import pytest

from annotation.kinds import KINDS
from annotation.kinds.answers import Answer, Detailed
from annotation.kinds.units import Unit
from annotation.models import Project
from evaluation.services.kinds import has_assessments, meaning_of_answer, meaning_of_unit


def classes_below(base: type) -> list[type]:
    below: list[type] = base.__subclasses__()
    return below + [one for each in below for one in classes_below(each)]


ANSWERS = [one for one in classes_below(Answer) if one is not Detailed]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: one.__name__)
def test_each_answer_has_a_meaning(answer: type) -> None:
    assert meaning_of_answer.dispatch(answer) is not meaning_of_answer.dispatch(Answer)


@pytest.mark.parametrize("unit", classes_below(Unit), ids=lambda one: one.__name__)
def test_each_unit_has_a_meaning(unit: type) -> None:
    assert meaning_of_unit.dispatch(unit) is not meaning_of_unit.dispatch(Unit)


def test_plain_scores_of_single_translations_are_assessments() -> None:
    assert {name for name in KINDS if has_assessments(Project(kind=name))} == {
        "direct_assessment",
        "direct_assessment_source",
        "direct_assessment_fluency",
        "direct_assessment_sqm",
    }
