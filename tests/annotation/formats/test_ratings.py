"""Ratings as mt-metrics-eval has them."""

import json

from annotation.formats.error_points import EXPERTS
from annotation.formats.ratings import Rating, rating_line, seg_rating_lines
from annotation.formats.span_notation import Span

TEXT = "Starý 🏠 stojí."
RATING = Rating(
    line=7,
    document="talk",
    domain="",
    source="The old house.",
    references=["Ten dům."],
    system="A",
    translation=TEXT,
    annotator=2,
    score=70,
    spans=(
        Span(6, 7, "minor"),
        Span(4, 9, "major", "source"),
        Span(None, None, "major", "missing"),
        Span(None, None, "minor", "whole", "Non-translation!"),
    ),
    weights=EXPERTS,
)


def test_places_are_characters_of_the_text_with_the_end_behind_the_last() -> None:
    entry = json.loads(rating_line(RATING, "en", "cs"))

    places = [(one["start"], one["end"], one["is_source_error"]) for one in entry["errors"]]
    length = len(TEXT)
    assert places == [(6, 7, False), (4, 9, True), (length, length, False), (0, length, False)]
    assert TEXT[6:7] == "🏠"
    assert [one["category"] for one in entry["errors"]] == [
        None,
        None,
        "missing",
        "Non-translation!",
    ]
    assert [one["score"] for one in entry["errors"]] == [1, 5, 5, 25]
    assert (entry["segment_id"], entry["document_id"], entry["domain"]) == (6, "talk", None)
    assert (entry["rater_id"], entry["score"]) == ("rater2", 70)


def test_files_of_test_sets_have_a_line_for_each_segment_of_a_system() -> None:
    first, second = seg_rating_lines([("A_B", [None, RATING])]).splitlines()

    assert first == "A_B\tNone"
    system, rating, rater = second.split("\t")
    assert (system, rater, list(json.loads(rating))) == ("A_B", "rater2", ["errors"])
    assert json.loads(rating)["errors"] == RATING.errors
