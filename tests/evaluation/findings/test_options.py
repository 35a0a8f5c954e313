"""The options of a report, as they are given, stored and read again."""

import pytest

from evaluation.findings.options import BadOption, ReportOptions, share, whole_number
from evaluation.findings.serialisation import from_json, to_json


@pytest.mark.parametrize(
    "options",
    [
        {"resamples": 99},
        {"resamples": 10**6},
        {"seed": -1},
        {"minimum_kappa": 1.5},
        {"minimum_kappa": float("nan")},
        {"minimum_controls": -0.1},
        {"unit": "word"},
        {"unit": "block", "block_size": 1},
        {"unit": "block", "block_size": 1001},
        {"unit": "document", "block_size": 5},
    ],
)
def test_invalid_options_are_refused(options):
    with pytest.raises(BadOption):
        ReportOptions(**options)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (ReportOptions(), ""),
        (
            ReportOptions(minimum_kappa=0.25, minimum_controls=0.8, repeats=False),
            "|κ at least 0.25|controls at least 0.8|without repeats",
        ),
        (ReportOptions(unit="document"), "|documents"),
        (ReportOptions(unit="block", block_size=5), "|blocks of 5 neighbouring sentences"),
        (ReportOptions(predictions=True), "|with predictions"),
        (ReportOptions(error_free_from=80), "|error-free from 80"),
    ],
)
def test_options_are_stored_and_read_again(options, key):
    assert from_json(to_json(options), ReportOptions) == options
    assert options.key == f"resamples 1000|seed 0{key}"


def test_whole_numbers_are_read():
    assert [whole_number(text, 10) for text in ("", " 20 ")] == [10, 20]
    for text in ("x", "1.5", "-3", "²"):
        with pytest.raises(BadOption):
            whole_number(text, 10)


def test_shares_are_read_with_point_or_comma():
    assert [share(text) for text in ("", "0,25", " 0.3 ")] == [None, 0.25, 0.3]
    for text in ("x", "nan", "inf"):
        with pytest.raises(BadOption):
            share(text)
