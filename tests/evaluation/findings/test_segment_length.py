from collections.abc import Mapping

import numpy as np
import pytest

from evaluation.findings import segment_length
from evaluation.findings.evidence import Evidence
from evaluation.findings.options import ReportOptions
from evaluation.findings.segment_length import INSEPARABLE, SegmentLengths
from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.judgements import Judgements
from tests.evaluation.tables import judged

PEOPLE = ("jana", "petr", "zuzana")


def found_in(judgements: Judgements, lengths: Mapping[int, int]) -> SegmentLengths | None:
    evidence = Evidence(judgements, ReportOptions(resamples=200), lengths=lambda: lengths)
    return segment_length.compute(evidence)


def screens(times: Mapping[tuple[str, ...], float], count: int = 20) -> Judgements:
    """Sentences of all annotators, with segments of these lengths, and the seconds of screens."""
    random = np.random.default_rng(1)
    rows, seconds, created, sentences = [], [], [], {}
    for number, (who, (segments, together)) in enumerate(
        (who, screen) for who in PEOPLE for screen in list(times.items()) * count
    ):
        for place, length in enumerate(segments):
            name = f"{length} {number:04} {place}"
            sentences[name] = number
            rows.append((name, who, [1, 2]))
            seconds.append(together / len(segments) + random.normal(0, 0.1))
            created.append(float(number))
    return judged(rows, sentences=sentences, seconds=seconds, created=created)


def measured(times: Mapping[tuple[str, ...], float]) -> SegmentLengths:
    judgements = screens(times)
    size = len(judgements.segment_ids)
    # Segments are in the order of their names, which begin with their lengths.
    shares = [length for segments in times for length in segments]
    each = size // len(shares)
    lengths = sorted(int(length) for length in shares for _ in range(each))
    found = found_in(judgements, dict(enumerate(lengths)))
    assert found is not None
    return found


def test_the_time_of_a_screen_is_divided_by_the_lengths_of_its_segments():
    # A segment of 3 tokens takes 10 seconds, one of 6 takes 30.
    found = measured({("3", "3"): 20.0, ("3", "6"): 40.0, ("6",): 30.0})

    seconds = [row.seconds for row in found.groups]
    assert [(row.shortest, row.longest) for row in found.groups] == [(3, 3), (6, 6)]
    assert [row.value for row in seconds] == pytest.approx([10, 30], abs=0.2)
    for each in map(vars, seconds):
        ends = [each[end] for end in ("wide_low", "low", "value", "high", "wide_high")]
        assert ends == sorted(ends)


def test_lengths_that_are_always_together_have_no_times_of_their_own():
    found = measured({("3", "6"): 40.0})

    assert {row.seconds.undefined for row in found.groups} == {INSEPARABLE}


def test_agreement_is_that_of_the_judgements_of_each_length():
    rows = [
        (f"{number:02}", who, ranks)
        for number in range(24)
        for who, ranks in (("jana", [1, 2, 3]), ("petr", [1, 2, 3] if number < 12 else [3, 2, 1]))
    ]
    judgements = judged(rows)

    found = found_in(judgements, {number: 3 if number < 12 else 5 for number in range(24)})

    assert found is not None
    first, second = found.groups
    assert (first.inter.kappa.value, second.inter.agree) == (1, 0)
    half = judgements.select(judgements.segments >= 12)
    assert second.inter == agreement_with_intervals(half, resamples=200).inter


def test_many_lengths_are_grouped_by_numbers_of_judgements():
    rows = [(f"{number:02}", "jana", [1, 2]) for number in range(40)]

    found = found_in(judged(rows), {number: number + 1 for number in range(40)})

    assert found is not None
    assert [(row.shortest, row.longest, row.judgements) for row in found.groups] == [
        (1, 10, 10),
        (11, 20, 10),
        (21, 30, 10),
        (31, 40, 10),
    ]


@pytest.mark.parametrize("lengths", [{}, {0: 4, 1: 4}])
def test_it_needs_two_lengths(lengths):
    rows = [("a", "jana", [1, 2]), ("b", "jana", [2, 1])]

    assert found_in(judged(rows), lengths) is None
