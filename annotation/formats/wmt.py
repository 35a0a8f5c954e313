"""The rankings that WMT published: five systems of a sentence a line, or two of them a line.

Rank 1 is the best, equal ranks are ties, -1 is "not judged". A name `A+B` is one text that two
systems produced. A system called `blank` is an empty place.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Final, NamedTuple

from annotation.formats.csv_escaping import with_formulas
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.languages import pair_name
from annotation.formats.names import Spellings, plain_name
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.several_files import once, without_held

PLACES: Final = 5
WORST_RANK: Final = 5
NOT_JUDGED: Final = -1
BLANK: Final = "blank"
JOINED_BY: Final = "+"
FIVE_WAY: Final = (
    *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"),
    *(f"system{place}{what}" for place in range(1, PLACES + 1) for what in ("Number", "Id")),
    *(f"system{place}rank" for place in range(1, PLACES + 1)),
)
PAIRWISE: Final = (
    *("srclang", "trglang", "srcIndex", "segmentId", "judgeID"),
    *("system1Id", "system1rank", "system2Id", "system2rank", "rankingID"),
)
NUMBER: Final = re.compile(r"[0-9]{1,9}")


class Ranked(NamedTuple):
    """A text, by the names of its systems, and its rank (NOT_JUDGED or 1..5)."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Texts of one sentence as one judge ranked them, in the order in which they were shown.

    `ranking_id` is that of a file of pairs, "" in other files.
    """

    where: str
    pair: str
    document: str
    sentence: int
    judge: str
    ranked: tuple[Ranked, ...]
    ranking_id: str = ""


def rankings_once(files: Sequence[Sequence[Ranking]]) -> list[Ranking]:
    """Return the rankings of all files, without those that are given again.

    Without an id, equal ones may be two answers, and only a file that another one has is left out.
    """
    held = chain.from_iterable(without_held(files, _content))
    return once(held, lambda ranking: _content(ranking) if ranking.ranking_id else None)


def _content(ranking: Ranking) -> Ranking:
    return replace(ranking, where="")


def read_five_way(path: Path, on_error: OnError = raise_error) -> Iterator[Ranking]:
    """Yield the rankings of a file of 21 columns.

    Calls `on_error`, with file and line, for each line that cannot be used, and leaves it out.
    """
    spellings = Spellings()
    for where, row in _csv_rows(path, FIVE_WAY, on_error):
        try:
            ranked = _ranked(row, PLACES, where, spellings)
            ranking = _ranking(where, row, row["documentId"], row["judgeId"], ranked)
        except InputError as problem:
            on_error(problem)
        else:
            yield ranking


def read_pairwise(path: Path, on_error: OnError = raise_error) -> Iterator[Ranking]:
    """Yield the rankings of a file of pairs. Calls `on_error` as `read_five_way` does.

    Consecutive lines with one rankingID, judge and sentence become one ranking if they are all the
    pairs of some texts and do not contradict each other; otherwise each line is one ranking.
    """
    lines = _pairs_of_texts(path, on_error)
    for _ranking_id, group in groupby(lines, key=lambda line: (line[0], *_ranking_key(line[1]))):
        pairs = [pair for _, pair in group]
        whole = _joined([pair for pair in pairs if len(pair.ranked) == 2])
        yield from pairs if whole is None else [whole]


def _pairs_of_texts(path: Path, on_error: OnError) -> Iterator[tuple[str, Ranking]]:
    """Yield the rankingID and the ranking of each line."""
    spellings = Spellings()
    for where, row in _csv_rows(path, PAIRWISE, on_error):
        try:
            ranked = _ranked(row, 2, where, spellings)
            pair = _ranking(where, row, "", row["judgeID"], ranked)
        except InputError as problem:
            on_error(problem)
        else:
            yield row["rankingID"], replace(pair, ranking_id=plain_name(row["rankingID"]))


def _csv_rows(
    path: Path, columns: Sequence[str], on_error: OnError
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield file and line of each row, and its fields by the names of `columns`."""
    lines = (line or "" for line in read_lines_or_none(path, on_error))
    reader = csv.reader(lines, strict=True)
    try:
        header = next(reader, None)
        if header is None:
            return
    except csv.Error as problem:
        on_error(_not_csv(path, reader.line_num, problem))
        return
    if [name.strip().lower() for name in header] != [name.lower() for name in columns]:
        on_error(
            InputError(
                f"the heading must be these {len(columns)} columns: {','.join(columns)}.",
                f"{path}, line 1",
            )
        )
        return
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as problem:
            on_error(_not_csv(path, reader.line_num, problem))
            continue
        if fields is None:
            return
        if not "".join(fields).strip():
            continue
        where = f"{path}, line {reader.line_num}"
        if len(fields) != len(columns):
            on_error(
                InputError(
                    f"{len(fields)} columns where {len(columns)} are needed, separated by commas, "
                    "as in the heading.",
                    where,
                )
            )
            continue
        yield where, dict(zip(columns, map(with_formulas, fields), strict=True))


def _not_csv(path: Path, line: int, problem: csv.Error) -> InputError:
    return InputError(f"this is not CSV ({problem}).", f"{path}, line {line}")


def _ranking(
    where: str, row: dict[str, str], document: str, judge: str, ranked: Sequence[Ranked | None]
) -> Ranking:
    source, target = (plain_name(row[column]) for column in ("srclang", "trglang"))
    for column, language in (("srclang", source), ("trglang", target)):
        if not language:
            raise InputError(f"{column} is empty: name the language.", where)
    judge = plain_name(judge)
    if not judge:
        raise InputError("the judge is empty: give each judge a name.", where)
    if not NUMBER.fullmatch(row["segmentId"]):
        raise InputError(f"the segmentId {row['segmentId']!r} is not a whole number.", where)
    ranking = Ranking(
        where=where,
        pair=pair_name(row["srclang"], row["trglang"]),
        document=plain_name(document),
        sentence=int(row["segmentId"]),
        judge=judge,
        ranked=tuple(one for one in ranked if one is not None),
    )
    for system, times in _systems(ranking.ranked).items():
        if times > 1:
            raise InputError(f"the system {system!r} is given twice.", where)
    return ranking


def _ranked(
    row: dict[str, str], places: int, where: str, spellings: Spellings
) -> list[Ranked | None]:
    """Return the text in each place."""
    return [
        _text(row[f"system{n}Id"], row[f"system{n}rank"], where, spellings)
        for n in range(1, places + 1)
    ]


def _text(name: str, rank: str, where: str, spellings: Spellings) -> Ranked | None:
    """Return a text with its rank, or None for an empty place."""
    if not re.fullmatch(r"-?[0-9]{1,9}", rank) or not (
        1 <= int(rank) <= WORST_RANK or int(rank) == NOT_JUDGED
    ):
        raise InputError(
            f"the rank {rank!r} of {name!r} is neither from 1 to {WORST_RANK} nor "
            f"{NOT_JUDGED} for what was not judged.",
            where,
        )
    if plain_name(name) == BLANK:
        if int(rank) != NOT_JUDGED:
            raise InputError(
                f"{BLANK!r} is an empty place and has the rank {rank}: it needs to be "
                f"{NOT_JUDGED}.",
                where,
            )
        return None
    systems = (spellings.system(system, where) for system in name.split(JOINED_BY))
    return Ranked(tuple(sorted(systems)), int(rank))


def _systems(ranked: Sequence[Ranked]) -> Counter[str]:
    return Counter(system for one in ranked for system in one.systems)


def _ranking_key(pair: Ranking) -> tuple[str, str, int]:
    return pair.pair, pair.judge, pair.sentence


def _joined(pairs: Sequence[Ranking]) -> Ranking | None:
    """Return the ranking whose pairs these are, or None if there is none."""
    ranks: dict[tuple[str, ...], int] = {}
    # In a ranking of N texts, each is second in as many pairs as texts were shown before it.
    behind: Counter[tuple[str, ...]] = Counter()
    for pair in pairs:
        for systems, rank in pair.ranked:
            if ranks.setdefault(systems, rank) != rank:
                return None
        behind[pair.ranked[0].systems] += 0
        behind[pair.ranked[1].systems] += 1
    in_one_order = sorted(behind.values()) == list(range(len(ranks)))
    if not pairs or not in_one_order or not _all_pairs(pairs, len(ranks)):
        return None
    order = sorted(ranks, key=lambda systems: behind[systems])
    first = pairs[0]
    ranked = tuple(Ranked(systems, ranks[systems]) for systems in order)
    if max(_systems(ranked).values()) > 1:
        return None
    return replace(first, ranked=ranked)


def _all_pairs(pairs: Sequence[Ranking], texts: int) -> bool:
    different = {frozenset(one.systems for one in pair.ranked) for pair in pairs}
    return len(different) == len(pairs) == texts * (texts - 1) // 2
