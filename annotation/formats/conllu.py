"""Trees of dependencies in CoNLL-U (https://universaldependencies.org/format.html)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import cast

from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import read_lines_or_none

_COLUMNS = 10
_ID = re.compile(r"([1-9][0-9]{0,5})(?:(-|\.)([0-9]{1,6}))?|(0)\.[0-9]{1,6}")
_HEAD = re.compile(r"0|[1-9][0-9]{0,5}")
_TAG = re.compile(r"[^\s()]{1,40}")
# No sentence is this long: a blank line is missing.
_MOST_WORDS = 2_000
# The comment that keeps the line of a stored sentence in its file.
_LINE = "# line = "


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a dependency tree; `head` is its head's 0-based position, -1 for a root.

    `upos`, `relation` and `features` are as in CoNLL-U: "VERB", "nsubj:pass", "VerbForm=Fin|…".
    """

    form: str
    upos: str
    head: int
    relation: str
    features: str = ""

    @property
    def base_relation(self) -> str:
        """The relation without its subtype: "nsubj" of "nsubj:pass"."""
        return self.relation.split(":")[0]


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """One sentence of a file: its words, and the parts of the text that they stand for.

    `line` is its first line in the file. `surfaces` are (text, first, stop): the text of the
    words [first, stop), of more than one where the file has a range as 1-2 (don't = do + n't).
    """

    line: int
    words: tuple[Word, ...]
    surfaces: tuple[tuple[str, int, int], ...]


def read_conllu_or_none(path: Path, on_error: OnError) -> Iterator[ConlluSentence | None]:
    """Yield the sentences of a file, and None for one that is malformed.

    Comments and empty nodes (1.1) are left out. Calls `on_error`, with file and line, for a
    malformed sentence and for heads that form no tree.
    """
    waiting: list[tuple[int, str]] = []
    for number, line in enumerate(chain(read_lines_or_none(path, on_error), [""]), start=1):
        if line is None:
            continue
        if line.strip():
            if not line.startswith("#"):
                waiting.append((number, line))
            # Ranges and empty nodes are lines too.
            if len(waiting) > 3 * _MOST_WORDS:
                on_error(_too_long(f"{path}, line {number}"))
                return
        elif waiting:
            try:
                yield _sentence(waiting, path)
            except InputError as problem:
                on_error(problem)
                yield None
            waiting = []


def to_text(sentence: ConlluSentence) -> str:
    """Return the sentence in CoNLL-U, without the columns that SegRanks does not use."""
    lines = [f"{_LINE}{sentence.line}"]
    ranges = {first: (text, stop) for text, first, stop in sentence.surfaces}
    for number, word in enumerate(sentence.words):
        text, stop = ranges.get(number, ("", 0))
        if stop > number + 1:
            lines.append("\t".join((f"{number + 1}-{stop}", text, *"________")))
        head = str(word.head + 1)
        lines.append(
            "\t".join(
                [
                    *(str(number + 1), word.form, "_", word.upos, "_"),
                    *(word.features or "_", head, word.relation, "_", "_"),
                ]
            )
        )
    return "\n".join(lines)


def from_text(text: str, name: str) -> ConlluSentence:
    """Return the sentence that `to_text` wrote; `name` is the file that it came from."""
    first, *lines = text.split("\n")
    start = int(first.removeprefix(_LINE))
    return _sentence([(start, line) for line in lines], name)


def _sentence(lines: Sequence[tuple[int, str]], file: Path | str) -> ConlluSentence:
    """Return the sentence of the numbered lines. Raise InputError."""
    words: list[Word] = []
    surfaces: list[tuple[str, int, int]] = []
    for number, line in lines:
        where = f"{file}, line {number}"
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise InputError(
                _("%(found)d columns where CoNLL-U has %(wanted)d, separated by tabs."),
                where,
                found=len(columns),
                wanted=_COLUMNS,
            )
        match = _ID.fullmatch(columns[0])
        if not match:
            raise InputError(
                _("the id %(id)r is not of the form 3, 3-4 or 3.1."), where, id=columns[0][:40]
            )
        first, sign, last = match[1], match[2], match[3]
        if match[4] or sign == ".":
            continue
        if int(first) != len(words) + 1:
            raise InputError(
                _(
                    "the id is %(id)s, but the next one is %(next)d: number the words of each "
                    "sentence from 1, and leave a blank line between sentences."
                ),
                where,
                id=first,
                next=len(words) + 1,
            )
        if sign:
            _add_range(surfaces, columns[1], int(first) - 1, int(last), where)
            continue
        if len(words) == _MOST_WORDS:
            raise _too_long(where)
        if not surfaces or surfaces[-1][2] <= len(words):
            surfaces.append((columns[1], len(words), len(words) + 1))
        words.append(_word(columns, where))
    _check_tree(words, surfaces, f"{file}, line {lines[0][0]}")
    return ConlluSentence(lines[0][0], tuple(words), tuple(surfaces))


def _add_range(
    surfaces: list[tuple[str, int, int]], text: str, first: int, stop: int, where: str
) -> None:
    if stop <= first + 1 or (surfaces and surfaces[-1][2] > first):
        raise InputError(
            _("the range %(first)d-%(last)d does not cover two or more new words."),
            where,
            first=first + 1,
            last=stop,
        )
    surfaces.append((text, first, stop))


def _word(columns: Sequence[str], where: str) -> Word:
    _id, form, _lemma, upos, _xpos, features, head, relation, *_more = columns
    if not form.strip():
        raise InputError(_("the second column, the word, is empty."), where)
    if not _TAG.fullmatch(upos) or not _TAG.fullmatch(relation):
        raise InputError(
            _(
                "the part of speech %(tag)r or the relation %(relation)r is empty or contains "
                "spaces or brackets."
            ),
            where,
            tag=upos[:40],
            relation=relation[:40],
        )
    if not _HEAD.fullmatch(head):
        raise InputError(
            _(
                "the head %(head)r is not the number of a word: give a file with dependencies in "
                "columns 7 and 8."
            ),
            where,
            head=head[:40],
        )
    return Word(
        form=form,
        upos=upos,
        head=int(head) - 1,
        relation=relation,
        features="" if features == "_" else features,
    )


def _check_tree(
    words: Sequence[Word], surfaces: Sequence[tuple[str, int, int]], where: str
) -> None:
    """Raise InputError unless the heads form a tree, or several."""
    if not words or surfaces[-1][2] > len(words):
        raise InputError(_("the sentence ends before its last word."), where)
    for number, word in enumerate(words, start=1):
        if word.head >= len(words):
            raise InputError(
                _("the head of word %(word)d is %(head)d, but the sentence has %(words)d words."),
                where,
                word=number,
                head=word.head + 1,
                words=len(words),
            )
    safe = {-1}
    for number in range(len(words)):
        path: list[int] = []
        while number not in safe:
            path.append(number)
            safe.add(number)
            number = words[number].head
        if number in path:
            raise InputError(
                _("word %(word)d depends on itself through its heads, so they form no tree."),
                where,
                word=number + 1,
            )


def _too_long(where: str) -> InputError:
    return InputError(
        _("a sentence of more than %(most)d words: is a blank line missing?"),
        where,
        most=_MOST_WORDS,
    )


def pair_with_lines(path: Path, lines: Iterable[str], source: Path) -> Iterator[str]:
    """Yield for each line of the source the text of its sentence (see `to_text`), "" for none.

    Raises InputError as `pair_sentences` reports it.
    """
    for _line, sentence in pair_sentences(path, lines, source):
        yield to_text(sentence) if sentence else ""


def pair_sentences(
    path: Path, lines: Iterable[str], source: Path, on_error: OnError = raise_error
) -> Iterator[tuple[str, ConlluSentence | None]]:
    """Yield each line of the source with its sentence, None for a blank line or a malformed one.

    Calls `on_error` as `read_conllu_or_none` does, and once if the file has more or fewer sentences
    than the source has lines that are not blank.
    """
    sentences = read_conllu_or_none(path, on_error)
    end = object()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            yield line, None
            continue
        sentence = next(sentences, end)
        if sentence is end:
            on_error(
                InputError(
                    _(
                        "there is no sentence for line %(line)d of %(source)s: give one tree for "
                        "each line that is not blank, in the same order."
                    ),
                    str(path),
                    line=number,
                    source=str(source),
                )
            )
            return
        yield line, cast(ConlluSentence | None, sentence)
    for extra in sentences:
        if extra:
            on_error(
                InputError(
                    _(
                        "there is no line of %(source)s left for this sentence: give one tree for "
                        "each line that is not blank, in the same order."
                    ),
                    f"{path}, line {extra.line}",
                    source=str(source),
                )
            )
            return
