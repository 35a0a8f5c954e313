import numpy as np
import pytest
import sacrebleu

from evaluation.metrics.bleu import Bleu, BleuNrc, SentBleu
from evaluation.metrics.references import References
from evaluation.metrics.tokens import Tokenizer
from tests.evaluation.metrics.texts import OUTPUTS, REFERENCES, SECOND, SECOND_OR_NONE

WORDS = Tokenizer("none")


@pytest.mark.parametrize("name", ["13a", "intl", "char"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(
    ("references", "as_sacrebleu"),
    [([REFERENCES], [REFERENCES]), ([REFERENCES, SECOND], [REFERENCES, SECOND_OR_NONE])],
)
def test_it_equals_sacrebleu(name, lower, references, as_sacrebleu):
    metric = Bleu("bleu", Tokenizer(name, lower=lower))
    bleu = sacrebleu.BLEU(tokenize=name, lowercase=lower)
    by_sentence = sacrebleu.BLEU(tokenize=name, lowercase=lower, effective_order=True)

    statistics = metric.statistics(OUTPUTS, References.of_texts(references))

    expected = bleu.corpus_score(OUTPUTS, as_sacrebleu).score
    assert 100 * metric.score(statistics.sum(axis=0)) == pytest.approx(expected, abs=1e-12)
    assert 100 * metric.sentence_scores(statistics) == pytest.approx(
        [
            by_sentence.sentence_score(output, [line for line in lines if line]).score
            for output, *lines in zip(OUTPUTS, *references, strict=True)
        ],
        abs=1e-12,
    )


def test_a_matrix_of_resamples_is_scored_at_once():
    metric = Bleu("bleu", Tokenizer("13a"))
    statistics = metric.statistics(OUTPUTS, References.of_texts([REFERENCES]))
    draws = np.array([[0, 1, 2, 3, 4, 5, 6], [0, 0, 1, 1, 2, 2, 3]])

    scores = metric.score(statistics[draws].sum(axis=1))

    assert scores.shape == (2,)
    for score, draw in zip(scores, draws, strict=True):
        expected = sacrebleu.corpus_bleu(
            [OUTPUTS[i] for i in draw], [[REFERENCES[i] for i in draw]]
        )
        assert 100 * score == pytest.approx(expected.score, abs=1e-12)


def test_statistics_are_matches_ngrams_and_lengths():
    (row,) = Bleu("bleu", WORDS).statistics(
        ["a b c a b"], References.of_texts([["a b a b x y"], ["c a"]])
    )

    # The closest reference has 6 words. "b c" is in none of the references.
    assert row.tolist() == [5, 3, 0, 0, 0, 5, 4, 3, 2, 1, 5, 6]


def test_of_two_references_as_close_the_shorter_one_counts():
    (row,) = Bleu("bleu", WORDS).statistics(["a b"], References.of_texts([["a b c"], ["a"]]))

    assert row[-1] == 1


def test_sentbleu_adds_one_to_every_order():
    metric = SentBleu("sentbleu", WORDS)

    statistics = metric.statistics(
        ["a b c", "a b c", "", "x"], References.of_texts([["a b d", "a b c d", "a", "y z"]])
    )

    # (3/4 · 2/3 · 1/2 · 1/1)^¼; (4/4 · 3/3 · 2/2 · 1/1)^¼ · exp(1 - 4/3); empty; (1/2)^¼ · exp(-1).
    assert metric.sentence_scores(statistics) == pytest.approx(
        [0.25**0.25, np.exp(-1 / 3), 0, 0.5**0.25 * np.exp(-1)]
    )
    assert metric.score(statistics.sum(axis=0)) == pytest.approx(
        np.mean(metric.sentence_scores(statistics))
    )


def test_bleu_nrc_averages_smoothed_counts():
    metric = BleuNrc("bleu-nrc", WORDS)

    statistics = metric.statistics(
        ["a b c d", "a b x y", "x y", ""], References.of_texts([["a b c d", "a b c d", "a", "a"]])
    )

    # Matches 4 3 2 1 0: averages (5+4+3)/3 = 4, (4+3+2)/3 = 3, (3+2+1)/3 = 2, (2+1+0)/3 = 1.
    # Matches 2 1 g g² 0, where g = ln 4 / 5: averages 2, then as below.
    g = np.log(4) / 5
    first = (3 + 2 + 1) / 3
    second = (first + 1 + g) / 3
    third = (second + g + g**2) / 3
    fourth = (third + g**2 + 0) / 3
    assert metric.sentence_scores(statistics) == pytest.approx(
        [1, (first / 4 * second / 3 * third / 2 * fourth) ** 0.25, 0, 0]
    )


def test_the_signature_names_what_a_score_depends_on():
    metric = Bleu("bleu", Tokenizer("intl", lower=True))

    assert metric.signature == "BLEU|case:lc|tok:intl|order:4|smooth:exp|eff:no|SegRanks 1.0.0"
