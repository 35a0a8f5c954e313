"""Loads the judgements of a project as arrays.

No other module of this app reads judgements of segments.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annotation.common.transactions import snapshot
from annotation.formats.languages import pair_name
from annotation.formats.span_notation import Span, parse_spans
from annotation.judging.control_items import control_outcomes
from annotation.kinds import kind_of
from annotation.kinds.marked_errors import Marking
from annotation.kinds.several_scores import SeveralScores
from annotation.models import BatchItem, Project
from annotation.models.results import document_judgement_counts, judgement_counts
from annotation.projects.added_systems import sampled_systems
from annotation.projects.annotator_names import account_names
from annotation.projects.provenance import provenance_of
from annotation.selectors import assessments as assessment_rows
from annotation.selectors import judgements
from annotation.selectors.documents import sampled_documents
from annotation.selectors.given_errors import given_lists, judged_with_lists
from annotation.selectors.submitted_work import submitted_work
from evaluation.stats.annotators.controls import ControlTable, count_controls
from evaluation.stats.annotators.given_errors import GivenCase
from evaluation.stats.assessment.items import OF_SYSTEMS, Assessments, ItemType
from evaluation.stats.assessment.standardisation import Standardised, standardise
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.judgements import (
    GARBAGE,
    UNIDENTIFIED,
    Codes,
    Judgements,
    assemble,
    natural_key,
)
from evaluation.stats.scales import JudgedScales
from evaluation.stats.units import Unit, codes_of_units

TYPES: Final = {
    BatchItem.Role.OUTPUT: ItemType.OUTPUT,
    BatchItem.Role.REPEAT: ItemType.REPEAT,
    BatchItem.Role.REFERENCE: ItemType.REFERENCE,
    BatchItem.Role.DEGRADED: ItemType.DEGRADED,
}
# What judgements say of candidates: the codes of both, and a rank or a position.
OF_CANDIDATES: Final = np.dtype(
    [("judgement", np.int32), ("candidate", np.int32), ("value", np.int16)]
)
# Rows whose ids are in memory at once.
AT_ONCE: Final = 1_000_000


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
    found = _load(project, narrowed_by, judgement_counts, with_documents=with_documents)
    return found.without_systems(() if with_sampled_systems else sampled_systems(project))


def load_documents(project: Project, *, with_documents: bool = False) -> Judgements | None:
    """Return the judgements of documents as a whole; None if there are none.

    Their sentences are the first lines of the sheets. Queries are those of `load`; one where
    documents are not judged as a whole.
    """
    if not provenance_of(project).sheets.documents:
        return None
    found = _load(project, (), document_judgement_counts, with_documents=with_documents)
    return found if len(found) else None


def load_columns(project: Project) -> dict[tuple[int, str], int]:
    """Return the columns of systems by the number of the sheet, as in `load`, and name. A query."""
    return {(sheet, system): column for sheet, system, column in judgements.columns(project)}


@dataclass(frozen=True, eq=False)
class ChoiceProbabilities:
    """How probable the systems of each judgement's sheet were, for judgements of `load`.

    `sheets` has for each judgement that of all systems of its sheet together with the document;
    `systems` is judgements × systems: that the system is among those of the sheet, NaN for one that
    is not. All are given what was assigned and judged before. Where every system is on a sheet of
    each document, there is no choice: they are 1. The weight of a score is 1 / probability.
    """

    sheets: NDArray[np.float64]
    systems: NDArray[np.float64]


def load_probabilities(project: Project) -> ChoiceProbabilities:
    """Return the probabilities of the judgements of `load`, in their order. Three queries.

    Call it in the snapshot in which the judgements are loaded.
    """
    assignments = np.array([row.assignment for row in judgements.judgements(project)], np.int64)
    columns = {pk: place for place, (pk, _name) in enumerate(judgements.systems(project))}
    sheets = np.ones(len(assignments))
    systems = np.ones((len(assignments), len(columns)))
    of_assignment: dict[int, NDArray[np.float64]] = {}
    of_sheet: dict[int, float] = {}
    for assignment, together, system, probability in judgements.choices(project):
        of_system = of_assignment.setdefault(assignment, np.full(len(columns), np.nan))
        of_system[columns[system]] = probability
        of_sheet[assignment] = together
    for row, assignment in enumerate(assignments.tolist()):
        if assignment in of_assignment:
            sheets[row], systems[row] = of_sheet[assignment], of_assignment[assignment]
    return ChoiceProbabilities(sheets, systems)


def _load(
    project: Project,
    narrowed_by: Collection[int],
    counts: judgements.Counts,
    *,
    with_documents: bool,
) -> Judgements:
    with snapshot():
        judged = _read_judgements(project, narrowed_by, counts)
        candidates = _read(
            judgements.judged_candidates(project, narrowed_by, counts),
            candidate=np.int64,
            segment=np.int64,
        )
        placed = _read_placements(project, narrowed_by, counts, judged, candidates)
        shown = _read_shown(project, judged, candidates)
        produced = _read(
            judgements.producers(project, narrowed_by, counts),
            system=np.int64,
            candidate=np.int64,
        )
        people = judgements.annotators(project)
        systems = judgements.systems(project)
        documents = sampled_documents(project) if with_documents else {}
    segment_ids, segments = np.unique(judged["segment"], return_inverse=True)
    numbers, sentences = np.unique(judged["sentence"], return_inverse=True)
    candidate_segments = _codes(candidates["segment"], segment_ids)
    return assemble(
        judgement_ids=judged["judgement"],
        sheets=judged["assignment"],
        segments=segments,
        sentences=sentences,
        annotators=_annotator_codes(judged["annotator"], people),
        seconds=judged["seconds"],
        created=judged["created"],
        repeats=judged["repeat"],
        placed_by=placed["judgement"],
        placed_candidates=placed["candidate"],
        placed_ranks=placed["value"],
        shown_by=shown["judgement"],
        shown_candidates=shown["candidate"],
        shown_positions=shown["value"],
        candidate_segments=candidate_segments,
        producing_systems=_codes(produced["system"], np.array([pk for pk, _ in systems])),
        produced_candidates=_codes(produced["candidate"], candidates["candidate"]),
        segment_ids=segment_ids,
        sentence_numbers=numbers,
        sentence_documents=[documents.get(number, "") for number in numbers.tolist()],
        annotator_names=[person.name for person in people],
        system_names=[name for _, name in systems],
    )


@dataclass(frozen=True, slots=True)
class EditedText:
    """What an annotator made of a candidate, as they saw it; the same text if it was right.

    `row` and `column` are the place of the judgement and the candidate in `candidate_ranks` of the
    project's judgements.
    """

    row: int
    column: int
    output: str
    text: str


def load_edits(project: Project) -> list[EditedText]:
    """Return the texts that annotators made of candidates; three queries.

    Call it in the snapshot in which the judgements are loaded.
    """
    rows = {row.id: place for place, row in enumerate(judgements.judgements(project))}
    columns = _columns(project)
    found = []
    for judgement, candidate, output, edited in judgements.edits(project):
        text = output if edited is None else edited
        found.append(EditedText(rows[judgement], columns[candidate], output, text))
    return found


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
        columns = _columns(project)
        spans: dict[tuple[int, int], list[Span]] = {}
        for judgement, candidate, span in judgements.error_spans(project):
            spans.setdefault((judgement, columns[candidate]), []).append(span)
    answer = kind_of(project).answer
    assert isinstance(answer, Marking)
    return MarkedErrors(spans, answer.severities)


def load_scales(project: Project) -> JudgedScales:
    """Return the project's own scales and the scores on them, for judgements of `load`.

    Two queries.
    """
    answer = kind_of(project).answer
    assert isinstance(answer, SeveralScores)
    further: dict[int, dict[tuple[int, int], int]] = {
        place: {} for place in range(1, len(answer.scales))
    }
    with snapshot():
        columns = _columns(project)
        for judgement, candidate, scale, rank in judgements.further_scores(project):
            further[scale - 1][judgement, columns[candidate]] = rank
    return JudgedScales(answer.scales, further)


def load_given_errors(project: Project) -> list[GivenCase]:
    """Return what annotators made of errors that were marked before, for judgements of `load`.

    Texts that no origin has looked at are left out, and sheets that were assigned before any had.
    One query where errors are not given, else six. Call it in the snapshot in which the judgements
    are loaded.
    """
    given = given_lists(project)
    if not given:
        return []
    columns = _columns(project)
    return [
        GivenCase(
            row.judgement,
            columns[row.candidate],
            row.origin,
            parse_spans(row.given),
            parse_spans(row.submitted),
        )
        for row in judged_with_lists(project, given)
    ]


def _columns(project: Project) -> dict[int, int]:
    """Return by candidate id its place in its segment, as in `candidate_ranks`."""
    columns: dict[int, int] = {}
    sizes: Counter[int] = Counter()
    for candidate, segment in judgements.judged_candidates(project):
        columns[candidate] = sizes[segment]
        sizes[segment] += 1
    return columns


@dataclass(frozen=True, eq=False)
class ProjectAssessments:
    """The scores of single translations of a project.

    In `items` each score is one row, whose system is the first one that produced the translation.
    `rows` and `systems` have a row of `items` for each system that did; control items have one.
    `unidentified` scores are left out, because it is unknown whose scale they are on. `lines` and
    `documents` are those of the segments of `items`; there are none if documents are unknown.
    """

    items: Assessments
    rows: NDArray[np.intp]
    systems: Codes
    unidentified: int
    lines: NDArray[np.int64]
    documents: tuple[str, ...] = ()

    def units(self, unit: Unit) -> Codes:
        """Return the code of the sampled unit of each segment of `items`.

        Raises InputError for documents where a segment with a score has none.
        """
        return codes_of_units(unit, self.lines, self.documents, np.unique(self.items.segments))

    def select(self, annotators: Collection[str]) -> "ProjectAssessments":
        """Return the assessments of these annotators."""
        codes = [
            code for code, name in enumerate(self.items.annotator_names) if name in set(annotators)
        ]
        kept = np.isin(self.items.annotators, codes)
        places = np.cumsum(kept) - 1
        stays = kept[self.rows]
        return replace(
            self,
            items=self.items.select(kept),
            rows=places[self.rows[stays]],
            systems=self.systems[stays],
        )

    def by_system(self, *, repeats: bool = True) -> tuple[Assessments, Standardised]:
        """Return an assessment for each system, with the scores standardised by annotator.

        Without `repeats` second scores are left out, but still say how annotators use the scale.
        """
        found = standardise(self.items)
        kept = np.full(len(self.rows), True)
        if not repeats:
            kept = self.items.types[self.rows] != ItemType.REPEAT
        rows = self.rows[kept]
        return (
            self.items.for_systems(rows, self.systems[kept]),
            Standardised(found.scores[rows], found.scales),
        )


def load_assessments(project: Project, *, with_documents: bool = False) -> ProjectAssessments:
    """Return the scores of a project whose kind shows one translation at a time.

    A batch is an annotator's turn at one, or all that the annotator judged without batches. Its
    seconds are known once the annotator has scored everything in it. A fixed number of queries;
    the documents of lines take one more.
    """
    with snapshot():
        rows = list(assessment_rows.assessments(project))
        produced = assessment_rows.systems_of_translations(project)
        whole = assessment_rows.whole_turns(project)
        people = {
            person.id: person.name
            for person in judgements.annotators(project)
            if not person.unidentified
        }
        systems = judgements.systems(project)
        documents = sampled_documents(project) if with_documents else {}
    known = [row for row in rows if row.annotator in people and row.sentence in produced]
    names = sorted({people[row.annotator] for row in known}, key=natural_key)
    annotators = {name: code for code, name in enumerate(names)}
    system_codes = {pk: code for code, (pk, _name) in enumerate(systems)}
    lines = {line: code for code, line in enumerate(sorted({row.line for row in known}))}
    batches: dict[tuple[int, int], int] = {}
    order: Counter[int] = Counter()
    places = []
    for row in known:
        batch = batches.setdefault((row.annotator, row.turn), len(batches))
        places.append((batch, order[batch]))
        order[batch] += 1
    seconds = np.array([np.nan if row.seconds is None else row.seconds for row in known])
    batch_codes = np.array([batch for batch, _place in places], dtype=np.int32)
    batch_seconds = np.bincount(batch_codes, weights=seconds, minlength=len(batches))
    is_whole = np.array([turn in whole for _annotator, turn in batches], dtype=np.bool_)
    items = Assessments(
        language_pairs=(pair_name(project.source_language, project.target_language),),
        annotator_names=tuple(names),
        system_names=tuple(name for _pk, name in systems),
        segment_names=tuple(map(str, lines)),
        batch_names=tuple(
            f"{people[who]} {number}" for number, (who, _turn) in enumerate(batches, start=1)
        ),
        pairs=np.zeros(len(known), dtype=np.int32),
        annotators=np.array([annotators[people[row.annotator]] for row in known], dtype=np.int32),
        systems=np.array(
            [system_codes[produced[row.sentence][0]] for row in known], dtype=np.int32
        ),
        segments=np.array([lines[row.line] for row in known], dtype=np.int32),
        batches=batch_codes,
        types=np.array([TYPES[row.role] for row in known], dtype=np.int8),
        scores=np.array([row.score for row in known], dtype=np.float64),
        seconds=seconds,
        order=np.array([place for _batch, place in places], dtype=np.int32),
        batch_seconds=np.where(is_whole, batch_seconds, np.nan),
    )
    each = [
        (place, system_codes[system])
        for place, row in enumerate(known)
        for system in (
            produced[row.sentence] if TYPES[row.role] in OF_SYSTEMS else produced[row.sentence][:1]
        )
    ]
    return ProjectAssessments(
        items=items,
        rows=np.array([place for place, _system in each], dtype=np.intp),
        systems=np.array([system for _place, system in each], dtype=np.int32),
        unidentified=sum(row.annotator not in people for row in rows),
        lines=np.array(list(lines), dtype=np.int64),
        documents=tuple(documents.get(line, "") for line in lines) if documents else (),
    )


def load_assignments(project: Project) -> dict[str, int]:
    """Return by name how many assignments each annotator has submitted. Five queries."""
    names = account_names(project)
    work = submitted_work(project).annotators
    return {names[pk]: submitted.assignments for pk, submitted in work.items()}


def _read(rows: Iterable[tuple[Any, ...]], **columns: type) -> NDArray[Any]:
    """Fill a structured array from the rows, without a list in between."""
    return np.fromiter(rows, dtype=np.dtype(list(columns.items())))


def _read_judgements(
    project: Project, narrowed_by: Collection[int], counts: judgements.Counts
) -> NDArray[Any]:
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
            for row in judgements.judgements(project, narrowed_by, counts)
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


def _read_placements(
    project: Project,
    narrowed_by: Collection[int],
    counts: judgements.Counts,
    judged: NDArray[Any],
    candidates: NDArray[Any],
) -> NDArray[Any]:
    """Return the ranks of the judgements, as OF_CANDIDATES."""

    def coded(placed: NDArray[Any]) -> tuple[Codes, Codes, NDArray[Any]]:
        by = _codes(placed["row"], judged["judgement"])
        return by, _codes(placed["candidate"], candidates["candidate"]), placed["value"]

    rows = (
        (judgement, candidate, GARBAGE if rank is None else rank)
        for judgement, candidate, rank in judgements.placements(project, narrowed_by, counts)
    )
    return _read_coded(rows, coded)


def _read_shown(project: Project, judged: NDArray[Any], candidates: NDArray[Any]) -> NDArray[Any]:
    """Return the positions of candidates, where all are known, as OF_CANDIDATES.

    An assignment shows the candidates of all segments of a sentence and has a judgement of each.
    """
    if not len(judged):
        return np.zeros(0, OF_CANDIDATES)
    width = int(max(judged["segment"].max(), candidates["segment"].max(initial=0))) + 1
    keys = judged["assignment"] * width + judged["segment"]
    order = np.argsort(keys)
    keys = keys[order]

    def coded(shown: NDArray[Any]) -> tuple[Codes, Codes, NDArray[Any]]:
        candidate, of_candidates = _found(shown["candidate"], candidates["candidate"])
        shown = shown[of_candidates]
        segments = candidates["segment"][candidate]
        row, of_judgements = _found(shown["row"] * width + segments, keys)
        return (
            order[row].astype(np.int32),
            candidate[of_judgements],
            shown["value"][of_judgements],
        )

    return _read_coded(judgements.shown(project), coded)


def _read_coded(
    rows: Iterable[tuple[int, int, int]],
    coded: Callable[[NDArray[Any]], tuple[Codes, Codes, NDArray[Any]]],
) -> NDArray[Any]:
    """Return rows of (id, candidate id, number) as OF_CANDIDATES, a part at a time.

    A large project has tens of millions, whose ids take twice the memory of codes.
    """
    left, parts = iter(rows), [np.zeros(0, OF_CANDIDATES)]
    while len(
        part := _read(islice(left, AT_ONCE), row=np.int64, candidate=np.int64, value=np.int16)
    ):
        by, candidates, values = coded(part)
        found = np.empty(len(by), OF_CANDIDATES)
        found["judgement"], found["candidate"], found["value"] = by, candidates, values
        parts.append(found)
    return np.concatenate(parts)


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
