"""A new project from ready-made segments and candidates."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from django.conf import settings

from annotation.formats.fingerprints import fingerprint
from annotation.formats.segment_files import SentenceRows, staged_segments
from annotation.import_export.sentence_pages import SENTENCES_PER_PAGE
from annotation.models import (
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.projects.names import check_new_name, parse_languages, storing_new

# Candidates and projections of a page, unless a single sentence has more.
MOST_ROWS = 10_000


def import_segments(
    *,
    name: str,
    languages: str,
    segments: Path,
    systems: Path | None = None,
    description: str = "",
    folder: Path | None = None,
) -> Project:
    """Create an open project from the thesis' six-column file and the file of systems, if any.

    A system without a row for a segment gets no projection there, since the files do not say
    whether its candidate was empty. The rows are sorted on disk, in `folder` (see
    `staged_segments`), so that memory does not grow with the files. All in one transaction; raises
    InputError.
    """
    name = check_new_name(name)
    source_language, target_language = parse_languages(languages)
    fingerprints = {"segments": asdict(fingerprint(segments))}
    if systems:
        fingerprints["systems"] = asdict(fingerprint(systems))
    with staged_segments(segments, systems, folder=folder) as staged, storing_new(name):
        fingerprints["segments"]["rows"] = staged.segment_rows
        if systems:
            fingerprints["systems"]["rows"] = staged.system_rows
        project = Project.objects.create(
            name=name,
            description=description,
            source_language=source_language,
            target_language=target_language,
            state=Project.State.OPEN,
        )
        project.provenance = {
            "command": "import_segments",
            "segranks": settings.VERSION,
            "segments": "ready-made",
            "files": fingerprints,
            "counts": _store_sentences(project, staged.sentences()),
        }
        project.save(update_fields=["provenance"])
    return project


def _store_sentences(
    project: Project, sentences: Iterator[tuple[int, SentenceRows]]
) -> dict[str, int]:
    """Store the sentences a page at a time; return how many rows of each kind are stored."""
    systems: dict[str, System] = {}
    counts: Counter[str] = Counter()
    for page in _pages(sentences):
        segments = [
            segment for _number, rows in page for _indices, segment in sorted(rows.segments.items())
        ]
        # In the order in which sentences and segments have them.
        names = dict.fromkeys(name for segment in segments for name in segment.systems)
        stored = System.objects.bulk_create(
            System(project=project, name=name) for name in names if name not in systems
        )
        systems |= {system.name: system for system in stored}
        _store_page(project, page, systems)
        counts["sentences"] += len(page)
        counts["segments"] += len(segments)
        counts["projected"] += sum(len(segment.systems) for segment in segments)
        counts["candidates"] += sum(len(segment.candidates) for segment in segments)
    kinds = ("sentences", "segments", "projected", "candidates")
    return {kind: counts[kind] for kind in kinds} | {"systems": len(systems)}


def _pages(
    sentences: Iterator[tuple[int, SentenceRows]],
) -> Iterator[list[tuple[int, SentenceRows]]]:
    """Yield the sentences a page at a time, with few rows, because a sentence may have many."""
    page: list[tuple[int, SentenceRows]] = []
    rows = 0
    for number, sentence in sentences:
        page.append((number, sentence))
        rows += sum(
            len(segment.candidates) + len(segment.systems) for segment in sentence.segments.values()
        )
        if len(page) == SENTENCES_PER_PAGE or rows >= MOST_ROWS:
            yield page
            page, rows = [], 0
    if page:
        yield page


def _store_page(
    project: Project, page: list[tuple[int, SentenceRows]], systems: dict[str, System]
) -> None:
    sentences = Sentence.objects.bulk_create(
        Sentence(project=project, number=number, text=rows.source, tokens=rows.source)
        for number, rows in page
    )
    Translation.objects.bulk_create(
        Translation(sentence=sentence, text=rows.reference, tokens=rows.reference)
        for sentence, (_number, rows) in zip(sentences, page, strict=True)
        if rows.reference.strip()
    )
    of_segment = [
        (Segment(sentence=sentence, token_indices=" ".join(map(str, indices))), segment_rows)
        for sentence, (_number, rows) in zip(sentences, page, strict=True)
        for indices, segment_rows in sorted(rows.segments.items())
    ]
    Segment.objects.bulk_create(segment for segment, _rows in of_segment)
    candidates = {
        (segment.pk, text): Candidate(segment=segment, text=text)
        for segment, segment_rows in of_segment
        for text in segment_rows.candidates
    }
    Candidate.objects.bulk_create(candidates.values())
    Projection.objects.bulk_create(
        Projection(segment=segment, system=systems[name], candidate=candidates[segment.pk, text])
        for segment, segment_rows in of_segment
        for name, (text, _line) in segment_rows.systems.items()
    )
