"""Each part of a kind has its entry in the tables of imports and exports."""

import pytest

from annotation.import_export import kinds_in_files, wmt_edit_forms
from annotation.kinds import KINDS
from annotation.kinds.answers import Answer
from annotation.kinds.units import Unit


def in_order(classes):
    return sorted(classes, key=lambda each: each.__name__)


ANSWERS = in_order({type(kind.answer) for kind in KINDS.values()})
UNITS = in_order({type(kind.unit) for kind in KINDS.values()})
WITHOUT_FORM = in_order(
    {
        type(kind.answer)
        for kind in KINDS.values()
        if "wmt-forms" in kind.exports and kind.wmt_form is None
    }
)


@pytest.mark.parametrize(
    "table",
    [
        kinds_in_files.placements_of_line,
        kinds_in_files.placements_of_ranks,
        kinds_in_files.details_of_line,
        kinds_in_files.check_details,
        kinds_in_files.has_scores_of_appraise,
        kinds_in_files.formats_left_out,
    ],
    ids=lambda table: table.__name__,
)
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_each_answer_has_an_entry(table, answer):
    assert table.dispatch(answer) is not table.dispatch(Answer)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.__name__)
def test_each_unit_has_an_entry(unit):
    assert kinds_in_files.files_of.dispatch(unit) is not kinds_in_files.files_of.dispatch(Unit)


@pytest.mark.parametrize("answer", WITHOUT_FORM, ids=lambda answer: answer.__name__)
def test_each_answer_with_edits_has_screens(answer):
    screens = wmt_edit_forms.screens
    assert screens.dispatch(answer) is not screens.dispatch(Answer)
