import numpy as np

from evaluation.metrics.edits import Wer
from evaluation.metrics.metric import divided
from evaluation.metrics.references import References
from evaluation.metrics.tokens import Tokenizer


def test_the_signature_has_the_number_of_references():
    metric = Wer("wer", Tokenizer("none"))

    assert metric.signature_with(References.of_texts([["a", "b"], ["c", ""]])) == (
        metric.signature.replace("WER|", "WER|nrefs:var|")
    )


def test_an_error_rate_without_words_is_one_if_there_are_edits():
    metric = Wer("wer", Tokenizer("none"))

    assert metric.rate(np.array([[3.0, 0.0], [0.0, 0.0], [1.0, 4.0]])).tolist() == [1, 0, 0.25]
    assert metric.score(np.array([1.0, 4.0])) == 0.75


def test_quotients_without_a_denominator_are_the_given_ones():
    assert divided(np.array([1.0, 1.0]), np.array([0.0, 4.0]), 7.0).tolist() == [7, 0.25]
