import numpy as np
import pytest

from evaluation.metrics.candidate_scores import CandidateScores, score_candidates

REFERENCE = ("The", "black", "cat", "sat", ",", "the", "cat", "slept")


def score(*texts, systems=None, reference=REFERENCE) -> CandidateScores:
    """Return the scores of the candidates of one segment."""
    return score_candidates(
        texts, [0, len(texts)], systems or [1] * len(texts), [[reference] if reference else []], [0]
    )


def test_words_count_as_often_as_the_reference_has_them_ignoring_case():
    assert score("the Cat", "the the the", "dog").words.tolist() == [1, 2 / 3, 0]


def test_bleu_adds_one_to_all_counts_and_ignores_the_length():
    (found,) = score("black cat runs").bleu

    # 2 of 3 words, 1 of 2 bigrams, none of 1 trigram, and there are no 4-grams.
    assert found == pytest.approx((3 / 4 * 2 / 3 * 1 / 2 * 1) ** (1 / 4))


def test_characters_are_averaged_over_the_orders_that_the_candidate_has():
    # "cat" is there; of "a u", without the space, "a" is and neither "u" nor "au".
    assert score("cat", "a u").characters == pytest.approx([1, (1 / 2 + 0) / 2])


def test_characters_of_neighbouring_words_match_without_their_space():
    assert score("bl ackc").characters.tolist() == [1]


def test_consensus_is_the_mean_similarity_to_the_other_systems():
    # "abcd" and "axcde" differ by two edits of five characters. "abcd" is that of three systems.
    found = score("abcd", "axcde", systems=[3, 1])

    assert found.consensus == pytest.approx([(2 + 0.6) / 3, 0.6])
    assert found.combined == pytest.approx(found.characters + found.consensus)


def test_a_candidate_of_no_known_system_counts_as_one():
    assert score("abcd", "abxy", systems=[1, 0]).consensus == pytest.approx([0.5, 0.5])


def test_scores_without_reference_or_other_systems_are_undefined():
    alone = score("cat")
    without = score("cat", "dog", reference=())

    assert np.isnan(alone.consensus).all()
    assert np.isnan([without.words, without.bleu, without.characters]).all()
    assert not np.isnan(without.consensus).any()


def test_segments_and_sentences_are_kept_apart():
    found = score_candidates(
        ["cat", "dog", "dog"], [0, 1, 1, 3], [1, 1, 1], [[("dog",)], [("cat",)]], [0, 1, 0]
    )

    assert found.words.tolist() == [0, 1, 1]
    np.testing.assert_array_equal(found.consensus, [np.nan, 1, 1])


def test_signatures_name_what_scores_depend_on():
    assert "n:6" in score("cat").signatures["characters"]
    assert all("case:lc" in text for text in score("cat").signatures.values())


def test_it_refuses_other_lengths():
    with pytest.raises(ValueError, match="each candidate"):
        score_candidates(["cat"], [0, 1], [1, 1], [REFERENCE], [0])


def test_an_ngram_counts_as_often_as_one_of_the_references_has_it():
    references = [[("the", "cat"), ("the", "the", "dog")]]

    scores = score_candidates(["the the cat dog cat"], [0, 1], [1], references, [0])

    # "the" twice in the second one, "cat" once in the first one, and "dog".
    assert scores.words.tolist() == [4 / 5]
    assert "|nrefs:2|" in scores.signatures["words"]
    assert "nrefs" not in scores.signatures["consensus"]
