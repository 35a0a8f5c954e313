import numpy as np
import pytest

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.dawid_skene import fit_labels
from evaluation.stats.judgements import UNIDENTIFIED


def judged(table):
    """A row an annotator, a column an item; None if the annotator did not label it."""
    rows = [
        (item, who, label)
        for who, row in enumerate(table)
        for item, label in enumerate(row)
        if label is not None
    ]
    items, annotators, labels = np.array(rows, dtype=np.int32).reshape(-1, 3).T
    return ItemJudgements(items, annotators, items), labels


def test_one_iteration_by_hand():
    # Shares of label 1: 1/2, 1 and 0; so π = (1/2, 1/2).
    found = fit_labels(*judged([[0, 1, 0], [1, 1, 0]]), count=2, smoothing=0, iterations=1)

    assert found.prior == pytest.approx([1 / 2, 1 / 2])
    # Of items that are 0 (3/2): the first annotator said 0 of all; the second of one.
    assert found.confusion == pytest.approx(
        np.array([[[1, 0], [1 / 3, 2 / 3]], [[2 / 3, 1 / 3], [0, 1]]])
    )
    # Labels 0 and 1 of the first item: 1 · 1/3 if it is 0, 1/3 · 1 if it is 1.
    assert found.posterior == pytest.approx(np.array([[1 / 2, 1 / 2], [0, 1], [1, 0]]))
    assert found.log_likelihood == pytest.approx(3 * np.log(1 / 3))
    # By symmetry nothing moves.
    assert (found.iterations, found.settled) == (1, True)


def test_all_labels_alike_are_certain_but_for_the_smoothing():
    found = fit_labels(*judged([[0, 1], [0, 1], [0, 1]]), count=2)

    assert found.settled
    assert found.prior == pytest.approx([0.5, 0.5])
    assert found.confusion[:, 0, 0] == pytest.approx(1.01 / 1.02)
    assert found.posterior[:, 0] == pytest.approx([1 / (1 + 101**-3), 1 / (1 + 101**3)], rel=1e-3)


def test_an_annotator_who_exchanges_labels_is_understood():
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 200)
    careful = [np.where(random.random(200) < 0.9, truth, 1 - truth) for _ in range(3)]

    found = fit_labels(*judged([*careful, 1 - truth]), count=2)

    assert found.confusion[3] == pytest.approx(np.array([[0, 1], [1, 0]]), abs=0.02)
    assert (found.posterior.argmax(axis=1) == truth).mean() > 0.99
    assert found.accuracy[:3] == pytest.approx(0.9, abs=0.05)


def test_it_is_right_more_often_than_the_majority():
    random = np.random.default_rng(1)
    truth = random.choice(3, 400, p=[0.5, 0.3, 0.2])
    # Two careful annotators; three who are mostly right only where the label is 0.
    careful = 0.9 * np.eye(3) + 0.1 / 3
    careless = np.array([[8, 1, 1], [6, 3, 1], [6, 1, 3]]) / 10
    confusion = [careful] * 2 + [careless] * 3
    table = [[random.choice(3, p=matrix[label]) for label in truth] for matrix in confusion]
    votes = np.array([np.bincount(column, minlength=3) for column in np.transpose(table)])

    found = fit_labels(*judged(table), count=3)

    assert (found.posterior.argmax(axis=1) == truth).mean() > 0.9
    assert (votes.argmax(axis=1) == truth).mean() < 0.85
    assert found.prior == pytest.approx([0.5, 0.3, 0.2], abs=0.06)
    assert found.confusion == pytest.approx(np.array(confusion), abs=0.15)


def test_without_labels_items_and_annotators_are_undefined():
    of, labels = judged([[0, None, 1], [None, None, None], [0, None, 1]])
    unknown = ItemJudgements(
        np.append(of.items, np.int32(1)),
        np.append(of.annotators, np.int32(UNIDENTIFIED)),
        np.append(of.sentences, np.int32(1)),
    )

    found = fit_labels(unknown, np.append(labels, np.int32(1)), count=2)

    assert np.isnan(found.posterior[1]).all()
    assert np.isnan(found.confusion[1]).all()
    assert found.posterior[0, 0] > 0.99
    assert "items 2" in found.signature


def test_nothing_is_fitted_to_nothing():
    found = fit_labels(*judged([]), count=2)

    assert (found.posterior.shape, found.iterations) == ((0, 2), 0)
    assert np.isnan(found.prior).all()
    with pytest.raises(ValueError, match="label"):
        fit_labels(*judged([[2]]), count=2)
