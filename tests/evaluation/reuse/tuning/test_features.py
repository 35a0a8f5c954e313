from dataclasses import replace
from math import exp, log

import numpy as np
import pytest

from evaluation.reuse.tuning.features import (
    FEATURES,
    bleu_similarity,
    character_similarity,
    outputs_as_hypotheses,
    text_features,
)
from evaluation.reuse.tuning.language_model import CharacterModel
from evaluation.reuse.tuning.ngrams import count_ngrams
from tests.evaluation.reuse.tuning.projects import tiny_texts, words


def test_ngrams_do_not_cross_texts():
    ngrams = count_ngrams(["ab", "ba", "a"], 2)

    assert ngrams.totals.tolist() == [[2, 1], [2, 1], [1, 0]]
    assert ngrams.matches(ngrams.counts[0]).tolist() == [[2, 1], [2, 0], [1, 0]]


def test_matches_are_clipped():
    ngrams = count_ngrams([words("a a a b"), words("a a c")], 3)

    assert ngrams.matches(ngrams.counts[1])[0].tolist() == [2, 1, 0]


def test_character_similarity_is_the_mean_chrf_with_the_others():
    # "ab" with "abab" as the reference: precision 1, 1; recall 2/4, 1/3; other orders have nothing.
    precision, recall = 2 / 6, (2 / 4 + 1 / 3) / 6
    chrf = 5 * precision * recall / (4 * precision + recall)

    similar = character_similarity([words("a b"), words("abab"), words("xy")])

    assert similar[0] == pytest.approx(chrf / 2)
    assert similar[2] == 0


def test_spaces_do_not_count_for_characters():
    assert character_similarity([words("ab cdefgh"), words("abcdefgh")]).tolist() == [1, 1]


def test_bleu_similarity_adds_one_to_all_counts():
    # Reference "the dog": one of two words, none of one bigram; brevity 1.
    score = exp(log(2 / 3 * 1 / 2 * 1 * 1) / 4)

    similar = bleu_similarity([words("The cat"), words("the dog")])

    assert similar == pytest.approx([score, score])


def test_one_hypothesis_is_similar_to_nothing():
    assert character_similarity([words("a b")]).tolist() == [0]


def test_features_of_words():
    source = words("Obama met 3 dogs")
    texts = [words("obama potkal 3 psy"), words("Obama potkal psy psy ."), words("on potkal psy")]

    values = dict(zip(FEATURES, text_features(texts, source).T.tolist(), strict=False))

    assert values["words of the source"] == pytest.approx([1 / 4, 1 / 5, 0])
    # "obama" is in one of the two others, which is not most of them; "potkal" and "psy" in both.
    assert values["words of most others"] == pytest.approx([2 / 4, 3 / 5, 2 / 3])
    assert values["own words"] == pytest.approx([1 / 4, 1 / 5, 1 / 3])
    assert values["punctuation"] == pytest.approx([0, 1 / 5, 0])
    assert values["shared bigrams"] == pytest.approx([1 / 3 / 2, 2 / 4 / 2, 1 / 2 / 2])
    assert values["repetitions"] == pytest.approx([0, 1 / 5, 0])
    assert values["length"] == pytest.approx(np.log([1, 5 / 4, 3 / 4]))
    assert values["unusual length"] == pytest.approx(np.abs(np.log([1, 5 / 4, 3 / 4])))


def test_the_probabilities_of_the_language_model():
    # Codes: unknown, begin, end, a. The training text has two "a" and an end.
    model = CharacterModel(["aa"])
    uniform = 1 / 4
    a, end = (2 + 2 * uniform) / (3 + 2), (1 + 2 * uniform) / (3 + 2)
    # After one to four begins, there was only "a".
    first, none = a, end
    for _ in range(4):
        first, none = (1 + first) / (1 + 1), none / (1 + 1)
    # After "a", there was "a" and an end; after begins and "a", only "a".
    last = (1 + 2 * end) / (2 + 2)
    for _ in range(3):
        last /= 1 + 1

    assert model.scores(["", "a"]) == pytest.approx([log(none), (log(first) + log(last)) / 2])


def test_the_language_model_of_test_sentences_knows_the_training_references_only():
    texts, both = tiny_texts(), np.arange(2, dtype=np.int32)
    training = np.array([True, False])

    outputs = outputs_as_hypotheses(texts, both, training)

    known = CharacterModel(["ten bílý pes utíká"]).scores(["malá kočka spí", "kočka leží"])
    # A single training sentence leaves nothing to learn from for itself.
    assert outputs.features[0, :, -1].tolist() == [0, 0, 0]
    assert outputs.features[1, :2, -1] == pytest.approx(known - known.mean())


def test_the_language_model_knows_all_references_of_a_sentence():
    texts, both = tiny_texts(), np.arange(2, dtype=np.int32)
    several = replace(texts, references=((*texts.references[0], ("kočka",)), texts.references[1]))

    outputs = outputs_as_hypotheses(several, both, np.array([True, False]))

    model = CharacterModel(["ten bílý pes utíká", "kočka"])
    known = model.scores(["malá kočka spí", "kočka leží"])
    assert outputs.features[1, :2, -1] == pytest.approx(known - known.mean())


def test_indicators_say_which_system_produced_an_output():
    texts, both = tiny_texts(), np.arange(2, dtype=np.int32)

    outputs = outputs_as_hypotheses(texts, both, np.array([True, False]), indicators=True)

    assert outputs.feature_names[-3:] == ("a", "b", "c")
    assert outputs.features[1, :2, -3:] == pytest.approx(np.array([[0.5, -0.5, 0], [-0.5, 0.5, 0]]))
