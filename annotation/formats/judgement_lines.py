"""Judgements as JSON lines: one judgement of one segment a line."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.formats import strict_json
from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_lines
from annotation.formats.strict_json import Wrong
from annotation.formats.tab_separated import check_ascending

GARBAGE = "garbage"
LONGEST_ANNOTATOR_NAME = 150

# The ranks of candidates by their texts; None is the garbage bin.
Ranks = dict[str, int | None]


@dataclass(frozen=True, slots=True)
class JudgementLine:
    """One line; `where` names file and line, `seconds` is None where they were not recorded."""

    where: str
    sentence: int
    segment: str
    indices: tuple[int, ...]
    annotator: str
    created: datetime
    seconds: float | None
    ranks: Ranks


def read_judgement_lines(path: Path) -> Iterator[JudgementLine]:
    """Yield the judgements of a file, one at a time, with times in UTC.

    Whether a rank exists depends on the segment and is not checked here. Raises InputError, with
    the line, for anything else than the keys of JudgementLine with values of their kind.
    """
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path}, line {number}"
        if not line.strip():
            raise InputError(f"{where}: the line is empty: each line needs a judgement.")
        fields = strict_json.record(strict_json.load(line, where), where, CHECKS)
        indices = tuple(fields.pop("indices"))
        check_ascending(indices, where)
        yield JudgementLine(where=where, indices=indices, **fields)


def rank_or_garbage(value: Any) -> int | None:
    """Return a rank, or None for the garbage bin. Raise Wrong."""
    if value == GARBAGE:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise Wrong(f'{value!r} is neither a whole number nor "{GARBAGE}"')
    return value


def _indices(value: Any) -> list[int]:
    indices: list[int] = strict_json.list_of(strict_json.whole(0))(value)
    if not indices:
        raise Wrong("is empty")
    return indices


def _ranks(value: Any) -> Ranks:
    ranks: Ranks = {}
    for candidate, rank in strict_json.mapping(value).items():
        try:
            ranks[candidate] = rank_or_garbage(rank)
        except Wrong as problem:
            raise Wrong(f"cannot be used: for the candidate {candidate!r}, {problem}") from None
    return ranks


CHECKS = {
    "sentence": strict_json.whole(1),
    "segment": strict_json.text,
    "indices": _indices,
    "annotator": strict_json.name(LONGEST_ANNOTATOR_NAME),
    "created": strict_json.moment,
    "seconds": strict_json.nullable(strict_json.number(0)),
    "ranks": _ranks,
}
