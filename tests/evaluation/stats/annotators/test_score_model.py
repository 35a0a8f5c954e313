import numpy as np
import pytest
from scipy.stats import gamma, pearsonr, zscore

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.score_model import (
    fit_scores,
    standardise,
)
from evaluation.stats.judgements import UNIDENTIFIED

NAN = float("nan")


def judged(table):
    """A row an annotator, a column an item."""
    scores = np.array(table, dtype=float)
    annotators, items = np.indices(scores.shape).reshape(2, -1).astype(np.int32)
    return ItemJudgements(items, annotators, items), scores.ravel()


def simulated(random, spammers):
    """Qualities of 70 items; scores of five workers (r of 0.8 to 0.9) and of random ones."""
    quality = random.normal(0, 1, 70)
    r = random.uniform(0.8, 0.9, (5, 1))
    careful = r * quality + np.sqrt(1 - r**2) * random.normal(0, 1, (5, 70))
    return quality, np.concatenate([careful, random.normal(0, 1, (spammers, 70))])


def test_scores_are_standardised_by_annotator():
    annotators = np.array([0, 0, 0, 1, 1, 2, UNIDENTIFIED, 0])

    found = standardise(annotators, np.array([10.0, 20, 60, 50, 50, 7, 3, NAN]))

    assert found[:3] == pytest.approx(zscore([10, 20, 60], ddof=1))
    assert np.isnan(found[3:]).all()


@pytest.mark.shared
def test_standardised_scores_of_wmt21_are_those_published(shared):
    folder = shared / "data/direct-assessment/wmt21-cs-en"
    scaling = (folder / "ad-csen-trk-mean-sd.txt").read_text().replace('"', "").split("[1]")[1:]
    words = [word.strip() for word in scaling]
    means, deviations = (
        dict(zip(words[0::3], map(float, words[place::3]), strict=True)) for place in (1, 2)
    )
    lines = (folder / "ad-csen-good-stnd.csv").read_text().splitlines()[1:]
    rows = [(line.split("\t")[1], float(line.split("\t")[10])) for line in lines]
    # The points from 0 to 100 are not in these files, but follow from the mean and the deviation.
    points = [round(score * deviations[worker] + means[worker]) for worker, score in rows]
    workers = {worker: code for code, worker in enumerate(means)}

    found = standardise(np.array([workers[worker] for worker, _ in rows]), np.array(points, float))

    assert found == pytest.approx([score for _, score in rows], abs=5e-6)


def test_one_iteration_by_hand():
    high = np.sqrt(1 / 2)

    found = fit_scores(*judged([[10, 30], [50, 90]]), iterations=1)

    # v = 1 / (1 + 1.5 + 1.5), m = v · 3 · z; shape 5 + 1, rate 1 / 0.3 + (m/3)² + v.
    assert found.variance == pytest.approx([0.25, 0.25])
    assert found.quality == pytest.approx([-0.75 * high, 0.75 * high])
    posterior = gamma(6, scale=1 / (1 / 0.3 + high**2 / 16 + 0.25))
    assert found.precision == pytest.approx([posterior.mean()] * 2)
    assert found.precision_low == pytest.approx([posterior.ppf(0.025)] * 2)
    assert found.precision_high == pytest.approx([posterior.ppf(0.975)] * 2)


def test_it_is_nearer_the_truth_than_means_if_some_score_at_random():
    """Means of 400 simulations: z 0.964, 0.782, 0.672, and the model 0.964, 0.912, 0.771."""
    random = np.random.default_rng(0)
    for spammers, of_means, of_model in ((0, 0.964, 0.964), (10, 0.782, 0.912), (20, 0.672, 0.771)):
        found = []
        for _ in range(25):
            quality, scores = simulated(random, spammers)
            means = zscore(scores, axis=1, ddof=1).mean(axis=0)
            model = fit_scores(*judged(scores)).quality
            found.append([pearsonr(each, quality).statistic for each in (means, model)])

        assert np.mean(found, axis=0) == pytest.approx([of_means, of_model], abs=0.04)


def test_without_spammers_the_rest_is_fitted_again():
    quality, scores = simulated(np.random.default_rng(1), 10)

    of, values = judged(scores)
    found = fit_scores(of, values)
    kept = found.most_precise(5)
    again = fit_scores(of, values, keep=kept)

    assert sorted(kept) == [0, 1, 2, 3, 4]
    assert again.excluded == tuple(range(5, 15))
    assert np.isnan(again.precision[5:]).all()
    first, second = (pearsonr(each.quality, quality).statistic for each in (found, again))
    assert first < second
    assert "annotators 5" in again.signature


def test_precision_is_that_of_the_annotators():
    random = np.random.default_rng(2)
    quality = random.normal(0, 1, 500)
    errors = np.array([0.3, 0.5, 1.0, 2.0])
    scores = quality + errors[:, None] * random.normal(0, 1, (4, 500))

    found = fit_scores(*judged(scores))

    assert found.settled
    assert found.most_precise(4) == (0, 1, 2, 3)
    # Of standardised scores of the mean and the noise: those of the noisiest are nearly noise.
    assert found.precision[3] == pytest.approx(1, abs=0.4)
    assert pearsonr(found.quality, quality).statistic > 0.95


def test_equal_scores_and_unknown_annotators_are_left_out():
    of, scores = judged([[50, 50, 50, 50], [10, 20, 30, NAN], [10, 40, 20, NAN]])
    unknown = ItemJudgements(
        of.items, np.where(of.annotators == 2, UNIDENTIFIED, of.annotators), of.sentences
    )

    found = fit_scores(unknown, scores)

    assert found.excluded == (0,)
    assert np.isnan(found.precision[0])
    assert np.isnan(found.quality).tolist() == [False, False, False, True]
    assert fit_scores(*judged(np.zeros((0, 3)))).quality.shape == (0,)
