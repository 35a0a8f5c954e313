from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.meta.direct_assessment import assessed_pairs
from evaluation.meta.gold_pairs import BETTER, EQUAL, WORSE, GoldPairs, pairs_of_systems
from evaluation.meta.segment_tau import (
    HTIES,
    RULES,
    WMT12,
    WMT13,
    WMT14,
    NoTau,
    count_outcomes,
    half_width,
    mean_tau,
    segment_taus,
    tau,
    taus_of_outcomes,
    winners,
)
from evaluation.stats.resampling import too_few
from evaluation.stats.units import SENTENCES

RULES_BY_NAME = {rule.name: rule for rule in RULES}


def pairs(*compared, translations=4, weights=None, groups=None) -> GoldPairs:
    """Return gold of (outcome, first, second) on a row of translations; a sentence each."""
    outcomes, first, second = (np.array(column) for column in zip(*compared, strict=True))
    count = len(compared)
    return GoldPairs(
        kind="pairs",
        outcomes=outcomes.astype(np.int8),
        first=first.astype(np.int32),
        second=second.astype(np.int32),
        groups=np.arange(count, dtype=np.int32) if groups is None else np.array(groups, np.int32),
        weights=np.array([1] * count if weights is None else weights),
        shape=(translations,),
        judgements=count,
    )


# Rows: people better, equal, worse; columns: the metric. 45 comparisons.
TABLE = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


@pytest.mark.parametrize(
    ("rule", "numerator", "denominator"),
    [
        # Concordant 1 + 9, discordant 3 + 7; ties of the metric 2 + 8; ties of both 5.
        ("WMT12", 10 - 10 - 10, 30),
        ("WMT13", 10 - 10, 20),
        ("WMT14", 10 - 10, 30),
        ("HTIES", 10 - 10 + 5, 45),
    ],
)
def test_tau_of_a_table_by_hand(rule, numerator, denominator):
    assert tau(np.ravel(TABLE).astype(float), RULES_BY_NAME[rule]) == pytest.approx(
        numerator / denominator
    )


@pytest.mark.parametrize(
    ("people", "metric", "values"),
    [
        # WMT12, WMT13, WMT14, HTIES of one comparison; NaN: the rule does not count it.
        (BETTER, BETTER, (1, 1, 1, 1)),
        (BETTER, EQUAL, (-1, np.nan, 0, 0)),
        (BETTER, WORSE, (-1, -1, -1, -1)),
        (EQUAL, BETTER, (np.nan, np.nan, np.nan, 0)),
        (EQUAL, EQUAL, (np.nan, np.nan, np.nan, 1)),
        (EQUAL, WORSE, (np.nan, np.nan, np.nan, 0)),
        (WORSE, BETTER, (-1, -1, -1, -1)),
        (WORSE, EQUAL, (-1, np.nan, 0, 0)),
        (WORSE, WORSE, (1, 1, 1, 1)),
    ],
)
def test_each_outcome_counts_as_its_rule_says(people, metric, values):
    outcomes, missing = count_outcomes(pairs((people, 0, 1), translations=2), [metric, 0])

    assert [tau(outcomes.sum(axis=0), rule) for rule in RULES] == pytest.approx(values, nan_ok=True)
    assert missing == 0


def test_comparisons_count_as_often_as_people_made_them_and_by_sentence():
    gold = pairs((BETTER, 0, 1), (WORSE, 0, 1), (EQUAL, 2, 3), weights=[3, 2, 4], groups=[7, 7, 1])

    outcomes, _ = count_outcomes(gold, [2, 1, 5, 5])

    assert outcomes.tolist() == [[0, 0, 0, 0, 4, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 2, 0, 0]]
    assert (gold.comparisons, gold.untied) == (9, 5)


# SENTBLEU in WMT14 into English: concordant, discordant, ties of the metric; τ and ± as published.
WMT14_SENTBLEU = {
    "fr-en": ((13156, 5750, 714), 0.378, 0.013),
    "de-en": ((11325, 6360, 625), 0.271, 0.014),
    "hi-en": ((11965, 6383, 255), 0.300, 0.013),
    "cs-en": ((9262, 5910, 560), 0.213, 0.016),
    "ru-en": ((17954, 10359, 525), 0.263, 0.011),
}


def test_published_figures_of_wmt14():
    found = [
        taus_of_outcomes(
            "SENTBLEU",
            np.array([[concordant, ties, discordant, *[0] * 6]], dtype=float),
            kind=pair,
            judgements=concordant + discordant + ties,
            unit=SENTENCES,
        )
        for pair, ((concordant, discordant, ties), _, _) in WMT14_SENTBLEU.items()
    ]

    for metric, (_, value, half) in zip(found, WMT14_SENTBLEU.values(), strict=True):
        assert metric.tau(WMT14).estimate.value == pytest.approx(value, abs=7e-4)
        assert metric.tau(WMT14).half_width_by_comparison == pytest.approx(half, abs=2e-3)
    assert [mean_tau(found, rule) for rule in (WMT14, WMT12, WMT13)] == pytest.approx(
        [0.285, 0.258, 0.293], abs=1.1e-3
    )


def test_what_people_preferred_does_not_depend_on_scores():
    gold = pairs((BETTER, 0, 1), (WORSE, 2, 3), (EQUAL, 0, 3), weights=[40, 60, 7])

    one, other, none = segment_taus(
        gold, {"one": [2, 1, np.nan, 3], "other": [np.nan, 1, 2, 3], "none": [np.nan] * 4}
    )

    assert [row.concordant for row in (one, other, none)] == [40, 60, 0]
    assert [row.untied for row in (one, other, none)] == [100, 100, 100]


def test_counts_of_a_metric():
    gold = pairs((BETTER, 0, 1), (BETTER, 1, 2), (WORSE, 2, 3), (EQUAL, 0, 3))

    (found,) = segment_taus(gold, {"chrF": [4, 3, 3, 1]}, resamples=200)

    assert found.outcomes == ((1, 1, 0), (1, 0, 0), (1, 0, 0))
    assert (found.concordant, found.discordant, found.metric_ties, found.human_ties) == (1, 1, 1, 1)
    assert found.tau(WMT12).estimate.value == pytest.approx(-1 / 3)
    assert found.tau(WMT13).estimate.value == found.tau(WMT14).estimate.value == 0
    assert found.tau(HTIES).estimate.no_interval == too_few(SENTENCES)
    assert "comparisons 4" in str(found.signature)
    assert "seed 0" in str(found.signature)


def test_a_metric_without_a_compared_score_has_no_tau():
    gold = pairs((BETTER, 0, 1), (BETTER, 2, 3), weights=[1, 5])

    lacking, whole = segment_taus(gold, {"a": [2, 1, np.nan, 1], "b": [2, 1, 1, 2]}, resamples=10)

    assert lacking.missing == 5
    assert {tau.estimate.undefined for tau in lacking.taus} == {NoTau.MISSING_SCORES.value}
    assert whole.tau(WMT14).estimate.value == pytest.approx(-4 / 6)
    assert winners([lacking, whole])["WMT14"] == ("b",)
    assert mean_tau([lacking, whole], WMT14) is None


def test_infinite_scores_are_compared_as_any_others():
    outcomes, missing = count_outcomes(
        pairs((BETTER, 0, 1), (EQUAL, 1, 2)), [0.0, -np.inf, -np.inf, 0]
    )

    assert missing == 0
    assert outcomes.sum(axis=0).tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 0]


def test_the_rule_decides_the_winner():
    gold = pairs(*[(BETTER, 0, 1)] * 2, (BETTER, 2, 3))
    # One metric dares to be wrong, the other ties whenever it does not know.
    found = segment_taus(gold, {"bold": [2, 1, 1, 2], "shy": [2, 2, 2, 1]}, resamples=10)

    assert winners(found) == {
        "WMT12": ("bold",),
        "WMT13": ("shy",),
        "WMT14": ("bold", "shy"),
        "HTIES": ("bold", "shy"),
    }


def test_reasons_without_comparisons_and_without_counted_ones():
    tied = pairs((EQUAL, 0, 1))
    nothing = assessed_pairs([[1], [2]])

    (of_ties,) = segment_taus(tied, {"a": [1, 2, 3, 4]}, resamples=10)
    (of_nothing,) = segment_taus(nothing, {"a": [[1], [2]]}, resamples=10)

    assert of_ties.tau(WMT14).estimate.undefined == NoTau.NOTHING_COUNTS.value
    assert of_ties.tau(HTIES).estimate.value == 0
    assert of_nothing.tau(HTIES).estimate.undefined == NoTau.NO_COMPARISON.value
    assert winners([of_nothing])["WMT14"] == ()


def test_resampled_sentences_are_wider_than_resampled_comparisons_if_a_sentence_is_all_alike():
    compared = [(outcome, 0, 1) for outcome in [BETTER] * 60 + [WORSE] * 40]
    gold = pairs(*compared, weights=[25] * 100)

    (found,) = segment_taus(gold, {"a": [2, 1, 0, 0]}, seed=1)
    published = found.tau(WMT14)

    # 1.96 · √(1 - τ²) / √n for n = 100 sentences, and for 2500 comparisons.
    assert published.half_width == pytest.approx(0.192, abs=0.012)
    assert published.half_width_by_comparison == pytest.approx(0.0384, abs=0.0025)
    assert published.estimate.low == pytest.approx(0.2 - 0.192, abs=0.025)
    assert published.estimate.high == pytest.approx(0.2 + 0.192, abs=0.025)


def test_the_mean_over_language_pairs_counts_a_tau_of_0():
    found = segment_taus(
        pairs((BETTER, 0, 1)), {"right": [2, 1, 0, 0], "tied": [1, 1, 0, 0]}, resamples=10
    )

    assert mean_tau(found, WMT14) == 0.5
    assert mean_tau([], WMT14) is None


def test_comparisons_of_systems_are_of_their_translations_of_the_segment():
    gold = pairs_of_systems(
        "pairs", outcomes=[1, 0], first=[0, 2], second=[1, 0], segments=[3, 1], shape=(3, 4)
    )
    scores = np.arange(12).reshape(3, 4)

    assert [column.tolist() for column in gold.scores_of(scores)] == [[3, 9], [7, 1]]
    assert gold.groups.tolist() == [3, 1]
    assert (gold.comparisons, gold.untied, gold.judgements) == (2, 1, 2)
    with pytest.raises(ValueError, match="segment"):
        pairs_of_systems("pairs", outcomes=[1], first=[0], second=[1], segments=[4], shape=(3, 4))


def test_half_width_is_that_of_the_wmt_script():
    assert half_width(np.arange(1000.0)) == (975 - 25) / 2
    assert half_width(np.array([np.nan, 1, 1])) == 0
    assert half_width(np.array([np.nan])) is None


def test_it_refuses_scores_of_another_shape_and_pairs_outside_of_it():
    gold = pairs((BETTER, 0, 1))

    with pytest.raises(ValueError, match="shape"):
        count_outcomes(gold, [1, 2])
    with pytest.raises(ValueError, match="outside"):
        pairs((BETTER, 0, 4))
    with pytest.raises(ValueError, match="length"):
        replace(gold, weights=np.ones(2, dtype=np.int64))


comparisons = st.lists(
    st.tuples(st.sampled_from([BETTER, EQUAL, WORSE]), st.integers(0, 3), st.integers(0, 3)),
    min_size=1,
    max_size=30,
)
scores = st.lists(st.integers(-2, 2), min_size=4, max_size=4)


@given(comparisons, scores)
def test_a_negated_metric_has_the_negated_tau_if_ties_do_not_count(compared, values):
    sums = count_outcomes(pairs(*compared), values)[0].sum(axis=0)
    negated = count_outcomes(pairs(*compared), [-value for value in values])[0].sum(axis=0)

    for rule in (WMT13, WMT14):
        np.testing.assert_allclose(tau(negated, rule), -tau(sums, rule))


@given(comparisons, scores)
def test_rules_are_ordered_and_within_bounds(compared, values):
    sums = count_outcomes(pairs(*compared), values)[0].sum(axis=0)
    wmt12, wmt13, wmt14, hties = (tau(sums, rule) for rule in (WMT12, WMT13, WMT14, HTIES))

    assert -1 <= hties <= 1
    if not np.isnan(wmt12):
        # Leaving ties out moves τ away from 0; punishing them moves it down.
        assert wmt12 <= wmt14
        assert np.isnan(wmt13) or abs(wmt14) <= abs(wmt13) + 1e-12
