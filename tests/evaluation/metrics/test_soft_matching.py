import sys
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.metrics import soft_matching as module
from evaluation.metrics.references import References
from evaluation.metrics.soft_matching import (
    LINES_AT_ONCE,
    Encoded,
    HashedNgrams,
    SoftMatcher,
    SoftMatching,
    load_model,
)
from evaluation.metrics.tokens import Tokenizer

HASHED = HashedNgrams(Tokenizer("none", lower=True))
# Takes input_ids (batch × tokens); words 0 to 5 have the vectors (0, 0), (0, 0), (1, 0), (0, 1),
# (1, 1) and (3, 4).
TINY_MODEL = (
    "CAg6vQEKLQoFd29yZHMKCWlucHV0X2lkcxIRbGFzdF9oaWRkZW5fc3RhdGUiBkdhdGhlchIBZyo/CAYIAhABQgV3b3Jk"
    "c0owAAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAIA/AACAPwAAQEAAAIBAWh0KCWlucHV0X2lkcxIQCg4I"
    "BxIKCgMSAWIKAxIBdGIpChFsYXN0X2hpZGRlbl9zdGF0ZRIUChIIARIOCgMSAWIKAxIBdAoCCAJCBAoAEA0="
)

# The same, with the vectors in model.onnx.data.
MODEL_BESIDE_WEIGHTS = (
    "CAg6qgEKLQoFd29yZHMKCWlucHV0X2lkcxIRbGFzdF9oaWRkZW5fc3RhdGUiBkdhdGhlchIBZyosCAYIAhABQgV3b3Jkc2ob"
    "Cghsb2NhdGlvbhIPbW9kZWwub25ueC5kYXRhcAFaHQoJaW5wdXRfaWRzEhAKDggHEgoKAxIBYgoDEgF0YikKEWxhc3RfaGlk"
    "ZGVuX3N0YXRlEhQKEggBEg4KAxIBYgoDEgF0CgIIAkIECgAQDQ=="
)


class Letters:
    """Words whose cosines can be computed by hand: a and b .6, c at right angles to both."""

    signature = "letters"
    vectors = {"a": (1, 0, 0), "b": (0.6, 0.8, 0), "c": (0, 0, 1), "d": (-1, 0, 0)}

    def __init__(self):
        self.encoded = []

    def encode(self, lines):
        self.encoded.append(list(lines))
        # In any order.
        for place in reversed(range(len(lines))):
            words = lines[place].split()
            yield place, Encoded(words, np.array([self.vectors[w] for w in words], np.float32))


@pytest.mark.parametrize(
    ("kind", "score"),
    [("precision", 0.6), ("recall", 0.3), ("f", 0.4)],
)
def test_words_count_their_largest_cosine(kind, score):
    metric = SoftMatching("soft", SoftMatcher(Letters()), kind)

    # One sentence: all idf would be 0, so that all words count the same.
    statistics = metric.statistics(["a"], References.of_texts([["b c"]]))

    assert metric.score(statistics[0]) == pytest.approx(score)


def test_three_metrics_encode_each_text_once():
    letters = Letters()
    matcher = SoftMatcher(letters)
    references, systems = References.of_texts([["b c", "a"], ["a", ""]]), (["a", "b"], ["c", "a b"])

    for kind in ("precision", "recall", "f"):
        for outputs in systems:
            SoftMatching(kind, matcher, kind).statistics(outputs, references)

    assert sorted(letters.encoded) == sorted([list(references.lines), *systems])


def test_vectors_that_are_too_many_to_keep_are_encoded_again(monkeypatch):
    references = References.by_sentence([["b c", "a"], ["a"]])
    kept = SoftMatching("soft", SoftMatcher(Letters()), "f").statistics(["a", "c"], references)
    monkeypatch.setattr(module, "MOST_BYTES_KEPT", 20)
    letters = Letters()

    again = SoftMatching("soft", SoftMatcher(letters), "f").statistics(["a", "c"], references)

    assert again.tolist() == kept.tolist()
    assert letters.encoded.count(references.lines) == 2


def test_rare_words_count_more():
    metric = SoftMatching("soft", SoftMatcher(Letters()), "recall")

    statistics = metric.statistics(["a", "c"], References.of_texts([["a c", "c"]]))

    # c is in both references: ln(3/3) = 0, so that only a counts.
    assert statistics.tolist() == [[1, 1], [1, 1]]


def test_the_best_reference_counts_and_opposite_words_are_no_match():
    metric = SoftMatching("soft", SoftMatcher(Letters()), "f")

    statistics = metric.statistics(
        ["a", "a", ""], References.of_texts([["d", "d", "a"], ["b", "", ""]])
    )

    assert metric.sentence_scores(statistics) == pytest.approx([0.6, -1, 0])


def test_hashed_vectors_make_similar_spellings_similar():
    ((_place, (words, vectors)),) = HASHED.encode(["house houses cat"])

    assert words == ("house", "houses", "cat")
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > 0.5 > cosines[0, 2]
    assert SoftMatching("soft-f", SoftMatcher(HASHED), "f").score(
        SoftMatching("soft-f", SoftMatcher(HASHED), "f").statistics(
            ["a b"], References.of_texts([["a b"]])
        )[0]
    ) == pytest.approx(1)


def write_model(folder):
    """Write a model that gives each word a vector of two numbers, and its tokeniser."""
    from tokenizers import Tokenizer as ModelTokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    (folder / "model.onnx").write_bytes(b64decode(TINY_MODEL))
    tokenizer = ModelTokenizer(
        WordLevel({"[PAD]": 0, "[UNK]": 1, "a": 2, "b": 3, "ab": 4, "c": 5}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.fixture
def model(tmp_path):
    write_model(tmp_path)
    return tmp_path


def test_a_model_gives_words_vectors_of_length_one(model):
    found = dict(load_model(model).encode(["a ab", "c", ""]))
    assert [found[place].words for place in range(3)] == [[2, 4], [5], []]
    assert found[0].vectors == pytest.approx(np.array([[1, 0], [0.5**0.5, 0.5**0.5]]))
    assert found[1].vectors == pytest.approx(np.array([[0.6, 0.8]]))


def test_a_metric_with_a_model_matches_words_by_their_vectors(model):
    metric = SoftMatching("soft-recall", SoftMatcher(load_model(model)), "recall")
    statistics = metric.statistics(["a", "c"], References.of_texts([["b", "a"]]))
    assert metric.sentence_scores(statistics) == pytest.approx([0, 0.6])
    assert "onnx[" in metric.signature


def give_weights(model, vectors):
    (model / "model.onnx").write_bytes(b64decode(MODEL_BESIDE_WEIGHTS))
    # A loaded model keeps its file open, and reads it when it needs it.
    (model / "model.onnx.data").unlink(missing_ok=True)
    (model / "model.onnx.data").write_bytes(np.array(vectors, np.float32).tobytes())


def test_the_signature_tells_models_with_other_weights_apart(model):
    vectors = [(0, 0), (0, 0), (1, 0), (0, 1), (1, 1), (3, 4)]
    give_weights(model, vectors)
    one = load_model(model)
    (model / "README.md").write_text("what belongs to no model")
    same = load_model(model)
    give_weights(model, [*vectors[:5], (4, 3)])
    other = load_model(model)

    assert next(one.encode(["c"]))[1].vectors == pytest.approx(np.array([[0.6, 0.8]]))
    assert next(other.encode(["c"]))[1].vectors == pytest.approx(np.array([[0.8, 0.6]]))
    assert one.signature == same.signature != other.signature


def test_the_signature_tells_tokenisers_apart(model):
    one = load_model(model)
    tokenizer = model / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"a": 2', '"A": 2'))

    assert load_model(model).signature != one.signature


def test_lines_of_similar_length_are_encoded_together(model):
    class Recorded:
        def __init__(self, session):
            self.session, self.shapes = session, []
            self.get_inputs = session.get_inputs

        def run(self, names, inputs):
            self.shapes.append(inputs["input_ids"].shape)
            return self.session.run(names, inputs)

    loaded = load_model(model)
    session = Recorded(loaded.session)
    lines = ["a b " * 20, "c"] * LINES_AT_ONCE

    found = dict(replace(loaded, session=session).encode(lines))

    assert session.shapes == [(LINES_AT_ONCE, 1), (LINES_AT_ONCE, 40)]
    assert [len(found[place].words) for place in range(4)] == [40, 1, 40, 1]


@pytest.mark.parametrize(
    ("word", "vector", "words"),
    [
        # The tokeniser knows a word that the model does not.
        (9, (3, 4), "out of data bounds"),
        (5, (np.nan, 4), "not a vector of numbers for each token"),
    ],
)
def test_a_model_that_fails_says_so_in_one_line(model, word, vector, words):
    give_weights(model, [(0, 0), (0, 0), (1, 0), (0, 1), (1, 1), vector])
    tokenizer = model / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"c": 5', f'"c": {word}'))

    with pytest.raises(InputError, match=words) as problem:
        list(load_model(model).encode(["a", "c"]))

    assert str(problem.value).startswith(f"{model}: the model")
    assert "\n" not in str(problem.value)


def test_weights_that_are_not_there_are_a_problem_of_one_line(model):
    give_weights(model, [])
    (model / "model.onnx.data").unlink()

    with pytest.raises(InputError, match="cannot be loaded") as problem:
        load_model(model)

    assert "\n" not in str(problem.value)


def test_a_file_that_is_no_model_is_refused(model):
    (model / "model.onnx").write_bytes(b"x")
    with pytest.raises(InputError, match="cannot be loaded"):
        load_model(model)


def test_a_model_needs_optional_packages(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InputError, match="install onnxruntime and tokenizers"):
        load_model(tmp_path)


def test_a_model_needs_its_files(tmp_path):
    with pytest.raises(InputError, match=r"no file model\.onnx"):
        load_model(tmp_path)
