"""All problems of the files of an upload, found in one reading of each."""

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest

from annotation.formats.conllu import ConlluSentence, pair_sentences
from annotation.formats.documents import check_document
from annotation.formats.errors import InputError
from annotation.formats.file_roles import (
    DOCUMENTS,
    GIVEN,
    LINKS,
    MEDIA,
    MEDIA_LINES,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)
from annotation.formats.languages import primary_language
from annotation.formats.media_files import MEDIA_TYPES, NO_MEDIUM, check_lines_of_media
from annotation.formats.names import LONGEST_SYSTEM_NAME, is_reference_name, plain_name
from annotation.formats.pharaoh import parse_links
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.problems import Collector, Findings
from annotation.formats.segment_files import StagedSegments, staged_segments
from annotation.formats.sentence_limits import check_sentence
from annotation.formats.source_segments import beyond_source, check_words, read_source_segments
from annotation.formats.spreadsheets import doubtful_quotation
from annotation.kinds import kind_of
from annotation.preparation.dependencies import to_constituents
from annotation.preparation.parsers import read_tree
from annotation.preparation.token_matching import to_tokens
from annotation.preparation.trees import Node
from annotation.uploads.uploaded_texts import UploadedText, UploadedTexts, lines_of


def check(texts: UploadedTexts) -> Findings:
    """Return the problems of the files, and what is worth knowing of them.

    Of ready-made segments, `preview_sample.ready_made` returns them.
    Reads every line once or twice. Memory does not grow with the files, except with one that has
    segments of the source (three columns).
    """
    texts = texts.readable()
    collector = Collector(texts.names)
    _check_roles(texts, collector)
    sentences = 0
    source = texts.one(SOURCE)
    if source:
        sentences = _check_lines(texts, collector)
    else:
        for file in texts.parallel:
            deque(read_lines_or_none(file.path, collector.add_error), maxlen=0)
        for file in texts.of(GIVEN):
            read_source_segments(file.path, collector.add_error)
    for file in texts.of(TREES):
        if source and file.kind == "conllu":
            _check_conllu(texts, file, source, collector)
    if source:
        _note_languages(texts, collector)
        _check_media(texts, source, collector)
    note_what_was_read(texts, collector)
    return collector.findings(sentences)


def check_roles_beside_segments(texts: UploadedTexts, collector: Collector) -> None:
    """Check the roles of files, one with ready-made segments; reads no file."""
    beside = (SEGMENTS, SYSTEMS, DOCUMENTS)
    for role in beside:
        _check_once(texts, role, collector)
    for file in texts.files:
        if file.role in {MEDIA, MEDIA_LINES}:
            collector.add("media-beside-segments", file.name)
        elif file.role not in beside:
            collector.add("beside-segments", file.name)
    if texts.whole_sentences:
        for file in texts.of(SEGMENTS):
            collector.add("ready-made-whole-sentences", file.name)


def note_what_was_read(texts: UploadedTexts, collector: Collector) -> None:
    """Add notes on files that were no plain texts in UTF-8, or may have been none."""
    for name, form in {file.table: file.read_as for file in texts.files if file.table}.items():
        collector.note("read-as-table", name, form=form)
    alone = [file for file in texts.files if not file.table]
    for form in sorted({file.read_as for file in alone} - {""}):
        names = ", ".join(file.name for file in alone if file.read_as == form)
        collector.note("read-as", form=form, files=names)
    for file in texts.files:
        if file.role == MEDIA:
            continue
        if line := doubtful_quotation(file.path):
            collector.note("doubtful-quotation", file.name, line)


def _check_roles(texts: UploadedTexts, collector: Collector) -> None:
    if not texts.files:
        collector.add("no-files")
        return
    if not texts.of(SOURCE):
        collector.add("no-source")
    if not texts.of(SYSTEM):
        collector.add("no-system")
    if kind_of(texts).shown.lacks_reference(texts.of(REFERENCE)):
        collector.add("no-reference")
    for file in texts.of(SYSTEMS):
        collector.add("systems-without-segments", file.name)
    for role in (SOURCE, DOCUMENTS, TREES, GIVEN, MEDIA_LINES):
        _check_once(texts, role, collector)
    if texts.whole_sentences:
        for role in (TREES, GIVEN, LINKS):
            for file in texts.of(role):
                collector.add("not-with-whole-sentences", file.name)
    elif texts.of(GIVEN):
        for file in texts.of(TREES):
            collector.add("trees-beside-given", file.name)

    systems: dict[str, str] = {}
    for file in texts.of(SYSTEM):
        name = file.system
        if not name.strip() or len(name) > LONGEST_SYSTEM_NAME or not name.isprintable():
            collector.add("system-name", file.name, most=LONGEST_SYSTEM_NAME)
        elif is_reference_name(name):
            collector.add("system-called-reference", file.name, name=name)
        elif name in systems:
            collector.add("system-twice", file.name, name=name, first=systems[name])
        systems.setdefault(name, file.name)

    if texts.of(LINKS) and not texts.whole_sentences:
        linked: dict[str, str] = {}
        for file in texts.of(LINKS):
            name = file.system
            if name not in {*systems, *texts.references}:
                collector.add("links-without-system", file.name, name=name)
            elif name in linked:
                collector.add("links-twice", file.name, name=name, first=linked[name])
            linked.setdefault(name, file.name)
        for name in sorted(systems.keys() - linked.keys()):
            collector.add("no-links", name=name)


def _check_once(texts: UploadedTexts, role: str, collector: Collector) -> None:
    files = texts.of(role)
    for file in files[1:]:
        collector.add(f"two-{role}", file.name, first=files[0].name)


# --- media ------


def _check_media(texts: UploadedTexts, source: UploadedText, collector: Collector) -> None:
    """Check that each medium is beside lines that have text, as they are stored with a project."""
    files = texts.of(MEDIA)
    if not files and not texts.of(MEDIA_LINES):
        return
    if not kind_of(texts).shown.source:
        for file in files:
            collector.add("media-unseen", file.name)
        return
    for file in files:
        if file.kind not in MEDIA_TYPES:
            collector.add(NO_MEDIUM, file.name)
    places = texts.places_of_media(collector.add_error)
    wanted = {line for _name, line in places}
    known = {
        number
        for number, text in enumerate(lines_of(source), start=1)
        if number in wanted and text.strip()
    }
    check_lines_of_media(places, known, collector.add_error)


# --- lines -----------------------------------------------------------------------------------


def _check_lines(texts: UploadedTexts, collector: Collector) -> int:
    """Check the files line by line; return how many lines of the source have text."""
    files = texts.parallel
    source, *others = files
    given = texts.one(GIVEN)
    segments = read_source_segments(given.path, collector.add_error) if given else {}
    counts: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    # The tabs in each line of a text, -1 where lines differ.
    tabs: dict[str, int] = {}
    filled = empty = first_empty = 0
    references, shown = texts.of(REFERENCE), kind_of(texts).shown
    readers = (_counted_lines(file, counts, collector) for file in files)
    for number, lines in enumerate(zip_longest(*readers), start=1):
        if counts[source.name] < number:
            # The source has ended: the lines of the others are only counted.
            continue
        row = dict(zip(files, lines, strict=True))
        text = row[source]
        if text is None:
            continue
        _check_lengths(texts, number, row, collector)
        for file, line in row.items():
            if line and file.role in {SOURCE, REFERENCE, SYSTEM}:
                found = line.count("\t")
                if tabs.setdefault(file.name, found) != found:
                    tabs[file.name] = -1
        if text.strip():
            filled += 1
            # A file that has ended is named below.
            of_line = (row[one] is None or str(row[one]).strip() for one in references)
            if references and shown.lacks_reference(of_line):
                collector.add("missing-reference", references[0].name, number)
            missing.update(
                file.name
                for file in others
                if file.role in {SYSTEM, REFERENCE} and row[file] is not None
                if not str(row[file]).strip()
            )
        else:
            empty += 1
            first_empty = first_empty or number
        _check_row(texts, number, row, collector)
        for segment in segments.pop(number, ()):
            assert given
            try:
                check_words(segment, texts.source_tokens(text), str(given.path))
            except InputError as problem:
                collector.add_error(problem)
    last = counts[source.name]
    for number, rows in segments.items():
        if given and number > last:
            collector.add_error(beyond_source(number, rows, given.path, source.path, last))
    for file in others:
        if last and counts[file.name] not in {0, last}:
            collector.add(
                "different-lengths",
                file.name,
                lines=counts[file.name],
                source=source.name,
                source_lines=last,
            )
    if last and not filled and not collector.has_problems(source.name):
        collector.add("empty-source", source.name)
    elif empty:
        collector.note("empty-lines", source.name, first_empty, count=empty)
    for name, count in missing.items():
        collector.note("missing-translations", name, count=count)
    for name, count in tabs.items():
        if count > 0:
            collector.note("columns", name, columns=count + 1)
    return filled


def _counted_lines(
    file: UploadedText, counts: Counter[str], collector: Collector
) -> Iterator[str | None]:
    for line in read_lines_or_none(file.path, collector.add_error):
        counts[file.name] += 1
        yield line


def _check_lengths(
    texts: UploadedTexts, number: int, row: dict[UploadedText, str | None], collector: Collector
) -> None:
    for file, line in row.items():
        if file.role in {SOURCE, REFERENCE, SYSTEM} and line is not None:
            tokens_of = texts.source_tokens if file.role == SOURCE else texts.target_tokens
            where = f"{file.path}, line {number}"
            try:
                check_sentence(line, tokens_of, where)
            except InputError as problem:
                collector.add_error(problem)


def _check_row(
    texts: UploadedTexts, number: int, row: dict[UploadedText, str | None], collector: Collector
) -> None:
    """Check the document of one sentence, and its trees and links against its tokens."""
    _check_document(number, row, collector)
    checked = [f for f, line in row.items() if f.role in {TREES, LINKS} and line is not None]
    if not checked:
        return
    source = texts.source_tokens(next(row[file] for file in row if file.role == SOURCE) or "")
    translations = texts.references | {file.system: file for file in texts.of(SYSTEM)}
    targets = {name: line for name, file in translations.items() if (line := row[file]) is not None}
    for file in checked:
        line, where = row[file] or "", f"{file.path}, line {number}"
        try:
            if file.role == TREES:
                read_tree(line, source.words, where)
            elif file.system in targets:
                parse_links(line, where).require_inside(
                    source_length=len(source),
                    target_length=len(texts.target_tokens(targets[file.system])),
                    where=where,
                )
        except InputError as problem:
            collector.add_error(problem)


def _check_document(number: int, row: dict[UploadedText, str | None], collector: Collector) -> None:
    """Check the name of a document; a line without a sentence may have none."""
    text = next(row[file] for file in row if file.role == SOURCE) or ""
    for file, line in row.items():
        if file.role == DOCUMENTS and line is not None and (text.strip() or plain_name(line)):
            try:
                check_document(line, f"{file.path}, line {number}")
            except InputError as problem:
                collector.add_error(problem)


def _check_conllu(
    texts: UploadedTexts, file: UploadedText, source: UploadedText, collector: Collector
) -> None:
    pairs = pair_sentences(file.path, lines_of(source), source.path, collector.add_error)
    for line, sentence in pairs:
        if sentence:
            try:
                conllu_tree(sentence, texts.source_tokens(line).words, file)
            except InputError as problem:
                collector.add_error(problem)


def _note_languages(texts: UploadedTexts, collector: Collector) -> None:
    """Add a note to each text that seems to be in another language than chosen."""
    wanted = {SOURCE: texts.source_language}
    wanted |= dict.fromkeys((REFERENCE, SYSTEM), texts.target_language)
    for file in texts.files:
        expected = wanted.get(file.role)
        if file.language and expected and file.language != primary_language(expected):
            collector.note("language", file.name, found=file.language, wanted=wanted[file.role])


# --- readers that the preview shares ---------------------------------------------------------


@contextmanager
def stage_segments(texts: UploadedTexts, collector: Collector) -> Iterator[StagedSegments]:
    """Sort the rows of ready-made segments, beside the uploaded files."""
    segments, systems = texts.one(SEGMENTS), texts.one(SYSTEMS)
    assert segments
    with staged_segments(
        segments.path,
        systems.path if systems else None,
        collector.add_error,
        folder=segments.path.parent,
        tokenize=texts.source_tokens,
    ) as staged:
        yield staged


def conllu_tree(sentence: ConlluSentence, tokens: list[str], file: UploadedText) -> Node:
    """Return the constituents of a sentence's dependencies. Raises InputError."""
    where = f"{file.path}, line {sentence.line}"
    return to_constituents(to_tokens(sentence.words, sentence.surfaces, tokens, where))
