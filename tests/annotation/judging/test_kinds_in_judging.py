"""Judging knows all units and answers: none of them falls through its tables."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.template.loader import get_template

from annotation.judging.control_items import control_design, control_kinds, is_passed_by_itself
from annotation.judging.judged_units import judged_unit
from annotation.judging.practice_comparisons import agreement, practised_cards, segment_feedback
from annotation.kinds import KINDS
from annotation.kinds.answers import Answer, Detailed
from annotation.kinds.units import Unit

OF_UNITS = (control_design, judged_unit)
OF_ANSWERS = (agreement, control_kinds, is_passed_by_itself, practised_cards, segment_feedback)


def classes_below(base: type) -> Iterator[type]:
    subclasses: list[type] = base.__subclasses__()
    for one in subclasses:
        yield one
        yield from classes_below(one)


def test_the_declared_parts_are_among_the_classes() -> None:
    assert {type(kind.unit) for kind in KINDS.values()} <= {*classes_below(Unit)}
    assert {type(kind.answer) for kind in KINDS.values()} <= {*classes_below(Answer)}


@pytest.mark.parametrize("table", OF_UNITS, ids=lambda table: table.__name__)
@pytest.mark.parametrize("unit", [*classes_below(Unit)])
def test_each_unit_is_registered(table: Any, unit: type[Unit]) -> None:
    assert table.dispatch(unit) is not table.dispatch(Unit)


@pytest.mark.parametrize("table", OF_ANSWERS, ids=lambda table: table.__name__)
@pytest.mark.parametrize("answer", sorted({*classes_below(Answer)} - {Detailed}, key=str))
def test_each_answer_is_registered(table: Any, answer: type[Answer]) -> None:
    assert table.dispatch(answer) is not table.dispatch(Answer)


@pytest.mark.parametrize("page", ["feedback", "verdict"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_each_answer_has_its_templates_of_practice(kind: Any, page: str) -> None:
    assert get_template(f"{kind.answer.folder}/{page}.html")
