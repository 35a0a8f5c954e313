import pytest

from evaluation.metrics.meteor import PARAMETERS, Match, Meteor, align
from evaluation.metrics.meteor_files import FunctionWords, Paraphrases, Synonyms
from evaluation.metrics.references import References
from evaluation.metrics.tokens import Tokenizer

WORDS = Tokenizer("none", lower=True)
ENGLISH = PARAMETERS["en"]


def meteor(**options):
    return Meteor("meteor", WORDS, ENGLISH, **options)


def test_exact_matches_and_fragmentation():
    metric = meteor()

    statistics = metric.statistics(
        ["a b c x", "a b", "x", ""], References.of_texts([["a b d c", "a b", "y", "z"]])
    )

    # Matched words of both, words of both, and chunks: "a b" and "c".
    assert statistics[0].tolist() == [3, 3, 4, 4, 6, 8, 2]
    # P = R = 3/4, two chunks of three words; equal texts are not fragmented.
    assert metric.sentence_scores(statistics) == pytest.approx(
        [0.75 * (1 - 0.6 * (2 / 3) ** 0.2), 1, 0, 0]
    )


def test_precision_and_recall_are_weighted_by_alpha():
    metric = meteor()

    statistics = metric.statistics(["a b"], References.of_texts([["a b c d"]]))

    precision, recall = 1, 0.5
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert metric.score(statistics[0]) == pytest.approx(mean * (1 - 0.6 * (1 / 2) ** 0.2))


def test_a_match_of_stems_counts_less():
    metric = meteor(stemmer="english")

    (row,) = metric.statistics(["houses burn"], References.of_texts([["house burn"]]))

    assert row.tolist() == [1.6, 1.6, 2, 2, 4, 4, 1]


def test_function_words_count_less():
    metric = meteor(function_words=FunctionWords(frozenset({"the"}), ""))

    (row,) = metric.statistics(["the house"], References.of_texts([["the home"]]))

    assert row[:4].tolist() == [0.25, 0.25, 1, 1]


def test_synonyms_share_a_synset():
    synsets = {"big": frozenset({"1", "2"}), "large": frozenset({"2"}), "old": frozenset({"3"})}
    metric = meteor(synonyms=Synonyms(synsets, ""))

    (row,) = metric.statistics(["big old"], References.of_texts([["large big"]]))

    # "big" can be used once: its exact match weighs more than the synonym.
    assert row[0] == 1


def test_paraphrases_match_phrases():
    phrases = {("a", "lot"): frozenset({("much",)}), ("much",): frozenset({("a", "lot")})}
    metric = meteor(paraphrases=Paraphrases(phrases, 2, "0123"))

    (row,) = metric.statistics(["he has a lot"], References.of_texts([["he has much"]]))

    assert row == pytest.approx([2 + 2 * 0.6, 2 + 0.6, 4, 3, 7, 7, 1])
    assert "|match:exact+paraphrase[0123]|" in metric.signature


def test_the_reference_of_the_highest_score_counts():
    metric = meteor()

    (row,) = metric.statistics(["a b"], References.of_texts([["x y"], ["a b"]]))

    assert metric.score(row) == 1


def test_of_repeated_words_those_with_fewer_chunks_are_aligned():
    # Output "a b a", reference "b a": the second "a" continues the chunk of "b".
    first, second, b = Match(0, 1, 1, 1.0), Match(2, 1, 1, 1.0), Match(1, 1, 1, 1.0)

    assert align([[b], [first, second]], 3) == [(0, b), (1, second)]


def test_a_word_is_used_once():
    only = Match(0, 1, 1, 1.0)

    assert align([[only], [only]], 1) == [(0, only)]
    assert align([], 0) == []
