"""What a preparation is likely to be worth, and the advice that goes with it."""

from dataclasses import replace
from typing import Any

import pytest

from annotation.preparation.projection import ProjectionRule
from annotation.projects.expected_quality import FEW_PAIRS, Aligned, expected_quality

BEST = Aligned(
    ProjectionRule("links", 0.15),
    "eflomal",
    "embedded",
    "cs",
    pairs=FEW_PAIRS,
    has_reference=True,
    has_parallel=False,
)
HARD = ProjectionRule("stretches", 0.6)


def advice(text: Aligned) -> list[str]:
    expected = expected_quality(text)
    assert expected
    return [sentence.split(":")[0].split(",")[0] for sentence in expected.advice]


EFLOMAL, REFERENCE = "Install eflomal", "Add a reference"
STANZA = "Install a model of stanza for the language of the source."
PARALLEL = "Add parallel text of the two languages"


def test_nothing_is_expected_of_given_links() -> None:
    assert expected_quality(replace(BEST, rule=ProjectionRule(), aligner="pharaoh")) is None


def test_a_good_preparation_needs_no_advice() -> None:
    assert advice(BEST) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (replace(BEST, rule=HARD), [PARALLEL]),
        (replace(BEST, pairs=FEW_PAIRS - 1), [PARALLEL]),
        (replace(BEST, rule=HARD, has_parallel=True), []),
        (replace(BEST, parser="linked", has_reference=False), [REFERENCE]),
        (replace(BEST, parser="phrases"), [STANZA]),
        # Links to a reference are used only where a parser knows its language.
        (replace(BEST, parser="phrases", has_reference=False), [STANZA]),
        (
            replace(BEST, parser="phrases", target_language="en", has_reference=False),
            [REFERENCE, STANZA],
        ),
        (replace(BEST, aligner="systran"), [EFLOMAL]),
    ],
)
def test_what_is_missing_is_advised(text: Aligned, expected: list[str], settings: Any) -> None:
    settings.STANZA_MODELS = None
    assert advice(text) == expected


def test_languages_that_are_hard_to_align_need_text() -> None:
    expected = [
        expected_quality(replace(BEST, **changed))
        for changed in (
            {},
            {"rule": HARD},
            {"rule": HARD, "pairs": 100},
            {"rule": HARD, "pairs": 100, "has_parallel": True},
        )
    ]
    sentences = [one.sentence for one in expected if one]
    assert len(set(sentences)) == 3
    assert sentences[1] == sentences[3]
    # The share of stretches that are linked to neighbouring words.
    assert ["85\u00a0%" in sentences[0], "40\u00a0%" in sentences[1]] == [True, True]
