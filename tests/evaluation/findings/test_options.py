"""The options of a report, as they are given, stored and read again."""

import pytest

from evaluation.findings.options import BadOption, ReportOptions, block_size, share


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


def test_options_are_stored_and_read_again():
    options = ReportOptions(minimum_kappa=0.25, minimum_controls=0.8, repeats=False)

    assert ReportOptions.from_json(options.as_json()) == options
    assert options.key == (
        "resamples 1000|seed 0|κ at least 0.25|controls at least 0.8|without repeats"
    )


def test_the_unit_is_stored_unless_it_is_the_sentence():
    for options, unit, key in (
        (ReportOptions(), {}, ""),
        (ReportOptions(unit="document"), {"unit": "document"}, "|documents"),
        (
            ReportOptions(unit="block", block_size=5),
            {"unit": "block", "block_size": 5},
            "|blocks of 5 neighbouring sentences",
        ),
    ):
        stored = options.as_json()
        assert {name: stored[name] for name in stored.keys() & {"unit", "block_size"}} == unit
        assert ReportOptions.from_json(stored) == options
        assert options.key == f"resamples 1000|seed 0{key}"


def test_sizes_of_blocks_are_read():
    assert [block_size(text) for text in ("", " 20 ")] == [10, 20]
    for text in ("x", "1.5", "-3", "²"):
        with pytest.raises(BadOption):
            block_size(text)


def test_options_stored_with_the_former_rating_are_read():
    assert ReportOptions.from_json(ReportOptions(seed=3).as_json() | {"skill": True}).seed == 3


def test_shares_are_read_with_point_or_comma():
    assert [share(text) for text in ("", "0,25", " 0.3 ")] == [None, 0.25, 0.3]
    for text in ("x", "nan", "inf"):
        with pytest.raises(BadOption):
            share(text)
