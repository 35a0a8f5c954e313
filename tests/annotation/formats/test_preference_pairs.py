"""Pairs of translations of one text where annotators preferred one."""

import json
from collections import Counter

from annotation.formats.preference_pairs import (
    BELOW,
    NOT_COMPARED,
    NOT_JUDGED,
    SAME_TEXT,
    TIE,
    JudgedTexts,
    PreferencePair,
    pair_line,
    preference_pairs,
)


def pairs_of(texts: JudgedTexts, margin: float = 0) -> tuple[list[PreferencePair], dict[str, int]]:
    left_out: Counter[str] = Counter()
    return list(preference_pairs(texts, left_out, minimum_margin=margin)), +left_out


def test_margins_of_scores_are_means_over_annotators_who_judged_both() -> None:
    texts = JudgedTexts(
        "Hello",
        is_order=False,
        systems={"Ahoj": ["A"], "Čau": ["B"]},
        judgements=[
            ("jana", {"Ahoj": 60}),
            # A repeat: jana counts once, by the mean of 60 and 70.
            ("jana", {"Ahoj": 70}),
            ("jana", {"Čau": 90}),
            ("petr", {"Ahoj": 80, "Čau": 75}),
            ("eva", {"Čau": 10}),
        ],
    )

    assert pairs_of(texts) == ([PreferencePair("Čau", "Ahoj", 10.0, 2, 1, 0)], {})


def test_margins_of_rankings_are_shares_of_annotators() -> None:
    texts = JudgedTexts(
        "Hello",
        is_order=True,
        systems={"Ahoj": ["A"], "Čau": ["B"]},
        judgements=[
            ("jana", {"Ahoj": -1, "Čau": -3}),
            ("petr", {"Ahoj": -1, "Čau": -1}),
            ("eva", {"Ahoj": -1, "Čau": float("-inf")}),
            ("eva", {"Ahoj": -2, "Čau": -1}),
        ],
    )

    assert pairs_of(texts) == ([PreferencePair("Ahoj", "Čau", 0.3333, 3, 1, 2)], {})


def test_what_is_left_out_is_counted_by_reason() -> None:
    texts = JudgedTexts(
        "Hello",
        is_order=False,
        systems={"a": ["A", "B", "C"], "d": ["D"], "e": ["E"], "f": ["F"], "g": []},
        judgements=[("jana", {"a": 50, "d": 50, "e": 54}), ("petr", {"f": 0})],
    )

    assert pairs_of(texts, margin=5) == (
        [],
        {SAME_TEXT: 3, TIE: 1, BELOW: 2, NOT_COMPARED: 3, NOT_JUDGED: 4},
    )


def test_lines_have_the_columns_of_trl_first() -> None:
    texts = JudgedTexts("Hello", is_order=False, systems={"a": ["A"], "b": ["B", "C"]})
    line = pair_line(PreferencePair("b", "a", 2.5, 2, 2, 0), texts, {"document": "news"})

    assert list(json.loads(line))[:3] == ["prompt", "chosen", "rejected"]
    assert json.loads(line) == {
        "prompt": "Hello",
        "chosen": "b",
        "rejected": "a",
        "margin": 2.5,
        "annotators": 2,
        "preferred": 2,
        "tied": 0,
        "chosen_systems": ["B", "C"],
        "rejected_systems": ["A"],
        "document": "news",
    }
