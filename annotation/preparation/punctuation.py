"""Punctuation marks in trees of constituents."""

from collections.abc import Collection, Mapping, Sequence

from annotation.preparation.trees import Node, leaves

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
