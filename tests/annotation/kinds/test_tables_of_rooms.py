"""Each class of unit and of answer has its entry in the tables of the rooms."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.import_export import kinds_in_files, wmt_edit_forms
from annotation.kinds import KINDS
from annotation.kinds.answers import Answer
from annotation.kinds.units import Unit
from annotation.management.commands import create_project
from annotation.pipeline import unit_preparation
from annotation.projects import creation
from annotation.selectors import sentence_list

Table = Callable[..., Any]


def named(classes: set[type]) -> pytest.MarkDecorator:
    in_order = sorted(classes, key=lambda each: each.__name__)
    return pytest.mark.parametrize("part", in_order, ids=lambda part: part.__name__)


def tables(*of_rooms: Table) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", of_rooms, ids=lambda table: table.__name__)


@named({type(kind.unit) for kind in KINDS.values()})
@tables(
    creation.check_batches,
    creation.check_cutting,
    unit_preparation.preparation_by,
    kinds_in_files.files_of,
    create_project.counted,
    sentence_list.order_by_number,
    sentence_list.add_translations,
)
def test_each_unit_has_an_entry(table: Any, part: type) -> None:
    assert table.dispatch(part) is not table.dispatch(Unit)


@named({type(kind.answer) for kind in KINDS.values()})
@tables(
    kinds_in_files.placements_of_line,
    kinds_in_files.placements_of_ranks,
    kinds_in_files.details_of_line,
    kinds_in_files.check_details,
    kinds_in_files.has_scores_of_appraise,
)
def test_each_answer_has_an_entry(table: Any, part: type) -> None:
    assert table.dispatch(part) is not table.dispatch(Answer)


@named(
    {
        type(kind.answer)
        for kind in KINDS.values()
        if "wmt-forms" in kind.exports and kind.wmt_form is None
    }
)
def test_each_answer_of_edits_has_forms(part: type) -> None:
    assert wmt_edit_forms.screens.dispatch(part) is not wmt_edit_forms.screens.dispatch(Answer)
