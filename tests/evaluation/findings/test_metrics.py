"""People and a metric that counts their wins, in the same resampled sentences."""

import numpy as np
import pytest

from evaluation.findings.metric_scores import ScoredMetric
from evaluation.findings.metrics import evaluate_metrics
from evaluation.findings.options import MetricsOptions
from evaluation.meta.decisions import bootstrap_p, count_decisions, decide, rank_sum_p
from evaluation.meta.project_gold import net_wins
from evaluation.meta.resampled_metrics import SentenceStatistics
from evaluation.metrics.metric import mean_score
from evaluation.stats.ranking.scores import ratio_of_wins
from evaluation.stats.wins import count_wins
from tests.evaluation.findings.metrics_sample import surroundings
from tests.evaluation.reuse.projects import SYSTEMS, simulated_project

SENTENCES, RESAMPLES = 60, 200


@pytest.fixture(scope="module")
def judgements():
    return simulated_project(seed=5, sentences=SENTENCES)[0]


@pytest.fixture(scope="module")
def found(judgements):
    """The ratio of wins as a metric, once with its statistics and once without."""
    wins = count_wins(judgements)
    by_system = np.zeros((len(SYSTEMS), SENTENCES, 2))
    for sentence in range(SENTENCES):
        table = wins.tables(wins.counts[[sentence]])
        won, lost = table.wins[0].sum(axis=1), table.losses[0].sum(axis=1)
        by_system[:, sentence] = np.stack([won, won + lost], axis=1)
    statistics = SentenceStatistics(
        by_system, mean_score, tuple(judgements.sentence_numbers.tolist()), is_mean=False
    )
    people = ratio_of_wins(wins.total())[0]
    of_sentences = net_wins(judgements)
    return evaluate_metrics(
        judgements,
        [
            ScoredMetric("wins", "", people, of_sentences, statistics=statistics),
            ScoredMetric("fixed", "", people, of_sentences),
        ],
        None,
        surroundings(MetricsOptions(outliers=(), resamples=RESAMPLES, seed=2)),
    )


def test_people_and_metrics_are_resampled_together(found):
    wins, fixed = (
        found.system_level.all_systems[name].pearson.interval("sentences")
        for name in ("wins", "fixed")
    )
    # r is 1 in each resample, but for rounding errors.
    assert wins.low is None or wins.low == pytest.approx(1)
    assert fixed.low < 0.999


def test_comparisons_are_resampled_with_fixed_metrics(found):
    for name in ("wins", "fixed"):
        interval = found.system_level.all_systems[name].pearson.interval("comparisons")
        assert interval.low < 0.9999


def test_only_metrics_that_are_no_means_decide_by_the_bootstrap(found, judgements):
    people = net_wins(judgements)
    decided = decide(rank_sum_p(list(people)), one_sided=True)
    again = ratio_of_wins(count_wins(judgements).resampled(resamples=RESAMPLES, seed=2))
    metric = decide(bootstrap_p(again), one_sided=False)

    assert found.decisions["wins"] == count_decisions(decided, metric)
    assert [metric.decided_by for metric in found.metrics] == ["bootstrap", "paired t-test"]
