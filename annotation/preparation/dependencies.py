"""Convert dependency trees (Universal Dependencies) to constituency trees."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import accumulate

from annotation.formats.conllu import Word
from annotation.preparation.lifting import Head, projective
from annotation.preparation.punctuation import with_marks
from annotation.preparation.trees import Node, leaf, leaves

# Stored with a project; raise it when the trees change.
CONVERSION_VERSION = "1"

# Suffix of the part of speech of finite verbs and auxiliaries.
FINITE = "-FIN"

_LABELS = {"ADJ": "ADJP", "ADV": "ADVP", "INTJ": "INTJ", "NUM": "QP", "VERB": "VP", "AUX": "VP"}
# Verbs with these relations modify a noun and are not clauses.
_MODIFYING = frozenset(
    ("amod", "compound", "det", "case", "mark", "cc", "fixed", "flat", "nummod", "aux", "cop")
)


class Level(IntEnum):
    """How far from the head a dependent attaches, from the inside out.

    All dependents of one level form one flat phrase with everything further inside.
    """

    BASE = 1  # the very old | dog
    MODIFIERS = 2  # the dog | of a friend
    NOMINAL_CONJUNCTS = 3  # in | dogs and cats
    CASE = 4  # in | the house
    CASE_CONJUNCTS = 5  # in the house | or in the garden
    PREDICATE = 6  # gave | him a dog; is | a dog
    PREDICATE_CONJUNCTS = 7  # will | come and go
    AUXILIARY = 8  # has | been | seen; to | see
    VERB_CONJUNCTS = 9  # she | sees and hears
    CLAUSE = 10  # she | sees
    CLAUSE_CONJUNCTS = 11  # that | she sees and he hears
    MARK = 12  # that | she sees
    SENTENCE = 13  # that she sees | and that he hears
    OUTER_PREDICATE = 14  # is | that she sees
    OUTER_CLAUSE = 15  # the problem | is that she sees


# Further auxiliaries share a phrase, so that the tree does not become too deep.
_MOST_AUXILIARIES = 6
# A level and, because every auxiliary has its own phrase, the number of the auxiliary.
_Place = tuple[Level, int]

# The level of a dependent by its relation, to the left and to the right of the head.
_LEFT = {
    "flat": Level.BASE,
    "compound": Level.BASE,
    "case": Level.CASE,
    "cop": Level.PREDICATE,
    "aux": Level.AUXILIARY,
    "mark": Level.MARK,
} | dict.fromkeys(
    (
        *("nsubj", "csubj", "expl", "obj", "iobj", "obl", "advcl", "ccomp", "xcomp", "cc"),
        *("dislocated", "discourse", "vocative", "parataxis", "reparandum"),
    ),
    Level.CLAUSE,
)
_RIGHT = (
    dict.fromkeys(
        ("flat", "fixed", "compound", "goeswith", "nummod", "case", "det"),
        Level.BASE,
    )
    | dict.fromkeys(
        ("aux", "cop", "nsubj", "expl", "obj", "iobj", "obl", "xcomp", "ccomp", "advcl"),
        Level.PREDICATE,
    )
    | dict.fromkeys(("csubj", "vocative", "dislocated", "discourse"), Level.CLAUSE)
    | dict.fromkeys(("parataxis", "list"), Level.SENTENCE)
)


def to_constituents(words: Sequence[Word]) -> Node:
    """Return the tree of constituents, with a part of speech above every leaf.

    The leaves are the positions of the words, in order. Labels are those of the Penn Treebank (S,
    SBAR, VP, NP, PP, …), parts of speech those of UD, with "-FIN" for finite verbs and auxiliaries.
    Words that are separated from their phrase by a gap attach to a higher phrase. The heads must
    form one or several trees.
    """
    with_dependents = {word.head for word in words}
    # A mark with dependents is treated as a word.
    marks = {
        position
        for position, word in enumerate(words)
        if word.upos == "PUNCT" and position not in with_dependents
    }
    nodes = {i: _tagged(words[i], i) for i in sorted(marks)}
    if len(marks) == len(words):
        return Node("ROOT", tuple(nodes.values()))
    tops = [_phrase(top) for top in projective(words, marks)]
    # A single word needs a phrase too, which its marks join.
    is_phrase = len(tops) == 1 and len(leaves(tops[0])) > 1
    whole = tops[0] if is_phrase else Node("S" if len(tops) > 1 else "FRAG", tuple(tops))
    return Node("ROOT", (with_marks(whole, nodes, [word.form for word in words]),))


def _tagged(word: Word, position: int) -> Node:
    label = f"{word.upos}{FINITE}" if is_finite(word) else word.upos
    return Node(label, (leaf(position, word.form),))


def is_finite(word: Word) -> bool:
    """Return whether the word is a finite verb or auxiliary."""
    features = set(word.features.split("|"))
    # The Czech past tense is a participle, usually without an auxiliary.
    past = {"VerbForm=Part", "Tense=Past", "Voice=Act"} <= features
    return word.upos in {"VERB", "AUX"} and ("VerbForm=Fin" in features or past)


def _phrase(head: Head) -> Node:
    """Return the phrase of the head, with an inner phrase for each level that has dependents."""
    node = _tagged(head.word, head.position)
    layers = _layers(head)
    verbal = _is_verbal(head.word)
    if verbal and (not layers or layers[0][0][0] > Level.PREDICATE):
        node = Node("VP", (node,))
    for (level, _number), left, right in layers:
        before = [part for each in left for part in _conjunct_nodes(each)]
        label = _label(level, head.word, node)
        node = Node(label, (*before, node, *_after(right)))
    return node


def _after(dependents: Sequence[Head]) -> list[Node]:
    """Return the phrases of dependents on the right.

    An object and the infinitive whose subject it is form a clause: (want) him to go.
    """
    nodes: list[Node] = []
    relation = ""
    for dependent in dependents:
        before, relation = relation, dependent.word.base_relation
        parts = _conjunct_nodes(dependent)
        if (before, relation) == ("obj", "xcomp") and _is_verbal(dependent.word):
            nodes[-1:] = [Node("S", (nodes[-1], *parts))]
        else:
            nodes.extend(parts)
    return nodes


def _conjunct_nodes(dependent: Head) -> Iterator[Node]:
    """Yield the conjunction, which UD attaches to the dependent, and the dependent's phrase."""
    if dependent.word.base_relation == "conj":
        while dependent.left and dependent.left[-1].word.base_relation == "cc":
            yield _phrase(dependent.left[-1])
            dependent = replace(dependent, left=dependent.left[:-1])
    yield _phrase(dependent)


def _layers(head: Head) -> list[tuple[_Place, list[Head], list[Head]]]:
    """Return each place, from the inside out, with its left and right dependents in text order."""
    left = _raised_places([_left_place(head, n) for n in range(len(head.left))])
    right = _raised_places([_right_place(head, each) for each in head.right])
    return [
        (
            place,
            [each for each, at in zip(head.left, left, strict=True) if at == place][::-1],
            [each for each, at in zip(head.right, right, strict=True) if at == place],
        )
        for place in sorted({*left, *right})
    ]


def _raised_places(places: list[_Place]) -> list[_Place]:
    """Raise each place to at least that of the dependents further inside: phrases have no gaps.

    A dependent before an auxiliary before the subject is outside the clause.
    """
    raised = list(accumulate(places, max))
    for number, (place, at) in enumerate(zip(places, raised, strict=True)):
        if place < at == (Level.CLAUSE, 0) and place[0] in {Level.PREDICATE, Level.AUXILIARY}:
            outside = [max(each, (Level.MARK, 0)) for each in raised[number + 1 :]]
            return raised[: number + 1] + outside
    return raised


def _is_verbal(word: Word) -> bool:
    return word.upos in {"VERB", "AUX"} and word.base_relation not in _MODIFYING


def _left_place(head: Head, number: int) -> _Place:
    dependent, own = head.left[number].word, head.word
    relation = dependent.base_relation
    if dependent.relation.endswith(":outer"):
        return Level.OUTER_CLAUSE, 0
    if relation in {"aux", "cop"} or (relation == "mark" and dependent.upos == "PART"):
        if _has_subject_nearer(head, number) and _has_outer(head):
            return Level.OUTER_PREDICATE, 0
        if relation == "cop":
            return Level.PREDICATE, 0
        return Level.AUXILIARY, min(number, _MOST_AUXILIARIES)
    if relation == "advmod":
        return _adverb_place(head, number)
    if number == len(head.left) - 1 and _is_relative(head, number):
        return Level.MARK, 0
    if _is_verbal(own):
        return _LEFT.get(relation, Level.CLAUSE), 0
    return _LEFT.get(relation, Level.BASE), 0


def _has_subject_nearer(head: Head, number: int) -> bool:
    return any(
        each.word.base_relation in {"nsubj", "csubj", "mark", "cop"} for each in head.left[:number]
    )


def _has_outer(head: Head) -> bool:
    return any(each.word.relation.endswith(":outer") for each in head.left)


def _adverb_place(head: Head, number: int) -> _Place:
    """Return the place of an adverb: beside the next auxiliary, or else before the phrase."""
    negation = head.left[number].word.upos == "PART"
    for further in range(number + 1, len(head.left)):
        relation = head.left[further].word.base_relation
        if relation == "cop":
            adjective = head.word.upos in {"ADJ", "ADV"} and not negation
            return (Level.BASE if adjective else Level.PREDICATE), 0
        if relation in {"aux", "mark"}:
            place = _left_place(head, further)
            return place if place[0] == Level.AUXILIARY else (Level.CLAUSE, 0)
    if _is_verbal(head.word):
        return Level.CLAUSE, 0
    return Level.BASE, 0


def _is_relative(head: Head, number: int) -> bool:
    """Return whether an object or adverb, such as "whom", precedes the subject of its clause."""
    dependent = head.left[number].word
    return (
        dependent.upos in {"PRON", "ADV", "DET", "SCONJ"}
        and dependent.base_relation in {"obj", "obl", "advmod"}
        and head.word.base_relation in {"acl", "advcl", "ccomp"}
        and _has_subject_nearer(head, number)
    )


def _right_place(head: Head, dependent: Head) -> _Place:
    own, relation = head.word, dependent.word.base_relation
    if relation == "conj":
        return _conjunct_level(head, dependent), 0
    if _is_verbal(own):
        return _RIGHT.get(relation, Level.PREDICATE), 0
    is_clause = any(each.word.base_relation in {"nsubj", "cop"} for each in head.left)
    if relation in {"obl", "advcl", "xcomp", "ccomp", "advmod"} and not (
        is_clause and own.upos not in {"ADJ", "ADV"}
    ):
        return Level.MODIFIERS, 0
    return _RIGHT.get(relation, Level.MODIFIERS), 0


def _conjunct_level(head: Head, conjunct: Head) -> Level:
    """Return the level at which a conjunct joins: that of a phrase with the same parts."""
    own = {each.word.base_relation for each in conjunct.left}
    others = {each.word.base_relation for each in head.left}
    if "mark" in own:
        return Level.SENTENCE if "mark" in others else Level.CLAUSE_CONJUNCTS
    if own & {"nsubj", "csubj", "expl"}:
        return Level.CLAUSE_CONJUNCTS
    if own & {"aux", "cop"}:
        return Level.VERB_CONJUNCTS
    if _is_verbal(conjunct.word):
        finite = is_finite(conjunct.word)
        return Level.VERB_CONJUNCTS if finite or "aux" not in others else Level.PREDICATE_CONJUNCTS
    if "case" in own:
        return Level.CASE_CONJUNCTS
    bare = all(each.word.base_relation == "cc" for each in conjunct.left) and not conjunct.right
    return Level.BASE if bare else Level.NOMINAL_CONJUNCTS


def _label(level: Level, head: Word, inner: Node) -> str:
    if level <= Level.NOMINAL_CONJUNCTS:
        return _LABELS.get(head.upos, "NP")
    if level <= Level.CASE_CONJUNCTS:
        return "PP"
    if level <= Level.VERB_CONJUNCTS or level == Level.OUTER_PREDICATE:
        return "VP"
    if level in {Level.CLAUSE, Level.CLAUSE_CONJUNCTS, Level.OUTER_CLAUSE}:
        return "S"
    return "SBAR" if level == Level.MARK else inner.label
