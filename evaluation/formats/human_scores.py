"""Human gold from files: direct assessments, MQM averages, and pairs in which people preferred one.

Scores become tables, as those of metrics do; pairs become codes of systems and segments. In all
scores higher is better.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.names import Spellings, plain_name
from annotation.formats.several_files import without_held
from annotation.formats.wmt import (
    NOT_JUDGED,
    Ranking,
    rankings_once,
    read_five_way,
    read_pairwise,
)
from evaluation.formats.metric_scores import HUMAN, IN_DOCUMENT, pair_of_name, rows_of
from evaluation.formats.score_layouts import (
    DA_2017,
    DA_DOCUMENTS,
    DA_RANKING,
    DA_SEGMENTS,
    DA_SENTENCES,
    DA_SYSTEMS,
    DARR,
    RR_PAIRS,
    Recognised,
)
from evaluation.formats.score_tables import TURNED, Finding, Names, TableBuilder, TableKey
from evaluation.formats.system_names import SystemNames, system_of_id
from evaluation.stats.resampling import Floats

# The scores that files of direct assessments have: raw from 0 to 100, and standardised.
RAW: Final = "RAW.SCR"
STANDARDISED: Final = "Z.SCR"
MQM_SCORE: Final = "mqm"
# Between the systems of one text.
JOINED_BY: Final = "+"

FIRST_BETTER, EQUAL, SECOND_BETTER = 1, 0, -1

# --- scores ---


def read_assessed(path: Path, recognised: Recognised, into: TableBuilder) -> None:
    """Add raw and standardised scores of direct assessments, with N judgements behind each.

    Segments have the name in the column SEGID ("DOCUMENT::NUMBER"), or SID.
    """
    places = {name: place for place, name in enumerate(recognised.columns)}
    layout = recognised.layout
    key = TableKey(pair_of_name(path), "", recognised.level)
    item_column = places.get("SEGID", places.get("SID")) if recognised.level != "sys" else None
    for number, row in rows_of(path, recognised, into.on_error):
        item = "" if item_column is None else row[item_column]
        document = item.rpartition(IN_DOCUMENT)[0] if layout is DA_SEGMENTS else ""
        for metric in (RAW, STANDARDISED):
            into.add(
                key,
                metric,
                row[places["SYS"]],
                row[places[metric]],
                number,
                item=item,
                document=document,
                # The same judgements gave both scores.
                count=row[places["N"]] if metric == RAW else "",
            )


def read_da_2017(path: Path, recognised: Recognised, into: TableBuilder) -> None:
    """Add scores of segments of the layout of WMT17, where `A+B` is one text of two systems.

    Each of the systems gets the score.
    """
    places = {name: place for place, name in enumerate(recognised.columns)}
    for number, row in rows_of(path, recognised, into.on_error):
        key = TableKey(row[places["LP"]], row[places["DATA"]], "seg")
        for system in row[places["SYSTEM"]].split(JOINED_BY):
            into.add(key, HUMAN, system, row[places["HUMAN"]], number, item=row[places["SID"]])


def read_mqm(path: Path, recognised: Recognised, into: TableBuilder) -> list[Finding]:
    """Add average MQM scores of segments, which are 0 without errors and negative otherwise.

    A file of error points is turned, and the finding says so. In a file with scores of both signs,
    the negative ones are errors.
    """
    places = {name.lower(): place for place, name in enumerate(recognised.columns)}
    score = places["mqm_avg_score"]
    rows = list(rows_of(path, recognised, into.on_error))
    positive = [row for _number, row in rows if _sign(row[score]) > 0]
    if positive:
        for number, row in rows:
            if _sign(row[score]) < 0:
                into.on_error(
                    InputError(
                        _(
                            "the score %(score)s is negative, but others are positive: give all as "
                            "penalties or all as error points."
                        ),
                        f"{path}, line {number}",
                        score=row[score],
                    )
                )
    key = TableKey(pair_of_name(path), "", "seg")
    for number, row in rows:
        text = row[score]
        if positive and _sign(text) > 0:
            text = f"-{text.removeprefix('+')}"
        elif _sign(text) == 0:
            text = "0"
        into.add(key, MQM_SCORE, row[places["system"]], text, number, item=row[places["seg_id"]])
    if not positive:
        return []
    examples = tuple(row[score] for row in positive[:3])
    return [Finding(TURNED, MQM_SCORE, len(positive), examples, str(path))]


def _sign(text: str) -> float:
    """Return the sign of a number, NaN for anything else."""
    try:
        return float(np.sign(float(text)))
    except ValueError:
        return np.nan


READERS: Final = {
    DA_SEGMENTS: read_assessed,
    DA_SENTENCES: read_assessed,
    DA_DOCUMENTS: read_assessed,
    DA_SYSTEMS: read_assessed,
    DA_RANKING: read_assessed,
    DA_2017: read_da_2017,
}

# --- pairs ---


@dataclass(frozen=True, eq=False)
class PairTable:
    """N comparisons of two systems' translations of a segment by people, in the order of files.

    `segments_of`, `first` and `second` are N codes of `segments` and `systems`; `outcomes` N:
    FIRST_BETTER, EQUAL or SECOND_BETTER. `differences` N are of raw scores, better minus worse,
    NaN where the file does not say. `repeated` counts the comparisons of two systems and a segment
    after the first one, which are all kept, and `contradicting` those of them with another
    outcome than the first. `complete` is False where the layout has no equal pairs at all.
    `left_out` is the number of comparisons without which the table was aligned, and `unknown` the
    names that they had. `given_again` comparisons of several files are only once among them.
    """

    pair: str
    test_set: str
    layout: str
    files: tuple[str, ...]
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    segments_of: NDArray[np.int32]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    outcomes: NDArray[np.int8]
    differences: Floats
    repeated: int
    contradicting: int
    complete: bool
    left_out: int = 0
    unknown: tuple[str, ...] = ()
    given_again: int = 0

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def untied(self) -> int:
        """The number of comparisons in which one system was better."""
        return int((self.outcomes != EQUAL).sum())

    def aligned(
        self, systems: Sequence[str], segments: Sequence[str], names: SystemNames | None = None
    ) -> "PairTable":
        """Return the comparisons with the codes of these systems and segments.

        `names` maps the file's systems to these, None for one to leave out. Comparisons of unknown
        systems and segments are left out and counted.
        """
        given = names or {}
        system_codes = {name: code for code, name in enumerate(systems)}
        segment_codes = {name: code for code, name in enumerate(segments)}
        ours = [given.get(name, name) for name in self.systems]
        of_systems = np.array([system_codes.get(name or "", -1) for name in ours], dtype=np.int32)
        of_segments = np.array([segment_codes.get(s, -1) for s in self.segments], dtype=np.int32)
        first, second = of_systems[self.first], of_systems[self.second]
        segments_of = of_segments[self.segments_of]
        # Two systems of the file may be one here, which is not compared with itself.
        kept = (np.minimum(np.minimum(first, second), segments_of) >= 0) & (first != second)
        there = {*systems, None}
        unknown = [
            *(name for name, our in zip(self.systems, ours, strict=True) if our not in there),
            *(name for name in self.segments if name not in segment_codes),
        ]
        repeated, contradicting = _again(
            segments_of[kept], first[kept], second[kept], self.outcomes[kept]
        )
        return replace(
            self,
            systems=tuple(systems),
            segments=tuple(segments),
            segments_of=segments_of[kept],
            first=first[kept],
            second=second[kept],
            outcomes=self.outcomes[kept],
            differences=self.differences[kept],
            repeated=repeated,
            contradicting=contradicting,
            left_out=self.left_out + int((~kept).sum()),
            unknown=(*self.unknown, *unknown),
        )


class PairKey(NamedTuple):
    """What the comparisons of one table have in common."""

    pair: str
    test_set: str
    layout: str


class Comparison(NamedTuple):
    """One comparison of a file; `difference` is None where the file does not say."""

    key: PairKey
    segment: str
    first: str
    second: str
    outcome: int
    difference: float | None = None


@dataclass
class PairFiles:
    """What files of pairs and of rankings have, with their paths and layouts."""

    preferred: list[tuple[str, list[Comparison]]] = field(default_factory=list)
    rankings: list[tuple[str, str, list[Ranking]]] = field(default_factory=list)


def read_preferred(path: Path, recognised: Recognised, into: PairFiles, on_error: OnError) -> None:
    """Add the pairs of a file of daRR or of the Meteor trainer.

    Calls `on_error` for each line that cannot be used, and leaves it out.
    """
    places = {name.upper(): place for place, name in enumerate(recognised.columns)}
    segment = places["SID" if recognised.layout is DARR else "SEGMENT"]
    better, worse = places["BETTER"], places["WORSE"]
    data, difference = places.get("DATA"), places.get("DIFF")
    spellings = Spellings()
    found: list[Comparison] = []
    into.preferred.append((str(path), found))
    for number, row in rows_of(path, recognised, on_error):
        where = f"{path}, line {number}"
        try:
            first, second = (spellings.plain(row[place], where) for place in (better, worse))
        except InputError as problem:
            on_error(problem)
            continue
        if "LP2" in places and row[places["LP2"]] != row[places["LP"]]:
            template = _(
                "the better text is of %(first)s, the worse one of %(second)s: give one pair."
            )
            pairs = {"first": row[places["LP"]], "second": row[places["LP2"]]}
            on_error(InputError(template, where, **pairs))
            continue
        if first == second:
            template = _("the system %(system)r cannot be better than itself.")
            on_error(InputError(template, where, system=first))
            continue
        gap = None if difference is None else _number(row[difference])
        if difference is not None and gap is None:
            template = _("the difference of scores %(text)r is not a number.")
            on_error(InputError(template, where, text=row[difference][:60]))
            continue
        key = PairKey(row[places["LP"]], "" if data is None else row[data], recognised.layout.name)
        found.append(Comparison(key, plain_name(row[segment]), first, second, FIRST_BETTER, gap))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def read_compared(path: Path, recognised: Recognised, into: PairFiles, on_error: OnError) -> None:
    """Add the rankings of a file of WMT; all its pairs count, ties too.

    Calls `on_error` for each line that cannot be used, and leaves it out.
    """
    five_way = "system5rank" in recognised.layout.columns
    read = read_five_way if five_way else read_pairwise
    into.rankings.append((str(path), recognised.layout.name, list(read(path, on_error))))


def compared(ranking: Ranking) -> Iterator[tuple[str, str, int]]:
    """Yield both systems and the outcome of each pair of judged texts.

    A text of several systems stands for each of them, but is not compared with itself.
    """
    judged = [text for text in ranking.ranked if text.rank != NOT_JUDGED]
    for first, second in combinations(judged, 2):
        outcome = int(np.sign(second.rank - first.rank))
        for of_first, of_second in product(first.systems, second.systems):
            yield system_of_id(of_first), system_of_id(of_second), outcome


def pair_tables(given: PairFiles) -> list[PairTable]:
    """Return the tables of the comparisons, in the order of the files.

    What several files have counts once, as far as it can be told.
    """
    files: dict[PairKey, Names] = {}
    counts: Counter[PairKey] = Counter()
    for path, rows in given.preferred:
        for row in rows:
            files.setdefault(row.key, Names())[path]
            counts[row.key] += 1
    pairs = [rows for _path, rows in given.preferred]
    kept = list(chain.from_iterable(without_held(pairs, lambda row: row)))
    by_layout: dict[str, list[list[Ranking]]] = {}
    for path, layout, rankings in given.rankings:
        by_layout.setdefault(layout, []).append(rankings)
        for ranking in rankings:
            key = PairKey(ranking.pair, "", layout)
            files.setdefault(key, Names())[path]
            counts[key] += sum(1 for _pair in compared(ranking))
    for layout, of_layout in by_layout.items():
        for ranking in rankings_once(of_layout):
            key = PairKey(ranking.pair, "", layout)
            kept += [Comparison(key, str(ranking.sentence), *one) for one in compared(ranking)]
    by_key: dict[PairKey, list[Comparison]] = {}
    for row in kept:
        by_key.setdefault(row.key, []).append(row)
    return [
        _pair_table(key, rows, tuple(files[key]), counts[key] - len(rows))
        for key, rows in by_key.items()
    ]


def _pair_table(
    key: PairKey, rows: Sequence[Comparison], files: tuple[str, ...], given_again: int
) -> PairTable:
    names, numbers = Names(), Names()
    table = np.array(
        [(numbers[row.segment], names[row.first], names[row.second], row.outcome) for row in rows],
        dtype=np.int32,
    ).reshape(-1, 4)
    segments, first, second, outcomes = table.T
    repeated, contradicting = _again(segments, first, second, outcomes.astype(np.int8))
    return PairTable(
        pair=key.pair,
        test_set=key.test_set,
        layout=key.layout,
        files=files,
        systems=tuple(names),
        segments=tuple(numbers),
        segments_of=segments,
        first=first,
        second=second,
        outcomes=outcomes.astype(np.int8),
        differences=np.array(
            [np.nan if row.difference is None else row.difference for row in rows], dtype=np.float64
        ),
        repeated=repeated,
        contradicting=contradicting,
        complete=key.layout not in (RR_PAIRS.name, DARR.name),
        given_again=given_again,
    )


def _again(
    segments: NDArray[np.int32],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    outcomes: NDArray[np.int8],
) -> tuple[int, int]:
    """Return how many comparisons repeat an earlier one, and how many of them contradict it."""
    # The order in which the two were shown does not matter.
    swapped = first > second
    cells = np.stack(
        [segments, np.where(swapped, second, first), np.where(swapped, first, second)], axis=1
    )
    _cells, earliest, owner = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    turned = np.where(swapped, -outcomes, outcomes)
    contradicting = turned != turned[earliest][owner.ravel()]
    return len(outcomes) - len(earliest), int(contradicting.sum())
