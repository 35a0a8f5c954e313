import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.reuse.edit_distance import PAIRS_AT_ONCE, edit_distances

TEXTS = st.text(st.sampled_from("abčé \U0001f600"), max_size=8)


def by_definition(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    same = by_definition(left[1:], right[1:]) + (left[0] != right[0])
    return min(same, by_definition(left[1:], right) + 1, by_definition(left, right[1:]) + 1)


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("kitten", "sitting", 3),
        ("", "", 0),
        ("", "dům", 3),
        ("Dům", "dům", 1),
        ("starý dům", "starýdům", 1),
        # Table 3.6 of the thesis.
        ("vaše ústa ohřívá protein", "vaše ústa zahřívání bílkovin", 10),
        (
            "s dokumenty upřednostňujícím doprovodem hradu",
            "se dokumenty favorizovat doprovod hradu",
            18,
        ),
    ],
)
def test_known_distances(left, right, distance):
    assert edit_distances([left, right], [right, left]).tolist() == [distance, distance]


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_pairs_are_independent_of_each_other(pairs):
    left, right = [one for one, _ in pairs], [other for _, other in pairs]

    assert edit_distances(left, right).tolist() == [by_definition(*pair) for pair in pairs]


def test_many_pairs_keep_their_order():
    texts = ["a" * (number % 50) for number in range(2 * PAIRS_AT_ONCE + 1)]

    distances = edit_distances(texts, ["a" * 10] * len(texts))

    assert distances.tolist() == [abs(len(text) - 10) for text in texts]


def test_very_long_texts():
    assert edit_distances(["ab" * 16000], ["ba" * 400]).tolist() == [31200]


def test_it_refuses_sequences_of_different_lengths():
    with pytest.raises(ValueError, match="as many texts"):
        edit_distances(["a"], [])
