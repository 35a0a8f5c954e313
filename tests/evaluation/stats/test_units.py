"""Intervals and tests that sample documents or blocks instead of sentences."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.stats.agreement.disputes import most_contrasting, most_disputed
from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.annotators.drift import drift
from evaluation.stats.annotators.effects import annotator_effects
from evaluation.stats.annotators.sequence import sequence_effects
from evaluation.stats.judgements import OF_JUDGEMENTS, Judgements
from evaluation.stats.ranking.learning_curve import learning_curve, too_few_for_curve
from evaluation.stats.ranking.power import measure_power, nothing_decided
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import rank_all
from evaluation.stats.resampling import too_few
from evaluation.stats.units import SENTENCES, Unit
from tests.evaluation.tables import judged
from tests.load.evaluation import made_up

DOCUMENTS = Unit("document")
FIGURES = {
    "rankings": lambda judgements: rank_all(judgements, resamples=100),
    "power": lambda judgements: measure_power(judgements).detectable(tests=3),
    "pairs": lambda judgements: compare_pairs(judgements, draws=100),
    "agreement": lambda judgements: agreement_with_intervals(judgements, resamples=100),
    "effects": lambda judgements: annotator_effects(judgements, permutations=99),
    "curve": lambda judgements: learning_curve(judgements, resamples=50),
    "sequence": lambda judgements: sequence_effects(judgements, resamples=100),
    "drift": lambda judgements: drift(judgements, resamples=100),
}


def with_documents(judgements: Judgements, *names: str) -> Judgements:
    return replace(judgements, sentence_documents=names)


def twice(judgements: Judgements) -> Judgements:
    """Return the same judgements of two copies of each sentence, both in one document.

    The copies of a segment are different ones.
    """
    sentences, segments = len(judgements.sentence_numbers), len(judgements.segment_ids)
    changed: dict[str, Any] = {
        name: np.concatenate([getattr(judgements, name)] * 2) for name in OF_JUDGEMENTS
    } | {
        "sentences": np.concatenate([judgements.sentences, judgements.sentences + sentences]),
        "segments": np.concatenate([judgements.segments, judgements.segments + segments]),
        "segment_ids": np.arange(2 * segments),
        "sentence_numbers": np.arange(1, 2 * sentences + 1),
        "sentence_documents": tuple(f"document {n:04}" for n in range(sentences)) * 2,
    }
    return replace(judgements, **changed)


@pytest.mark.parametrize("figures", FIGURES)
def test_documents_of_one_sentence_are_sentences(figures: str) -> None:
    judgements = made_up(60, seed=2)
    # In the order of the numbers of sentences, so that the same ones are sampled.
    names = [f"{number:04}" for number in range(len(judgements.sentence_numbers))]
    by_document = with_documents(judgements, *names).sampled_by(DOCUMENTS)

    found, expected = (str(FIGURES[figures](each)) for each in (by_document, judgements))

    # Some signatures do not name sentences.
    found = found.replace("document", "sentence")
    for words in (" over sentences", " of sentences"):
        found, expected = found.replace(words, ""), expected.replace(words, "")
    assert found == expected


def test_a_document_counts_as_much_as_its_sentence_judged_once() -> None:
    once = made_up(1500, seed=3)
    copied = twice(once).sampled_by(DOCUMENTS)

    ranking, expected = (rank_all(each)["ratio_of_wins"] for each in (copied, once))
    assert [system.score for system in ranking.systems] == [
        system.score for system in expected.systems
    ]
    pairs, of_once = compare_pairs(copied), compare_pairs(once)
    assert (pairs.p_holm, pairs.wide_p) == (of_once.p_holm, of_once.wide_p)
    power, once_power = measure_power(copied), measure_power(once)
    assert power.detectable(tests=1) == once_power.detectable(tests=1)
    agreement, once_agreement = agreement_with_intervals(copied), agreement_with_intervals(once)
    for copy, first in (
        (agreement.intra.kappa, once_agreement.intra.kappa),
        (agreement.inter.kappa, once_agreement.inter.kappa),
        (agreement.alpha.estimate, once_agreement.alpha.estimate),
    ):
        assert (copy.value, copy.low) == pytest.approx((first.value, first.low), abs=0.002)
    # Sampled as if they were independent, copies make intervals narrower.
    narrow = rank_all(twice(once))["ratio_of_wins"].systems[0].score
    wide = ranking.systems[0].score
    assert (narrow.low or 0) > (wide.low or 1)


def test_blocks_have_neighbouring_numbers() -> None:
    rows = [(f"s{number:02}", "jana", [1, 2]) for number in range(1, 12)]
    judgements = judged(rows).sampled_by(Unit("block", 4))

    assert judgements.sentence_units.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
    assert judgements.units_judged == 3
    assert judgements.select(judgements.sentences > 3).units_judged == 2
    assert judgements.sampled_by(SENTENCES).units_judged == 11
    assert str(judgements.unit) == "blocks of 4 neighbouring sentences"


def test_neighbours_of_one_document_need_not_follow_each_other() -> None:
    judgements = judged([(name, "jana", [1, 2]) for name in "abc"])

    sampled = with_documents(judgements, "news", "talk", "news").sampled_by(DOCUMENTS)

    assert sampled.sentence_units.tolist() == [0, 1, 0]


def test_documents_are_needed_only_of_judged_sentences() -> None:
    judgements = judged([(name, "jana", [1, 2]) for name in "abc"])
    named = with_documents(judgements, "news", "", "")

    assert named.select(judgements.sentences == 0).sampled_by(DOCUMENTS).units_judged == 1
    with pytest.raises(InputError) as refusal:
        named.sampled_by(DOCUMENTS)
    assert refusal.value.values == {"without": 2, "judged": 3}
    with pytest.raises(InputError):
        judgements.sampled_by(DOCUMENTS)


def test_figures_need_ten_documents() -> None:
    rows = [
        (f"s{number:02}", name, [1, 2, 3 - number % 2])
        for number in range(36)
        for name in ("eva", "jana")
    ]
    names = [f"document {number // 4}" for number in range(36)]
    judgements = with_documents(judged(rows, systems="ABC"), *names).sampled_by(DOCUMENTS)

    ranking, agreement = rank_all(judgements)["ratio_of_wins"], agreement_with_intervals(judgements)

    assert {each.score.no_interval for each in ranking.systems} == {too_few(DOCUMENTS)}
    assert {each.cluster for each in ranking.systems} == {None}
    # Sentences are still counted as sentences.
    assert {each.sentences for each in ranking.systems} == {36}
    kappas = [agreement.inter, agreement.annotators[0].inter, agreement.pairs[0].inter]
    assert [kappa.sentences for kappa in kappas] == [36, 36, 36]
    assert {kappa.kappa.no_interval for kappa in kappas} == {too_few(DOCUMENTS)}
    assert measure_power(judgements).undefined == nothing_decided(DOCUMENTS)
    one = replace(judgements, sentence_documents=("news",) * 36).sampled_by(DOCUMENTS)
    assert learning_curve(one).undefined == too_few_for_curve(DOCUMENTS)


def test_the_learning_curve_counts_sentences() -> None:
    judgements = made_up(400, seed=4).sampled_by(Unit("block", 3))

    curve = learning_curve(judgements, resamples=20)

    sentences = judgements.sentences_judged
    assert curve.points[-1].sentences == sentences
    assert curve.points[-2].sentences == pytest.approx(sentences / 2, abs=3)


def test_lists_of_segments_and_sentences_have_no_unit() -> None:
    judgements = made_up(60, seed=5)
    blocks = judgements.sampled_by(Unit("block", 7))

    assert most_contrasting(blocks) == most_contrasting(judgements)
    assert most_disputed(blocks) == most_disputed(judgements)
