"""Similarities and common terms of candidates."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.reuse.candidate_features import count_outcomes, rank_features, text_features
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.text_tables import tabulate
from tests.evaluation.reuse.projects import simulated_project


def one_segment(*candidates: str) -> ProjectTexts:
    """Return a project of one segment in which each system has its own candidate."""
    count = len(candidates)
    return ProjectTexts(
        sentence_numbers=np.array([1]),
        sources=(("a", "big", "house"),),
        references=((("velký", "dům"),),),
        outputs=tuple((tuple(text.split(" ")),) for text in candidates),
        segment_ids=np.array([7]),
        segment_sentences=np.array([0], dtype=np.int32),
        segment_positions=((0, 1, 2),),
        candidate_texts=candidates,
        first_candidates=np.array([0, count], dtype=np.int32),
        system_candidates=np.arange(count, dtype=np.int32)[None],
        system_names=tuple(f"system{number}" for number in range(count)),
    )


def test_similarities_count_common_edits_and_words_without_letter_case():
    tables = tabulate(one_segment("velký dům", "Velký dam", "malý dům stojí"))

    edits, _, words, _, pairs = tables.similar[:, 0]
    assert edits[0, 1] == pytest.approx(8 / 9)
    # One word of two and two; one of two and three.
    assert words[0, 1] == pytest.approx(0.5)
    assert words[0, 2] == pytest.approx(0.4)
    # Only the beginning with the first word is common, of 3 and 3 pairs.
    assert pairs[0, 1] == pytest.approx(1 / 3)
    for similar in tables.similar[:, 0]:
        assert np.diagonal(similar) == pytest.approx(1)
        assert similar == pytest.approx(similar.T)


def test_a_system_without_a_candidate_is_similar_to_none():
    texts = one_segment("velký dům", "velký dům tu", "malý dům")
    absent = replace(texts, system_candidates=np.array([[0, -1, 2]], dtype=np.int32))

    similar = tabulate(absent).similar[:, 0]

    assert (similar[:, 1] == 0).all()
    assert (similar[:, :, 1] == 0).all()


def test_terms_are_found_in_candidates_outputs_reference_and_source():
    words = tabulate(one_segment("velký dům", "big dům")).terms[0]

    codes = words.codes[0].tolist()
    velky, dum, big = (codes.index(code) for code in range(3))
    assert len(codes) == 3
    assert words.has[0, [velky, dum, big]].tolist() == [
        [True, False],
        [True, True],
        [False, True],
    ]
    assert words.said[0].tolist() == words.has[0].tolist()
    assert words.in_reference[0, [velky, dum, big]].tolist() == [True, True, False]
    assert words.in_source[0, [velky, dum, big]].tolist() == [False, False, True]
    assert words.counts.sum(axis=0).tolist() == [2, 2]


def test_of_several_references_any_may_have_a_term_and_the_best_one_counts():
    alone = one_segment("velký dům", "malý dům")
    several = replace(alone, references=((("velký", "dům"), ("malý", "dům")),))

    (one, both) = tabulate(alone), tabulate(several)

    assert both.terms[0].in_reference[0].tolist() == [True, True, True]
    assert both.outputs[0, 0].tolist() == one.outputs[0, 0].tolist()
    assert both.outputs[0, 1, :3].tolist() == one.outputs[0, 0, :3].tolist()
    # The last features are shares of characters that a reference has.
    assert both.fixed[:, -2:].tolist() == [[1, 1], [1, 1]]


def test_features_do_not_depend_on_systems_that_are_not_among_the_others():
    judgements, texts = simulated_project(seed=1)
    changed = replace(
        texts,
        outputs=(*texts.outputs[:-1], (("nothing",),) * len(texts.references)),
        system_candidates=np.column_stack(
            [texts.system_candidates[:, :-1], texts.system_candidates[:, 0]]
        ),
    )
    ranks = judgements.system_ranks.copy()
    ranks[:, -1] = 1
    segments, others = np.arange(len(texts.segment_ids)), [1, 2, 3, 4]
    found = []
    for some, of_systems in ((texts, judgements.system_ranks), (changed, ranks)):
        tables = tabulate(some)
        outcomes = count_outcomes(of_systems, texts.segments_of(judgements), len(segments))
        found.append(
            np.hstack(
                [
                    text_features(tables, segments, 0, others),
                    rank_features(tables, outcomes, segments, 0, others),
                ]
            )
        )

    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert np.isfinite(found[0]).all()


def test_features_by_rank_do_not_read_how_the_system_itself_did():
    judgements, texts = simulated_project(seed=2)
    tables, segments = tabulate(texts), np.arange(len(texts.segment_ids))
    ranks = judgements.system_ranks.copy()
    ranks[:, 0] = 1
    found = [
        rank_features(
            tables,
            count_outcomes(some, texts.segments_of(judgements), len(segments)),
            segments,
            0,
            [1, 2, 3, 4, 5],
        )
        for some in (judgements.system_ranks, ranks)
    ]

    assert (found[0] == found[1]).all()
