"""The tab-separated files that `import_segments` reads, and all placements as CSV."""

import csv
import io
import json
from collections.abc import Iterable, Iterator

from annotation.common.snapshot import snapshot
from annotation.formats.csv_escaping import without_formulas
from annotation.formats.segment_files import segment_lines, source_segment_line, system_line
from annotation.import_export.exports.placement_rows import LoadedJudgement, load_judgements
from annotation.import_export.sentence_pages import LoadedSentence, sentence_pages
from annotation.models import Project, Projection, ShownCandidate, Translation
from annotation.projects.annotator_names import account_names

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

    It comes in pieces of whole lines. `systems` is a JSON list, since the name of a system may hold
    any character. `rank` is empty for garbage; `seconds` and `order_shown` are empty where they
    were not recorded. Texts in which a program of tables would see a formula get an apostrophe
    before it.
    """
    with snapshot():
        names = {pk: without_formulas(name) for pk, name in account_names(project).items()}
        name = without_formulas(project.name)
        yield _csv([PLACEMENT_COLUMNS])
        for page in sentence_pages(project):
            judgements = load_judgements(page)
            makers = _makers(page)
            shown = _positions(page)
            for sentence in page:
                rows = _rows(sentence, names, judgements, makers, shown)
                yield _csv((name, *row) for row in rows)


def _rows(
    sentence: LoadedSentence,
    names: dict[int, str],
    judgements: dict[int, list[LoadedJudgement]],
    makers: dict[int, str],
    shown: dict[tuple[int, int], int],
) -> Iterator[tuple[object, ...]]:
    """Yield the placements of a sentence, in which nothing is a formula any more."""
    for segment in sentence.segments:
        # A text comes once for each judge, and is looked through only once.
        words, indices = without_formulas(segment.words), without_formulas(segment.indices)
        texts = {pk: without_formulas(text) for pk, text in segment.candidates.items()}
        for judgement in judgements.get(segment.id, ()):
            head = (
                sentence.number,
                words,
                indices,
                names[judgement.annotator_id],
                judgement.kind,
                judgement.submitted.isoformat(timespec="microseconds"),
                judgement.seconds,
            )
            for candidate_id, rank in judgement.ranks.items():
                yield (
                    *head,
                    texts[candidate_id],
                    makers.get(candidate_id, "[]"),
                    shown.get((judgement.assignment_id, candidate_id)),
                    rank,
                    "true" if rank is None else "false",
                )


def _csv(rows: Iterable[tuple[object, ...]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
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


def _makers(page: list[LoadedSentence]) -> dict[int, str]:
    """Return the systems that made a candidate, by its id, as the table has them."""
    makers: dict[int, list[str]] = {}
    for of_segment in _projections(page).values():
        for system, candidate_id in of_segment:
            makers.setdefault(candidate_id, []).append(system)
    return {
        candidate_id: without_formulas(json.dumps(systems, ensure_ascii=False))
        for candidate_id, systems in makers.items()
    }


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
