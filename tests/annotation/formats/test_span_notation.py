"""Marked errors as a short text."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from annotation.formats.errors import InputError
from annotation.formats.span_notation import (
    MISSING,
    SEVERITIES,
    SOURCE,
    TARGET,
    WHOLE,
    Span,
    carried,
    code_units,
    parse_spans,
    write_spans,
)


def test_spans_and_an_omission_are_read() -> None:
    assert parse_spans("0-12 minor, 20-31 major, missing major") == (
        Span(0, 12, "minor"),
        Span(20, 31, "major"),
        Span(None, None, "major", MISSING),
    )


def test_spans_have_sides_and_categories() -> None:
    text = (
        "0-12 major Accuracy/Mistranslation, 4-8 minor Style/Awkward, source 3-9 minor "
        "Accuracy/Omission, missing major Accuracy/Omission, whole minor [instructions fault]"
    )
    assert parse_spans(text) == (
        Span(0, 12, "major", TARGET, "Accuracy/Mistranslation"),
        Span(4, 8, "minor", TARGET, "Style/Awkward"),
        Span(3, 9, "minor", SOURCE, "Accuracy/Omission"),
        Span(None, None, "major", MISSING, "Accuracy/Omission"),
        Span(None, None, "minor", WHOLE, "[instructions fault]"),
    )
    assert write_spans(parse_spans(text)) == text


@pytest.mark.parametrize("text", ["", "  "])
def test_no_errors_are_an_empty_text(text: str) -> None:
    assert parse_spans(text) == ()


def test_spans_are_put_in_order_and_may_touch() -> None:
    assert parse_spans("missing minor,4-6 major, 0-4 minor", length=6) == (
        Span(0, 4, "minor"),
        Span(4, 6, "major"),
        Span(None, None, "minor", MISSING),
    )


@pytest.mark.parametrize(
    "text",
    [
        "0-12",
        "0-12 minor,",
        "12-12 minor",
        "12-10 minor",
        "-1-3 minor",
        "0-3 minor, 0-3 minor",
        "0-13 major",
        "source 0-21 major",
        "source missing minor",
        "0-3 minor A/B, 0-3 major A/B",
        "whole major Non-translation!, whole minor Non-translation!",
        f"0-3 {21 * 'm'}",
        f"0-3 minor {81 * 'c'}",
        "missing minor, missing major",
        "missing",
        "0-² minor",
        "0-3 minor, " * 2000,
    ],
)
def test_it_refuses(text: str) -> None:
    with pytest.raises(InputError):
        parse_spans(text, length=12, source_length=20)


@given(
    some.lists(some.integers(0, 200), unique=True, max_size=20).map(sorted),
    some.lists(some.sampled_from(SEVERITIES), min_size=11, max_size=11),
    some.booleans(),
)
def test_what_is_written_is_read_again(
    borders: list[int], severities: list[str], is_missing: bool
) -> None:
    pairs = zip(borders[::2], borders[1::2], strict=False)
    spans = [Span(*pair, severity) for pair, severity in zip(pairs, severities, strict=False)]
    if is_missing:
        spans.append(Span(None, None, severities[-1], MISSING))
    assert parse_spans(write_spans(reversed(spans))) == tuple(spans)


def test_characters_outside_the_basic_plane_count_twice_in_javascript() -> None:
    assert code_units("a😀b") == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("before", "after", "spans", "carries"),
    [
        ("ab cd ef", "ab xyz ef", "0-2 minor, 3-5 major, 6-8 major", "0-2 minor, 7-9 major"),
        ("ab cd", "ab cd", "0-5 minor, missing major", "0-5 minor, missing major"),
        ("aaaa", "aa", "0-2 minor, 2-4 major", "0-2 minor"),
        ("ab", "ab cd", "1-2 minor", "1-2 minor"),
    ],
)
def test_spans_outside_the_part_that_differs_are_carried(
    before: str, after: str, spans: str, carries: str
) -> None:
    assert write_spans(carried(parse_spans(spans), before, after)) == carries


@given(some.text("ab", max_size=8), some.text("ab", max_size=8), some.data())
def test_carried_spans_have_the_same_characters(before: str, after: str, data: some.DataObject):
    start = data.draw(some.integers(0, len(before)))
    end = data.draw(some.integers(start, len(before)))
    for span in carried([Span(start, end, "minor")] if start < end else [], before, after):
        assert after[span.start : span.end] == before[start:end]
