from typing import Any

import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.stats.judgements import (
    GARBAGE,
    MISSING,
    NO_CANDIDATE,
    UNIDENTIFIED,
    assemble,
    number_cells,
)
from evaluation.stats.units import Unit
from tests.evaluation.tables import G, judged


def test_each_judgement_is_a_row_and_each_candidate_of_its_segment_a_column():
    judgements = judged([("s", "jana", [2, 1, G]), ("t", "petr", [1, 1])])

    assert judgements.candidate_ranks.tolist() == [[2, 1, GARBAGE], [1, 1, MISSING]]
    assert judgements.segments.tolist() == [0, 1]
    assert judgements.annotators.tolist() == [0, 1]


def test_a_system_has_the_rank_of_the_candidate_that_it_produced():
    made: dict[str, list[int | None]] = {"s": [1, 1, 0], "t": [None, 0, None]}

    judgements = judged(
        [("s", "jana", [3, 1]), ("t", "jana", [G])], systems=["A", "B", "C"], made=made
    )

    assert judgements.system_ranks.tolist() == [[1, 1, 3], [MISSING, GARBAGE, MISSING]]
    none = NO_CANDIDATE
    assert judgements.system_candidates.tolist() == [[1, 1, 0], [none, 0, none]]


def test_a_candidate_that_was_not_ranked_is_a_candidate_all_the_same():
    judgements = judged([("s", "jana", [1, 0])], systems="AB")

    assert judgements.system_ranks.tolist() == [[1, MISSING]]
    assert judgements.system_candidates.tolist() == [[0, 1]]


def test_of_several_candidates_of_a_system_the_last_ranked_one_is_compared():
    # In s, A made both candidates; B none.
    several: Any = ONE_JUDGEMENT | {
        "candidate_segments": [0, 0],
        "producing_systems": [0, 0],
        "produced_candidates": [0, 1],
        "system_names": ["A", "B"],
    }

    both = assemble(**several)
    second = assemble(
        **(several | {"placed_by": [0], "placed_candidates": [1], "placed_ranks": [2]})
    )

    assert (both.system_ranks.tolist(), both.more_ranks.tolist()) == ([[2, 0]], [[[1], [0]]])
    assert (second.system_ranks.tolist(), second.more_ranks.tolist()) == ([[2, 0]], [[[0], [0]]])
    assert both.without_systems(["B"]).more_ranks.tolist() == [[[1]]]


def test_its_arrays_cannot_be_changed():
    judgements = judged([("s", "jana", [1, 2])])

    with pytest.raises(ValueError, match="read-only"):
        judgements.candidate_ranks[0, 0] = 2


def test_it_refuses_a_candidate_of_another_segment():
    with pytest.raises(ValueError, match="another segment"):
        assemble(**(ONE_JUDGEMENT | {"candidate_segments": [1, 1]}))


def test_it_refuses_arrays_of_different_lengths():
    with pytest.raises(ValueError, match="differ in length"):
        assemble(**(ONE_JUDGEMENT | {"seconds": [1.0, 2.0]}))


@pytest.mark.parametrize("rank", [0, -1, GARBAGE + 1])
def test_it_refuses_what_is_no_rank(rank):
    with pytest.raises(ValueError, match="from 1 to"):
        assemble(**(ONE_JUDGEMENT | {"placed_ranks": [1, rank]}))


def test_it_says_that_a_segment_has_too_many_candidates():
    judged([("s", "jana", range(1, 127))])

    with pytest.raises(InputError, match=r"ranks 127 candidates .* at most 126"):
        judged([("s", "jana", range(1, 128))])


def test_positions_are_kept_for_ranked_candidates():
    given = ONE_JUDGEMENT | {
        "placed_by": [0],
        "placed_candidates": [1],
        "placed_ranks": [1],
        "shown_by": [0, 0],
        "shown_candidates": [1, 0],
        "shown_positions": [1, 2],
    }

    assert assemble(**given).shown.tolist() == [[0, 1]]
    assert assemble(**ONE_JUDGEMENT).shown.tolist() == [[0, 0]]


def test_a_system_may_have_another_candidate_in_another_judgement_of_the_segment():
    given = ONE_JUDGEMENT | {
        "segments": [0, 0],
        "sentences": [0, 0],
        "annotators": [0, 0],
        "seconds": [1.0, 1.0],
        "placed_by": [0, 0, 1],
        "placed_candidates": [0, 1, 2],
        "placed_ranks": [1, 3, 2],
        "candidate_segments": [0, 0, 0],
        "producing_systems": [0, 1, 0, 1],
        "produced_candidates": [0, 1, 2, 2],
        "system_names": ["A", "B"],
    }

    assert assemble(**given).system_ranks.tolist() == [[1, 3], [2, 2]]
    assert assemble(**given).system_candidates.tolist() == [[0, 1], [2, 2]]


def test_all_judgements_of_a_segment_but_the_earliest_are_repeats():
    rows = [("s", "jana", [1]), ("t", "jana", [1]), ("s", "petr", [1]), ("s", "jana", [1])]

    assert judged(rows).repeats.tolist() == [False, False, True, True]
    assert judged(rows, created=[3, 9, np.nan, 2]).repeats.tolist() == [True, False, True, False]


def test_selected_judgements_keep_their_codes_and_names():
    judgements = judged([("s", "jana", [2, 1]), ("t", "petr", [1, G]), ("t", "jana", [1, 1])])

    some = judgements.select(judgements.annotators == 1)

    assert len(some) == 1
    assert some.candidate_ranks.tolist() == [[1, GARBAGE]]
    assert some.system_ranks[:, :2].tolist() == [[1, GARBAGE]]
    assert (some.segments.tolist(), some.annotators.tolist()) == ([1], [1])
    assert some.annotator_names == ("jana", "petr")
    assert not some.shown.flags.writeable
    assert len(judgements.select(np.zeros(3, dtype=bool))) == 0


ONE_JUDGEMENT: dict[str, Any] = {
    "segments": [0],
    "sentences": [0],
    "annotators": [0],
    "seconds": [1.0],
    "placed_by": [0, 0],
    "placed_candidates": [0, 1],
    "placed_ranks": [1, 2],
    "candidate_segments": [0, 0],
    "producing_systems": [0],
    "produced_candidates": [0],
    "segment_ids": [7, 8],
    "sentence_numbers": [3],
    "annotator_names": ["jana"],
    "system_names": ["A"],
}


def test_a_cell_has_the_judgements_of_one_annotator_in_one_unit():
    units = np.array([5, 2, 5, 5, 2, 5], dtype=np.int32)
    annotators = np.array([1, 0, UNIDENTIFIED, 1, 0, UNIDENTIFIED], dtype=np.int32)

    cells = number_cells(units, annotators)

    assert cells.codes.tolist() == [2, 0, 1, 2, 0, 1]
    assert (cells.units.tolist(), cells.annotators.tolist()) == ([2, 5, 5], [0, UNIDENTIFIED, 1])
    assert len(number_cells(units[:0], annotators[:0])) == 0
    assert len(number_cells(units[2:3], annotators[2:3])) == 1


def test_cells_are_of_the_unit_that_is_sampled():
    judgements = judged([(f"s{n}", "petr", [1, 2]) for n in range(4)])

    assert judgements.cells.units.tolist() == [0, 1, 2, 3]
    assert judgements.sampled_by(Unit("block", 2)).cells.codes.tolist() == [0, 0, 1, 1]
