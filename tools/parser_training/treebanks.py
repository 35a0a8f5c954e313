"""Treebanks of English as the parser learns them: on our tokens, trees as labelled spans.

Our tokens (`tokens.tokenize`, Moses) differ from those of treebanks: words with hyphens are one
token, "ca n't" is "can 't", quotation marks are plain and brackets are not escaped.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.preparation.embedded.parser import LabelledSpan, tree_of
from annotation.preparation.trees import Node, from_bracketed

# The documents of GUM that are never trained on: two of each genre, as GUM itself divides them.
DEVELOPMENT = frozenset(
    {
        "academic_exposure",
        "academic_librarians",
        "bio_byron",
        "bio_emperor",
        "court_loan",
        "court_negligence",
        "interview_cyclone",
        "interview_gaming",
        "news_homeopathic",
        "news_iodine",
        "speech_impeachment",
        "speech_inauguration",
        "textbook_governments",
        "textbook_labor",
        "vlog_portland",
        "vlog_radiology",
        "voyage_athens",
        "voyage_coron",
    }
)
_PLAIN = {"``": '"', "''": '"', "“": '"', "”": '"', "‘": "'", "’": "'"}
_HYPHEN = "HYPH"
# Words that a hyphen before them does not join: "up- and downhill".
_NO_WORD = {"CC", ",", ".", ":", "-LRB-", "-RRB-", "``", "''", ""}


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens, their parts of speech (Penn's), and their phrases: outer ones before inner ones.

    A phrase of one token is none.
    """

    tokens: list[str]
    tags: list[str]
    spans: list[LabelledSpan]


def read_gum(folder: Path) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences of GUM to train on, and those of its development documents."""
    train: list[Sentence] = []
    development: list[Sentence] = []
    for path in sorted(folder.glob("*.ptb")):
        name = path.stem.removeprefix("GUM_")
        part = development if name in DEVELOPMENT else train
        part.extend(map(read_tree, trees_in(path.read_text(encoding="utf-8"))))
    return train, development


def trees_in(text: str) -> Iterator[str]:
    """Yield the outermost brackets of a text; a bracket may span several lines."""
    depth = start = 0
    for found in re.finditer(r"[()]", text):
        if found.group() == "(":
            start = found.start() if depth == 0 else start
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                yield text[start : found.end()]


def read_tree(text: str) -> Sentence:
    """Read one bracketed tree of GUM as a sentence of our tokens."""
    tree, words = from_bracketed(text)
    tags: list[str] = []
    spans: list[LabelledSpan] = []
    _collect(tree, tags, spans)
    return to_our_tokens(Sentence(words, tags, spans))


def _collect(node: Node, tags: list[str], spans: list[LabelledSpan]) -> None:
    """Add the tags and the spans below a node."""
    if len(node.children) == 1 and node.children[0].token is not None:
        tags.append(node.label)
        return
    place = len(spans)
    start = len(tags)
    for child in node.children:
        _collect(child, tags, spans)
    label = re.split("[-=|]", node.label)[0]
    if label not in ("ROOT", "TOP", ""):
        spans.insert(place, (start, len(tags), label))


def to_our_tokens(sentence: Sentence) -> Sentence:
    """Return the sentence on tokens as `tokens.tokenize` makes them, as far as words tell.

    A joined token has the tag of its last part, and is in every phrase that has one of its
    parts; of phrases that would then cross, the inner one is left out.
    """
    tokens: list[str] = []
    tags: list[str] = []
    places: list[int] = []
    words = _plain_words(sentence.tokens)
    joins = _joins(words, sentence.tags)
    for word, tag, join in zip(words, sentence.tags, joins, strict=True):
        if join:
            tokens[-1] += word
            tags[-1] = tag if tag != _HYPHEN else tags[-1]
        else:
            tokens.append(word)
            tags.append(tag)
        places.append(len(tokens) - 1)
    return Sentence(tokens, tags, _moved_spans(sentence.spans, places))


def _plain_words(words: Sequence[str]) -> list[str]:
    """Write quotation marks plainly, and "ca n't" as "can 't"."""
    plain = [_PLAIN.get(word, word).replace("’", "'") for word in words]
    for i in range(1, len(plain)):
        if plain[i].lower() == "n't":
            plain[i - 1] += plain[i][0]
            plain[i] = plain[i][1:]
    return plain


def _joins(words: Sequence[str], tags: Sequence[str]) -> list[bool]:
    """Say which words belong to the token before them: those around hyphens, and "can not"."""
    joins = [False] * len(words)
    for i in range(1, len(words)):
        if tags[i] == _HYPHEN:
            joins[i] = True
            if i + 1 < len(words) and tags[i + 1] not in _NO_WORD:
                joins[i + 1] = True
        elif (words[i - 1].lower(), words[i].lower()) == ("can", "not"):
            joins[i] = True
    return joins


def _moved_spans(spans: Sequence[LabelledSpan], places: Sequence[int]) -> list[LabelledSpan]:
    kept: list[LabelledSpan] = []
    seen: set[tuple[int, int]] = set()
    for start, end, label in spans:
        first, after = places[start], places[end - 1] + 1
        crosses = any(a < first < b < after or first < a < after < b for a, b in seen)
        if after - first > 1 and not crosses and (first, after) not in seen:
            kept.append((first, after, label))
            seen.add((first, after))
    return kept


def to_tree(sentence: Sentence) -> Node:
    """Return the tree of a sentence's spans, with its tags above the leaves."""
    return tree_of(sentence.spans, sentence.tags)
