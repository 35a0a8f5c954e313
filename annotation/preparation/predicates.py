"""The finite verb phrases of a tree: the verb, what belongs to it, and what may stand beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotation.preparation.dependencies import FINITE
from annotation.preparation.trees import Node

Segment = tuple[int, ...]

_FINITE_TAGS = {"VBD", "VBZ", "VBP", "MD"}
_VERB_TAGS = _FINITE_TAGS | {"VB", "VBN", "VBG", "VERB", "AUX"}
# A label of a verb or its phrase in a bracketed tree, for Python's and for databases' expressions:
# in a tree without one, only English auxiliaries are found.
VERB_LABEL = r"\((VB[DZPNG]?|MD|VERB|AUX|VP)[ -]"
_PARTICLE_TAGS = {"RP", "ADP"}
_ADVERB_TAGS = {"RB", "RBR", "ADV", "PART"}
_NEGATIONS = {"not", "n't", "'t", "n’t", "’t", "never"}
# What is finite in English even where a tree has no parts of speech.
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
    """Return the predicates of a tree with Penn's labels, or with those of `dependencies`.

    Where words have no parts of speech, auxiliaries are told by a list of English ones, and the
    first word of a clause's VP is taken for its verb.
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
    """Tell whether a bare infinitive begins the predicate of a main clause."""
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
        core=_sorted(core),
        beside=_unsorted(beside),
        more=_unsorted(more),
    )


def _sorted(places: Sequence[Place]) -> Segment:
    return tuple(sorted({place.token for place in places}))


def _unsorted(places: Sequence[Place]) -> Segment:
    return tuple(place.token for place in places)


def _negations(phrase: Place) -> list[Place]:
    return [each for each in phrase.children if each.is_word and each.word.lower() in _NEGATIONS]


def _inner(phrase: Place, auxiliary: Place) -> Place | None:
    """Return the verb phrase that an auxiliary takes: after it, or in other languages before."""
    at = phrase.children.index(auxiliary) if auxiliary in phrase.children else -1
    for each in [*phrase.children[at + 1 :], *reversed(phrase.children[: max(at, 0)])]:
        if each.label == "VP" and not any(c.label in {"TO", "PART"} for c in each.children[:1]):
            return each
    return None


def _first_verb(phrase: Place) -> Place | None:
    """Return the verb that heads a phrase, of several joined phrases the first one's."""
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


# A verb alone is no phrase to judge.
SHORTEST = 2


def cover_predicates(
    tree: Node, segments: Sequence[Segment], min_length: int, max_length: int
) -> list[Segment]:
    """Return the segments and one for every predicate whose verb is in none, left to right.

    Such a segment has at most `max_length` tokens, with gaps where the words stand apart, and
    `min_length` where its clause has words to join, but 2 are enough; a verb that has nothing
    beside it gets none. Neighbours share one where both fit in. It may share tokens with other
    segments: the head of an object, say.
    """
    covered = {position for segment in segments for position in segment}
    added: list[Segment] = []
    for predicate in predicates(tree):
        if predicate.verb in covered:
            continue
        segment = _segment(predicate, min_length, max_length)
        if len(segment) < min(SHORTEST, max(min_length, 1)):
            continue
        if added and _join(added[-1], segment, max_length):
            segment = tuple(sorted({*added.pop(), *segment}))
        added.append(segment)
        covered |= set(segment)
    return sorted([*segments, *added])


def _join(first: Segment, second: Segment, max_length: int) -> bool:
    """Tell whether two predicates may share a segment: I think | he knows."""
    # One word may stand between: I think | that | he knows.
    near = bool(set(first) & set(second)) or second[0] - first[-1] <= 2
    return near and len({*first, *second}) <= max_length


def _segment(predicate: Predicate, min_length: int, max_length: int) -> Segment:
    # Too long a chain of auxiliaries loses those that are furthest from the verb.
    nearest = sorted(predicate.core, key=lambda token: abs(token - predicate.verb))
    chosen = nearest[:max_length]
    for others, enough in ((predicate.beside, max_length), (predicate.more, min_length)):
        for token in others:
            if len(chosen) < min(enough, max_length) and token not in chosen:
                chosen.append(token)
    return tuple(sorted(chosen))
