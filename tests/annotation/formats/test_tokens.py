from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.tokens import TokenizedText, split_at_spaces

TEXT = split_at_spaces("It is , he  said")
POSITIONS = st.sets(st.integers(0, 5)).map(sorted)


def test_tokens_are_stored_as_places_in_the_text() -> None:
    assert TEXT.words == ["It", "is", ",", "he", "", "said"]
    assert TEXT.places == "0-2 3-5 6-7 8-10 11-11 12-16"
    assert TokenizedText.stored(TEXT.text, TEXT.places) == TEXT
    assert TokenizedText.stored("", "").words == []


@pytest.mark.parametrize("places", ["0-3", "1-0", "0-2 1-2", "x", "0"])
def test_places_outside_of_the_text_are_refused(places: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        TokenizedText.stored("ab", places)


def test_a_slice_is_the_text_itself_with_a_mark_for_each_gap() -> None:
    assert TEXT.slice([0, 1, 2]) == "It is ,"
    assert TEXT.slice([3, 4, 5]) == "he  said"
    assert TEXT.slice([0, 2, 3, 5]) == "It … , he … said"
    assert TEXT.slice([]) == ""


def test_words_in_files_are_the_slice_or_joined_by_spaces() -> None:
    assert TEXT.are_words("It … ,", [0, 2])
    assert TEXT.are_words("It ,", [0, 2])
    assert not TEXT.are_words("It,", [0, 2])


@given(st.dictionaries(st.integers(-2, 8), st.integers(0, 2)))
def test_divided_pieces_are_the_whole_text(owners: dict[int, int]) -> None:
    pieces = TEXT.divide(owners)
    assert "".join(text for text, _ in pieces) == TEXT.text
    assert all(one[1] != other[1] for one, other in pairwise(pieces))


@given(POSITIONS)
def test_what_is_highlighted_is_the_slice(positions: list[int]) -> None:
    covered = [text for text, inside in TEXT.highlight(positions) if inside]
    assert "".join(covered) == TEXT.slice(positions).replace(" … ", "")


def test_adjacent_tokens_of_two_owners_are_two_pieces() -> None:
    assert split_at_spaces("He said : good plan").divide({0: 1, 1: 1, 3: 0, 4: 1}) == [
        ("He said", 1),
        (" : ", None),
        ("good", 0),
        (" ", None),
        ("plan", 1),
    ]
