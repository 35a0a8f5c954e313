"""Candidates made worse on purpose."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.degradation import degrade, replaced

ELSEWHERE = [["krátký"], ["zelené", "stromy", "rostou", "v", "lese", "tiše"]]
WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("length", "count"),
    [(0, 0), (1, 1), (2, 2), (5, 2), (6, 3), (8, 3), (9, 4), (15, 4), (16, 5), (20, 5), (44, 11)],
)
def test_the_number_of_replaced_tokens_is_that_of_the_paper(length: int, count: int) -> None:
    assert replaced(length) == count


@given(tokens=WORDS, seed=st.integers(0, 1000))
def test_one_run_of_tokens_is_replaced(tokens: list[str], seed: int) -> None:
    other = [f"x{number}" for number in range(10)]
    worse = degrade(tokens, [other], Random(seed))
    assert len(worse) == len(tokens)
    changed = [place for place, token in enumerate(worse) if token in other]
    assert changed == list(range(changed[0], changed[0] + replaced(len(tokens))))
    assert all(worse[place] == tokens[place] for place in set(range(len(tokens))) - set(changed))


def test_a_run_of_the_same_words_is_skipped() -> None:
    assert degrade(["starý", "dům"], [["Dům", "starý"], ["krátký"]], Random(1)) == []
    assert degrade(["starý", "dům"], [["Dům", "starý"], *ELSEWHERE], Random(1))


def test_it_returns_nothing_without_tokens_or_other_texts() -> None:
    assert degrade([], ELSEWHERE, Random(1)) == []
    assert degrade(["dům"], [], Random(1)) == []
