"""`--coverage predicates`: segments for the verbs that Algorithm 1 leaves out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.dependencies import to_constituents
from annotation.preparation.predicates import cover_predicates, predicates
from annotation.preparation.trees import Node, from_bracketed, leaf, leaves
from tests.load.coverage import measure, sentences

PARK = "(NP (NP (DT the) (JJ old) (NN park)) (PP (IN of) (NP (DT the) (JJ royal) (NN town))))"
HOUSES = "(NP (NP (DT the) (JJ old) (NNS houses)) (PP (IN near) (NP (DT the) (NN park))))"


def added(tree: str, shortest: int = 3, longest: int = 6) -> list[str]:
    """What `predicates` adds, as words."""
    node, words = from_bracketed(tree)
    before = extract_segments(node, shortest, longest)
    after = cover_predicates(node, before, shortest, longest)
    assert set(before) <= set(after)
    assert after == sorted(after)
    return [" ".join(words[i] for i in segment) for segment in after if segment not in before]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (f"(S (NP (PRP We)) (VP (VBD saw) {PARK}))", ["We saw park"]),
        (f"(S {HOUSES} (VP (VBD overlooked) {PARK}))", ["houses overlooked park"]),
        (
            f"(S (NP (PRP She)) (VP (MD could) (RB n't) (VP (VB have) (VP (VBN seen) {PARK}))))",
            ["She could n't have seen park"],
        ),
        (f"(S (NP (PRP They)) (VP (VBD gave) (PRT (RP up)) {PARK}))", ["They gave up park"]),
        (f"(S {HOUSES} (VP (VBZ is) {PARK}))", ["houses is park"]),
        (f"(SBARQ (SQ (VBP Do) (NP (PRP you)) (VP (VB see) {PARK})))", ["Do you see park"]),
        (f"(S (VP (VB See) {PARK} {HOUSES}))", ["See park houses"]),
        (f"(S {HOUSES} (VP (VBP stand) (PP (IN in) {PARK})))", ["houses stand in"]),
        # A verb that a segment has is left alone, and so are infinitives and participles.
        ("(S (NP (PRP We)) (VP (VBD saw) (NP (PRP it))))", []),
        (f"(S (VP (TO to) (VP (VB see) {PARK})))", []),
        (f"(NP {HOUSES} (VP (VBG overlooking) {PARK}))", []),
        # Two that are near share one.
        (
            f"(S (NP (PRP I)) (VP (VBP think) (SBAR (IN that) (S (NP (PRP he)) (VP (VBD saw) "
            f"{PARK})))))",
            ["I think he saw park"],
        ),
        # Nothing to say beside it.
        (f"(S (VP (VBZ rains)) (, ,) {PARK})", []),
        # Without parts of speech: a list of auxiliaries, and the first word of a clause's VP.
        (
            "(S (NP We) (VP could (VP see (NP (NP the old park) (PP of (NP the town))))))",
            ["We could see park"],
        ),
        (
            "(S (NP We) (VP saw (NP (NP the old park) (PP of (NP the royal town)))))",
            ["We saw park"],
        ),
    ],
)
def test_it_adds_the_core_of_predicates(tree: str, expected: list[str]) -> None:
    assert added(tree) == expected


def test_segments_have_allowed_lengths() -> None:
    tree = f"(S (NP (PRP She)) (VP (MD could) (RB n't) (VP (VB have) (VP (VBN seen) {PARK}))))"
    assert added(tree, 2, 3) == ["n't have seen"]
    assert added(f"(S (NP (PRP We)) (VP (VBD saw) {PARK}))", 2, 2) == ["We saw"]


def test_a_verb_and_its_auxiliaries_are_one_predicate() -> None:
    tree, _words = from_bracketed(
        "(S (NP (PRP It)) (VP (VBZ has) (VP (VBN been) (VP (VBN seen)))))"
    )
    (predicate,) = predicates(tree)
    assert (predicate.verb, predicate.core) == (3, (1, 2, 3))


def test_cyclic_verb_phrases_end() -> None:
    tree, _words = from_bracketed("(S (VP is) (VP has) (VP been))")
    assert [predicate.core for predicate in predicates(tree)] == [(0, 1, 2)]


def test_an_empty_tree_has_none() -> None:
    assert cover_predicates(Node("ROOT"), [], 3, 6) == []


LABELS = st.sampled_from(["S", "VP", "NP", "PP", "SBAR", "VBZ", "MD", "VB", "PRP", "NN", "", "X"])
TREES = st.recursive(
    st.builds(lambda label, word: (label, word), LABELS, st.sampled_from(["is", "a", "not", ","])),
    lambda inner: st.tuples(LABELS, st.lists(inner, min_size=1, max_size=4)),
    max_leaves=25,
)


def numbered(part: tuple[str, object], start: int = 0) -> tuple[Node, int]:
    label, inside = part
    if isinstance(inside, str):
        return Node(label, (leaf(start, inside),)) if label else leaf(start, inside), start + 1
    children = []
    assert isinstance(inside, list)
    for each in inside:
        child, start = numbered(each, start)
        children.append(child)
    return Node(label, tuple(children)), start


@given(TREES, st.integers(1, 4), st.integers(0, 4))
def test_any_tree_gives_segments_of_its_tokens(
    part: tuple[str, object], shortest: int, more: int
) -> None:
    tree, size = numbered(part)
    assert len(leaves(tree)) == size
    before = extract_segments(tree, shortest, shortest + more)
    after = cover_predicates(tree, before, shortest, shortest + more)
    assert set(before) <= set(after)
    assert len(set(after)) == len(after)
    for segment in after:
        assert list(segment) == sorted(set(segment))
        assert min(shortest, 2) <= len(segment) <= shortest + more
        assert 0 <= segment[0] <= segment[-1] < size


@pytest.mark.shared
@pytest.mark.parametrize("language", ["en", "cs"])
def test_nine_predicates_of_ten_are_covered(language: str, shared: Path) -> None:
    path = shared / "data" / "treebanks" / "pud" / f"{language}.conllu.gz"
    gold = list(sentences(path))
    trees = [to_constituents(words) for _tokens, words in gold]
    before = measure(trees, gold, predicates=False)
    after = measure(trees, gold, predicates=True)
    assert before.verbs / before.predicates < 0.5
    assert after.verbs / after.predicates > 0.95
    assert after.segments / before.segments < 1.4
