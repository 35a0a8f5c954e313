import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from evaluation.metrics.references import References
from evaluation.metrics.ter import Ter, shifted_edits
from evaluation.metrics.tokens import Tokenizer
from tests.evaluation.metrics.texts import OUTPUTS, REFERENCES, SECOND, SECOND_OR_NONE

# sacrebleu's TER ignores case and keeps the words of the text.
METRIC = Ter("ter", Tokenizer("none", lower=True))
TEXT = st.lists(st.sampled_from("abcdef"), max_size=14).map(" ".join)


@pytest.mark.parametrize(
    ("references", "as_sacrebleu"),
    [([REFERENCES], [REFERENCES]), ([REFERENCES, SECOND], [REFERENCES, SECOND_OR_NONE])],
)
def test_it_equals_sacrebleu(references, as_sacrebleu):
    statistics = METRIC.statistics(OUTPUTS, References.of_texts(references))

    expected = TER().corpus_score(OUTPUTS, as_sacrebleu)
    assert 100 * METRIC.rate(statistics.sum(axis=0)) == pytest.approx(expected.score, abs=1e-12)
    assert statistics[:, 0].sum() == expected.num_edits


@given(TEXT, TEXT)
def test_edits_equal_those_of_sacrebleu(output, reference):
    (edits,) = shifted_edits([tuple(output.split())], [tuple(reference.split())])

    assert edits == TER().sentence_score(output, [reference]).num_edits


@given(TEXT, st.lists(TEXT.filter(bool), min_size=1, max_size=5))
def test_edits_of_the_closest_reference_are_the_fewest_of_all(output, references):
    (statistics,) = METRIC.statistics([output], References.by_sentence([references]))

    outputs = [tuple(output.split())] * len(references)
    edits = shifted_edits(outputs, [tuple(line.split()) for line in references])
    assert statistics[0] == edits.min()


def test_a_phrase_moves_at_the_cost_of_one_edit():
    statistics = METRIC.statistics(
        ["c d e a b", "a b"], References.of_texts([["a b c d e", "a b c"]])
    )

    assert statistics.tolist() == [[1, 5], [1, 3]]
    assert METRIC.score(statistics.sum(axis=0)) == 1 - 2 / 8


def test_the_length_is_the_mean_of_the_references():
    statistics = METRIC.statistics(
        ["a b", "a"], References.of_texts([["a x y", "a"], ["a b c d e", ""]])
    )

    assert statistics.tolist() == [[2, 4], [0, 1]]
