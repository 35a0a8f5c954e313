"""The words of shown texts and their links, as pages have them."""

from annotation.formats.pharaoh import Links
from annotation.formats.tokens import TokenizedText, split_at_spaces
from annotation.judging.aligned_words import AlignedText, Words, source_words, words_of

links = Links.without_direction
HOUSE = AlignedText(split_at_spaces("starý dům stojí"), links([(1, 0), (2, 1), (0, 1), (3, 2)]))


def test_words_are_lengths_and_gaps_that_are_not_one_character() -> None:
    text = TokenizedText.stored("  Oh, dům.", "2-4 4-5 6-9 9-10")
    assert source_words(text) == Words("3:2 0:1 3 0:1")
    assert source_words(split_at_spaces("a b")).places == "1 1"
    assert source_words(split_at_spaces("")).places == "0"


def test_each_word_of_a_translation_has_its_words_of_the_source() -> None:
    assert words_of("starý dům stojí", [HOUSE]) == Words("5 3 5", "1 0,2 3")


def test_a_word_without_links_has_none() -> None:
    unlinked = AlignedText(split_at_spaces("starý dům"), links([(2, 1)]))
    assert words_of("starý dům", [HOUSE, unlinked]) == Words("5 3", " 2")


def test_nothing_is_known_without_translations() -> None:
    assert words_of("starý dům", []) is None


def test_a_part_of_a_translation_is_counted_from_its_first_word() -> None:
    part = HOUSE.part([0, 2])
    assert part.target.text == "starý … stojí"
    assert part.target.words == ["starý", "stojí"]
    assert words_of("starý … stojí", [part]) == Words("5 3:5", "1 3")


def test_links_of_a_part_are_those_that_its_words_have_in_the_whole() -> None:
    # The link 0>1 covers no new word, unless the first word were left out before.
    directed = Links(((0, 0), (1, 1)), ((0, 0), (0, 1), (1, 1)))
    whole = AlignedText(split_at_spaces("starý dům"), directed)
    assert words_of("starý dům", [whole]) == Words("5 3", "0 1")
    assert words_of("dům", [whole.part([1])]) == Words("3", "1")


def test_a_degraded_text_has_the_links_of_the_text_that_it_was() -> None:
    other = AlignedText(split_at_spaces("nic"), Links())
    assert words_of("starý strom stojí", [other, HOUSE]) == Words("5 5 5", "1 0,2 3")
    # One word instead of two, and two instead of one.
    assert words_of("strom stojí", [HOUSE]) == Words("5 5", "0,1,2 3")
    assert words_of("starý dům je tu", [HOUSE]) == Words("5 3 2 2", "1 0,2 3 3")
    assert words_of("úplně jiný text", [HOUSE]) == Words("5 4 4", "1 0,2 3")
