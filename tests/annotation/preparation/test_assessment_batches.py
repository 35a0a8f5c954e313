"""Batches for direct assessment, and the degraded outputs in them."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.tokens import TokenizedText, split_at_spaces
from annotation.preparation.assessment_batches import CONTROLS, Kind, make_batches
from annotation.preparation.degradation import LONGEST_RUN, degrade_output, replaced_in_output

OUTPUTS = [(system, sentence) for system in range(5) for sentence in range(100)]
SIZES = st.integers(10, 30).map(lambda groups: 10 * groups)


@given(outputs=st.integers(1, 500), size=SIZES, seed=st.integers(0, 100))
def test_each_batch_has_seven_outputs_and_three_controls_of_ten(outputs, size, seed):
    batches = make_batches(OUTPUTS[:outputs], Random(seed), size=size)

    tenth = size // 10
    for batch in batches:
        kinds = Counter(item.kind for item in batch)
        assert kinds == {Kind.OUTPUT: 7 * tenth, **dict.fromkeys(CONTROLS, tenth)}
    assert len(batches) == -(-outputs // (7 * tenth))


@given(outputs=st.integers(1, 500), size=SIZES, seed=st.integers(0, 100))
def test_controls_are_of_three_different_outputs_far_away(outputs, size, seed):
    for batch in make_batches(OUTPUTS[:outputs], Random(seed), size=size):
        for start in range(0, size, 10):
            group = batch[start : start + 10]
            originals = [item.original for item in group if item.kind in CONTROLS]
            assert len(set(originals)) == 3
            assert len({place // 10 for place in originals}) == 1
        for place, item in enumerate(batch):
            original = batch[item.original]
            assert original.kind is Kind.OUTPUT
            assert (original.system, original.sentence) == (item.system, item.sentence)
            if item.kind is Kind.OUTPUT:
                assert item.original == place
            else:
                assert abs(item.original - place) > 40


@given(outputs=st.integers(70, 500), seed=st.integers(0, 100))
def test_all_outputs_are_assessed_once_before_any_is_again(outputs, seed):
    batches = make_batches(OUTPUTS[:outputs], Random(seed))

    shown = [[(i.system, i.sentence) for i in batch if i.kind is Kind.OUTPUT] for batch in batches]
    times = Counter(output for batch in shown for output in batch)
    assert set(times) == set(OUTPUTS[:outputs])
    again = [output for output, count in times.items() if count > 1]
    assert len(again) == -outputs % 70
    assert set(again) <= set(shown[0]) & set(shown[-1])
    assert all(len(set(batch)) == len(batch) for batch in shown)


def test_equal_seeds_give_equal_batches():
    assert make_batches(OUTPUTS, Random(1)) == make_batches(OUTPUTS, Random(1))
    assert make_batches(OUTPUTS, Random(1)) != make_batches(OUTPUTS, Random(2))
    assert make_batches([], Random(1)) == []


@pytest.mark.parametrize("size", [0, 90, 105])
def test_it_refuses_sizes_without_distance(size):
    with pytest.raises(ValueError, match="multiple of 10"):
        make_batches(OUTPUTS, Random(1), size=size)


WORDS = " ".join(f"Wort{number}" for number in range(9))
POOL = [split_at_spaces(text) for text in (f"Eins {WORDS} Ende.", "zu kurz", "")]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        *((0, 0), (1, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (14, 4), (15, 5)),
        *((19, 5), (20, 5), (23, 5), (24, 6), (31, 7), (40, 10)),
    ],
)
def test_the_run_has_the_length_of_wmt(words, count):
    assert replaced_in_output(words) == count


@given(count=st.integers(1, 60), seed=st.integers(0, 1000))
def test_one_inner_run_is_replaced(count, seed):
    words = [f"W{number}" for number in range(count)]

    worse = degrade_output(split_at_spaces(" ".join(words)), POOL, Random(seed)).split()

    run = replaced_in_output(count)
    taken = min(run, LONGEST_RUN)
    changed = [place for place, word in enumerate(worse) if word.startswith("wort")]
    start = changed[0]
    assert changed == list(range(start, start + taken))
    assert worse == [*words[:start], *worse[start : start + taken], *words[start + run :]]
    if count > 2:
        assert (worse[0], worse[-1]) == (words[0], words[-1])
    if count == 2:
        assert worse[0] == words[0]


SENTENCE = split_at_spaces("ein kurzer Satz")


def test_an_output_that_cannot_be_degraded_is_returned_empty():
    assert degrade_output(TokenizedText("", ()), POOL, Random(1)) == ""
    assert degrade_output(SENTENCE, [], Random(1)) == ""
    assert degrade_output(SENTENCE, [split_at_spaces("zu kurz")], Random(1)) == ""
    # The only word that can be taken is the one that is there.
    assert degrade_output(SENTENCE, [split_at_spaces("der Kurzer Weg")], Random(1)) == ""
