"""How a segment is projected, by either rule."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.pharaoh import Link, Links
from annotation.formats.tokens import TokenizedText, split_at_spaces
from annotation.preparation.projection import (
    AlignedPair,
    Projected,
    ProjectionRule,
    ScatterCounts,
    merge,
)

TARGET = split_at_spaces("Výrobci letadel se přou o šířku sedadel")
SOURCE = [*"abcde"]
STRETCHES = ProjectionRule("stretches")


def by_links(segment: list[int], links: list[Link], target: TokenizedText = TARGET) -> Projected:
    pair = AlignedPair(SOURCE, target, Links.without_direction(links))
    return ProjectionRule().project(segment, pair)


def test_a_candidate_has_the_linked_tokens_in_the_order_of_the_target() -> None:
    found = by_links([1, 2], [(0, 0), (1, 5), (2, 3), (2, 2)])
    assert found == Projected("se přou … šířku", has_gap=True)


def test_a_token_linked_twice_appears_once() -> None:
    assert by_links([0, 1], [(0, 2), (1, 2)]) == Projected("se")


def test_nothing_visible_linked_is_an_empty_candidate() -> None:
    assert by_links([3], [(0, 0)]) == Projected("")
    assert by_links([3], [], split_at_spaces("")) == Projected("")
    assert by_links([0], [(0, 0)], split_at_spaces("\u200b")) == Projected("")


@given(st.permutations([(0, 0), (1, 5), (2, 3), (2, 1), (4, 6)]))
def test_the_order_of_links_does_not_matter(links: list[Link]) -> None:
    assert by_links([0, 2, 4], links).text == "Výrobci letadel … přou … sedadel"


@pytest.mark.parametrize(
    ("links", "gap"),
    [
        ([(0, 3)], False),
        ([(0, 3), (1, 4), (1, 3)], False),
        ([(0, 3), (1, 5)], True),
        # The word between is another segment's.
        ([(0, 3), (4, 4), (1, 5)], True),
        # What is far away belongs to another segment.
        ([(0, 3), (4, 6)], False),
    ],
)
def test_a_gap_is_a_word_in_between_that_is_not_linked(links: list[Link], gap: bool) -> None:
    assert by_links([0, 1], links).has_gap == gap


@pytest.mark.parametrize(
    ("forward", "reverse", "positions"),
    [
        # A word that is linked to nothing belongs to the stretch around it.
        ([(0, 1), (1, 3)], [(0, 1), (1, 3)], [1, 2, 3]),
        # A far link of one direction is worth less than a gap costs.
        ([(0, 1), (1, 2), (4, 3), (4, 4), (0, 5)], [(0, 1), (1, 2), (4, 3)], [1, 2]),
        # One of both directions is worth more, if another segment's words are between.
        ([(0, 1), (4, 2), (4, 3), (1, 4)], [(0, 1), (4, 2), (4, 3), (1, 4)], [1, 4]),
        # Links of other words count half against a word.
        ([(0, 1), (0, 2)], [(0, 1), (4, 2)], [1, 2]),
        ([(0, 1), (0, 2)], [(0, 1), (3, 2), (4, 2), (2, 2)], [1]),
        # What is linked at all is found, even if other words have better claims to it.
        ([(0, 2)], [(3, 2)], [2]),
        ([(4, 2)], [(4, 2)], []),
    ],
)
def test_a_stretch_has_the_greatest_sum_of_links_less_gaps(
    forward: list[Link], reverse: list[Link], positions: list[int]
) -> None:
    pair = AlignedPair(SOURCE, TARGET, Links(tuple(forward), tuple(reverse)))
    assert STRETCHES.positions([0, 1], pair) == positions


LINKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=12).map(tuple)


@given(LINKS, LINKS)
def test_no_other_choice_of_words_has_a_greater_sum(
    forward: tuple[Link, ...], reverse: tuple[Link, ...]
) -> None:
    pair = AlignedPair(SOURCE, TARGET, Links(forward, reverse))
    own = {target for source, target in {*forward, *reverse} if source in (0, 1)}

    def worth(chosen: list[int]) -> float:
        total = 0.0
        for place in chosen:
            here = {link for link in {*forward, *reverse} if link[1] == place}
            for link in here:
                weight = 1.0 if link in forward and link in reverse else 0.3
                total += weight if link[0] in (0, 1) else -0.5 * weight
            total -= 0 if here else 0.05
        return total - 0.75 * sum(b - a > 1 for a, b in pairwise(chosen))

    # Each choice of places whose stretches begin and end with linked words.
    choices = [
        places
        for bits in range(1, 2**7)
        if (places := [place for place in range(7) if bits >> place & 1])
        and all(
            place in own for place in places if place - 1 not in places or place + 1 not in places
        )
    ]
    found = STRETCHES.positions([0, 1], pair)
    assert bool(found) == bool(own)
    if found:
        assert worth(found) == pytest.approx(max(map(worth, choices)))


def test_a_stretch_loses_marks_at_its_ends_where_the_segment_has_none() -> None:
    target = split_at_spaces("、 黒い 、 猫 。")
    links = Links.without_direction([(0, 0), (0, 1), (1, 2), (1, 3), (2, 4)])
    assert STRETCHES.project([0, 1], AlignedPair(["black", "cat", "."], target, links)).text == (
        "黒い 、 猫"
    )
    assert STRETCHES.project([0, 1, 2], AlignedPair(["black", "cat", "."], target, links)).text == (
        "黒い 、 猫 。"
    )
    # A percent sign is a word.
    percent = split_at_spaces("10 ％ 。")
    ten = AlignedPair(
        ["ten", "percent"], percent, Links.without_direction([(0, 0), (1, 1), (1, 2)])
    )
    assert STRETCHES.project([0, 1], ten).text == "10 ％"
    # No mark translates a word, if any word does.
    weak = Links(((0, 0), (0, 2)), ((0, 2),))
    assert STRETCHES.project(
        [0], AlignedPair(["black"], split_at_spaces("黒い 猫 、"), weak)
    ).text == ("黒い")
    # Rather marks than nothing.
    only = Links.without_direction([(0, 0)])
    assert STRETCHES.project([0], AlignedPair(["black"], target, only)).text == "、"


@pytest.mark.parametrize(
    ("links", "rule"),
    [
        # Of eight words of the source, the first four are linked to neighbours.
        ([[(0, 1), (1, 0), (3, 2), (4, 3), (7, 5)]], ProjectionRule("stretches", 0.5)),
        ([[(0, 1), (1, 0), (3, 2), (4, 3), (7, 4)]], ProjectionRule("links", 0.0)),
        ([[(0, 1), (1, 0)], [(0, 0), (3, 4)], [], [(0, 0)]], ProjectionRule("links", 0.3333)),
        ([[]], ProjectionRule("links", None)),
    ],
)
def test_a_text_with_scattered_links_is_projected_by_stretches(
    links: list[list[Link]], rule: ProjectionRule
) -> None:
    pairs = [Links.without_direction(of_pair) for of_pair in links]
    counts = ScatterCounts()
    assert list(counts.counting(pairs)) == pairs
    assert counts.rule == rule


def test_only_identical_candidates_are_merged_with_their_systems() -> None:
    projected = {"A": "o šířku", "B": "šířku", "C": "o šířku", "D": "o  šířku", "E": "O šířku"}
    assert merge(projected) == {
        "o šířku": ["A", "C"],
        "šířku": ["B"],
        "o  šířku": ["D"],
        "O šířku": ["E"],
    }


def test_empty_candidates_are_left_out() -> None:
    assert merge({"A": "", "B": "šířku"}) == {"šířku": ["B"]}
    assert merge({"A": ""}) == {}


@given(st.dictionaries(st.text("ABCDE", min_size=1, max_size=2), st.sampled_from(["", "x", "y"])))
def test_every_system_that_produced_something_is_kept_once(projected: dict[str, str]) -> None:
    merged = merge(projected)
    systems = [system for names in merged.values() for system in names]
    assert sorted(systems) == sorted(name for name, text in projected.items() if text)
    assert all(projected[name] == text for text, names in merged.items() for name in names)
