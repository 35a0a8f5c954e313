"""A new project from ready-made segments and candidates."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.formats.fingerprints import fingerprint
from annotation.formats.segment_files import SegmentFiles, SentenceRows, read_segment_files
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
from annotation.projects.names import check_new_name, parse_languages
from annotation.projects.unfinished import UnfinishedProject, unfinished_project


def import_segments(**described: Any) -> Project:
    """Create an open project as `new_segments_project` does, and return it."""
    with new_segments_project(**described) as project:
        return project


@contextmanager
def new_segments_project(
    *,
    name: str,
    languages: str,
    segments: Path,
    systems: Path | None = None,
    description: str = "",
) -> Iterator[Project]:
    """Create an open project from the thesis' six-column file and the file of systems, if any.

    A system without a row for a segment gets no projection there, since the files do not say
    whether its candidate was empty. It is stored page by page; the project is yielded in the
    transaction that makes it visible. Raises InputError; then nothing remains.
    """
    name = check_new_name(name)
    source_language, target_language = parse_languages(languages)
    provenance = {"segments": asdict(fingerprint(segments))}
    if systems:
        provenance["systems"] = asdict(fingerprint(systems))
    files = read_segment_files(segments, systems)
    with unfinished_project(
        name=name,
        description=description,
        source_language=source_language,
        target_language=target_language,
        state=Project.State.OPEN,
        provenance=_provenance(provenance, files),
    ) as unfinished:
        _store_sentences(unfinished, files)
        with unfinished.last_page():
            yield unfinished.project


def _provenance(fingerprints: dict[str, dict[str, Any]], files: SegmentFiles) -> dict[str, Any]:
    fingerprints["segments"]["rows"] = files.segment_rows
    if "systems" in fingerprints:
        fingerprints["systems"]["rows"] = files.system_rows
    segments = [s for sentence in files.sentences.values() for s in sentence.segments.values()]
    return {
        "command": "import_segments",
        "segranks": settings.VERSION,
        "segments": "ready-made",
        "files": fingerprints,
        "counts": {
            "sentences": len(files.sentences),
            "systems": len(_system_names(files)),
            "segments": len(segments),
            "projected": sum(len(segment.systems) for segment in segments),
            "candidates": sum(len(segment.candidates) for segment in segments),
        },
    }


def _system_names(files: SegmentFiles) -> dict[str, None]:
    """Return the names of the systems in the order in which sentences and segments have them."""
    return {
        name: None
        for _number, sentence in sorted(files.sentences.items())
        for _indices, segment in sorted(sentence.segments.items())
        for name in segment.systems
    }


def _store_sentences(unfinished: UnfinishedProject, files: SegmentFiles) -> None:
    project = unfinished.project
    with unfinished.page():
        systems = {
            system.name: system
            for system in System.objects.bulk_create(
                System(project=project, name=name) for name in _system_names(files)
            )
        }
    rows = iter(sorted(files.sentences.items()))
    while page := list(islice(rows, SENTENCES_PER_PAGE)):
        with unfinished.page():
            _store_page(project, page, systems)


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
