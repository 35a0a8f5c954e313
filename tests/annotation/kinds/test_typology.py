"""A project's own categories and severities of errors."""

import pytest

from annotation.formats.errors import InputError
from annotation.formats.span_notation import parse_spans
from annotation.kinds.typology import FREITAG, Typology, parse_typology

OWN = """
severities: slight 0.5, minor, severe 10
most errors: 2
Marks: [missing], Non-translation

Accuracy/Addition
Accuracy/Omission
Other
"""


def test_lines_are_read_and_written() -> None:
    found = parse_typology(OWN.splitlines())
    assert found == Typology(
        categories=("Accuracy/Addition", "Accuracy/Omission", "Other"),
        severities=("slight", "minor", "severe"),
        marks=("[missing]", "Non-translation"),
        most_errors=2,
        own_points=(("slight", 0.5), ("severe", 10.0)),
    )
    assert parse_typology(found.lines) == found
    assert parse_typology(FREITAG.lines) == FREITAG


def test_categories_are_grouped_by_their_first_part() -> None:
    groups = parse_typology(OWN.splitlines()).groups
    assert [(group.name, group.categories) for group in groups] == [
        ("Accuracy", (("Addition", "Accuracy/Addition"), ("Omission", "Accuracy/Omission"))),
        ("Other", (("", "Other"),)),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ("severities: minor", 0),
        ("A\nA", 2),
        ("A, B", 1),
        ("A//C", 1),
        ("A/", 1),
        ("A" * 81, 1),
        ("\nmost errors: none", 2),
        ("most errors: 0\nA", 1),
        ("severities: minor, minor\nA", 1),
        ("severities: severe\nA", 1),
        ("severities: major 7\nA", 1),
        ("severities: very bad 7\nA", 1),
        ("A\nmarks: x\nmarks: y", 3),
        ("marks: x, x\nA", 1),
    ],
)
def test_it_refuses_with_the_line(text: str, line: int) -> None:
    with pytest.raises(InputError) as raised:
        parse_typology(text.split("\n"))
    assert raised.value.place == ("", line)


@pytest.mark.parametrize(
    "spans",
    [
        "0-3 major Other",
        "0-3 minor",
        "0-3 minor Fluency/Grammar",
        "whole minor Other",
        "0-3 minor [missing]",
        "0-3 minor Other, 3-4 minor Other, missing minor Other",
    ],
)
def test_errors_that_it_does_not_have_are_refused(spans: str) -> None:
    with pytest.raises(InputError):
        parse_typology(OWN.splitlines()).check(parse_spans(spans))


def test_points_are_published_ones_and_the_projects_own() -> None:
    own = parse_typology(OWN.splitlines())
    spans = parse_spans("0-3 slight Other, 1-2 severe Accuracy/Omission")
    own.check(spans)
    assert own.points(spans) == 10.5
    published = parse_spans(
        "0-1 minor Fluency/Punctuation, 0-2 minor Other, 0-3 major Other, 0-4 neutral Other, whole "
        "major Non-translation!"
    )
    FREITAG.check(published)
    assert FREITAG.points(published) == pytest.approx(0.1 + 1 + 5 + 0 + 25)
