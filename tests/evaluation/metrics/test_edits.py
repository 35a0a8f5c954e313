import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.edits import Cder, Per, Wer, block_edits
from evaluation.metrics.references import References
from evaluation.metrics.tokens import Tokenizer

WORDS = Tokenizer("none")
TEXT = st.text("abcd", max_size=9)


@pytest.mark.parametrize(
    ("metric", "output", "reference", "score"),
    [
        (Wer("wer", WORDS), "a b c d", "a x c", 1 - 2 / 3),
        (Wer("wer", WORDS), "", "a b", 0),
        (Wer("wer", WORDS), "a b c", "x", -2),
        # Two blocks: jump to "c d", back to "a b", and to the end.
        (Cder("cder", WORDS), "a b c d", "c d a b", 1 - 3 / 4),
        (Wer("wer", WORDS), "a b c d", "c d a b", 0),
        # The superfluous words cost one jump together.
        (Cder("cder", WORDS), "a b x y z", "a b", 1 - 1 / 2),
        (Cder("cder", WORDS), "", "a b", 0),
        (Per("per", WORDS), "a b c d", "c d a b", 1),
        (Per("per", WORDS), "a a b", "a b c", 2 / 3),
        # One word in common, two superfluous words.
        (Per("per", WORDS), "a b c", "a", -1),
    ],
)
def test_scores_of_one_sentence(metric, output, reference, score):
    statistics = metric.statistics([output], References.of_texts([[reference]]))

    assert metric.sentence_scores(statistics) == pytest.approx([score])


@pytest.mark.parametrize("kind", [Wer, Cder])
def test_the_reference_with_the_fewest_edits_counts_and_then_the_shortest(kind):
    metric = kind("name", WORDS)

    statistics = metric.statistics(
        ["a b c", "a b c"],
        References.of_texts([["a b c d e", "a b x"], ["a b", "a b"], ["x y z", ""]]),
    )

    # In the second sentence both cost one edit.
    assert statistics.tolist() == [[1, 2], [1, 2]]


def test_superfluous_words_of_per_count_over_all_sentences():
    metric = Per("per", WORDS)

    statistics = metric.statistics(["a b c", "a"], References.of_texts([["a b", "a b"]]))

    assert statistics.tolist() == [[2, 3, 2], [1, 1, 2]]
    assert metric.score(statistics.sum(axis=0)) == 3 / 4
    assert metric.sentence_scores(statistics).tolist() == [0.5, 0.5]


def jumping_distance(output, reference):
    """CDER by its definition: the cheapest path in a table, with jumps within a row."""
    row = [0] + [1] * len(output)
    for word in reference:
        following: list[int] = []
        for place in range(len(output) + 1):
            costs = [row[place] + 1]
            if place:
                costs += [following[-1] + 1, row[place - 1] + (output[place - 1] != word)]
            following.append(min(costs))
        jump = min(following) + 1
        row = [min(cost, jump) for cost in following]
    return row[-1]


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5))
def test_cder_of_many_pairs_is_that_of_each(pairs):
    outputs, references = ([tuple(text) for text in side] for side in zip(*pairs, strict=True))

    assert block_edits(outputs, references).tolist() == [jumping_distance(*pair) for pair in pairs]


def test_signatures_say_that_better_is_higher():
    assert Cder("cder", Tokenizer("13a", lower=True)).signature == (
        "CDER|case:lc|tok:13a|refs:fewest-edits|1-rate|SegRanks 1.0.0"
    )
    assert "1-rate" in Per("per", WORDS).signature


def test_resamples_are_scored_at_once():
    metric = Per("per", WORDS)
    sums = np.array([[[2.0, 3, 2], [1, 1, 2]], [[0, 0, 0], [0, 1, 0]]])

    assert metric.score(sums).tolist() == [[0.5, 0.5], [1, 0]]
