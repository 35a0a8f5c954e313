from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.trees import Node, from_bracketed, leaf, leaves, to_bracketed

THE_DOG_BARKS = Node(
    "S",
    (
        Node("NP", (Node("DT", (leaf(0, "the"),)), Node("NN", (leaf(1, "dog"),)))),
        Node("VP", (Node("VBZ", (leaf(2, "barks"),)),)),
    ),
)


@st.composite
def trees(draw: st.DrawFn) -> Node:
    """Any tree whose leaves are numbered from left to right."""
    shape = draw(st.recursive(st.none(), lambda inner: st.lists(inner, min_size=1, max_size=4)))
    count = 0

    def build(part: list[Any] | None) -> Node:
        nonlocal count
        if part is None:
            count += 1
            return leaf(count - 1)
        return Node(draw(st.sampled_from(["NP", "VP", "X-1", "."])), tuple(map(build, part)))

    return Node("ROOT", (build(shape),))


def shape_of(node: Node) -> tuple[Any, ...]:
    return node.token, "" if node.token is not None else node.label, *map(shape_of, node.children)


def test_it_reads_brackets() -> None:
    tree, words = from_bracketed("(S (NP (DT the)  (NN dog) ) (VP (VBZ barks)))")
    assert tree == THE_DOG_BARKS
    assert words == ["the", "dog", "barks"]


def test_it_reads_the_roots_of_parsers_and_of_treebanks() -> None:
    for line in ("( (S (NP dog)))", "(ROOT (S (NP dog)))", "((S (NP dog)))"):
        tree, words = from_bracketed(line)
        assert (leaves(tree), words) == ((0,), ["dog"])


def test_it_unescapes_words() -> None:
    _, words = from_bracketed("(S (-LRB- -LRB-) (CD 1\\/2) (-RRB- -RRB-) (-LSB- -LSB-))")
    assert words == ["(", "1/2", ")", "["]


def test_traces_are_left_out() -> None:
    tree, words = from_bracketed("(S (NP (-NONE- *T*-1)) (VP (VBZ barks)))")
    assert words == ["barks"]
    assert tree == Node("S", (Node("VP", (Node("VBZ", (leaf(0, "barks"),)),)),))


def test_a_blank_line_is_a_tree_without_leaves() -> None:
    assert from_bracketed(" ") == (Node("ROOT"), [])


@pytest.mark.parametrize("line", ["(S (NP dog)", "dog", "(S dog))", ")(", "(S dog) (S cat)"])
def test_it_refuses_other_than_one_tree(line: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        from_bracketed(line)


def test_it_refuses_brackets_without_end() -> None:
    with pytest.raises(ValueError, match="deep"):
        from_bracketed("(S " * 5000 + "dog" + ")" * 5000)


@given(trees(), st.sampled_from(["w", "(", ")", "", "a b", "a(b", "\u00a0"]))
def test_it_reads_what_it_writes(tree: Node, token: str) -> None:
    again, words = from_bracketed(to_bracketed(tree, [token] * len(leaves(tree))))
    assert len(words) == len(leaves(tree))
    assert shape_of(again) == shape_of(tree)


def test_brackets_are_escaped_and_unescaped() -> None:
    tree = Node("S", (leaf(0), leaf(1), leaf(2)))
    tokens = ["(", "dog", ")"]
    assert to_bracketed(tree, tokens) == "(S -LRB- dog -RRB-)"
    assert from_bracketed("(S -LRB- dog -RRB-)")[1] == tokens
