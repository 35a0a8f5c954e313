import pytest
from scipy import stats

from evaluation.stats.assessment.annotators import Flag, NoTest, check_annotators
from tests.evaluation.stats.assessment.tables import assessments

OUTPUTS = (70, 60, 80, 90)
WORSE = (20, 50, 30, 10)
AGAIN = (75, 55, 80, 60)


def judged(annotator: str, outputs, worse, again=(), references=()) -> list[str]:
    """Return the rows of one batch; the n-th control item is of the n-th output."""
    return [
        f"{annotator}/1 A s{place} {score} {kind}"
        for kind, scores in (("", outputs), ("bad", worse), ("=", again), ("ref", references))
        for place, score in enumerate(scores)
    ]


def test_degraded_outputs_are_tested_one_sided_and_repeats_two_sided():
    (found,) = check_annotators(assessments(judged("jana", OUTPUTS, WORSE, AGAIN))).annotators

    degraded = stats.ttest_rel(WORSE, OUTPUTS, alternative="less")
    repeats = stats.ttest_rel(AGAIN, OUTPUTS)
    assert (found.degraded.pairs, found.degraded.difference) == (4, -47.5)
    assert found.degraded.t == pytest.approx(degraded.statistic, abs=1e-12)
    assert found.degraded.p == pytest.approx(degraded.pvalue, abs=1e-12)
    assert found.passed
    assert found.repeats.p == pytest.approx(repeats.pvalue, abs=1e-12)
    assert (found.repeats.difference, found.repeats.distance) == (-7.5, 10)


def test_only_annotators_who_notice_degraded_outputs_pass():
    careful = judged("jana", OUTPUTS, WORSE)
    careless = judged("petr", OUTPUTS, OUTPUTS[::-1])
    found = check_annotators(assessments([*careful, *careless, "eva/1 A s1 50"]))

    assert found.passed == ("jana",)
    assert "p ≤ 0.05 passes" in found.signature


def test_all_pass_if_nothing_was_degraded():
    assert check_annotators(assessments(judged("jana", OUTPUTS, ()))).passed == ("jana",)


@pytest.mark.parametrize(
    ("worse", "reason"),
    [((), NoTest.NO_ITEMS), ((1,), NoTest.ONE_ITEM), ((60, 50, 70, 80), NoTest.CONSTANT)],
)
def test_a_test_without_variation_is_undefined(worse, reason):
    (found,) = check_annotators(assessments(judged("jana", OUTPUTS, worse))).annotators

    assert (found.degraded.p, found.degraded.undefined) == (None, reason.value)
    assert not found.passed


def test_flags_have_their_figures():
    careless = judged("petr", (90, 80), (95, 85), (), (80, 89))
    careful = judged("jana", OUTPUTS, WORSE, (), (99, 98))
    # Of 6 and 14 items: the seconds of 100 would be 2983 and 300.
    found = check_annotators(assessments([*careless, *careful], batch_seconds=[17.9, 42]))

    jana, petr = found.annotators
    assert petr.flags == (Flag.DEGRADED, Flag.REFERENCES, Flag.LOW_REFERENCES, Flag.HASTY)
    assert (petr.mean_of_degraded, petr.mean_of_outputs, petr.mean_of_references) == (90, 85, 84.5)
    assert petr.fastest_batch == 17.9
    assert (jana.flags, jana.fastest_batch) == ((), 42)


@pytest.mark.parametrize(("length", "flags"), [(8, ()), (9, (Flag.CONSTANT,))])
def test_runs_of_equal_scores_end_with_the_batch(length, flags):
    first = [f"jana/1 A s{place} 50" for place in range(length)]
    second = [f"jana/2 B s{place} 50" for place in range(3)]
    (found,) = check_annotators(assessments([*first, *second])).annotators

    assert (found.longest_run, found.batches) == (length, 2)
    assert found.flags == flags
