from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.trees import Node, from_bracketed, leaf, leaves
from tests.annotation.preparation.test_trees import trees

SENTENCE = "(S (NP the old dog) (VP barks (PP at (NP the (ADJP very big) grey cat))) .)"


def extract(line: str, shortest: int = 3, longest: int = 6) -> list[tuple[int, ...]]:
    return extract_segments(from_bracketed(line)[0], shortest, longest)


def test_it_takes_the_largest_nodes_that_fit() -> None:
    assert extract(SENTENCE) == [(0, 1, 2), (4, 5, 6, 7, 8, 9)]


def test_a_taken_node_is_not_descended() -> None:
    assert extract("(S (X a (Y b c d) e))", 3, 5) == [(0, 1, 2, 3, 4)]


def test_a_short_node_is_not_taken_nor_descended() -> None:
    assert extract("(S (X a b) (Y c (Z d)) (W e f g h))", 3, 4) == [(4, 5, 6, 7)]


def test_a_bare_leaf_counts_as_a_node_of_length_one() -> None:
    assert extract(SENTENCE, 1, 3) == [
        (0, 1, 2), (3,), (4,), (5,), (6, 7), (8,), (9,), (10,),
    ]  # fmt: skip


def test_a_whole_sentence_may_be_one_segment() -> None:
    assert extract("(S (NP dogs) (VP bark) .)") == [(0, 1, 2)]


def test_a_tree_without_leaves_has_no_segments() -> None:
    assert extract_segments(Node("ROOT"), 1, 6) == []


@given(trees(), st.integers(1, 4), st.integers(0, 4))
def test_segments_fit_and_never_overlap(tree: Node, shortest: int, more: int) -> None:
    segments = extract_segments(tree, shortest, shortest + more)
    positions = [position for segment in segments for position in segment]
    assert all(shortest <= len(segment) <= shortest + more for segment in segments)
    assert positions == sorted(set(positions))
    assert set(positions) <= set(leaves(tree))


def test_it_accepts_a_deep_tree() -> None:
    tree = leaf(0)
    for _ in range(3000):
        tree = Node("X", (tree,))
    assert extract_segments(tree, 1, 6) == [(0,)]


@pytest.mark.shared
def test_it_extracts_the_segments_of_the_thesis(shared: Path) -> None:
    half = shared / "data" / "wmt14-en-cs" / "first-half"
    trees_text = (half / "trees.txt").read_text(encoding="utf-8").split("\n")[:1500]
    ours = {
        (number, segment)
        for number, line in enumerate(trees_text, start=1)
        for segment in extract(line)
    }
    rows = (half / "source.segments").read_text(encoding="utf-8").split("\n")[:-1]
    theirs = {
        (int(number), tuple(map(int, indices.split())))
        for number, _, indices in (row.split("\t") for row in rows)
    }
    assert 0.71 < 2 * len(ours & theirs) / (len(ours) + len(theirs)) < 0.75
