"""N-best lists of a decoder, in the format of Moses: `id ||| text ||| features ||| score`.

Ids count the input's sentences from 0; the texts are tokenised. Features are `NAME= value value …`,
or `name: value …` as older programs write, or `name=value`. Alignments and other fields behind the
score are ignored.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_lines

SEPARATOR: Final = "|||"
LEAST_FIELDS: Final = 4
ID: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A line: the sentence's number from 0, tokens, values of the features, and the total score."""

    sentence: int
    tokens: tuple[str, ...]
    features: tuple[float, ...]
    score: float


@dataclass(frozen=True)
class NBestLists:
    """The hypotheses of each sentence in the order of the files, and the names of their features.

    A feature with several values has a name for each: `NAME[1]`, `NAME[2]`.
    """

    feature_names: tuple[str, ...]
    hypotheses: dict[int, tuple[Hypothesis, ...]]


def read_nbest_lists(paths: Sequence[Path]) -> NBestLists:
    """Read the lists of one decoder; several files are merged, and equal hypotheses dropped.

    The hypotheses of a sentence are sorted by their scores, the best first. Raises InputError, with
    file and line, also where features differ from those of the first line of the first file.
    """
    names: tuple[str, ...] = ()
    lists: dict[int, dict[Hypothesis, None]] = {}
    first = ""
    for path in paths:
        last = -1
        for where, hypothesis, of_line in _read(path):
            if not first:
                names, first = of_line, where
            if of_line != names:
                raise InputError(
                    f"{where}: the features are {_listed(of_line)}, but {_listed(names)} in {first}"
                    ": give lists with the same features in each line."
                )
            if hypothesis.sentence < last:
                raise InputError(
                    f"{where}: sentence {hypothesis.sentence} comes after sentence {last}: sort "
                    "the list by its first field."
                )
            last = hypothesis.sentence
            lists.setdefault(last, {})[hypothesis] = None
    return NBestLists(
        names,
        {
            sentence: tuple(sorted(found, key=lambda one: one.score, reverse=True))
            for sentence, found in lists.items()
        },
    )


def _read(path: Path) -> Iterator[tuple[str, Hypothesis, tuple[str, ...]]]:
    """Yield file and line, the hypothesis, and the names of its features."""
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path}, line {number}"
        fields = [field.strip() for field in line.split(SEPARATOR)]
        if len(fields) < LEAST_FIELDS:
            raise InputError(
                f"{where}: {len(fields)} fields where id, text, features and score are needed, "
                f"separated by {SEPARATOR}."
            )
        if not ID.fullmatch(fields[0]):
            raise InputError(f"{where}: the id {fields[0]!r} is not a whole number from 0.")
        names, values = _features(fields[2], where)
        score = _number(fields[3], where)
        yield where, Hypothesis(int(fields[0]), tuple(fields[1].split()), values, score), names


def _features(field: str, where: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return a name for each value, and the values."""
    groups: list[tuple[str, list[float]]] = []
    for part in field.split():
        name, equals, value = part.partition("=")
        if part.endswith((":", "=")):
            groups.append((part[:-1], []))
        elif equals and name:
            groups.append((name, [_number(value, where)]))
        elif not groups:
            raise InputError(
                f"{where}: the features begin with {part!r}, but a name such as LM0= is needed "
                "before the first value."
            )
        else:
            groups[-1][1].append(_number(part, where))
    names: list[str] = []
    for name, values in groups:
        if not name or not values:
            raise InputError(f"{where}: the feature {name!r} has no {'value' if name else 'name'}.")
        several = len(values) > 1
        names += [f"{name}[{n}]" if several else name for n in range(1, len(values) + 1)]
    if not names:
        raise InputError(f"{where}: there are no features, from which to choose a hypothesis.")
    if len(set(names)) < len(names):
        raise InputError(f"{where}: a feature is given twice, among {_listed(names)}.")
    return tuple(names), tuple(value for _, values in groups for value in values)


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{where}: {text!r} is not a finite number.")
    return number


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
