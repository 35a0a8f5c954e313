"""Loads the judgements of a project as arrays.

No other module of this app reads judgements of segments.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.common.transactions import snapshot
from annotation.judging.control_items import control_outcomes
from annotation.models import Project
from annotation.projects.added_systems import sampled_systems
from annotation.projects.annotator_names import account_names
from annotation.selectors import judgements
from annotation.selectors.documents import documents_of_sentences
from annotation.selectors.submitted_work import submitted_work
from evaluation.stats.annotators.controls import ControlTable, count_controls
from evaluation.stats.error_spans import Mark, MarkedErrors
from evaluation.stats.judgements import GARBAGE, UNIDENTIFIED, Codes, Judgements, assemble


def load(
    project: Project,
    *,
    with_documents: bool = False,
    with_sampled_systems: bool = False,
    narrowed_by: Collection[int] = (),
) -> Judgements:
    """Return all judgements of the project in the order of their ids; eight queries.

    They are read from one snapshot, which does not block annotators who submit. The documents of
    sentences take one more query. Systems that are judged by sampled segments only are left out
    unless `with_sampled_systems`: what these segments say of them must not be taken for all.
    Judgements that compare undecided systems only are left out unless they were narrowed by one of
    the decisions `narrowed_by`: figures without them are of comparisons with all systems.
    """
    with snapshot():
        judged = _read_judgements(project, narrowed_by)
        candidates = _read(
            judgements.judged_candidates(project, narrowed_by), candidate=np.int64, segment=np.int64
        )
        placed = _read_placements(project, narrowed_by)
        shown = _read(
            judgements.shown(project), assignment=np.int64, candidate=np.int64, position=np.int16
        )
        produced = _read(
            judgements.producers(project, narrowed_by), system=np.int64, candidate=np.int64
        )
        people = judgements.annotators(project)
        systems = judgements.systems(project)
        documents = documents_of_sentences(project) if with_documents else {}
    segment_ids, segments = np.unique(judged["segment"], return_inverse=True)
    numbers, sentences = np.unique(judged["sentence"], return_inverse=True)
    candidate_segments = _codes(candidates["segment"], segment_ids)
    shown_by, shown_candidates, positions = _shown_positions(shown, judged, candidates)
    judgements_of_all = assemble(
        judgement_ids=judged["judgement"],
        segments=segments,
        sentences=sentences,
        annotators=_annotator_codes(judged["annotator"], people),
        seconds=judged["seconds"],
        created=judged["created"],
        repeats=judged["repeat"],
        placed_by=_codes(placed["judgement"], judged["judgement"]),
        placed_candidates=_codes(placed["candidate"], candidates["candidate"]),
        placed_ranks=placed["rank"],
        shown_by=shown_by,
        shown_candidates=shown_candidates,
        shown_positions=positions,
        candidate_segments=candidate_segments,
        producing_systems=_codes(produced["system"], np.array([pk for pk, _ in systems])),
        produced_candidates=_codes(produced["candidate"], candidates["candidate"]),
        segment_ids=segment_ids,
        sentence_numbers=numbers,
        sentence_documents=[documents.get(number, "") for number in numbers.tolist()],
        annotator_names=[person.name for person in people],
        system_names=[name for _, name in systems],
    )
    return judgements_of_all.without_systems(
        () if with_sampled_systems else sampled_systems(project)
    )


def load_controls(project: Project) -> ControlTable:
    """Return how many control items each annotator passed; a fixed number of queries.

    Names are those of `load`; unidentified annotators are left out.
    """
    with snapshot():
        names = {
            person.id: person.name
            for person in judgements.annotators(project)
            if not person.unidentified
        }
        return count_controls(
            (names[outcome.annotator], outcome.passed)
            for outcome in control_outcomes(project)
            if outcome.annotator in names
        )


def load_marked_errors(project: Project) -> MarkedErrors:
    """Return the errors that annotators marked, for judgements of `load`. Two queries."""
    with snapshot():
        columns: dict[int, int] = {}
        counts: Counter[int] = Counter()
        for candidate, segment in judgements.judged_candidates(project):
            columns[candidate] = counts[segment]
            counts[segment] += 1
        marks: dict[tuple[int, int], list[Mark]] = {}
        omissions: dict[tuple[int, int], str] = {}
        for judgement, candidate, start, end, severity in judgements.error_spans(project):
            key = judgement, columns[candidate]
            if start is None or end is None:
                omissions[key] = severity
            else:
                marks.setdefault(key, []).append((start, end, severity))
    return MarkedErrors(marks, omissions)


def load_assignments(project: Project) -> dict[str, int]:
    """Return by name how many assignments each annotator has submitted. Five queries."""
    names = account_names(project)
    work = submitted_work(project).annotators
    return {names[pk]: submitted.assignments for pk, submitted in work.items()}


def _read(rows: Iterable[tuple[Any, ...]], **columns: type) -> NDArray[Any]:
    """Fill a structured array from the rows, without a list in between."""
    return np.fromiter(rows, dtype=np.dtype(list(columns.items())))


def _read_judgements(project: Project, narrowed_by: Collection[int]) -> NDArray[Any]:
    return _read(
        (
            (
                row.id,
                row.assignment,
                row.segment,
                row.sentence,
                row.annotator,
                np.nan if row.seconds is None else row.seconds,
                row.created.timestamp(),
                row.repeat,
            )
            for row in judgements.judgements(project, narrowed_by)
        ),
        judgement=np.int64,
        assignment=np.int64,
        segment=np.int64,
        sentence=np.int64,
        annotator=np.int64,
        seconds=np.float64,
        created=np.float64,
        repeat=np.bool_,
    )


def _read_placements(project: Project, narrowed_by: Collection[int]) -> NDArray[Any]:
    return _read(
        (
            (judgement, candidate, GARBAGE if rank is None else rank)
            for judgement, candidate, rank in judgements.placements(project, narrowed_by)
        ),
        judgement=np.int64,
        candidate=np.int64,
        rank=np.int16,
    )


def _shown_positions(
    shown: NDArray[Any], judged: NDArray[Any], candidates: NDArray[Any]
) -> tuple[Codes, Codes, NDArray[np.int16]]:
    """Return rows of judgements, codes of candidates and their positions, where all are known.

    An assignment shows the candidates of all segments of a sentence and has a judgement of each.
    """
    if not len(judged):
        return np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int16)
    candidate, of_candidates = _found(shown["candidate"], candidates["candidate"])
    shown = shown[of_candidates]
    segments = candidates["segment"][candidate]
    width = int(max(judged["segment"].max(), segments.max(initial=0))) + 1
    keys = judged["assignment"] * width + judged["segment"]
    order = np.argsort(keys)
    row, of_judgements = _found(shown["assignment"] * width + segments, keys[order])
    return (
        order[row].astype(np.int32),
        candidate[of_judgements],
        shown["position"][of_judgements],
    )


def _found(wanted: NDArray[np.int64], known: NDArray[np.int64]) -> tuple[Codes, NDArray[np.bool_]]:
    """Return the positions of `wanted` in `known` (ascending, not empty), and which it has."""
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    there = known[places] == wanted
    return places[there].astype(np.int32), there


def _codes(ids: NDArray[np.int64], known: NDArray[np.int64]) -> Codes:
    """Return the position of each id in `known` (ascending), which has all of them."""
    return np.searchsorted(known, ids).astype(np.int32)


def _annotator_codes(ids: NDArray[np.int64], people: list[judgements.Annotator]) -> Codes:
    codes = _codes(ids, np.array([person.id for person in people]))
    hidden = np.array([person.unidentified for person in people], dtype=np.bool_)
    return np.where(hidden[codes], np.int32(UNIDENTIFIED), codes)
