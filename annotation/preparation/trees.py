"""Constituency trees, and reading and writing them in brackets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
# Deeper than any sentence, and safe for recursion.
_DEEPEST = 200
# Traces: nodes of a treebank without a word.
_EMPTY = "-NONE-"


@dataclass(frozen=True, slots=True)
class Node:
    """A constituent, or a leaf when `token` (a 0-based position in its sentence) is set."""

    label: str
    children: tuple["Node", ...] = ()
    token: int | None = None


def leaf(token: int, label: str = "") -> Node:
    return Node(label, (), token)


def leaves(node: Node) -> tuple[int, ...]:
    """Return the token positions below a node, from left to right."""
    found = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.token is not None:
            found.append(current.token)
        waiting.extend(reversed(current.children))
    return tuple(found)


def unescape(word: str) -> str:
    """Return the bracket for its escape in treebanks, such as -LRB-, or else the word."""
    return _ESCAPES.get(word, word)


def from_bracketed(line: str) -> tuple[Node, list[str]]:
    """Read a tree such as "(ROOT (NP (DT the) (NN dog)))" and its words, unescaped.

    Roots without a label and traces (-NONE-) are allowed; a blank line is a tree without leaves.
    Raises InputError, without a line number, if the text is not one tree.
    """
    if not line.strip():
        return Node("ROOT"), []
    from nltk.tree import Tree

    try:
        tree = Tree.fromstring(line, remove_empty_top_bracketing=True)
        words: list[str] = []
        if tree.height() > _DEEPEST:
            raise _too_deep()
        return _node(tree, words) or Node("ROOT"), words
    except InputError:
        raise
    except ValueError as problem:
        raise _no_tree(line) from problem
    except RecursionError as problem:
        raise _too_deep() from problem


def _too_deep() -> InputError:
    return InputError(
        _("this is not a tree: its brackets are nested more than %(most)d deep."), most=_DEEPEST
    )


def _no_tree(line: str) -> InputError:
    """Return the error for a line that is not a tree."""
    depth = deepest = 0
    for place, character in enumerate(line, start=1):
        if character == "(" or depth:
            depth += {"(": 1, ")": -1}.get(character, 0)
            deepest = max(deepest, depth)
            if depth or not line[place:].strip():
                continue
            return InputError(
                _("this is not one tree: there is more text after its end at character %(end)d."),
                end=place,
            )
        if not character.isspace():
            break
    if deepest > _DEEPEST:
        return _too_deep()
    if depth:
        return InputError(
            _(
                "this is not a tree: brackets that are not closed (%(count)d); write it as "
                "(S (NP the dog) (VP barks))."
            ),
            count=depth,
        )
    return InputError(_("this is not a tree; write it as (S (NP the dog) (VP barks))."))


def _node(tree: Any, words: list[str]) -> Node | None:
    """Convert an nltk tree and collect its words; return None if it has no word."""
    if isinstance(tree, str):
        words.append(unescape(tree).replace("\\/", "/").replace("\\*", "*"))
        return leaf(len(words) - 1, tree)
    if tree.label() == _EMPTY:
        return None
    children = tuple(node for child in tree if (node := _node(child, words)))
    return Node(tree.label(), children) if children else None


def to_bracketed(node: Node, tokens: Sequence[str]) -> str:
    """Return the tree in brackets on one line, with the escaped tokens as its words."""
    if node.token is not None:
        # An imported token may be empty or contain a no-break space.
        word = "_".join(tokens[node.token].split()) or "_"
        return word.replace("(", "-LRB-").replace(")", "-RRB-")
    inside = " ".join(to_bracketed(child, tokens) for child in node.children)
    return f"({node.label} {inside})"
