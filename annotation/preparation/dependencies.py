"""Convert dependency trees (Universal Dependencies) to constituency trees."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import accumulate

from annotation.formats.conllu import Word
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


@dataclass(slots=True)
class Head:
    """A word with its dependents, nearest first; it covers the words `first` to `last`.

    Words are counted without punctuation marks.
    """

    position: int
    first: int
    last: int
    left: list["Head"] = field(default_factory=list)
    right: list["Head"] = field(default_factory=list)

    def take(self, dependents: list["Head"]) -> list["Head"]:
        """Attach the dependents that are adjacent; return those that are separated by a gap."""
        waiting = sorted(dependents, key=lambda each: each.first)
        before = [each for each in waiting if each.last < self.first]
        after = [each for each in waiting if each.first > self.last]
        while before and before[-1].last == self.first - 1:
            self.left.append(before.pop())
            self.first = self.left[-1].first
        while after and after[0].first == self.last + 1:
            self.right.append(after.pop(0))
            self.last = self.right[-1].last
        return before + after


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
    nodes = {i: _tagged(words, i) for i in sorted(marks)}
    if len(marks) == len(words):
        return Node("ROOT", tuple(nodes.values()))
    tops = [_phrase(words, top) for top in projective(words, marks)]
    # A single word needs a phrase too, which its marks join.
    is_phrase = len(tops) == 1 and len(leaves(tops[0])) > 1
    whole = tops[0] if is_phrase else Node("S" if len(tops) > 1 else "FRAG", tuple(tops))
    return Node("ROOT", (with_marks(whole, nodes, [word.form for word in words]),))


# --- phrases -----------------------------------------------------------------------------------


def _tagged(words: Sequence[Word], position: int) -> Node:
    word = words[position]
    label = f"{word.upos}{FINITE}" if is_finite(word) else word.upos
    return Node(label, (leaf(position, word.form),))


def is_finite(word: Word) -> bool:
    """Return whether the word is a finite verb or auxiliary."""
    features = set(word.features.split("|"))
    # The Czech past tense is a participle, usually without an auxiliary.
    past = {"VerbForm=Part", "Tense=Past", "Voice=Act"} <= features
    return word.upos in {"VERB", "AUX"} and ("VerbForm=Fin" in features or past)


def _phrase(words: Sequence[Word], head: Head) -> Node:
    """Return the phrase of the head, with an inner phrase for each level that has dependents."""
    node = _tagged(words, head.position)
    layers = _layers(words, head)
    verbal = _is_verbal(words[head.position])
    if verbal and (not layers or layers[0][0][0] > Level.PREDICATE):
        node = Node("VP", (node,))
    for (level, _number), left, right in layers:
        before = [part for each in left for part in _conjunct_nodes(words, each)]
        label = _label(level, words[head.position], node)
        node = Node(label, (*before, node, *_after(words, right)))
    return node


def _after(words: Sequence[Word], dependents: Sequence[Head]) -> list[Node]:
    """Return the phrases of dependents on the right.

    An object and the infinitive whose subject it is form a clause: (want) him to go.
    """
    nodes: list[Node] = []
    relation = ""
    for dependent in dependents:
        before, relation = relation, _relation(words, dependent)
        parts = _conjunct_nodes(words, dependent)
        if (before, relation) == ("obj", "xcomp") and _is_verbal(words[dependent.position]):
            nodes[-1:] = [Node("S", (nodes[-1], *parts))]
        else:
            nodes.extend(parts)
    return nodes


def _conjunct_nodes(words: Sequence[Word], dependent: Head) -> Iterator[Node]:
    """Yield the conjunction, which UD attaches to the dependent, and the dependent's phrase."""
    if _relation(words, dependent) == "conj":
        while dependent.left and _relation(words, dependent.left[-1]) == "cc":
            yield _phrase(words, dependent.left[-1])
            dependent = replace(dependent, left=dependent.left[:-1])
    yield _phrase(words, dependent)


def _layers(words: Sequence[Word], head: Head) -> list[tuple[_Place, list[Head], list[Head]]]:
    """Return each place, from the inside out, with its left and right dependents in text order."""
    left = _raised_places([_left_place(words, head, n) for n in range(len(head.left))])
    right = _raised_places([_right_place(words, head, each) for each in head.right])
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


def _relation(words: Sequence[Word], head: Head) -> str:
    return words[head.position].relation.split(":")[0]


def _is_verbal(word: Word) -> bool:
    return word.upos in {"VERB", "AUX"} and word.relation.split(":")[0] not in _MODIFYING


def _left_place(words: Sequence[Word], head: Head, number: int) -> _Place:
    dependent, own = words[head.left[number].position], words[head.position]
    relation = dependent.relation.split(":")[0]
    if dependent.relation.endswith(":outer"):
        return Level.OUTER_CLAUSE, 0
    if relation in {"aux", "cop"} or (relation == "mark" and dependent.upos == "PART"):
        if _has_subject_nearer(words, head, number) and _has_outer(words, head):
            return Level.OUTER_PREDICATE, 0
        if relation == "cop":
            return Level.PREDICATE, 0
        return Level.AUXILIARY, min(number, _MOST_AUXILIARIES)
    if relation == "advmod":
        return _adverb_place(words, head, number)
    if number == len(head.left) - 1 and _is_relative(words, head, number):
        return Level.MARK, 0
    if _is_verbal(own):
        return _LEFT.get(relation, Level.CLAUSE), 0
    return _LEFT.get(relation, Level.BASE), 0


def _has_subject_nearer(words: Sequence[Word], head: Head, number: int) -> bool:
    return any(
        words[each.position].relation.split(":")[0] in {"nsubj", "csubj", "mark", "cop"}
        for each in head.left[:number]
    )


def _has_outer(words: Sequence[Word], head: Head) -> bool:
    return any(words[each.position].relation.endswith(":outer") for each in head.left)


def _adverb_place(words: Sequence[Word], head: Head, number: int) -> _Place:
    """Return the place of an adverb: beside the next auxiliary, or else before the phrase."""
    negation = words[head.left[number].position].upos == "PART"
    for further in range(number + 1, len(head.left)):
        relation = _relation(words, head.left[further])
        if relation == "cop":
            adjective = words[head.position].upos in {"ADJ", "ADV"} and not negation
            return (Level.BASE if adjective else Level.PREDICATE), 0
        if relation in {"aux", "mark"}:
            place = _left_place(words, head, further)
            return place if place[0] == Level.AUXILIARY else (Level.CLAUSE, 0)
    if _is_verbal(words[head.position]):
        return Level.CLAUSE, 0
    return Level.BASE, 0


def _is_relative(words: Sequence[Word], head: Head, number: int) -> bool:
    """Return whether an object or adverb, such as "whom", precedes the subject of its clause."""
    dependent = words[head.left[number].position]
    return (
        dependent.upos in {"PRON", "ADV", "DET", "SCONJ"}
        and dependent.relation.split(":")[0] in {"obj", "obl", "advmod"}
        and words[head.position].relation.split(":")[0] in {"acl", "advcl", "ccomp"}
        and _has_subject_nearer(words, head, number)
    )


def _right_place(words: Sequence[Word], head: Head, dependent: Head) -> _Place:
    own, relation = words[head.position], _relation(words, dependent)
    if relation == "conj":
        return _conjunct_level(words, head, dependent), 0
    if _is_verbal(own):
        return _RIGHT.get(relation, Level.PREDICATE), 0
    is_clause = any(_relation(words, each) in {"nsubj", "cop"} for each in head.left)
    if relation in {"obl", "advcl", "xcomp", "ccomp", "advmod"} and not (
        is_clause and own.upos not in {"ADJ", "ADV"}
    ):
        return Level.MODIFIERS, 0
    return _RIGHT.get(relation, Level.MODIFIERS), 0


def _conjunct_level(words: Sequence[Word], head: Head, conjunct: Head) -> Level:
    """Return the level at which a conjunct joins: that of a phrase with the same parts."""
    own = {_relation(words, each) for each in conjunct.left}
    others = {_relation(words, each) for each in head.left}
    if "mark" in own:
        return Level.SENTENCE if "mark" in others else Level.CLAUSE_CONJUNCTS
    if own & {"nsubj", "csubj", "expl"}:
        return Level.CLAUSE_CONJUNCTS
    if own & {"aux", "cop"}:
        return Level.VERB_CONJUNCTS
    if _is_verbal(words[conjunct.position]):
        finite = is_finite(words[conjunct.position])
        return Level.VERB_CONJUNCTS if finite or "aux" not in others else Level.PREDICATE_CONJUNCTS
    if "case" in own:
        return Level.CASE_CONJUNCTS
    bare = all(_relation(words, each) == "cc" for each in conjunct.left) and not conjunct.right
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


# Deeper words attach higher, so that recursive readers do not exceed Python's stack.
_DEEPEST = 20


def projective(words: Sequence[Word], marks: Collection[int]) -> list[Head]:
    """Return the roots of the tree of the words without marks, from left to right.

    A dependent that is separated from its head's phrase attaches to the head's head: this is
    pseudo-projective lifting (Nivre and Nilsson 2005), from the leaves upwards. The heads must form
    one or several trees.
    """
    order, heads = _from_the_top(words)
    numbers = {i: n for n, i in enumerate(i for i in range(len(words)) if i not in marks)}
    waiting: dict[int, list[Head]] = {-1: []}
    for position in reversed(order):
        if position not in marks:
            head = Head(position, numbers[position], numbers[position])
            apart = head.take(waiting.pop(position, []))
            waiting.setdefault(heads[position], []).extend([*apart, head])
    return sorted(waiting[-1], key=lambda each: each.first)


def _from_the_top(words: Sequence[Word]) -> tuple[list[int], list[int]]:
    """Return the positions, heads before dependents, and the heads limited to _DEEPEST levels."""
    dependents: dict[int, list[int]] = {}
    for position, word in enumerate(words):
        dependents.setdefault(word.head, []).append(position)
    order = list(dependents.get(-1, ()))
    heads = [word.head for word in words]
    depths = dict.fromkeys(order, 0)
    for position in order:
        for dependent in dependents.get(position, ()):
            if depths[position] == _DEEPEST:
                heads[dependent] = heads[position]
            depths[dependent] = min(depths[position] + 1, _DEEPEST)
            order.append(dependent)
    return order, heads


_CLOSING = {"(": ")", "[": "]", "{": "}", "“": "”", "„": "“", "«": "»", "‘": "’", "``": "''"}
_STRAIGHT = {'"', "''", "'"}
_PARENTHESIS = "PRN"


def with_marks(tree: Node, marks: Mapping[int, Node], forms: Sequence[str]) -> Node:
    """Return the tree with each punctuation mark attached as high as possible.

    A pair of brackets or quotation marks attaches to one node; if it encloses whole phrases, it
    forms a phrase with them. `marks` are by position in `forms`; no leaf of `tree` is a mark.
    """
    return _filled(tree, sorted(marks), marks, _partners(sorted(marks), forms), forms)


def _partners(positions: Sequence[int], forms: Sequence[str]) -> dict[int, int]:
    """Return the partner of each paired bracket or quotation mark, by position."""
    partners: dict[int, int] = {}
    waiting: list[int] = []
    for position in positions:
        form = forms[position]
        opener = next((p for p in reversed(waiting) if _closes(forms[p], form)), None)
        if opener is not None:
            del waiting[waiting.index(opener) :]
            partners |= {opener: position, position: opener}
        elif form in _CLOSING or form in _STRAIGHT:
            waiting.append(position)
    return partners


def _closes(opener: str, form: str) -> bool:
    return _CLOSING.get(opener) == form or (opener == form and form in _STRAIGHT)


def _filled(
    node: Node,
    positions: Sequence[int],
    marks: Mapping[int, Node],
    partners: Mapping[int, int],
    forms: Sequence[str],
) -> Node:
    if not positions or node.token is not None:
        return node
    left = list(positions)
    children: list[Node] = []
    for child in node.children:
        covered = leaves(child)
        inside = {p for p in left if covered[0] < p < covered[-1]}
        inside |= _closing_comma(child, covered, left, forms)
        inside |= _partners_at_the_edge(inside, covered, left, partners)
        before = [p for p in left if p < covered[-1] and p not in inside]
        children += [marks[p] for p in before]
        children.append(_filled(child, [p for p in left if p in inside], marks, partners, forms))
        left = [p for p in left if p not in inside and p not in before]
    children += [marks[p] for p in left]
    return Node(node.label, tuple(_in_parentheses(children, partners)))


def _closing_comma(
    child: Node, covered: Sequence[int], marks: Collection[int], forms: Sequence[str]
) -> set[int]:
    """Return the position of the comma that closes an apposition, as a set."""
    after = covered[-1] + 1
    if child.label != "NP" or after not in marks or forms[after] != "," or after == len(forms) - 1:
        return set()
    if child.token is not None or any(c.label == "CCONJ" for c in child.children):
        return set()
    before = leaves(child.children[-1])[0] - 1
    return {after} if before in marks and forms[before] == "," else set()


def _partners_at_the_edge(
    inside: Collection[int],
    covered: Sequence[int],
    marks: Collection[int],
    partners: Mapping[int, int],
) -> set[int]:
    """Return the partners of marks inside the phrase, if only marks are in between."""
    found: set[int] = set()
    for partner in {partners[p] for p in inside if p in partners} - set(inside):
        first, last = sorted((partner, covered[-1] if partner > covered[-1] else covered[0]))
        between = set(range(first, last + 1)) - set(covered)
        if between <= set(marks):
            found |= between
    return found


def _in_parentheses(children: Sequence[Node], partners: Mapping[int, int]) -> list[Node]:
    """Group two partners and everything between them, unless they are the outermost children."""
    places = {leaves(child)[0]: n for n, child in enumerate(children)}
    found: list[Node] = []
    n = 0
    while n < len(children):
        first, *more = leaves(children[n])
        end = n if more else places.get(partners.get(first, first), n)
        if end <= n or (n, end) == (0, len(children) - 1):
            end = n
            found.append(children[n])
        else:
            found.append(Node(_PARENTHESIS, tuple(children[n : end + 1])))
        n = end + 1
    return found
