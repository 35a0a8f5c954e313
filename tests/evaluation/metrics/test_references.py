import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.metrics import references as module
from evaluation.metrics.references import References, check_sentences

RAGGED = References.by_sentence([["a", "b"], ["c"], ["d", "e", "f"]])


@pytest.mark.parametrize(
    ("outputs", "references", "message"),
    [
        ([], [], "no sentence"),
        (["a", "b"], [["a"]], "references of 1 sentences, and outputs of 2"),
        (["a", "b"], [["a", " "], ["", " "]], "Sentence 2 has no reference"),
    ],
)
def test_it_refuses_texts_that_cannot_be_compared(outputs, references, message):
    with pytest.raises(InputError, match=message):
        check_sentences(outputs, References.by_sentence(references))


def test_blank_references_are_absent():
    references = References.of_texts([["a", ""], ["", "b"]])

    check_sentences(["a", ""], references)

    assert list(references) == [["a"], ["b"]]


@pytest.mark.parametrize(
    ("sentences", "signature"),
    [
        ([["a"], ["b"]], "nrefs:1"),
        ([["a", "b"], ["c", "d"]], "nrefs:2"),
        ([["a", "b"], ["c", ""]], "nrefs:var"),
    ],
)
def test_the_signature_is_that_of_sacrebleu(sentences, signature):
    assert References.by_sentence(sentences).signature == signature


def test_the_least_reference_of_each_sentence_is_the_first_of_equal_ones():
    first, second = np.array([1, 1, 5, 2, 1, 1]), np.array([3, 2, 0, 0, 4, 4])

    assert RAGGED.least(first, second).tolist() == [1, 2, 4]


def test_means_are_of_the_present_references():
    present = np.array([True, False, True, True, True, True])

    assert RAGGED.means(np.arange(6), present).tolist() == [0, 2, 4]


def test_parts_are_compared_one_after_another(monkeypatch):
    monkeypatch.setattr(module, "CHARACTERS_AT_ONCE", 2)
    seen = []

    def compare(outputs, references):
        seen.append((outputs, list(references)))
        return np.array([len(lines) for lines in references])

    assert RAGGED.compared(["x", "y", "z"], compare).tolist() == [2, 1, 3]
    assert seen == [(["x"], [["a", "b"]]), (["y", "z"], [["c"], ["d", "e", "f"]])]
