from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from evaluation.stats.score_means import SystemScores
from evaluation.stats.variance_components import EFFECTS, variance_components

DEVIATIONS = {
    "noise": 7,
    "document": 5,
    "document of the system": 3,
    "line": 4,
    "translation": 6,
    "annotator": 4,
    "annotator of the system": 2,
    "sheet": 2,
}


def scores_of(values: ArrayLike, codes: NDArray[np.int32], names: int) -> SystemScores:
    systems, lines, annotators, documents = codes
    floats = np.asarray(values, dtype=np.float64)
    return SystemScores(floats, systems, lines, annotators, documents, names)


def simulated(seed: int, *, documents: int = 60, systems: int = 6, judges: int = 2) -> SystemScores:
    """Return scores of documents of 1 to 5 lines by `judges` of twelve annotators each."""
    random = np.random.default_rng(seed)
    rows = []
    line = 0
    for document, length in enumerate(random.integers(1, 6, documents)):
        for system in range(systems):
            for person in random.choice(12, judges, replace=False):
                rows += [(system, line + place, person, document) for place in range(length)]
        line += length
    codes = np.array(rows, dtype=np.int32).T
    scores = scores_of(np.zeros(len(rows)), codes, systems)
    values = 2.0 * scores.systems
    of = {
        "document": codes[3],
        "document of the system": codes[3] * systems + codes[0],
        "line": codes[1],
        "translation": codes[1] * systems + codes[0],
        "annotator": codes[2],
        "annotator of the system": codes[2] * systems + codes[0],
        "sheet": codes[3] * 12 + codes[2],
        "noise": np.arange(len(rows)),
    }
    for effect, groups in of.items():
        drawn = random.normal(0, DEVIATIONS[effect], groups.max() + 1)
        values = values + drawn[groups]
    return scores_of(values, codes, systems)


def test_estimates_are_unbiased_for_an_unbalanced_design():
    found = [variance_components(simulated(seed)) for seed in range(15)]
    for effect in EFFECTS:
        estimates = [each[effect] for each in found]
        error = np.std(estimates) / np.sqrt(len(estimates))
        # Estimates below 0 count as 0.
        assert np.mean(estimates) == pytest.approx(DEVIATIONS[effect] ** 2, abs=4 * error + 0.5)


def test_a_balanced_classification_has_the_variances_of_its_analysis_of_variance():
    # Two documents of a line each, two systems: Σ (y - mean of system - document + mean)² = 1.
    values = np.array([0.0, 1.0, 4.0, 7.0])
    codes = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [-1] * 4, [0, 0, 1, 1]], dtype=np.int32)
    found = variance_components(scores_of(values, codes, 2))
    # Documents: 2 · (0.5 - 5.5)² / 2 = 25; error: 4 · 0.5² = 1; (25 - 1) / 2 = 12.
    assert found["noise"] == pytest.approx(1)
    assert found["document"] == pytest.approx(12)
    assert found.variances["annotator"] is None
    assert found.variances["line"] is None


def test_what_one_judgement_of_each_translation_cannot_show_is_unknown():
    found = variance_components(simulated(1, judges=1))
    assert found.variances["translation"] is None
    assert found.variances["annotator"] is not None


def test_annotators_of_one_system_each_show_nothing_of_their_own():
    scores = simulated(2, judges=1)
    nested = replace(scores, annotators=scores.systems)
    assert variance_components(nested).variances["annotator"] is None
    unknown = replace(scores, annotators=np.full(len(scores), -1, dtype=np.int32))
    assert variance_components(unknown).variances["sheet"] is None
