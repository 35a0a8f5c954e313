"""The grades of steps with labels."""

from collections.abc import Sequence

import pytest

from annotation.kinds import KINDS
from annotation.kinds.answers import Steps
from annotation.kinds.scales import grades_of


@pytest.mark.parametrize(
    ("labels", "grades"),
    [
        (["10", "9", "8"], (10, 9, 8)),
        (["100", "50", "0"], (100, 50, 0)),
        (["1", "0,5", "0"], (1, 0.5, 0)),
        (["1", "0", "−1"], (1, 0, -1)),
        (["0.3", "0.2", "0.1"], (0.3, 0.2, 0.1)),
        # Unequal steps, a better step with the lower number, other labels, and no number at all.
        (["10", "5", "1"], (3, 2, 1)),
        (["1", "2", "3"], (3, 2, 1)),
        (["5", "5.0"], (2, 1)),
        (["10 – perfect", "5 – fair"], (2, 1)),
        (["good", "bad"], (2, 1)),
        ([], ()),
    ],
)
def test_labels_are_grades_if_they_are_numbers_in_equal_steps(
    labels: Sequence[str], grades: Sequence[float]
) -> None:
    assert grades_of(labels) == grades


def test_kinds_with_labels_of_words_count_places() -> None:
    answer = KINDS["adequacy"].answer
    assert isinstance(answer, Steps)
    assert answer.grades == (5, 4, 3, 2, 1)
    assert not isinstance(KINDS["segment_ranking"].answer, Steps)
