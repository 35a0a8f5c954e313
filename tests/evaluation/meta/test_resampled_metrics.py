from dataclasses import replace

import numpy as np
import pytest

from evaluation.meta.resampled_metrics import SentenceStatistics, resample_metric
from evaluation.metrics.catalogue import find_metrics
from evaluation.metrics.metric import MeanMetric
from evaluation.metrics.references import References
from evaluation.stats.ranking.scores import ratio_of_wins
from evaluation.stats.resampling import draw_counts
from evaluation.stats.units import Unit
from evaluation.stats.wins import count_wins
from tests.evaluation.metrics.texts import OUTPUTS, REFERENCES, SECOND
from tests.evaluation.reuse.projects import SYSTEMS, simulated_project

SENTENCES = 21
NUMBERS = tuple(range(1, SENTENCES + 1))
# Two of the systems have the same outputs in different orders.
TEXTS = (OUTPUTS * 3, SECOND * 2 + OUTPUTS)
REFERENCE = REFERENCES * 3


def judgements_of(judged: float):
    return simulated_project(seed=5, sentences=SENTENCES, judged=judged)[0]


def resampled_by_text(name: str, chosen: list[int]) -> list[float]:
    """Score the chosen sentences again, each as often as it was sampled."""
    (metric,) = find_metrics([name], "cs")
    return [
        float(
            metric.score(
                metric.statistics(
                    [texts[place] for place in chosen],
                    References.of_texts([[REFERENCE[place] for place in chosen]]),
                ).sum(axis=0)
            )
        )
        for texts in TEXTS
    ]


def statistics_of(name: str) -> SentenceStatistics:
    (metric,) = find_metrics([name], "cs")
    values = np.array(
        [metric.statistics(texts, References.of_texts([REFERENCE])) for texts in TEXTS]
    )
    return SentenceStatistics(values, metric.score, NUMBERS, isinstance(metric, MeanMetric))


# NIST's information would be that of the resampled references.
@pytest.mark.parametrize("name", ["bleu", "sentbleu", "chrf++", "ter", "meteor", "cder"])
def test_resamples_are_scores_of_the_sampled_texts(name):
    judgements = judgements_of(0.6)
    places = np.unique(judgements.sentences)
    judged = [int(number) - 1 for number in judgements.sentence_numbers[places]]
    others = [place for place in range(SENTENCES) if place not in judged]
    assert others

    found = resample_metric(statistics_of(name), judgements, resamples=5, seed=8)

    (drawn,) = draw_counts(len(judged), resamples=5, seed=8)
    (rest,) = draw_counts(len(others), resamples=5, seed=9)
    for row in (0, 3):
        chosen = np.repeat(judged, drawn[row]).tolist()
        assert found.of_judged[row] == pytest.approx(resampled_by_text(name, chosen))
        chosen += np.repeat(others, rest[row]).tolist()
        assert found.of_all[row] == pytest.approx(resampled_by_text(name, chosen))


def test_people_and_the_metric_have_the_same_resamples():
    """A metric that counts people's wins is people's ratio of wins in each resample."""
    judgements = judgements_of(1.0)
    wins = count_wins(judgements)
    by_system = np.zeros((len(SYSTEMS), SENTENCES, 2))
    for sentence in range(SENTENCES):
        table = wins.tables(wins.counts[[sentence]])
        won, lost = table.wins[0].sum(axis=1), table.losses[0].sum(axis=1)
        by_system[:, sentence] = np.stack([won, won + lost], axis=1)
    statistics = SentenceStatistics(
        by_system, lambda sums: sums[..., 0] / sums[..., 1], NUMBERS, False
    )

    found = resample_metric(statistics, judgements, resamples=20, seed=3)

    people = ratio_of_wins(wins.resampled(resamples=20, seed=3))
    assert found.of_all == pytest.approx(people)


def test_sentences_of_a_document_are_resampled_together():
    judgements = judgements_of(1.0)
    documents = tuple("abc"[number % 3] for number in range(SENTENCES))
    judgements = replace(judgements, sentence_documents=documents)
    values = np.array([[[float(document == "a"), 1.0] for document in documents]])
    statistics = SentenceStatistics(values, lambda sums: sums[..., 0], NUMBERS, False)

    found = resample_metric(
        statistics, judgements.sampled_by(Unit("document")), resamples=200, seed=1
    )

    assert set(found.of_all.ravel()) == {0, 7, 14, 21}


def test_each_judged_sentence_needs_statistics():
    statistics = statistics_of("ter")
    lacking = replace(statistics, values=statistics.values[:, 1:], sentence_numbers=NUMBERS[1:])

    with pytest.raises(KeyError):
        resample_metric(lacking, judgements_of(1.0), resamples=2, seed=0)
    with pytest.raises(ValueError, match="sentences"):
        replace(statistics, sentence_numbers=NUMBERS[1:])
