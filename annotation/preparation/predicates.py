"""Finite verb phrases of a tree, and segments for those that Algorithm 1 does not cover."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotation.preparation.dependencies import FINITE
from annotation.preparation.trees import Node

Segment = tuple[int, ...]

_FINITE_TAGS = {"VBD", "VBZ", "VBP", "MD"}
_VERB_TAGS = _FINITE_TAGS | {"VB", "VBN", "VBG", "VERB", "AUX"}
# The label of a verb or verb phrase in a bracketed tree, as a regular expression for Python and for
# databases. In a tree without such labels, only English auxiliaries are found.
VERB_LABEL = r"\((VB[DZPNG]?|MD|VERB|AUX|VP)[ -]"
_PARTICLE_TAGS = {"RP", "ADP"}
_ADVERB_TAGS = {"RB", "RBR", "ADV", "PART"}
_NEGATIONS = {"not", "n't", "'t", "n’t", "’t", "never"}
# English auxiliaries, for trees without parts of speech.
_AUXILIARIES = frozenset(
    (
        *("am", "is", "are", "was", "were", "'s", "'re", "'m", "’s", "’re", "’m", "be", "been"),
        *("being", "has", "have", "had", "having", "'ve", "'d", "’ve", "’d", "do", "does", "did"),
        *("don", "doesn", "didn", "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn"),
        *("will", "would", "wo", "won", "wouldn", "'ll", "’ll", "can", "ca", "could", "couldn"),
        *("may", "might", "must", "mustn", "shall", "should", "shouldn", "ought", "get", "got"),
    )
)
_NOT_FINITE = {"be", "been", "being", "having", "get"}


@dataclass(slots=True, eq=False)
class Place:
    """A node with its parent; a word has its part of speech as its label, "" if unknown."""

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


@dataclass(frozen=True, slots=True)
class Predicate:
    """A finite verb phrase, as token positions.

    `verb` is the lexical verb, `core` that verb with auxiliaries, negation and particle; `beside`
    is a pronoun as subject and the head of an object, `more` what else of its clause may fill a
    segment up, best first.
    """

    verb: int
    core: Segment
    beside: Segment
    more: Segment


def predicates(tree: Node) -> list[Predicate]:
    """Return the predicates of a tree with labels of the Penn Treebank or of `dependencies`.

    Without parts of speech, auxiliaries are those of an English list, and the first word of a
    clause's VP is its verb.
    """
    root = place_of(tree, None)
    found: dict[int, Predicate] = {}
    for word in root.words():
        if _is_finite(word):
            predicate = _predicate(word)
            found.setdefault(predicate.verb, predicate)
    return [found[verb] for verb in sorted(found)]


# --- verbs -------------------------------------------------------------------------------------


def _is_finite(word: Place) -> bool:
    if word.label.endswith(FINITE) or word.label in _FINITE_TAGS:
        return True
    if word.label == "VB":
        return _is_imperative(word)
    if is_tagged(word):
        return False
    form = word.word.lower()
    if form in _AUXILIARIES:
        return form not in _NOT_FINITE
    # A VP of one word is that word's label.
    phrase = word if word.label == "VP" else word.parent
    return (
        phrase is not None
        and phrase.label == "VP"
        and (phrase is word or phrase.children[0] is word)
        and phrase.parent is not None
        and phrase.parent.label in {"S", "SQ", "SINV"}
        and form != "to"
        and not form.endswith("ing")
    )


def _is_imperative(word: Place) -> bool:
    """Return whether a bare infinitive begins the predicate of a main clause."""
    phrase = word.parent
    while phrase and phrase.label == "VP" and phrase.parent and phrase.parent.label == "VP":
        if any(_is_verb(each) or each.label == "TO" for each in phrase.parent.children):
            return False
        phrase = phrase.parent
    clause = phrase.parent if phrase else None
    return (
        phrase is not None
        and phrase.label == "VP"
        and clause is not None
        and clause.label in {"S", "ROOT"}
        and (clause.parent is None or clause.parent.label in {"S", "ROOT"})
        and not any(each.label == "TO" for each in phrase.children)
    )


def _is_verb(place: Place) -> bool:
    return place.is_word and place.label.removesuffix(FINITE) in _VERB_TAGS


def _is_auxiliary(word: Place) -> bool:
    tag = word.label.removesuffix(FINITE)
    return tag in {"AUX", "MD"} or (tag != "VERB" and word.word.lower() in _AUXILIARIES)


def _predicate(finite: Place) -> Predicate:
    verb, phrase = finite, finite.parent or finite
    core = [finite, *_negations(phrase)]
    # Down the chain of auxiliaries: has | been | seen.
    while _is_auxiliary(verb) and (inner := _inner(phrase, verb)):
        following = _first_verb(inner)
        if following is None or following in core:
            break
        verb, phrase = following, following.parent or following
        core += [verb, *_negations(phrase)]
    core += _particles(phrase, verb)
    subject = subject_of(finite)
    complements = complements_of(phrase, verb)
    heads = [head_of(each) for each in complements if each.label != "PP"]
    pronoun = [subject] if subject and is_pronoun(subject) else []
    beside = [*pronoun, *heads[:1]]
    more = [
        *([subject] if subject else []),
        *(each for part in complements for each in taken_from(part)),
        *(each for each in phrase.children if each.is_word and each.label in _ADVERB_TAGS),
    ]
    return Predicate(
        verb=verb.token,
        core=_sorted_positions(core),
        beside=_positions(beside),
        more=_positions(more),
    )


def _sorted_positions(places: Sequence[Place]) -> Segment:
    return tuple(sorted({place.token for place in places}))


def _positions(places: Sequence[Place]) -> Segment:
    return tuple(place.token for place in places)


def _negations(phrase: Place) -> list[Place]:
    return [each for each in phrase.children if each.is_word and each.word.lower() in _NEGATIONS]


def _inner(phrase: Place, auxiliary: Place) -> Place | None:
    """Return the verb phrase of an auxiliary, after it or, in some languages, before it."""
    at = phrase.children.index(auxiliary) if auxiliary in phrase.children else -1
    for each in [*phrase.children[at + 1 :], *reversed(phrase.children[: max(at, 0)])]:
        if each.label == "VP" and not any(c.label in {"TO", "PART"} for c in each.children[:1]):
            return each
    return None


def _first_verb(phrase: Place) -> Place | None:
    """Return the head verb of a phrase, or of the first of several coordinated phrases."""
    while True:
        for each in phrase.children:
            if _is_verb(each) or (each.is_word and not is_tagged(each)):
                return each
        inner = next((each for each in phrase.children if each.label == "VP"), None)
        if inner is None:
            return phrase if phrase.is_word else None
        phrase = inner


def _particles(phrase: Place, verb: Place) -> list[Place]:
    found = []
    for each in phrase.children:
        inside = each.children if each.label == "PRT" else [each]
        found += [
            part
            for part in inside
            if part.is_word and part.label in _PARTICLE_TAGS and part.token > verb.token
        ]
    return found[:1]


_PRONOUN_TAGS = {"PRP", "PRON", "EX", "WP", "WDT", "DT", "DET"}
_NOUN_TAGS = {"NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN", "CD", "NUM"}
_PUNCTUATION_TAGS = {"PUNCT", ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "SYM"}
_SUBJECT_PRONOUNS = {"i", "you", "he", "she", "it", "we", "they", "there", "who", "this", "that"}


def place_of(node: Node, parent: Place | None) -> Place:
    """Return the node as a Place; a phrase of one word becomes that word."""
    only = node.children[0] if len(node.children) == 1 else None
    if node.token is not None:
        return Place("", parent, node.token, node.label)
    if only and only.token is not None:
        return Place(node.label, parent, only.token, only.label)
    place = Place(node.label.split("-")[0] or node.label, parent)
    place.children = [place_of(child, place) for child in node.children]
    return place


def is_tagged(word: Place) -> bool:
    """Return whether the label of the word is a part of speech."""
    # The label of an untagged word may be that of its phrase.
    return word.label not in {"", "X", "VP", "NP", "S"}


def is_pronoun(word: Place) -> bool:
    """Return whether the word may be a subject pronoun."""
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
    # A relative pronoun as subject is outside the clause.
    outside = clause.parent
    if outside and outside.label in {"SBAR", "SBARQ"}:
        for each in outside.children[: outside.children.index(clause)]:
            if each.label in {"WHNP", "NP"} or (each.is_word and each.label in _PRONOUN_TAGS):
                return head_of(each)
    return None


def is_nominal(place: Place) -> bool:
    """Return whether the node may be a subject or an object."""
    if place.is_word:
        return place.label in _PRONOUN_TAGS | _NOUN_TAGS | {"NP"}
    return place.label in {"NP", "WHNP", "QP"}


def complements_of(phrase: Place, verb: Place) -> list[Place]:
    """Return the complements after the verb: objects and predicates first, then the others."""
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
    """Return the words of a complement for a segment: its preposition, if any, and its head."""
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
        # The last noun (the city's lights), but not an apposition (the city, Prague).
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


# A verb alone is not enough to judge.
SHORTEST = 2


def cover_predicates(
    tree: Node, segments: Sequence[Segment], min_length: int, max_length: int
) -> list[Segment]:
    """Return the segments, with one more for every predicate whose verb no segment covers, sorted.

    Such a segment has at most `max_length` tokens, and `min_length` if its clause has enough words,
    but at least 2. It may have gaps and share tokens with other segments. Adjacent predicates share
    a segment if both fit.
    """
    covered = {position for segment in segments for position in segment}
    added: list[Segment] = []
    for predicate in predicates(tree):
        if predicate.verb in covered:
            continue
        segment = _segment(predicate, min_length, max_length)
        if len(segment) < min(SHORTEST, max(min_length, 1)):
            continue
        if added and _may_share_segment(added[-1], segment, max_length):
            segment = tuple(sorted({*added.pop(), *segment}))
        added.append(segment)
        covered |= set(segment)
    return sorted([*segments, *added])


def _may_share_segment(first: Segment, second: Segment, max_length: int) -> bool:
    """Return whether two predicates may share a segment: I think | he knows."""
    # One word may be between them: I think | that | he knows.
    near = bool(set(first) & set(second)) or second[0] - first[-1] <= 2
    return near and len({*first, *second}) <= max_length


def _segment(predicate: Predicate, min_length: int, max_length: int) -> Segment:
    # A chain of auxiliaries that is too long loses those furthest from the verb.
    nearest = sorted(predicate.core, key=lambda token: abs(token - predicate.verb))
    chosen = nearest[:max_length]
    for others, enough in ((predicate.beside, max_length), (predicate.more, min_length)):
        for token in others:
            if len(chosen) < min(enough, max_length) and token not in chosen:
                chosen.append(token)
    return tuple(sorted(chosen))
