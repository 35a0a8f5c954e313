"""The finite verb phrases of a tree: the verb, what belongs to it, and what may stand beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.preparation.clauses import (
    Place,
    complements_of,
    head_of,
    is_pronoun,
    is_tagged,
    place_of,
    subject_of,
    taken_from,
)
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
