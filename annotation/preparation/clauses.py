"""Words and phrases of a tree with a way up, and what stands beside a verb in its clause."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from annotation.preparation.trees import Node

_PRONOUN_TAGS = {"PRP", "PRON", "EX", "WP", "WDT", "DT", "DET"}
_NOUN_TAGS = {"NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN", "CD", "NUM"}
_PUNCTUATION_TAGS = {"PUNCT", ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "SYM"}
_SUBJECT_PRONOUNS = {"i", "you", "he", "she", "it", "we", "they", "there", "who", "this", "that"}


@dataclass(slots=True, eq=False)
class Place:
    """A node in its tree, or a word with its part of speech as `label`, "" where unknown."""

    label: str
    parent: "Place | None"
    token: int = -1
    word: str = ""
    children: list["Place"] = field(default_factory=list)

    @property
    def is_word(self) -> bool:
        return self.token >= 0

    def words(self) -> Iterator["Place"]:
        waiting = [self]
        while waiting:
            place = waiting.pop()
            if place.is_word:
                yield place
            waiting.extend(reversed(place.children))


def place_of(node: Node, parent: Place | None) -> Place:
    """Return the node with its way up; a phrase of one word is that word."""
    only = node.children[0] if len(node.children) == 1 else None
    if node.token is not None:
        return Place("", parent, node.token, node.label)
    if only and only.token is not None:
        return Place(node.label, parent, only.token, only.label)
    place = Place(node.label.split("-")[0] or node.label, parent)
    place.children = [place_of(child, place) for child in node.children]
    return place


def is_tagged(word: Place) -> bool:
    """Tell whether the word's label is a part of speech."""
    # A phrase of one word without a tag is that word's label.
    return word.label not in {"", "X", "VP", "NP", "S"}


def is_pronoun(word: Place) -> bool:
    """Tell whether the word may be a pronoun as subject."""
    return word.label in _PRONOUN_TAGS or (
        not is_tagged(word) and word.word.lower() in _SUBJECT_PRONOUNS
    )


def subject_of(finite: Place) -> Place | None:
    """Return the head of the subject: before the verb phrase, or after an inverted auxiliary."""
    phrase = finite
    while phrase.parent and phrase.parent.label == "VP":
        phrase = phrase.parent
    clause = phrase.parent
    if clause is None:
        return None
    at = clause.children.index(phrase)
    inverted = clause.children[at + 1 :] if phrase is finite else []
    for each in [*reversed(clause.children[:at]), *inverted]:
        if is_nominal(each):
            return head_of(each)
    # Who sees: the relative pronoun stands outside the clause.
    outside = clause.parent
    if outside and outside.label in {"SBAR", "SBARQ"}:
        for each in outside.children[: outside.children.index(clause)]:
            if each.label in {"WHNP", "NP"} or (each.is_word and each.label in _PRONOUN_TAGS):
                return head_of(each)
    return None


def is_nominal(place: Place) -> bool:
    """Tell whether it may be a subject or an object."""
    if place.is_word:
        return place.label in _PRONOUN_TAGS | _NOUN_TAGS | {"NP"}
    return place.label in {"NP", "WHNP", "QP"}


def complements_of(phrase: Place, verb: Place) -> list[Place]:
    """Return what follows the verb in its phrase: objects and predicates first, then the rest."""
    after = [each for each in phrase.children if each is not verb and _begins(each) > verb.token]
    objects = [
        each
        for each in after
        if is_nominal(each) or each.label in {"ADJP", "JJ", "ADJ", "VBN", "VBG"}
    ]
    return [*objects, *(each for each in after if each.label == "PP")]


def _begins(place: Place) -> int:
    return next(place.words()).token if place.is_word or place.children else -1


def taken_from(place: Place) -> list[Place]:
    """Return the words of a complement that a segment may take: its head, after a preposition."""
    if place.label == "PP":
        first, *others = place.children or [place]
        inside = [head_of(each) for each in others if is_nominal(each)][:1]
        return [*([first] if first.is_word else []), *inside]
    return [head_of(place)]


def head_of(place: Place) -> Place:
    """Return the head word: the last noun of the first phrase."""
    while not place.is_word:
        inner = [each for each in place.children if each.label in {"NP", "WHNP", "QP", "ADJP"}]
        nouns = [each for each in place.children if each.is_word and each.label in _NOUN_TAGS]
        # The city's lights: the last noun, unless it is another one: the city, Prague.
        apart = any(each.label in _PUNCTUATION_TAGS | {"CC", "CCONJ"} for each in place.children)
        if nouns and not (apart and inner and place.children[0] is inner[0]):
            return nouns[-1]
        words = [
            each for each in place.children if each.is_word and each.label not in _PUNCTUATION_TAGS
        ]
        if inner and not inner[0].is_word and (not words or place.children[0] is inner[0]):
            place = inner[0]
        elif words:
            return words[-1]
        else:
            place = place.children[0]
    return place
