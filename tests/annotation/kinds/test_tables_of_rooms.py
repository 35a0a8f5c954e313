"""Each class of units and of answers is registered in the tables of all rooms."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotation.import_export import foreign_formats, kinds_in_files, wmt_edit_forms
from annotation.judging import control_items, judged_units, practice_comparisons
from annotation.kinds import KINDS
from annotation.kinds.answers import Answer, Detailed
from annotation.kinds.marked_errors import Marking
from annotation.kinds.units import Unit
from annotation.management.commands import create_project
from annotation.pipeline import unit_preparation
from annotation.projects import creation
from annotation.selectors import answer_details, sentence_list
from evaluation.services import kinds as kinds_in_results

Table = Callable[..., Any]


def classes_below(base: type) -> Iterator[type]:
    """Yield the classes that kinds can have; `Detailed` and `Marking` are parts of others."""
    subclasses: list[type] = base.__subclasses__()
    for one in subclasses:
        if one not in (Detailed, Marking):
            yield one
        yield from classes_below(one)


def named(base: type) -> pytest.MarkDecorator:
    in_order = sorted(set(classes_below(base)), key=lambda each: each.__name__)
    return pytest.mark.parametrize("part", in_order, ids=lambda part: part.__name__)


def tables(*of_rooms: Table) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", of_rooms, ids=lambda table: table.__name__)


def test_the_declared_parts_are_among_the_classes() -> None:
    assert {type(kind.unit) for kind in KINDS.values()} <= {*classes_below(Unit)}
    assert {type(kind.answer) for kind in KINDS.values()} <= {*classes_below(Answer)}


@named(Unit)
@tables(
    creation.check_batches,
    creation.check_cutting,
    judged_units.judged_unit,
    control_items.control_design,
    unit_preparation.preparation_by,
    kinds_in_files.files_of,
    create_project.counted,
    sentence_list.order_by_number,
    sentence_list.add_translations,
    kinds_in_results.meaning_of_unit,
)
def test_each_unit_has_an_entry(table: Any, part: type) -> None:
    assert table.dispatch(part) is not table.dispatch(Unit)


@named(Answer)
@tables(
    control_items.control_kinds,
    control_items.is_passed_by_itself,
    practice_comparisons.agreement,
    practice_comparisons.practised_cards,
    practice_comparisons.segment_feedback,
    kinds_in_files.placements_of_line,
    kinds_in_files.placements_of_ranks,
    kinds_in_files.details_of_line,
    kinds_in_files.check_details,
    kinds_in_files.compared_value,
    foreign_formats.foreign_format,
    answer_details.details_of,
    kinds_in_results.meaning_of_answer,
)
def test_each_answer_has_an_entry(table: Any, part: type) -> None:
    assert table.dispatch(part) is not table.dispatch(Answer)


@pytest.mark.parametrize(
    "name",
    [name for name, kind in KINDS.items() if "wmt-forms" in kind.exports and not kind.wmt_form],
)
def test_each_answer_of_edits_has_forms(name: str) -> None:
    part = type(KINDS[name].answer)
    assert wmt_edit_forms.screens.dispatch(part) is not wmt_edit_forms.screens.dispatch(Answer)
