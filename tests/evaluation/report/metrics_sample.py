"""Findings about two metrics of six systems, f being an outlier; computed, not written."""

import numpy as np

from evaluation.meta.resampled_metrics import SentenceStatistics
from evaluation.metrics.metric import mean_score
from evaluation.report.metric_report import ScoredMetric, as_json, evaluate_metrics
from evaluation.report.metric_shape import MetricsData
from tests.evaluation.reuse.projects import SYSTEMS, simulated_project


def make_metrics_data() -> MetricsData:
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
    findings = evaluate_metrics(
        judgements,
        [
            ScoredMetric("chrf++", "chrF|word:2", quality, of_sentences, "", statistics),
            ScoredMetric("imported", "a file", missing, None, "from a file"),
        ],
        outliers=("f",),
        resamples=100,
    )
    return as_json(
        findings,
        project={
            "name": "simulated",
            "source_language": "en",
            "target_language": "cs",
            "prepared": [],
        },
        texts={"sentences": 12, "all_sentences": 12, "references": 1, "without_outputs": []},
        judgements=judgements,
        options={},
        seconds={},
        made="2026-01-01T00:00:00+00:00",
    )
