import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.pharaoh import Link, Links
from annotation.preparation.links import grow_diag_final, vote

SIZE = 9
LINK = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
# Each target has one source at most, each source one target at most, as aligners give them.
FORWARD = st.lists(LINK, max_size=14, unique_by=lambda link: link[1])
REVERSE = st.lists(LINK, max_size=14, unique_by=lambda link: link[0])


def symmetrised(forward: list[Link], reverse: list[Link]) -> list[Link]:
    return grow_diag_final(Links(tuple(forward), tuple(reverse)))


def as_in_the_papers(forward: list[Link], reverse: list[Link]) -> list[Link]:
    """grow-diag-final written down plainly, in the order in which Moses' symal works."""
    union, current = set(forward) | set(reverse), set(forward) & set(reverse)

    def in_order(links: set[Link]) -> list[Link]:
        return sorted(links, key=lambda link: (link[1], link[0]))

    def covers_new(link: Link) -> bool:
        return all(one[0] != link[0] for one in current) or all(
            one[1] != link[1] for one in current
        )

    steps = [(0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)]
    added = True
    while added:
        added = False
        done: tuple[int, int] = (-1, -1)
        while later := [one for one in in_order(current) if (one[1], one[0]) > done]:
            source, target = later[0]
            done = (target, source)
            for step in steps:
                link = (source + step[0], target + step[1])
                if link in union and link not in current and covers_new(link):
                    current.add(link)
                    added = True
    for direction in (forward, reverse):
        for link in in_order(set(direction)):
            if link not in current and covers_new(link):
                current.add(link)
    return sorted(current)


@pytest.mark.parametrize(
    ("forward", "reverse", "links"),
    [
        ([], [], []),
        ([(0, 0)], [(0, 0)], [(0, 0)]),
        # A neighbour of the intersection is grown into; it need not be in both.
        ([(0, 0), (0, 1)], [(0, 0)], [(0, 0), (0, 1)]),
        # A diagonal neighbour is a neighbour.
        ([(0, 0), (1, 1)], [(0, 0)], [(0, 0), (1, 1)]),
        # No neighbour, but it covers new words: the final step takes it.
        ([(0, 0)], [(0, 0), (4, 5)], [(0, 0), (4, 5)]),
        # The final step takes it too where it covers one new word; grow-diag would not reach it.
        ([(0, 0)], [(0, 0), (4, 0)], [(0, 0), (4, 0)]),
        # Both its words are covered already.
        ([(0, 0), (1, 1), (0, 2)], [(0, 0), (1, 1), (2, 2), (3, 0)], None),
    ],
)
def test_it_equals_moses(
    forward: list[Link], reverse: list[Link], links: list[Link] | None
) -> None:
    wanted = as_in_the_papers(forward, reverse) if links is None else links
    assert symmetrised(forward, reverse) == wanted == as_in_the_papers(forward, reverse)


@given(FORWARD, REVERSE)
def test_it_equals_a_simple_implementation(forward: list[Link], reverse: list[Link]) -> None:
    assert symmetrised(forward, reverse) == as_in_the_papers(forward, reverse)


@given(FORWARD, REVERSE)
def test_it_lies_between_intersection_and_union(forward: list[Link], reverse: list[Link]) -> None:
    links = set(symmetrised(forward, reverse))
    union = set(forward) | set(reverse)
    assert set(forward) & set(reverse) <= links <= union
    assert {source for source, _ in links} == {source for source, _ in union}
    assert {target for _, target in links} == {target for _, target in union}


@given(FORWARD, REVERSE, st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_matter(
    forward: list[Link], reverse: list[Link], chance: random.Random
) -> None:
    shuffled = [chance.sample(one, len(one)) for one in (forward, reverse)]
    assert symmetrised(*shuffled) == symmetrised(forward, reverse)


@pytest.mark.parametrize(
    ("runs", "links"),
    [
        ([], []),
        ([[(0, 0), (2, 1)]], [(0, 0), (2, 1)]),
        # The majority wins, and among equals the earliest run.
        ([[(0, 0)], [(1, 0)], [(1, 0)]], [(1, 0)]),
        ([[(2, 0)], [(1, 0)]], [(2, 0)]),
        # Nothing is a vote too, but one that counts less than a link does: 0.6 of it.
        ([[(0, 0)], []], [(0, 0)]),
        ([[(0, 0)], [], []], []),
        ([[(0, 0)], [(0, 0)], [], [], []], [(0, 0)]),
        ([[(0, 0)], [(1, 0)], []], [(0, 0)]),
        # Each target token is voted on by itself.
        ([[(0, 0), (0, 1)], [(0, 0), (3, 1)], [(3, 1)]], [(0, 0), (3, 1)]),
    ],
)
def test_runs_vote_on_every_token(runs: list[list[Link]], links: list[Link]) -> None:
    assert vote(runs, of_targets=True) == links
    turned = [[(target, source) for source, target in run] for run in runs]
    of_sources = vote(turned, of_targets=False)
    assert of_sources == sorted((target, source) for source, target in links)


@given(st.lists(FORWARD, max_size=6))
def test_a_vote_gives_each_token_one_link_that_some_run_has(runs: list[list[Link]]) -> None:
    links = vote(runs, of_targets=True)
    assert len({target for _, target in links}) == len(links)
    assert set(links) <= {link for run in runs for link in run}


@given(FORWARD, st.integers(1, 4))
def test_runs_that_agree_are_one_run(links: list[Link], times: int) -> None:
    assert vote([links] * times, of_targets=True) == sorted(links)
