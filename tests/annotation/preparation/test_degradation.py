"""Candidates made worse on purpose."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.tokens import TokenizedText, split_at_spaces
from annotation.preparation.degradation import degrade, replaced
from annotation.preparation.tokens import tokenize

ELSEWHERE = [split_at_spaces("krátký"), split_at_spaces("zelené stromy rostou v lese tiše")]
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
    text, elsewhere = split_at_spaces(" ".join(tokens)), split_at_spaces(" ".join(other))
    worse = degrade(text, [elsewhere], Random(seed)).split(" ")
    assert len(worse) == len(tokens)
    changed = [place for place, token in enumerate(worse) if token in other]
    assert changed == list(range(changed[0], changed[0] + replaced(len(text))))
    assert all(worse[place] == tokens[place] for place in set(range(len(tokens))) - set(changed))


def test_a_run_of_the_same_words_is_skipped() -> None:
    text, same = split_at_spaces("starý dům"), split_at_spaces("Dům starý")
    assert degrade(text, [same, split_at_spaces("krátký")], Random(1)) == ""
    assert degrade(text, [same, *ELSEWHERE], Random(1))


def test_it_returns_nothing_without_tokens_or_other_texts() -> None:
    assert degrade(tokenize("", "cs"), ELSEWHERE, Random(1)) == ""
    assert degrade(split_at_spaces("dům"), [], Random(1)) == ""


def test_what_is_around_the_run_stays_and_words_do_not_run_together() -> None:
    glued = TokenizedText("Ano,\u00a0 ne", ((3, 4), (6, 8)))
    found = {degrade(glued, [split_at_spaces("x y")], Random(seed)) for seed in range(9)}
    assert found == {"Ano x y"}
    alone = TokenizedText("Ano!", ((3, 4),))
    assert degrade(alone, [split_at_spaces("tady")], Random(1)) == "Ano tady"
    unspaced = TokenizedText("价格为元", ((2, 3),))
    assert degrade(unspaced, [split_at_spaces("x")], Random(1)) == "价格x元"
