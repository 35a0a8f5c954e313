"""The parts of the judging form, and the words of kinds."""

import pytest
from django.template.loader import get_template, render_to_string
from django.utils.translation import override

from annotation.kinds import KINDS, Kind
from annotation.templatetags.judging import excerpt, linked, say

SOURCE = "It recently previewed what may be the start "


def test_a_segment_is_shown_with_five_words_on_each_side() -> None:
    after = " by showing financiers a slide that shows people."
    assert excerpt([(SOURCE, False), ("of a war", True), (after, False)]) == [
        ("…\u00a0what may be the start ", False),
        ("of a war", True),
        (" by showing financiers a slide\u00a0…", False),
    ]


def test_a_short_sentence_is_shown_whole() -> None:
    pieces = [("the ", False), ("old house", True), (" stands", False)]
    assert [piece for piece in excerpt(pieces) if piece[0]] == pieces


def test_what_is_between_two_parts_of_a_segment_stays() -> None:
    pieces = [("He ", False), ("gave", True), (" it ", False), ("up", True), (".", False)]
    assert excerpt(pieces) == pieces


def test_a_text_without_spaces_is_cut_too() -> None:
    before, *_rest = excerpt([("文" * 200, False), ("字", True)])
    assert before == ("…\u00a0" + "文" * 40, False)


def test_marks_name_their_segments_and_texts_are_escaped() -> None:
    html = linked([("<b>", ""), ("old & new", "1 2")])
    assert html == '&lt;b&gt;<mark data-segments="1 2">old &amp; new</mark>'


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_each_kind_has_its_templates(kind: Kind) -> None:
    answer = kind.answer
    parts = ["cards", "keys", "feedback", "verdict", *["how_to"] * answer.has_board]
    for name in (
        kind.lead_template,
        kind.instructions_template,
        *(f"{answer.folder}/{part}.html" for part in parts),
    ):
        get_template(name)


def test_instructions_explain_highlighted_parts_where_candidates_are_in_context() -> None:
    alone, in_context = (
        render_to_string(one.instructions_template, {"kind": one})
        for one in (KINDS["grades"], KINDS["grades_in_context"])
    )
    assert in_context.count("<li>") == alone.count("<li>") + 2


@pytest.mark.parametrize(
    ("kind", "number", "said"),
    [
        ("segment_ranking", 1, "1 segment to judge."),
        ("segment_ranking", 1234, "1,234 segments to judge."),
        ("sentence_ranking", 1, "1 sentence to judge."),
        ("direct_assessment", 2, "2 translations to judge."),
    ],
)
def test_a_text_with_a_number_has_its_plural_form(kind: str, number: int, said: str) -> None:
    assert say(KINDS[kind].unit.words.to_judge, number=number) == said


def test_numbers_are_written_in_the_readers_language() -> None:
    with override("cs"):
        assert "1\u00a0234" in say(KINDS["grades"].unit.words.to_judge, number=1234)


def test_values_of_a_text_are_escaped() -> None:
    cost = say(KINDS["segment_ranking"].unit.words.cost, seconds="68", source="A & <b>")
    assert cost == "About 68 s per segment (A &amp; &lt;b&gt;)"
