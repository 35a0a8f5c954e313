import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.formats.pharaoh import Links, parse_links
from annotation.formats.tokens import TokenizedText
from annotation.preparation.linked_segments import LinkedSegments, Reference
from annotation.preparation.parsers import PhrasesParser
from annotation.preparation.phrase_chunker import is_mark
from annotation.preparation.segmenters import ParsedSegments
from annotation.preparation.tokens import is_written_without_spaces, tokenize
from annotation.preparation.trees import Node, from_bracketed

# 国境|の, 長い, トンネル|を, 抜ける|と, 雪国|で|あっ|た, 。
JAPANESE = tokenize("国境の長いトンネルを抜けると雪国であった。", "ja")
CZECH = tokenize("starý pes v domě štěká", "cs")


def reference(links: str, tree: str | None = None) -> Reference:
    node: Node | None = None if tree is None else from_bracketed(tree)[0]
    return Reference(parse_links(links, ""), node)


def cut(
    sentence: TokenizedText,
    *references: Reference,
    language: str = "ja",
    lengths: tuple[int, int] = (3, 6),
) -> list[str]:
    chosen = LinkedSegments(language, *lengths, [references] if references else None)
    [(_tree, segments)] = chosen.cut([sentence])
    return [sentence.slice(segment) for segment in segments]


# Each word before 雪国 is translated far from its neighbours: words of 。 are between them.
TOGETHER = reference("0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-21 8-22 9-23 10-24")
SCATTERED = reference(
    "0-0 1-3 2-6 3-9 4-12 5-15 6-18 7-21 8-22 9-23 10-24 11-1 11-2 11-4 11-5 11-7 11-8 11-10 "
    "11-11 11-13 11-14 11-16 11-17 11-19 11-20"
)


def test_segments_are_what_one_stretch_of_the_reference_translates() -> None:
    assert cut(JAPANESE, SCATTERED) == ["雪国であった"]
    assert cut(JAPANESE, TOGETHER) == ["国境の長い", "トンネルを抜けると", "雪国であった"]


def test_several_references_decide_together() -> None:
    assert cut(JAPANESE, TOGETHER, SCATTERED) == cut(JAPANESE, TOGETHER)
    assert cut(JAPANESE, TOGETHER, *[SCATTERED] * 5) == cut(JAPANESE, SCATTERED)


def test_phrases_of_the_reference_are_preferred() -> None:
    links = "0-0 1-1 2-2 3-3 4-4"
    tree = "(S (NP (JJ old) (NN dog)) (VP (PP (IN at) (NN home)) (VB barks)))"
    for given_tree, expected in ((None, "starý pes v"), (tree, "v domě štěká")):
        chosen = cut(CZECH, reference(links, given_tree), language="cs", lengths=(3, 3))
        assert chosen == [expected]


def test_words_that_are_linked_to_nothing_complete_a_phrase() -> None:
    tree = "(S (ADV (RB here)) (NP (DT the) (NN house) (NN burns)))"
    sentence = tokenize("tady dům hoří", "cs")
    found = cut(sentence, reference("0-0 1-2 2-3", tree), language="cs", lengths=(2, 2))
    assert found == ["dům hoří"]


@pytest.mark.parametrize(("weak", "expected"), [("1>1", "dům hoří"), ("1-1", "tady dům")])
def test_a_link_of_one_direction_counts_half(weak: str, expected: str) -> None:
    links = Links.stored(f"0-0 {weak} 1-8 2-9 3-4 3-5")
    sentence = tokenize("tady dům hoří.", "cs")
    assert cut(sentence, Reference(links), language="cs", lengths=(2, 2)) == [expected]


def test_without_references_phrases_are_grouped() -> None:
    assert cut(JAPANESE) == ["国境の長い", "トンネルを抜けると", "雪国であった"]


def test_sentences_with_spaces_that_no_reference_is_linked_to_are_cut_by_phrases() -> None:
    sentences = [CZECH, tokenize("Malý dům, starý strom u řeky.", "cs")]
    by_phrases = ParsedSegments(PhrasesParser(3, 6), 3, 6, "algorithm1")
    linked = LinkedSegments("cs", 3, 6, [[TOGETHER], [reference("")]])
    assert list(linked.cut(sentences))[1] == next(by_phrases.cut(sentences[1:]))


def test_a_reference_that_is_linked_to_nothing_is_none() -> None:
    assert cut(JAPANESE, reference("")) == cut(JAPANESE)
    assert cut(JAPANESE, reference(""), SCATTERED) == cut(JAPANESE, SCATTERED)


def test_if_no_stretch_is_consistent_one_is_chosen() -> None:
    assert cut(JAPANESE, SCATTERED, lengths=(3, 3)) == ["国境の長い"]
    assert cut(tokenize("雪国。", "ja"), reference("0-0")) == []


def test_the_version_tells_whether_there_are_references() -> None:
    assert LinkedSegments("ja", 3, 6).version.endswith(", by phrases of the source")
    assert LinkedSegments("ja", 3, 6, []).version.endswith(", by references")


def test_references_are_those_of_the_sentences() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(LinkedSegments("ja", 3, 6, []).cut([JAPANESE]))


texts = st.text("国境の長いトンネルを抜け的了雪国、。「」 aกา", max_size=40)
links = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=15).map(
    lambda found: Links.without_direction(set(found))
)
trees = st.sampled_from([None, from_bracketed("(S (NP (DT a) (NN b)) (VP (VB c) (NN d)))")[0]])


@given(texts, st.lists(st.builds(Reference, links, trees), max_size=2))
def test_segments_never_overlap_nor_have_marks_inside(text: str, of: list[Reference]) -> None:
    sentence = tokenize(text, "ja")
    # Others are cut by the parser `phrases`, which knows no edges there.
    assume(is_written_without_spaces(sentence.words))
    [(_tree, segments)] = LinkedSegments("ja", 2, 5, [of]).cut([sentence])
    positions = [at for segment in segments for at in segment]
    assert positions == sorted(set(positions))
    for segment in segments:
        assert 2 <= len(segment) <= 5
        assert segment == tuple(range(segment[0], segment[-1] + 1))
        assert not any(is_mark(sentence.words[at]) for at in segment)
