from annotation.preparation.trees import to_bracketed
from tools.parser_training.segment_agreement import compare
from tools.parser_training.treebanks import read_tree, to_tree, trees_in


def ours(tree: str) -> str:
    sentence = read_tree(tree)
    return to_bracketed(to_tree(sentence), sentence.tokens)


def test_a_tree_may_have_several_lines() -> None:
    assert list(trees_in("(A\n (B c))\n\n((D e))")) == ["(A\n (B c))", "((D e))"]


def test_words_with_hyphens_are_joined() -> None:
    tree = "(ROOT (NP (DT a) (ADJP (NN long) (HYPH -) (NN distance)) (NN flight)))"
    assert ours(tree) == "(ROOT (NP (DT a) (NN long-distance) (NN flight)))"
    tree = "(ROOT (NP (NP (JJ pre) (HYPH -) (CC and) (JJ postwar)) (NN art)))"
    assert ours(tree) == "(ROOT (NP (NP (JJ pre-) (CC and) (JJ postwar)) (NN art)))"


def test_negations_are_split_like_our_tokens() -> None:
    tree = "(ROOT (S-SBJ (NP (PRP I)) (VP (MD ca) (RB n't) (VP (VB see)))))"
    assert ours(tree) == "(ROOT (S (PRP I) (VP (MD can) (RB 't) (VB see))))"
    assert ours("(ROOT (VP (MD can) (RB not) (VB see)))") == "(ROOT (VP (RB cannot) (VB see)))"


def test_quotation_marks_and_brackets_are_unescaped() -> None:
    sentence = read_tree("(ROOT (X (`` ``) (-LRB- -LRB-) (NN ’) ('' ”)))")
    assert sentence.tokens == ['"', "(", "'", '"']


def test_the_later_of_two_crossing_phrases_is_left_out() -> None:
    tree = "(ROOT (NP (NP (DT the) (NN north)) (HYPH -) (NP (NN south) (NN line))))"
    assert ours(tree) == "(ROOT (NP (NP (DT the) (NN north-south)) (NN line)))"


def test_agreement_counts_segments_of_the_same_sentence() -> None:
    found = compare([{(0, 1, 2)}, {(0, 1, 2), (3, 4, 5)}], [{(0, 1, 2)}, {(1, 2, 3)}])
    assert (found.found, found.gold, found.both) == (3, 2, 1)
    assert (found.precision, found.recall, found.f1) == (1 / 3, 1 / 2, 0.4)
