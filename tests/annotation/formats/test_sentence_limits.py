"""The size of a sentence is limited at each door by which texts come in."""

import pytest

from annotation.formats.errors import InputError
from annotation.formats.sentence_limits import MOST_CHARACTERS, MOST_TOKENS, check_sentence


def test_a_sentence_within_the_limits_is_accepted() -> None:
    check_sentence("a " * (MOST_TOKENS - 1) + "a", str.split, "x, line 1")
    check_sentence("a" * MOST_CHARACTERS, str.split, "x, line 1")


@pytest.mark.parametrize("text", ["a " * (MOST_TOKENS + 1), "a" * (MOST_CHARACTERS + 1)])
def test_it_refuses_a_longer_one(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        check_sentence(text, str.split, "x, line 1")
    assert refusal.value.place == ("x", 1)
