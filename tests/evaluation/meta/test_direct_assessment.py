import numpy as np
import pytest

from evaluation.meta.direct_assessment import assessed_pairs
from evaluation.meta.segment_tau import WMT12, segment_taus


@pytest.mark.parametrize(
    ("least", "value", "concordant", "discordant"), [(25, 3 / 5, 4, 1), (1, 1 / 3, 4, 2)]
)
def test_kendall_like(least, value, concordant, discordant):
    """A test of google-research/mt-metrics-eval."""
    gold = assessed_pairs([[10], [11], [100], [150]], least_difference=least)

    (found,) = segment_taus(gold, {"metric": [[2], [1], [4], [3]]}, resamples=10)

    assert (found.concordant, found.discordant) == (concordant, discordant)
    assert found.tau(WMT12).estimate.value == pytest.approx(value)


def test_a_difference_of_exactly_25_is_a_pair_and_missing_scores_are_none():
    gold = assessed_pairs([[50.0, 10.0], [75.0, np.nan], [74.9, 90.0]])

    assert gold.outcomes.tolist() == [-1, -1]
    assert list(zip(gold.first.tolist(), gold.second.tolist(), strict=True)) == [(0, 2), (1, 5)]
    assert gold.groups.tolist() == [0, 1]
    assert gold.judgements == 5


def test_equal_scores_are_ties_only_if_any_difference_is_enough():
    assert assessed_pairs([[50], [50]], least_difference=0).outcomes.tolist() == [0]
    assert len(assessed_pairs([[50], [50]])) == 0
    with pytest.raises(ValueError, match="negative"):
        assessed_pairs([[50]], least_difference=-1)
