from dataclasses import replace
from math import exp, log

import numpy as np
import pytest

from evaluation.reuse.tuning.features import outputs_as_hypotheses
from evaluation.reuse.tuning.objectives import (
    BLEU,
    EXACT_MATCH,
    OBJECTIVES,
    PENALIZE_UNKNOWN,
    PEOPLE,
    RYPT,
    SEGRANKS_BLEU,
    all_objectives,
    bleu,
    bleu_statistics,
    judged_sentences,
    match_candidates,
)
from tests.evaluation.reuse.tuning.projects import (
    hypotheses_of,
    tiny_judgements,
    tiny_texts,
    words,
)


def objectives(hypotheses, texts=None, *, cased=False):
    texts = texts or tiny_texts()
    judged = judged_sentences(texts, tiny_judgements())
    matches = match_candidates(hypotheses, judged)
    return all_objectives(hypotheses, texts, judged, matches, cased=cased), matches


def test_rypt_counts_the_best_answers_about_candidates_without_the_middle_one():
    ranked = tiny_judgements()
    # Of "bílý pes" yes and yes, of "pes" not sure and yes, of the others no.
    on_scale = replace(
        ranked,
        candidate_ranks=np.minimum(ranked.candidate_ranks, 3),
        system_ranks=np.minimum(ranked.system_ranks, 3),
    )
    hypotheses = hypotheses_of(("jeden bílý pes", "jeden pes", "fena"), ("malá kočka", "b", "c"))

    judged = judged_sentences(tiny_texts(), on_scale, steps=3, undecided=2)
    matches = match_candidates(hypotheses, judged)
    found = all_objectives(hypotheses, tiny_texts(), judged, matches, cased=False)

    assert found[RYPT].statistics.tolist() == [[[2, 2], [1, 1], [0, 0]], [[0, 1], [0, 0], [0, 0]]]
    assert RYPT + "+BLEU" in found


def test_bleu_counts_matches_ngrams_and_the_length_of_the_reference():
    hypotheses = hypotheses_of(("the the the cat sat down", "cat"))

    counted = bleu_statistics(hypotheses, [[words("The cat sat down on the mat")]], cased=False)

    # "the" twice at most; the bigrams the cat, cat sat, sat down; two trigrams; one of order 4.
    assert counted[0, 0].tolist() == [5, 3, 2, 1, 6, 5, 4, 3, 7]
    assert counted[0, 1].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 7]
    precisions = 5 / 6 * 3 / 5 * 2 / 4 * 1 / 3
    assert bleu(counted[0, 0]) == pytest.approx(exp(log(precisions) / 4 + 1 - 7 / 6))


def test_bleu_counts_all_references_and_the_closest_length():
    hypotheses = hypotheses_of(("a b c", "a"))
    references = [[words("a b x y"), words("b c"), words("c")]]

    counted = bleu_statistics(hypotheses, references, cased=True)

    # Of 4 and 2 words, the shorter reference.
    assert counted[0, 0].tolist() == [3, 2, 0, 0, 3, 2, 1, 0, 2]
    assert counted[0, 1].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 1]


def test_cased_bleu_distinguishes_case():
    hypotheses = hypotheses_of(("The cat",))

    counted = [bleu_statistics(hypotheses, [[words("the cat")]], cased=c) for c in (False, True)]

    assert [one[0, 0, 0] for one in counted] == [2, 1]


def test_segranks_bleu_knows_the_best_candidates_but_not_their_length():
    hypotheses = hypotheses_of(("ten pes", "ten bílý pes"), ("kočka spí", "malá kočka spí"))

    found, _ = objectives(hypotheses)

    # "pes" was best too, in the second judgement; in sentence 2, garbage was the best there was.
    assert found[BLEU].statistics[0, 0].tolist() == [2, 0, 0, 0, 2, 1, 0, 0, 4]
    assert found[SEGRANKS_BLEU].statistics[0, 0].tolist() == [2, 0, 0, 0, 2, 1, 0, 0, 4]
    judged = judged_sentences(tiny_texts(), tiny_judgements())
    assert judged.best == ((words("bílý pes"), words("pes")), (words("malá kočka"), words("kočka")))


def test_segranks_bleu_finds_ngrams_that_the_reference_lacks():
    hypotheses = hypotheses_of(("bílý pes",), ("kočka",))

    found, _ = objectives(hypotheses, tiny_texts(("ten bílý psík utíká", "spí")))

    assert found[BLEU].statistics[0, 0, :2].tolist() == [1, 0]
    assert found[SEGRANKS_BLEU].statistics[0, 0, :2].tolist() == [2, 1]
    assert found[SEGRANKS_BLEU].statistics[:, 0, 8].tolist() == [4, 1]


def test_exact_match_counts_the_longest_candidate_that_is_in_the_sentence():
    hypotheses = hypotheses_of(("jeden bílý pes", "jeden pes", "fena"), ("a", "b", "c"))

    found, matches = objectives(hypotheses)

    # "bílý pes" against the systems b and c, twice: two wins and two ties; "pes" against a: lost.
    assert found[EXACT_MATCH].statistics[0].tolist() == [[2, 2], [0, 1], [0, 0]]
    assert matches.hits[0].tolist() == [1, 1, 0]
    assert matches.segments.tolist() == [[1, 1, 1], [1, 1, 1]]


def test_penalize_unknown_loses_against_all_systems_of_the_judgement():
    hypotheses = hypotheses_of(("jeden bílý pes", "fena"), ("malá kočka", "b"))

    statistics = objectives(hypotheses)[0][PENALIZE_UNKNOWN].statistics

    # Three systems in sentence 1, two in sentence 2.
    assert statistics[0].tolist() == [[2, 2], [0, 3]]
    assert statistics[1].tolist() == [[0, 0], [0, 2]]


def test_peoples_wins_are_those_of_the_systems_own_candidate():
    texts = tiny_texts()
    outputs = outputs_as_hypotheses(texts, np.arange(2, dtype=np.int32), np.array([True, False]))

    found, _ = objectives(outputs)

    # a wins against b and c once; in sentence 2, c has no output: the first stands in its place.
    assert found[PEOPLE].statistics[0].tolist() == [[2, 2], [0, 1], [0, 1]]
    assert found[PEOPLE].statistics[1].tolist() == [[0, 0], [0, 0], [0, 0]]
    assert outputs.systems.tolist() == [[0, 1, 2], [0, 1, 0]]
    # Rankings have no answers.
    assert tuple(found) == tuple(name for name in OBJECTIVES if not name.startswith(RYPT))


def test_an_interpolated_objective_is_the_mean_of_both():
    hypotheses = hypotheses_of(("ten bílý pes utíká",), ("malá kočka spí",))

    found, _ = objectives(hypotheses)
    both = found[EXACT_MATCH + "+BLEU"]

    assert both.score(both.statistics.sum(axis=(0, 1))[None]).tolist() == [1.0]


def test_without_a_reference_there_is_no_bleu():
    found, _ = objectives(hypotheses_of(("pes",), ("kočka",)), tiny_texts(("pes", "")))

    assert list(found) == [EXACT_MATCH, PENALIZE_UNKNOWN]
