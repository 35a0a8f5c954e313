"""Means of systems by the model of documents, compared with fits by numpy's least squares."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.stats.document_model import DocumentModel, NotIdentified

Floats = np.ndarray


def design(
    random: np.random.Generator, *, systems: int = 4, documents: int = 14, share: float = 1.0
) -> DocumentModel:
    """Return systems × documents of one to three segments, a share of the cells at random."""
    there = random.random((documents, systems)) < share
    lengths = random.integers(1, 4, documents)
    first = np.cumsum(lengths) - lengths
    rows = [
        (system, document, first[document] + place)
        for document, system in zip(*np.nonzero(there), strict=True)
        for place in range(lengths[document])
    ]
    columns = np.array(rows, dtype=np.int32).T
    return DocumentModel(columns[0], columns[1], columns[2], systems)


def made_up(model: DocumentModel, random: np.random.Generator) -> Floats:
    """Return scores with effects of systems and documents, and errors."""
    return np.asarray(
        random.normal(0, 9, model.names)[model.systems]
        + random.normal(0, 20, model.documents.max() + 1)[model.documents]
        + random.normal(0, 5, len(model))
    )


def fitted(model: DocumentModel, values: Floats, kept: Floats) -> Floats:
    """Return the means by a fit of all parameters, documents too, of the kept scores."""
    _, segments, times = np.unique(
        np.column_stack([model.systems, model.segments]),
        axis=0,
        return_inverse=True,
        return_counts=True,
    )
    weights = 1 / times[segments.reshape(-1)] * kept
    if model.sampling is not None:
        weights = weights * model.sampling
    documents = np.unique(model.documents[kept > 0])
    blocks = [model.systems[:, None] == np.arange(model.names)]
    blocks += [column[:, None] == np.unique(column) for column in model.effects]
    if model.covariates is not None:
        blocks.append(model.covariates)
    aside = np.hstack(blocks).astype(float)
    x = np.hstack([aside, model.documents[:, None] == documents])
    root = np.sqrt(weights)
    found = np.linalg.lstsq(x * root[:, None], values * root, rcond=None)[0]
    level = share = 0.0
    for place, document in enumerate(documents):
        rows = (model.documents == document) & (kept > 0)
        size = weights[rows].sum() / len(np.unique(model.systems[rows]))
        beside = np.average(aside[rows, model.names :], axis=0, weights=weights[rows])
        effect = found[aside.shape[1] + place] + beside @ found[model.names : aside.shape[1]]
        level, share = level + size * effect, share + size
    return np.asarray(found[: model.names] + level / share)


def test_a_complete_design_gives_the_plain_means_over_segments() -> None:
    random = np.random.default_rng(1)
    model = design(random)
    values = made_up(model, random)
    plain = [values[model.systems == system].mean() for system in range(4)]

    assert model.means(values) == pytest.approx(plain)
    # A second score of some segments: the segment has the mean of its two.
    again = np.concatenate([np.arange(len(model)), np.arange(0, len(model), 3)])
    twice = replace(
        model,
        **{name: getattr(model, name)[again] for name in ("systems", "documents", "segments")},
    )
    doubled = np.concatenate([values, values[::3] + 10])
    of_segments = values + np.where(np.arange(len(model)) % 3 == 0, 5, 0)
    plain = [of_segments[model.systems == system].mean() for system in range(4)]
    assert twice.means(doubled) == pytest.approx(plain)


def test_missing_cells_do_not_move_the_means_of_an_additive_model() -> None:
    random = np.random.default_rng(2)
    complete = design(random)
    values = np.asarray(complete.systems * 7.0 + complete.documents**2, dtype=np.float64)
    # Each document has two of the four systems.
    chosen = random.permuted(np.tile([True, True, False, False], (14, 1)), axis=1)
    kept = chosen[complete.documents, complete.systems]
    some = replace(
        complete,
        **{name: getattr(complete, name)[kept] for name in ("systems", "documents", "segments")},
    )

    assert some.means(values[kept]) == pytest.approx(complete.means(values))


def test_several_columns_of_scores_go_through_one_map() -> None:
    random = np.random.default_rng(3)
    model = design(random, share=0.6)
    one, other = made_up(model, random), made_up(model, random)

    both = model.means(np.column_stack([one, other]))
    assert both[:, 0] == pytest.approx(model.means(one))
    assert model.means(one - 0.5 * other) == pytest.approx(both @ [1, -0.5])
    assert model.influence(one - 0.5 * other) == pytest.approx(
        model.influence(one) - 0.5 * model.influence(other)
    )


def with_effects(random: np.random.Generator, model: DocumentModel) -> DocumentModel:
    """Return the design with annotators of sheets of two systems, and a number beside each."""
    annotators = (model.documents * 2 + model.systems // 2) % 5
    return replace(
        model,
        effects=(annotators.astype(np.int32),),
        covariates=random.normal(0, 1, (len(model), 1)),
        sampling=np.asarray(1.0 + model.documents % 3, dtype=np.float64),
    )


@pytest.mark.parametrize("beside", [False, True])
def test_it_agrees_with_a_fit_of_all_parameters_also_without_each_document(beside: bool) -> None:
    random = np.random.default_rng(4)
    model = design(random, documents=16, share=0.7)
    if beside:
        model = with_effects(random, model)
    values = made_up(model, random)
    everything = np.ones(len(model))
    means = model.means(values)

    assert means == pytest.approx(fitted(model, values, everything))
    influence = model.influence(values)
    for document in range(16):
        rows = model.documents == document
        without = fitted(model, values, np.where(rows, 0.0, 1.0))
        assert influence[rows].sum(axis=0) * 16 / 15 == pytest.approx(means - without)


def test_systems_without_documents_in_common_have_no_mean_and_a_reason() -> None:
    systems = np.array([0, 1, 0, 1, 2, 3, 2, 3, 1, 1, 4], dtype=np.int32)
    documents = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5], dtype=np.int32)
    model = DocumentModel(systems, documents, documents, names=6)
    values = np.arange(11.0)

    # Of two groups with two systems each, the one with more scores; one document is no link.
    assert np.isnan(model.means(values)).tolist() == [False, False, True, True, True, True]
    assert np.isnan(model.influence(values)[0]).tolist() == [False, False, True, True, True, True]
    assert model.undefined == (
        "",
        "",
        *[NotIdentified.APART.value] * 3,
        NotIdentified.NEVER_SCORED.value,
    )


def test_a_system_that_one_annotator_alone_scored_is_confounded_with_them() -> None:
    systems = np.tile(np.array([0, 1, 2], dtype=np.int32), 6)
    documents = np.repeat(np.arange(6, dtype=np.int32), 3)
    own = np.where(systems == 2, 2, documents % 2).astype(np.int32)

    confounded = DocumentModel(systems, documents, documents, 3, effects=(own,))
    assert set(confounded.undefined) == {NotIdentified.CONFOUNDED.value}
