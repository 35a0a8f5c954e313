"""Each unit has its entry in the table of the pipeline."""

import pytest

from annotation.kinds import KINDS
from annotation.kinds.units import Unit
from annotation.pipeline.unit_preparation import preparation_by

UNITS = sorted({type(kind.unit) for kind in KINDS.values()}, key=lambda unit: unit.__name__)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.__name__)
def test_each_unit_has_an_entry(unit):
    assert preparation_by.dispatch(unit) is not preparation_by.dispatch(Unit)
