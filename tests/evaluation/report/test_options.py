"""The options of a report, as they are given, stored and read again."""

import pytest

from evaluation.report.options import BadOption, ReportOptions, share


@pytest.mark.parametrize(
    "options",
    [
        {"resamples": 99},
        {"resamples": 10**6},
        {"seed": -1},
        {"minimum_kappa": 1.5},
        {"minimum_kappa": float("nan")},
        {"minimum_controls": -0.1},
    ],
)
def test_invalid_options_are_refused(options):
    with pytest.raises(BadOption):
        ReportOptions(**options)


def test_options_are_stored_and_read_again():
    options = ReportOptions(minimum_kappa=0.25, minimum_controls=0.8, repeats=False)

    assert ReportOptions.from_json(options.as_json()) == options
    assert options.key == (
        "resamples 1000|seed 0|κ at least 0.25|controls at least 0.8|without repeats"
    )


def test_options_stored_with_the_former_rating_are_read():
    assert ReportOptions.from_json(ReportOptions(seed=3).as_json() | {"skill": True}).seed == 3


def test_shares_are_read_with_point_or_comma():
    assert [share(text) for text in ("", "0,25", " 0.3 ")] == [None, 0.25, 0.3]
    for text in ("x", "nan", "inf"):
        with pytest.raises(BadOption):
            share(text)
