"""Findings about two metrics of six systems, f being an outlier; computed, not written."""

import numpy as np

from evaluation.findings.metric_scores import ScoredMetric
from evaluation.findings.metrics import (
    EvaluatedProject,
    MetricsReport,
    MetricsSurroundings,
    ScoredTexts,
    evaluate_metrics,
)
from evaluation.findings.options import MetricsOptions
from evaluation.meta.resampled_metrics import SentenceStatistics
from evaluation.metrics.metric import mean_score
from tests.evaluation.reuse.projects import SYSTEMS, simulated_project


def surroundings(options: MetricsOptions) -> MetricsSurroundings:
    return MetricsSurroundings(
        project=EvaluatedProject("simulated", "en", "cs"),
        texts=ScoredTexts(12, 12, 1, ()),
        made="2026-01-01T00:00:00+00:00",
        options=options,
    )


def make_metrics_report() -> MetricsReport:
    judgements, _texts = simulated_project(seed=3, sentences=12)
    sentences = len(judgements.sentence_numbers)
    random = np.random.default_rng(0)
    quality = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.1])
    of_sentences = quality[:, None] + random.normal(0, 0.05, (len(SYSTEMS), sentences))
    statistics = SentenceStatistics(
        np.stack([of_sentences, np.ones(of_sentences.shape)], axis=2),
        mean_score,
        tuple(judgements.sentence_numbers.tolist()),
        is_mean=False,
    )
    missing = quality.copy()
    missing[2] = np.nan
    return evaluate_metrics(
        judgements,
        [
            ScoredMetric("chrf++", "chrF|word:2", quality, of_sentences, "", statistics),
            ScoredMetric("imported", "a file", missing, None, "from a file"),
        ],
        None,
        surroundings(MetricsOptions(outliers=("f",), resamples=100)),
    )
