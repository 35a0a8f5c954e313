"""Means of systems with the help of metrics, on simulated scores."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evaluation.reuse.powered_means import (
    ONE_SYSTEM,
    AllTexts,
    PoweredMeans,
    estimate_powered_means,
)
from evaluation.stats.document_model import DocumentModel
from evaluation.stats.resampling import Floats, too_few
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit

NAMES = ("A", "B", "C", "D")
DOCUMENT = Unit("document")
LINES, PER_DOCUMENT = 240, 4


def world(seed: int = 0, *, noise: float = 6.0) -> tuple[Floats, AllTexts]:
    """Return scores of people, and a metric that knows them but for noise."""
    random = np.random.default_rng(seed)
    lengths = random.integers(20, 400, LINES)
    hard = random.normal(0, 8, LINES) + np.log(lengths) * 4
    quality = np.array([0.0, 2.0, 4.0, 10.0])
    people = 90 - hard[:, None] - quality + random.normal(0, 6, (LINES, len(NAMES)))
    metric = people + random.normal(0, noise, people.shape)
    texts = AllTexts(("metric",), metric[None], lengths, np.ones(people.shape, dtype=np.bool_))
    return people, texts


def judged(people: Floats, lines: np.ndarray, *, systems: np.ndarray | None = None) -> SystemScores:
    """Return the scores of these lines, of all systems or of one group a line."""
    mask = np.zeros(people.shape, dtype=np.bool_)
    mask[lines] = True if systems is None else systems[lines]
    rows, columns = np.nonzero(mask)
    return SystemScores(
        people[rows, columns],
        systems=columns.astype(np.int32),
        segments=rows.astype(np.int32),
        annotators=(rows % 5).astype(np.int32),
        units=(rows // PER_DOCUMENT).astype(np.int32),
        names=len(NAMES),
        unit=DOCUMENT,
    )


def sampled(seed: int, share: float = 0.25) -> np.ndarray:
    documents = np.random.default_rng(seed).permutation(LINES // PER_DOCUMENT)
    chosen = documents[: int(len(documents) * share)]
    return np.flatnonzero(np.isin(np.arange(LINES) // PER_DOCUMENT, chosen))


def estimate(scores: SystemScores, texts: AllTexts, **options: Any) -> PoweredMeans:
    return estimate_powered_means(scores, texts, system_names=NAMES, resamples=100, **options)


def values(found: PoweredMeans, *, plain: bool = False) -> Floats:
    rows = {row.system: row.plain if plain else row.score for row in found.systems}
    return np.array([rows[name].value for name in NAMES])


def test_a_good_metric_makes_errors_smaller_without_a_bias():
    people, texts = world()
    found = [estimate(judged(people, sampled(seed)), texts, seed=seed) for seed in range(60)]

    errors = np.array([values(each) for each in found]) - people.mean(axis=0)
    plain = np.array([values(each, plain=True) for each in found]) - people.mean(axis=0)

    assert (errors**2).mean() < 0.5 * (plain**2).mean()
    standard = errors.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(errors.mean(axis=0)) < 4 * standard).all()
    assert all(each.helps for each in found)
    known = [
        (row.score.low or 0)
        <= people.mean(axis=0)[NAMES.index(row.system)]
        <= (row.score.high or 0)
        for each in found
        for row in each.systems
    ]
    assert 0.88 < np.mean(known) <= 1


def test_a_metric_of_noise_does_no_harm():
    people, texts = world()
    noise = np.random.default_rng(1).normal(size=texts.scores.shape)
    useless = replace(texts, scores=noise, lengths=np.full(LINES, 50))
    found = [estimate(judged(people, sampled(seed)), useless, seed=seed) for seed in range(40)]

    errors = np.array([values(each) for each in found]) - people.mean(axis=0)
    plain = np.array([values(each, plain=True) for each in found]) - people.mean(axis=0)
    assert (errors**2).mean() < 1.05 * (plain**2).mean()
    assert any(not each.helps for each in found)
    unused = next(each for each in found if not each.helps)
    assert unused.width_ratio == 1
    assert values(unused).tolist() == values(unused, plain=True).tolist()


def test_once_all_is_judged_the_means_are_the_plain_ones_and_certain():
    people, texts = world()
    scores = judged(people, np.arange(LINES))
    found = estimate(replace(scores, values=scores.values + 4 * scores.annotators), texts)

    assert values(found) == pytest.approx(people.mean(axis=0) + 8)
    assert values(found, plain=True) == pytest.approx(people.mean(axis=0) + 8)
    assert [row.system for row in found.systems] == list(NAMES)
    for row in found.systems:
        assert row.score.low == pytest.approx(row.score.value)
        assert row.score.high == pytest.approx(row.score.value)
        # Other annotators would have given other scores.
        assert row.score.wide_high is not None
        assert row.score.high is not None
        assert row.score.wide_high > row.score.high


def test_units_of_a_metric_do_not_matter():
    people, texts = world()
    scores = judged(people, sampled(3))
    other = replace(texts, scores=3 * texts.scores - 100)

    assert values(estimate(scores, other)) == pytest.approx(values(estimate(scores, texts)))


def test_two_metrics_together_explain_more_than_each():
    people, texts = world()
    second = people + np.random.default_rng(5).normal(0, 6, people.shape)
    both = replace(texts, metrics=("one", "two"), scores=np.stack([texts.scores[0], second]))

    none, one, two, together = estimate(judged(people, sampled(2, 0.5)), both).explained

    assert (none.metrics, together.metrics) == ((), ("one", "two"))
    assert together.differences > max(one.differences, two.differences) > none.differences
    assert together.level > none.level


def test_documents_of_some_systems_only_go_through_the_model_of_documents():
    people, texts = world()
    groups = np.zeros(people.shape, dtype=np.bool_)
    random = np.random.default_rng(7)
    for document in range(LINES // PER_DOCUMENT):
        rows = slice(document * PER_DOCUMENT, (document + 1) * PER_DOCUMENT)
        groups[rows, random.permutation(len(NAMES))[:2]] = True
    errors, plain = [], []
    for seed in range(30):
        scores = judged(people, sampled(seed, 0.5), systems=groups)
        model = DocumentModel(scores.systems, scores.units, scores.segments, scores.names)
        found = estimate(scores, texts, means=model, seed=seed)
        errors.append(values(found) - people.mean(axis=0))
        plain.append(values(found, plain=True) - people.mean(axis=0))
    assert (np.array(errors) ** 2).mean() < 0.6 * (np.array(plain) ** 2).mean()


def test_of_error_points_the_fewest_are_best():
    people, texts = world()
    points = judged(90 - people, sampled(1, 0.5))

    found = estimate(points, texts, lower_is_better=True)

    assert [row.system for row in found.systems] == list(NAMES)
    assert all((pair.difference.value or 0) > 0 for pair in found.pairs)


def test_few_documents_or_one_system_say_nothing():
    people, texts = world()

    assert estimate(judged(people, np.arange(36)), texts).undefined == too_few(DOCUMENT)
    alone = np.zeros(people.shape, dtype=np.bool_)
    alone[:, 0] = True
    only = judged(people, np.arange(LINES), systems=alone)
    assert estimate(only, texts).undefined == ONE_SYSTEM
