import pytest

from annotation.formats.errors import InputError
from annotation.formats.rank_checks import check_ranks, choose_by_candidates

CANDIDATES = ["dům", "domek"]


def test_each_candidate_needs_a_rank_or_the_garbage_bin():
    check_ranks("house", CANDIDATES, {"domek": None, "dům": 2}, "line 1")


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ({"dům": 1, "byt": 1}, "line 1: the segment 'house' has no candidate 'byt'."),
        ({"dům": 1, "domek": 3}, "line 1: the rank 3 of the candidate 'domek' is not from 1 to 2"),
        ({"dům": 0, "domek": 1}, "line 1: the rank 0 of the candidate 'dům' is not from 1 to 2"),
        ({"dům": 1}, "line 1: the candidate 'domek' of the segment 'house' has no rank."),
        ({}, "line 1: the candidate 'dům' of the segment 'house' has no rank, nor have 1 more."),
    ],
)
def test_it_refuses_other_ranks(ranks, message):
    with pytest.raises(InputError) as caught:
        check_ranks("house", CANDIDATES, ranks, "line 1")

    assert message in str(caught.value)


def test_of_several_segments_it_chooses_that_with_exactly_the_candidates():
    chosen = choose_by_candidates([CANDIDATES, ["dům"]], {"dům": 1}, "line 1", "say which.")

    assert chosen == 1


@pytest.mark.parametrize(
    ("candidates", "how_many"), [([CANDIDATES, CANDIDATES], "2"), ([["byt"], ["dům"]], "none")]
)
def test_it_refuses_to_guess(candidates, how_many):
    with pytest.raises(
        InputError, match=rf"and {how_many} of them .* which was judged: say which\."
    ):
        choose_by_candidates(candidates, dict.fromkeys(CANDIDATES, 1), "line 1", "say which.")
