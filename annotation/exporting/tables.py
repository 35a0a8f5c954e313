"""The tab-separated files that `import_segments` reads, and all placements as CSV."""

import csv
import io
import json
from collections.abc import Iterator

from annotation.exporting.judged import LoadedJudgement, load_judgements
from annotation.exporting.names import account_names
from annotation.exporting.snapshot import snapshot
from annotation.formats.segment_files import segment_lines, source_segment_line, system_line
from annotation.formats.spreadsheets import without_formulas
from annotation.models import Project, Projection, ShownCandidate, Translation
from annotation.sentence_pages import LoadedSegment, LoadedSentence, sentence_pages

PLACEMENT_COLUMNS = (
    "project",
    "sentence",
    "segment",
    "indices",
    "annotator",
    "assignment_kind",
    "submitted",
    "seconds",
    "candidate",
    "systems",
    "order_shown",
    "rank",
    "garbage",
)


def segments(project: Project) -> Iterator[str]:
    """Yield the thesis' six-column file, a line for each candidate. Raise InputError for tabs."""
    with snapshot():
        for page in sentence_pages(project):
            references = _references(page)
            for sentence in page:
                yield from segment_lines(
                    sentence.number,
                    sentence.tokens,
                    references.get(sentence.id, ""),
                    (
                        (segment.words, segment.indices, list(segment.candidates.values()))
                        for segment in sentence.segments
                    ),
                )


def systems(project: Project) -> Iterator[str]:
    """Yield the file of who made which candidate, a line for each. Raise InputError for tabs."""
    with snapshot():
        for page in sentence_pages(project):
            projections = _projections(page)
            for sentence in page:
                for segment in sentence.segments:
                    for system, candidate_id in projections.get(segment.id, ()):
                        candidate = segment.candidates[candidate_id]
                        yield system_line(
                            sentence.number, segment.words, system, candidate, segment.indices
                        )


def source_segments(project: Project) -> Iterator[str]:
    """Yield a line for each extracted segment, whether it has candidates or not."""
    with snapshot():
        for page in sentence_pages(project):
            for sentence in page:
                for segment in sentence.segments:
                    yield source_segment_line(sentence.number, segment.words, segment.indices)


def placements(project: Project) -> Iterator[str]:
    """Yield a CSV table of all placements that hold, a line for each, after the names of columns.

    `systems` is a JSON list, since the name of a system may hold any character. `rank` is empty
    for garbage; `seconds` and `order_shown` are empty where they were not recorded. Texts in which
    a program of tables would see a formula get an apostrophe before it.
    """
    with snapshot():
        names = account_names(project)
        yield _csv_line(PLACEMENT_COLUMNS)
        for page in sentence_pages(project):
            judgements = load_judgements(page)
            makers = _systems_by_candidate(page)
            shown = _positions(page)
            for sentence in page:
                for segment in sentence.segments:
                    for judgement in judgements.get(segment.id, ()):
                        head = (
                            project.name,
                            sentence.number,
                            segment.words,
                            segment.indices,
                            names[judgement.annotator_id],
                            judgement.kind,
                            judgement.submitted.isoformat(timespec="microseconds"),
                            judgement.seconds,
                        )
                        yield from _placement_lines(head, segment, judgement, makers, shown)


def _placement_lines(
    head: tuple[object, ...],
    segment: LoadedSegment,
    judgement: LoadedJudgement,
    makers: dict[int, list[str]],
    shown: dict[tuple[int, int], int],
) -> Iterator[str]:
    for candidate_id, rank in judgement.ranks.items():
        tail = (
            segment.candidates[candidate_id],
            json.dumps(makers.get(candidate_id, []), ensure_ascii=False),
            shown.get((judgement.assignment_id, candidate_id)),
            rank,
            "true" if rank is None else "false",
        )
        yield _csv_line(head + tail)


def _csv_line(values: tuple[object, ...]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(
        without_formulas(value) if isinstance(value, str) else value for value in values
    )
    return buffer.getvalue()


def _references(page: list[LoadedSentence]) -> dict[int, str]:
    return dict(
        Translation.objects.filter(sentence__in=_ids(page), system=None).values_list(
            "sentence_id", "tokens"
        )
    )


def _projections(page: list[LoadedSentence]) -> dict[int, list[tuple[str, int]]]:
    """Return by segment id which system made which candidate, in the order of the rows."""
    found: dict[int, list[tuple[str, int]]] = {}
    for segment_id, system, candidate_id in (
        Projection.objects.filter(segment__sentence__in=_ids(page), candidate__isnull=False)
        .order_by("pk")
        .values_list("segment_id", "system__name", "candidate_id")
    ):
        # The filter leaves out null, which the type does not know.
        assert candidate_id is not None
        found.setdefault(segment_id, []).append((system, candidate_id))
    return found


def _systems_by_candidate(page: list[LoadedSentence]) -> dict[int, list[str]]:
    makers: dict[int, list[str]] = {}
    for of_segment in _projections(page).values():
        for system, candidate_id in of_segment:
            makers.setdefault(candidate_id, []).append(system)
    return makers


def _positions(page: list[LoadedSentence]) -> dict[tuple[int, int], int]:
    rows = ShownCandidate.objects.filter(assignment__sentence__in=_ids(page))
    return {
        (assignment_id, candidate_id): position
        for assignment_id, candidate_id, position in rows.values_list(
            "assignment_id", "candidate_id", "position"
        )
    }


def _ids(page: list[LoadedSentence]) -> list[int]:
    return [sentence.id for sentence in page]
