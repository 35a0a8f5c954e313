import numpy as np
import pytest

from evaluation.stats import campaign_plan
from evaluation.stats.campaign_plan import (
    Campaign,
    affordable,
    expected_precision,
    planned_scores,
)
from evaluation.stats.two_way import t_quantile
from evaluation.stats.variance_components import EFFECTS, Components


def components(**variances: float) -> Components:
    return Components(
        {effect: variances.get(effect.replace(" ", "_"), 0.0) for effect in EFFECTS}, 0
    )


def test_noise_and_documents_of_systems_make_a_difference_uncertain():
    campaign = Campaign((2,) * 50, systems=4, annotators=1)
    found = expected_precision(campaign, components(noise=8, document_of_the_system=3, document=99))
    # Two systems: 2 · (3 / 50 + 8 / 100); what a document has in common is in none of it.
    error = np.sqrt(2 * (3 / 50 + 8 / 100))
    assert found.tests_of[0].error == pytest.approx(error)
    assert found.difference == pytest.approx(t_quantile(49) * error)
    assert found.mean == pytest.approx(t_quantile(49) * np.sqrt(99 / 50 + 3 / 50 + 8 / 100))
    assert found.wide_mean is None


def test_annotators_who_like_systems_differently_limit_what_more_documents_show():
    def error(documents: int) -> float:
        campaign = Campaign((1,) * documents, systems=2, annotators=4)
        return (
            expected_precision(
                campaign, components(noise=1, annotator=1, annotator_of_the_system=4)
            )
            .tests_of[-1]
            .error
        )

    # Differences by four annotators: at least 2 · 4 / 4, if each has about the same share.
    assert error(200) > np.sqrt(2)
    assert error(800) == pytest.approx(np.sqrt(2), rel=0.01)


def test_the_smallest_difference_is_found_with_the_promised_probability():
    campaign = Campaign((1,) * 40, systems=3, annotators=1)
    found = expected_precision(campaign, components(noise=10))
    assert found.power(found.found) == pytest.approx(0.8, abs=0.01)
    assert found.power(found.found_of_all, tests=3) == pytest.approx(0.8, abs=0.01)
    assert found.power(0) == pytest.approx(0.05)


def test_each_sheet_has_different_annotators_with_equal_shares():
    scores = planned_scores(Campaign((3, 1, 2, 2), 6, annotators=4, judges=2, beside=3), seed=1)
    sheets = {(row[0], row[1]) for row in zip(scores.units, scores.annotators, strict=True)}
    assert len(scores) == 8 * 6 * 2
    assert len(sheets) >= 8
    work = np.bincount(scores.annotators)
    assert work.max() - work.min() <= 9


def test_fewer_systems_of_a_document_are_chosen_evenly():
    scores = planned_scores(Campaign((1,) * 30, 10, annotators=3, beside=3, of_document=3))
    assert np.bincount(scores.systems).tolist() == [9] * 10


def test_as_many_documents_are_judged_as_the_work_allows():
    campaign = Campaign((), systems=5, annotators=3, judges=2)
    # 10 judged texts of each line.
    found = affordable(campaign, 400, [4] * 30)
    assert found.lengths == (4,) * 10


def test_both_tests_must_find_a_difference():
    campaign = Campaign((1,) * 4, systems=2, annotators=50)
    found = expected_precision(campaign, components(noise=10, annotator=1))
    of_documents, of_annotators = found.tests_of
    assert (of_documents.degrees, of_annotators.degrees) == (3, 7)
    assert found.found == pytest.approx(max(of_documents.found(1), of_annotators.found(1)))


@pytest.mark.parametrize("degrees", [1, 2, 5, 30])
@pytest.mark.parametrize("tests", [1, 45])
def test_a_difference_is_found_with_the_stated_probability(degrees, tests):
    test = campaign_plan.DifferenceTest(2.0, degrees)
    assert test.power(test.found(tests), tests) == pytest.approx(0.8, abs=1e-6)


def test_systems_without_documents_in_common_are_refused():
    with pytest.raises(ValueError, match="in common"):
        expected_precision(Campaign((1,) * 6, 10, annotators=1, of_document=1), components(noise=1))
