"""The judgements of a project as dense arrays, from which all figures are computed."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotation.formats.errors import InputError
from evaluation.stats.estimates import sign
from evaluation.stats.units import SENTENCES, Unit, codes_of_units

Codes = NDArray[np.int32]
# Ranks of scores and of error points are far above the number of candidates.
Ranks = NDArray[np.int16]

MISSING: Final = 0
# Worse than every rank, so ranks can be compared as numbers (method.md, "A judgement").
GARBAGE: Final = 32_000
MOST_CANDIDATES: Final = 126
UNIDENTIFIED: Final = -1
NO_CANDIDATE: Final = -1

# The arrays with one element, or one row, for each judgement.
OF_JUDGEMENTS: Final = (
    "ids",
    "sheets",
    "candidate_ranks",
    "system_ranks",
    "system_candidates",
    "more_ranks",
    "shown",
    "segments",
    "sentences",
    "annotators",
    "seconds",
    "created",
    "repeats",
)


@dataclass(frozen=True, eq=False)
class Cells:
    """C cells, each all that one annotator judged in one sampled unit, by unit and annotator.

    `codes` have the cell of each judgement or score; `units` and `annotators` are those of cells.
    Unidentified annotators have one cell together in each unit.
    """

    codes: NDArray[np.intp]
    units: Codes
    annotators: Codes

    def __len__(self) -> int:
        return len(self.units)


def number_cells(units: Codes, annotators: Codes) -> Cells:
    """Return the cells of judgements or scores with these units and annotators."""
    people = np.int64(annotators.max(initial=UNIDENTIFIED)) + 1 - UNIDENTIFIED
    keys = units * people + (annotators - UNIDENTIFIED)
    cells, codes = np.unique(keys, return_inverse=True)
    return Cells(
        codes, (cells // people).astype(np.int32), (cells % people + UNIDENTIFIED).astype(np.int32)
    )


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements; ranks are 1..N, GARBAGE or MISSING, and smaller ranks are better.

    Shapes, for J judgements: `candidate_ranks` J × the most candidates that a segment has, a
    column being a candidate's place in its segment; `system_ranks` J × systems, a system having
    the rank of the candidate it produced; `system_candidates` J × systems, the column of that
    candidate, ranked or not, and NO_CANDIDATE if the system produced none; `more_ranks` J × systems
    × any number, the ranks of other candidates of the system, MISSING if none; `shown` like
    `candidate_ranks`, the position from 1 of the candidate on the screen (candidates with equal
    text share one), 0 if unknown or not ranked; `segments`, `sentences` and `annotators` J codes,
    which are positions in `segment_ids`, `sentence_numbers` and `annotator_names` (UNIDENTIFIED if
    the annotator is unknown); `seconds` J seconds and `created` J seconds since the epoch, NaN if
    unknown; `repeats` J booleans: whether the segment had been judged before; `ids` J numbers of
    the judgements, and `sheets` J numbers that judgements share which were submitted together, by
    default their rows. Arrays are read-only.
    `sentence_documents` has the document of each element of `sentence_numbers`, "" if unknown; it
    is empty if all are. `unit` is what intervals and tests sample, and `sentence_units` the code of
    the unit of each element of `sentence_numbers`, by default its position: see `sampled_by`.
    `provenance` is what every signature ends with: the filters, and where the judgements come from.
    Raises ValueError if shapes differ.
    """

    candidate_ranks: Ranks
    system_ranks: Ranks
    system_candidates: Codes
    shown: NDArray[np.int8]
    segments: Codes
    sentences: Codes
    annotators: Codes
    seconds: NDArray[np.float64]
    created: NDArray[np.float64]
    repeats: NDArray[np.bool_]
    segment_ids: NDArray[np.int64]
    sentence_numbers: NDArray[np.int64]
    annotator_names: tuple[str, ...]
    system_names: tuple[str, ...]
    sentence_documents: tuple[str, ...] = ()
    unit: Unit = SENTENCES
    sentence_units: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    more_ranks: Ranks = field(default_factory=lambda: np.zeros((0, 0, 0), dtype=np.int16))
    ids: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    sheets: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    provenance: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.more_ranks.size:
            none = np.zeros((*self.system_ranks.shape, 0), dtype=np.int16)
            object.__setattr__(self, "more_ranks", none)
        if self.unit == SENTENCES:
            positions = np.arange(len(self.sentence_numbers), dtype=np.int32)
            object.__setattr__(self, "sentence_units", positions)
        for name in ("ids", "sheets"):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, np.arange(len(self.segments), dtype=np.int64))
        rows = {len(getattr(self, name)) for name in OF_JUDGEMENTS}
        if len(rows) != 1:
            raise ValueError(f"The arrays of judgements differ in length: {sorted(rows)}.")
        if self.system_ranks.shape[1] != len(self.system_names):
            raise ValueError("There must be one column of ranks for each system.")
        if self.system_candidates.shape != self.system_ranks.shape:
            raise ValueError("There must be one candidate for each rank of a system.")
        if self.shown.shape != self.candidate_ranks.shape:
            raise ValueError("There must be one position for each rank of a candidate.")
        if len(self.sentence_documents) not in (0, len(self.sentence_numbers)):
            raise ValueError("There must be one document for each sentence.")
        if len(self.sentence_units) != len(self.sentence_numbers):
            raise ValueError("There must be one unit for each sentence.")
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __len__(self) -> int:
        return len(self.segments)

    @cached_property
    def sentences_judged(self) -> int:
        """The number of distinct sentences."""
        return int(np.count_nonzero(np.bincount(self.sentences)))

    @cached_property
    def units(self) -> Codes:
        """The code of the sampled unit of each judgement (J)."""
        return self.sentences if self.unit == SENTENCES else self.sentence_units[self.sentences]

    @cached_property
    def cells(self) -> Cells:
        """The cells of the judgements."""
        return number_cells(self.units, self.annotators)

    @property
    def units_judged(self) -> int:
        """The number of distinct units."""
        return int(np.count_nonzero(np.bincount(self.units)))

    def sign(self, method: str, *options: str) -> str:
        """Return the signature of what the method computes from these judgements."""
        return sign(method, options, len(self), self.sentences_judged, self.provenance)

    def sampled_by(self, unit: Unit) -> "Judgements":
        """Return the same judgements, for intervals and tests that sample this unit.

        Raises InputError for documents where judged sentences have none.
        """
        if unit == SENTENCES:
            return self if self.unit == SENTENCES else replace(self, unit=SENTENCES)
        codes = codes_of_units(
            unit, self.sentence_numbers, self.sentence_documents, np.unique(self.sentences)
        )
        return replace(self, unit=unit, sentence_units=codes)

    def without_systems(self, names: Collection[str]) -> "Judgements":
        """Return the same judgements without these systems; candidates and their ranks stay."""
        if not names:
            return self
        kept = np.array([name not in names for name in self.system_names], dtype=np.bool_)
        return replace(
            self,
            system_ranks=np.asfortranarray(self.system_ranks[:, kept]),
            system_candidates=np.asfortranarray(self.system_candidates[:, kept]),
            more_ranks=np.asfortranarray(self.more_ranks[:, kept]),
            system_names=tuple(name for name in self.system_names if name not in names),
        )

    def select(self, rows: NDArray[np.bool_]) -> "Judgements":
        """Return these rows; codes and names stay the same, also unused ones."""
        if rows.all():
            return self
        # Figures compare whole columns, so matrices stay in column order.
        chosen: dict[str, Any] = {
            name: np.asfortranarray(getattr(self, name)[rows]) for name in OF_JUDGEMENTS
        }
        return replace(self, **chosen)


def assemble(
    *,
    segments: ArrayLike,
    sentences: ArrayLike,
    annotators: ArrayLike,
    seconds: ArrayLike,
    placed_by: ArrayLike,
    placed_candidates: ArrayLike,
    placed_ranks: ArrayLike,
    candidate_segments: ArrayLike,
    producing_systems: ArrayLike,
    produced_candidates: ArrayLike,
    segment_ids: ArrayLike,
    sentence_numbers: ArrayLike,
    annotator_names: Sequence[str],
    system_names: Sequence[str],
    sentence_documents: Sequence[str] = (),
    created: ArrayLike | None = None,
    repeats: ArrayLike | None = None,
    shown_by: ArrayLike = (),
    shown_candidates: ArrayLike = (),
    shown_positions: ArrayLike = (),
    judgement_ids: ArrayLike = (),
    sheets: ArrayLike = (),
) -> Judgements:
    """Return Judgements from flat lists of placements.

    `judgement_ids` and `sheets`, if given, `segments`, `sentences`, `annotators`, `seconds`,
    `created` and `repeats` have one element a judgement; `placed_by` (row of the judgement),
    `placed_candidates` (code) and `placed_ranks` (1..N or GARBAGE) one a placement; `shown_by`,
    `shown_candidates` and `shown_positions` one for each candidate with a known position;
    `candidate_segments` (code) one a candidate; `producing_systems` and `produced_candidates`
    (codes) one for each system and segment where it has a candidate. A system may have several
    candidates of a segment; if a judgement ranks two of them, the last one is compared with other
    systems. Without `repeats`, all judgements of a segment but the first (by `created`, then by
    row) are repeats. Raises ValueError for an invalid rank or a candidate of another segment, and
    InputError for more than 126 candidates in a judgement.
    """
    segment_codes = _codes(segments)
    segment_of = _codes(candidate_segments)
    by, candidates = _codes(placed_by), _codes(placed_candidates)
    placed = np.asarray(placed_ranks).reshape(-1)
    _check_placements(by, candidates, placed, segment_codes, segment_of)
    slots = _slots(segment_of)
    # In column order, because figures compare whole columns.
    shape = (len(segment_codes), int(slots.max(initial=-1)) + 1)
    candidate_ranks = np.full(shape, MISSING, dtype=np.int16, order="F")
    candidate_ranks[by, slots[candidates]] = placed
    shown = np.zeros(shape, dtype=np.int8, order="F")
    shown[_codes(shown_by), slots[_codes(shown_candidates)]] = shown_positions
    shown[candidate_ranks == MISSING] = 0
    ids = np.array(segment_ids, dtype=np.int64)
    times = (
        np.full(len(segment_codes), np.nan) if created is None else np.array(created, np.float64)
    )
    system_ranks, system_candidates, more_ranks = _of_systems(
        candidate_ranks,
        segment_codes,
        _producers(segment_of, slots, producing_systems, produced_candidates),
        (len(ids), len(system_names)),
    )
    return Judgements(
        candidate_ranks=candidate_ranks,
        system_ranks=system_ranks,
        system_candidates=system_candidates,
        more_ranks=more_ranks,
        shown=shown,
        segments=segment_codes.copy(),
        sentences=_codes(sentences).copy(),
        annotators=_codes(annotators).copy(),
        seconds=np.array(seconds, dtype=np.float64),
        created=times,
        repeats=later(segment_codes, times) if repeats is None else np.array(repeats, np.bool_),
        segment_ids=ids,
        sentence_numbers=np.array(sentence_numbers, dtype=np.int64),
        annotator_names=tuple(annotator_names),
        system_names=tuple(system_names),
        sentence_documents=tuple(sentence_documents),
        ids=np.array(judgement_ids, dtype=np.int64),
        sheets=np.array(sheets, dtype=np.int64),
    )


def later(segments: Codes, created: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which judgements are not the first of their segment; unknown times count as last."""
    order = np.lexsort((created, segments))
    repeats = np.zeros(len(segments), dtype=np.bool_)
    repeats[order[1:]] = segments[order[1:]] == segments[order[:-1]]
    return repeats


def _codes(values: ArrayLike) -> Codes:
    return np.asarray(values, dtype=np.int32).reshape(-1)


def _check_placements(
    by: Codes, candidates: Codes, ranks: NDArray[Any], segments: Codes, segment_of: Codes
) -> None:
    if np.any(segment_of[candidates] != segments[by]):
        raise ValueError("A judgement places a candidate of another segment.")
    most = int(np.bincount(by).max(initial=0))
    if most > MOST_CANDIDATES:
        raise InputError(
            f"A judgement ranks {most} candidates of one segment, but at most "
            f"{MOST_CANDIDATES} are supported. Leave out the segment, or some systems."
        )
    if np.any((ranks < 1) | (ranks > GARBAGE)):
        raise ValueError(f"A rank is neither from 1 to {GARBAGE - 1} nor GARBAGE.")


def _slots(segment_of: NDArray[Any]) -> NDArray[np.int32]:
    """Return the position of each candidate in its segment, from 0."""
    order = np.argsort(segment_of, kind="stable")
    grouped = segment_of[order]
    slots = np.empty(len(order), dtype=np.int32)
    slots[order] = np.arange(len(order)) - np.searchsorted(grouped, grouped)
    return slots


@dataclass(frozen=True)
class _Produced:
    """Which system produced which candidate; `layers` numbers its candidates of a segment."""

    segments: Codes
    systems: Codes
    slots: NDArray[np.int32]
    layers: NDArray[np.int32]


def _producers(
    segment_of: Codes, slots: NDArray[np.int32], systems: ArrayLike, candidates: ArrayLike
) -> _Produced:
    who, what = _codes(systems), _codes(candidates)
    segments = segment_of[what]
    width = int(who.max(initial=0)) + 1
    layers = _slots(segments.astype(np.int64) * width + who)
    return _Produced(segments, who, slots[what], layers)


def _of_systems(
    candidate_ranks: Ranks, segments: Codes, produced: _Produced, shape: tuple[int, int]
) -> tuple[Ranks, Codes, Ranks]:
    """Return the rank and the column of each system's candidate, and the ranks of its others.

    `shape`: segments × systems. There is one layer unless a system has several candidates of a
    segment; then the last ranked one counts.
    """
    rows = np.arange(len(segments))
    ranks = np.full((len(segments), shape[1]), MISSING, dtype=np.int16, order="F")
    columns = np.full(ranks.shape, NO_CANDIDATE, dtype=np.int32, order="F")
    layers = int(produced.layers.max(initial=0)) + 1
    others = np.full((*ranks.shape, layers - 1), MISSING, dtype=np.int16, order="F")
    for layer in range(layers):
        those = produced.layers == layer
        table = np.full(shape, -1, dtype=np.int32, order="F")
        table[produced.segments[those], produced.systems[those]] = produced.slots[those]
        for system in range(shape[1]):
            slots = table[segments, system]
            present = slots >= 0
            found, former = candidate_ranks[rows[present], slots[present]], columns[present, system]
            stays = (found == MISSING) & (former != NO_CANDIDATE)
            if layer:
                others[present, system, layer - 1] = np.where(
                    stays, MISSING, ranks[present, system]
                )
            ranks[present, system] = np.where(stays, ranks[present, system], found)
            columns[present, system] = np.where(stays, former, slots[present])
    return ranks, columns, others


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts "annotator2" before "annotator10"."""
    return tuple(
        (0, int(part), part) if part.isdecimal() else (1, 0, part.casefold())
        for part in re.split(r"(\d+)", name)
        if part
    )
