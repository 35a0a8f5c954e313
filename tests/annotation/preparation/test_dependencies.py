"""Trees of dependencies made trees of constituents."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.conllu import Word
from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.dependencies import to_constituents
from annotation.preparation.trees import Node, from_bracketed, leaves, to_bracketed
from tests.annotation.formats.conllu_files import read_conllu

# A word, its part of speech, its head (from 1; 0 is the root) and its relation.
CASES = {
    "a subject, an object and a full stop": (
        "the/DET/2/det dog/NOUN/3/nsubj sees/VERB+/0/root it/PRON/3/obj ./PUNCT/3/punct",
        "(S (NP the dog) (VP sees it) .)",
    ),
    "auxiliaries, each with a phrase, and an adverb between them": (
        "she/PRON/5/nsubj may/AUX+/5/aux not/PART/5/advmod have/AUX/5/aux seen/VERB/0/root "
        "the/DET/7/det dog/NOUN/5/obj",
        "(S she (VP may not (VP have (VP seen (NP the dog)))))",
    ),
    "prepositions, and a noun in a noun": (
        "the/DET/2/det end/NOUN/7/nsubj of/ADP/5/case the/DET/5/det road/NOUN/2/nmod is/AUX+/7/cop "
        "near/ADV/0/root",
        "(S (NP (NP the end) (PP of (NP the road))) (VP is near))",
    ),
    "a relative clause": (
        "dogs/NOUN/0/root that/PRON/4/obj we/PRON/4/nsubj like/VERB+/1/acl:relcl",
        "(NP dogs (SBAR that (S we (VP like))))",
    ),
    "a conjunction of clauses": (
        "he/PRON/2/nsubj says/VERB+/0/root that/SCONJ/5/mark it/PRON/5/nsubj rains/VERB+/2/ccomp",
        "(S he (VP says (SBAR that (S it (VP rains)))))",
    ),
    "an infinitive": (
        "we/PRON/2/nsubj want/VERB+/0/root him/PRON/2/obj to/PART/5/mark go/VERB/2/xcomp",
        "(S we (VP want (S him (VP to (VP go)))))",
    ),
    "nouns joined under one preposition": (
        "in/ADP/2/case towns/NOUN/0/root and/CCONJ/5/cc small/ADJ/5/amod villages/NOUN/2/conj",
        "(PP in (NP towns and (NP small villages)))",
    ),
    "prepositions joined": (
        "by/ADP/2/case day/NOUN/0/root or/CCONJ/5/cc by/ADP/5/case night/NOUN/2/conj",
        "(PP (PP by day) or (PP by night))",
    ),
    "verbs joined under one subject": (
        "she/PRON/2/nsubj came/VERB+/0/root ,/PUNCT/4/punct saw/VERB+/2/conj and/CCONJ/6/cc "
        "won/VERB+/2/conj",
        "(S she (VP (VP came) , (VP saw) and (VP won)))",
    ),
    "verbs joined under one auxiliary": (
        "she/PRON/3/nsubj will/AUX+/3/aux come/VERB/0/root and/CCONJ/5/cc win/VERB/3/conj",
        "(S she (VP will (VP (VP come) and (VP win))))",
    ),
    "clauses joined": (
        "it/PRON/2/nsubj rains/VERB+/0/root and/CCONJ/5/cc we/PRON/5/nsubj go/VERB+/2/conj",
        "(S (S it (VP rains)) and (S we (VP go)))",
    ),
    "a question": (
        "what/PRON/4/obj do/AUX+/4/aux you/PRON/4/nsubj see/VERB/0/root ?/PUNCT/4/punct",
        "(SBAR what (S do you (VP see)) ?)",
    ),
    "an apposition between commas": (
        "Jana/PROPN/6/nsubj ,/PUNCT/4/punct our/PRON/4/nmod:poss aunt/NOUN/1/appos ,/PUNCT/4/punct "
        "sings/VERB+/0/root",
        "(S (NP Jana , (NP our aunt) ,) (VP sings))",
    ),
    "brackets around a part, and a bracket that closes nothing": (
        "we/PRON/2/nsubj saw/VERB+/0/root (/PUNCT/5/punct the/DET/5/det dog/NOUN/2/obj "
        ")/PUNCT/5/punct ]/PUNCT/2/punct",
        "(S we (VP saw (PRN -LRB- (NP the dog) -RRB-)) ])",
    ),
    "a lone word": ("yes/INTJ/0/root !/PUNCT/1/punct", "(FRAG yes !)"),
    "nothing but marks": ("./PUNCT/0/root ./PUNCT/0/root", ". ."),
    "two roots": ("yes/INTJ/0/root no/INTJ/0/root", "(S yes no)"),
    "Czech, with the verb before its subject": (
        "ve/ADP/2/case škole/NOUN/3/obl byl/VERB*/0/root starý/ADJ/5/amod pes/NOUN/3/nsubj",
        "(S (PP ve škole) (VP byl (NP starý pes)))",
    ),
    # "co" belongs to "vidět", and "chceš" stands between them: it is given to "chceš".
    "arcs that cross": (
        "co/PRON/3/obj chceš/VERB+/0/root vidět/VERB/2/xcomp",
        "(S co (VP chceš (VP vidět)))",
    ),
}
FEATURES = {"+": "Mood=Ind|VerbForm=Fin", "*": "Tense=Past|VerbForm=Part|Voice=Act"}


def words(text: str) -> list[Word]:
    rows = [row.rsplit("/", 3) for row in text.split()]
    return [
        Word(form, upos.strip("+*"), int(head) - 1, relation, FEATURES.get(upos[-1], ""))
        for form, upos, head, relation in rows
    ]


def without_tags(node: Node) -> Node:
    if len(node.children) == 1 and node.children[0].token is not None:
        return node.children[0]
    return Node(node.label, tuple(without_tags(child) for child in node.children))


@pytest.mark.parametrize("case", CASES)
def test_it_converts_dependencies(case: str) -> None:
    text, expected = CASES[case]
    sentence = words(text)
    tree = without_tags(to_constituents(sentence))
    assert to_bracketed(tree, [word.form for word in sentence]) == f"(ROOT {expected})"


def test_finite_verbs_and_the_czech_past_tense_are_marked() -> None:
    tree = to_constituents(words("byl/VERB*/0/root a/CCONJ/3/cc je/VERB+/1/conj být/VERB/3/xcomp"))
    assert to_bracketed(tree, ["byl", "a", "je", "být"]).count("VERB-FIN") == 2


def test_an_empty_sentence_has_no_leaves() -> None:
    assert to_constituents([]) == Node("ROOT")


@st.composite
def trees(draw: st.DrawFn) -> list[Word]:
    """Any tree over up to 40 words, crossing arcs and all, deeper than any language's."""
    size = draw(st.integers(1, 40))
    order = draw(st.permutations(range(size)))
    heads = dict.fromkeys(order, -1)
    for number, word in enumerate(order[1:], start=1):
        near = draw(st.booleans())
        heads[word] = order[number - 1 if near else draw(st.integers(0, number - 1))]
    relations = ["nsubj", "obj", "aux", "cop", "case", "mark", "conj", "cc", "advmod", "punct"]
    return [
        Word(
            draw(st.sampled_from(["a", ",", "(", ")", '"', "."])),
            draw(st.sampled_from(["NOUN", "VERB", "AUX", "PUNCT", "ADJ", "_"])),
            heads[position],
            draw(st.sampled_from([*relations, "acl:relcl", "nsubj:outer", "xcomp", "dep"])),
        )
        for position in range(size)
    ]


@given(trees())
def test_every_word_is_a_leaf_once_and_in_order(sentence: list[Word]) -> None:
    tree = to_constituents(sentence)
    assert leaves(tree) == tuple(range(len(sentence)))
    line = to_bracketed(tree, [word.form for word in sentence])
    assert to_bracketed(*from_bracketed(line)) == line


def test_it_accepts_the_longest_chain() -> None:
    chain = [Word("a", "NOUN", number - 1, "nmod") for number in range(2000)]
    tree = to_constituents(chain)
    assert len(leaves(tree)) == 2000
    assert to_bracketed(tree, ["a"] * 2000)


# --- real treebanks ----------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize("language", ["en", "cs"])
def test_all_of_pud_becomes_sensible_trees(language: str, shared: Path) -> None:
    sentences = segments = tokens = covered = 0
    for sentence in read_conllu(shared / "data" / "treebanks" / "pud" / f"{language}.conllu.gz"):
        tree = to_constituents(sentence.words)
        assert leaves(tree) == tuple(range(len(sentence.words)))
        found = extract_segments(tree, 3, 6)
        sentences += 1
        segments += len(found)
        tokens += len(sentence.words)
        covered += sum(map(len, found))
    assert sentences == 1000
    # The thesis has 2.83 segments a sentence.
    assert 2.2 < segments / sentences < 3.2
    assert 0.55 < covered / tokens < 0.65


@pytest.mark.shared
def test_its_segments_are_those_of_constituents(shared: Path) -> None:
    """F1 of segments against GUM's own constituents; raw subtrees have 45.7."""
    ours = gold = both = 0
    for path in sorted((shared / "data" / "treebanks" / "gum-dep").glob("*.conllu"))[::5]:
        constituents = path.parent.parent / "gum-const" / f"{path.stem}.ptb"
        pairs = zip(read_conllu(path), bracketed(constituents), strict=True)
        for sentence, (expected, forms) in pairs:
            assert len(forms) == len(sentence.words)
            found = set(extract_segments(to_constituents(sentence.words), 3, 6))
            wanted = set(extract_segments(expected, 3, 6))
            ours, gold, both = ours + len(found), gold + len(wanted), both + len(found & wanted)
    assert 200 * both / (ours + gold) > 84


def bracketed(path: Path) -> Iterator[tuple[Node, list[str]]]:
    """Yield the trees of a file that has a blank line after each."""
    for tree in path.read_text(encoding="utf-8").split("\n\n"):
        if tree.strip():
            yield from_bracketed(" ".join(tree.split()))
