import pytest
import sacrebleu

from evaluation.metrics.chrf import ChrF
from evaluation.metrics.references import References
from tests.evaluation.metrics.texts import OUTPUTS, REFERENCES, SECOND, SECOND_OR_NONE


@pytest.mark.parametrize("word_order", [0, 2])
@pytest.mark.parametrize(
    ("references", "as_sacrebleu"),
    [([REFERENCES], [REFERENCES]), ([REFERENCES, SECOND], [REFERENCES, SECOND_OR_NONE])],
)
def test_it_equals_sacrebleu(word_order, references, as_sacrebleu):
    metric, chrf = ChrF("chrf", word_order), sacrebleu.CHRF(word_order=word_order)

    statistics = metric.statistics(OUTPUTS, References.of_texts(references))

    expected = chrf.corpus_score(OUTPUTS, as_sacrebleu).score
    assert 100 * metric.score(statistics.sum(axis=0)) == pytest.approx(expected, abs=1e-12)
    assert 100 * metric.sentence_scores(statistics) == pytest.approx(
        [
            chrf.sentence_score(output, [line for line in lines if line]).score
            for output, *lines in zip(OUTPUTS, *references, strict=True)
        ],
        abs=1e-12,
    )


def test_statistics_are_those_of_the_closest_reference():
    metric = ChrF("chrf")

    (row,) = metric.statistics(["ab"], References.of_texts([["xyz"], ["a b"]]))

    assert row[:6].tolist() == [2, 2, 2, 1, 1, 1]
    # The reference has no n-grams of the longer orders.
    assert not row[6:].any()
    assert metric.score(row) == 1


def test_an_empty_output_scores_zero():
    metric = ChrF("chrf++", 2)

    assert metric.score(metric.statistics([""], References.of_texts([["a b"]]))[0]) == 0


def test_the_signature_names_the_orders():
    assert ChrF("chrf++", 2).signature.startswith("chrF2++|case:mixed|eff:yes|nc:6|nw:2|space:no|")
