"""The share of projected candidates that the thesis has too, and equal lines in its texts."""

import io
from itertools import combinations

import pytest

from annotation.formats.pharaoh import Links
from annotation.preparation.alignment import choose_aligner
from tests.conftest import SHARED
from tests.thesis_candidates import ThesisTexts, compare, read_thesis, systems

# Half a minute each: `tests/annotation/preparation/test_alignment.py` has the quick tests.
pytestmark = [pytest.mark.shared, pytest.mark.slow]

ADDED = "onlineA"


@pytest.fixture(scope="module")
def texts() -> ThesisTexts:
    return read_thesis(SHARED / "data" / "wmt14-en-cs")


@pytest.fixture(scope="module")
def together(texts: ThesisTexts) -> dict[tuple[str, int], Links]:
    pairs = (texts.pair(*place) for place in texts.places)
    links = choose_aligner("eflomal", "fast").align(pairs)
    return dict(zip(texts.places, links, strict=True))


def test_most_candidates_are_those_of_the_thesis(
    texts: ThesisTexts, together: dict[tuple[str, int], Links]
) -> None:
    found = compare(texts, lambda *place: together[place], systems(texts))
    # 79.7 ± 0.3 %, by the seed.
    assert found.agreement > 0.77
    assert found.missing_share < 0.05


def test_equal_translations_of_a_sentence_have_the_same_candidates(
    texts: ThesisTexts, together: dict[tuple[str, int], Links]
) -> None:
    # Equal tokens and equal links are equal candidates, of any segment.
    equal = [
        together[one, number] == together[other, number]
        for number in range(len(texts.sources))
        for one, other in combinations(texts.translations, 2)
        if texts.pair(one, number) == texts.pair(other, number)
    ]
    assert all(equal)
    assert len(equal) > 5000


def test_a_system_aligned_with_priors_is_as_good_as_one_aligned_with_the_others(
    texts: ThesisTexts, together: dict[tuple[str, int], Links]
) -> None:
    learned = io.BytesIO()
    aligner = choose_aligner("eflomal", "fast")
    others = [texts.pair(*place) for place in texts.places if place[0] != ADDED]
    list(aligner.align(others, learned=learned))
    alone = [texts.pair(ADDED, number) for number in range(len(texts.sources))]
    links = list(aligner.align(alone, priors=learned.getvalue()))
    by_priors = compare(texts, lambda _name, number: links[number], [ADDED])
    jointly = compare(texts, lambda *place: together[place], [ADDED])
    assert by_priors.agreement > jointly.agreement - 0.015
    assert by_priors.missing_share < 0.05
    # About half a megabyte for all sentences.
    assert len(learned.getvalue()) < 2_000_000
