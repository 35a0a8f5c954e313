"""A new project from ready-made segments and candidates, by a command or by a worker."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from msgspec.structs import replace

from annotation.common import stored_files
from annotation.common.transactions import Writing
from annotation.formats.archive_records import SentenceRecord, TranslationPart
from annotation.formats.documents import pair_with_documents
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.fingerprints import NO_COPIES, Originals, fingerprint
from annotation.formats.languages import parse_language_pair
from annotation.formats.segment_files import SentenceRows, StagedSegments, staged_segments
from annotation.formats.tokens import split_at_spaces
from annotation.kinds import DEFAULT, KINDS
from annotation.models import (
    Job,
    Project,
    System,
)
from annotation.pipeline.unit_preparation import preparation_by
from annotation.preparation.tokens import tokenizer
from annotation.projects.creation import answer_options
from annotation.projects.names import check_new_name
from annotation.projects.provenance import provenance_of, record, record_files
from annotation.projects.texts import delete_texts, new_segment, new_sentence, store_sentences
from annotation.projects.unfinished import unfinished_project

# The names of the kinds in which annotators judge ready-made segments.
KINDS_OF_SEGMENTS = [
    name for name, kind in KINDS.items() if preparation_by(kind.unit).takes_segments
]
# The name of the only stage of a job that imports.
STAGE = "import"
# Sentences stored in one transaction.
SENTENCES_PER_PAGE = 200
# Candidates and projections of a page, unless a single sentence has more.
MOST_ROWS = 10_000


def import_segments(
    *,
    name: str,
    languages: str,
    segments: Path,
    systems: Path | None = None,
    documents: Path | None = None,
    description: str = "",
    kind: str = DEFAULT.name,
    scale: Sequence[str] = (),
    originals: Originals = NO_COPIES,
) -> Project:
    """Create an open project from the thesis' six-column file and the file of systems, if any.

    Line n of `documents` is the name of the document of sentence n.
    A system without a row for a segment gets no projection there, since the files do not say
    whether its candidate was empty. The rows are sorted on disk, so that memory does not grow with
    the files; they are stored a page at a time. Raises InputError; then nothing remains.
    """
    files = _files(segments, systems, documents)
    fields = _described(name, description, languages, files, kind, scale, originals)
    tokenize = tokenizer(fields["source_language"])
    with (
        staged_segments(segments, systems, tokenize=tokenize) as staged,
        unfinished_project(**fields) as unfinished,
    ):
        project = unfinished.project
        sentences = _with_documents(staged.sentences(), documents)
        counts = _store_sentences(project, sentences, unfinished.page)
        with unfinished.last_page():
            _open(project, staged, counts)
    return project


@contextmanager
def new_import(
    *,
    name: str,
    languages: str,
    segments: Path,
    systems: Path | None = None,
    documents: Path | None = None,
    description: str = "",
    open_at_once: bool = True,
    kind: str = DEFAULT.name,
    scale: Sequence[str] = (),
    originals: Originals = NO_COPIES,
) -> Iterator[Job]:
    """Create the same project, and the job by which a worker imports the files.

    The project is paused at the end unless it is to `open_at_once`. The files are those of an
    upload, which stays until the job is done. Yields the job in the transaction that makes the
    project visible. Raises InputError; then nothing remains.
    """
    files = _files(segments, systems, documents)
    relative = {role: stored_files.name_of(path) for role, path in files.items()}
    fields = _described(name, description, languages, files, kind, scale, originals)
    with unfinished_project(**fields) as unfinished, unfinished.last_page():
        yield Job.objects.create(
            project=unfinished.project,
            task=Job.Task.IMPORT_SEGMENTS,
            options={"files": relative, "open_at_once": open_at_once},
        )


def import_uploaded(
    job: Job,
    *,
    progress: Callable[[str, int, int], None],
    writing: Writing,
) -> None:
    """Import the files of the job a page at a time, and open the project, or pause it.

    What an earlier try has stored is replaced, unless it has stored everything. `progress` and
    `writing` are as in Part. Raises InputError, with the names of the uploaded files.
    """
    project = job.project
    if project.state != Project.State.PREPARING:
        # An earlier try has stored everything, and people judge it; only its chunk was not done.
        return
    paths = {role: stored_files.fetch(name) for role, name in job.options["files"].items()}
    if not all(path.exists() for path in paths.values()):
        raise InputError(
            _("The uploaded files were deleted, as all are after a day: upload them again.")
        )
    delete_texts(project, size=SENTENCES_PER_PAGE, writing=writing)
    known = provenance_of(project).files
    names = {str(path): known[role].name for role, path in paths.items()}
    folder = paths["segments"].parent

    def counted(staged: StagedSegments) -> Iterator[tuple[int, SentenceRows]]:
        total = staged.count()
        sentences = _with_documents(staged.sentences(), paths.get("documents"))
        for done, row in enumerate(sentences, start=1):
            progress(STAGE, done, total)
            yield row

    try:
        with staged_segments(
            paths["segments"],
            paths.get("systems"),
            folder=folder,
            tokenize=tokenizer(project.source_language),
        ) as staged:
            counts = _store_sentences(project, counted(staged), writing)
            with writing():
                _open(project, staged, counts, at_once=job.options["open_at_once"])
    except InputError as problem:
        raise problem.with_names(names) from problem


def _files(segments: Path, systems: Path | None, documents: Path | None) -> dict[str, Path]:
    """Return the files that there are, by their roles."""
    files = {"segments": segments, "systems": systems, "documents": documents}
    return {role: path for role, path in files.items() if path}


def _with_documents(
    sentences: Iterator[tuple[int, SentenceRows]], documents: Path | None
) -> Iterator[tuple[int, SentenceRows]]:
    """Yield the sentences with their documents, if there is a file. Raise InputError."""
    if documents is None:
        yield from sentences
        return
    for number, rows, document in pair_with_documents(documents, sentences):
        rows.document = document
        yield number, rows


def _described(
    name: str,
    description: str,
    languages: str,
    files: dict[str, Path],
    kind: str,
    scale: Sequence[str],
    originals: Originals,
) -> dict[str, Any]:
    """Return the fields of the new project. Raise InputError."""
    if kind not in KINDS_OF_SEGMENTS:
        raise InputError(
            f"Ready-made segments cannot be judged as {kind!r}: choose a kind of judgement of "
            "segments."
        )
    source_language, target_language = parse_language_pair(languages)
    fingerprints = {role: asdict(fingerprint(path, originals)) for role, path in files.items()}
    return {
        "name": check_new_name(name),
        "kind": kind,
        "answer_options": answer_options(kind, scale),
        "description": description,
        "source_language": source_language,
        "target_language": target_language,
        "state": Project.State.PREPARING,
        "provenance": {"command": "import_segments", "files": fingerprints},
    }


def _open(
    project: Project, staged: StagedSegments, counts: dict[str, int], *, at_once: bool = True
) -> None:
    """Open the project, whose sentences are all stored; pause it unless `at_once`."""
    rows = {"segments": staged.segment_rows, "systems": staged.system_rows}
    files = provenance_of(project).files
    record_files(
        project,
        {role: replace(files[role], rows=count) for role, count in rows.items() if role in files},
    )
    record(project, segranks=settings.VERSION, segments="ready-made", counts=counts)
    project.state = Project.State.OPEN if at_once else Project.State.CLOSED
    project.save(update_fields=["provenance", "state"])


def _store_sentences(
    project: Project,
    sentences: Iterator[tuple[int, SentenceRows]],
    writing: Writing,
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
        with writing():
            stored = System.objects.bulk_create(
                System(project=project, name=name) for name in names if name not in systems
            )
            systems |= {system.name: system for system in stored}
            store_sentences(project, (_record(*each) for each in page), systems)
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


def _record(number: int, rows: SentenceRows) -> SentenceRecord:
    references = []
    if rows.reference.strip():
        tokens = split_at_spaces(rows.reference).places
        references.append(TranslationPart(None, 1, rows.reference, tokens, ""))
    segments = []
    for indices, segment in sorted(rows.segments.items()):
        positions = {text: position for position, text in enumerate(segment.candidates)}
        projections = [(name, positions[text]) for name, (text, _line) in segment.systems.items()]
        segments.append(new_segment(indices, list(positions), projections))
    return new_sentence(
        number, rows.tokens, document=rows.document, translations=references, segments=segments
    )
