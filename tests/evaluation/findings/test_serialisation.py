"""Results as plain JSON and back."""

from dataclasses import dataclass, make_dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.findings.serialisation import from_json, shape_of, to_json


@dataclass(frozen=True, eq=False)
class Result:
    p: NDArray[np.float64]
    same: NDArray[np.bool_]
    value: float


def test_arrays_are_lists_in_json_and_undefined_numbers_none() -> None:
    made = Result(np.array([[np.nan, 0.5]]), np.array([[True, False]]), np.float64(0.25))

    stored = to_json(made)

    assert stored == {"p": [[None, 0.5]], "same": [[True, False]], "value": 0.25}
    again = from_json(stored, Result)
    assert np.array_equal(again.p, made.p, equal_nan=True)
    assert again.same.dtype == np.bool_
    assert again.same.tolist() == [[True, False]]


def test_the_shape_changes_with_fields_and_not_with_docstrings() -> None:
    one, same, other = (
        make_dataclass("Finding", [(name, float)], namespace={"__doc__": words})
        for name, words in (("score", "A score."), ("score", "One score."), ("rank", "A score."))
    )
    assert shape_of(one) == shape_of(same) != shape_of(other)
