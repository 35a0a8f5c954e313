"""Everything that is wrong with the files of an upload, found in one reading of each."""

from collections import deque
from collections.abc import Iterator
from itertools import zip_longest

from annotation.formats.errors import InputError
from annotation.formats.file_roles import (
    GIVEN,
    LINKS,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    SYSTEMS,
    TREES,
)
from annotation.formats.pharaoh import parse_links
from annotation.formats.problems import Collector, Findings
from annotation.formats.segment_files import LONGEST_SYSTEM_NAME
from annotation.uploads import segment_and_candidate_rows, segment_rows
from annotation.uploads.segment_rows import SegmentCheck
from annotation.uploads.text_files import Given, GivenFile, good_lines
from annotation.uploads.tree_files import add_said, check_conllu, check_tree


def check(given: Given) -> Findings:
    """Return all that is wrong with the files, and what is worth knowing of them.

    Reads every line once or twice and holds one line of each file; of ready-made segments, all.
    """
    given = given.readable()
    collector = Collector()
    if given.is_ready_made:
        _check_ready_made_set(given, collector)
        return collector.findings(segment_and_candidate_rows.check(given, collector))
    _check_set(given, collector)
    if given.one(SOURCE):
        sentences = _check_lines(given, collector)
    else:
        sentences = 0
        for file in given.parallel:
            deque(good_lines(file, collector), maxlen=0)
        for file in given.of(GIVEN):
            segment_rows.read(file, collector)
    for file in given.of(TREES):
        if file.kind == "conllu":
            check_conllu(given, file, collector)
    if given.one(SOURCE):
        _note_languages(given, collector)
    return collector.findings(sentences)


def _check_ready_made_set(given: Given, collector: Collector) -> None:
    for role in (SEGMENTS, SYSTEMS):
        _check_once(given, role, collector)
    for file in given.files:
        if file.role not in {SEGMENTS, SYSTEMS}:
            collector.add("beside-segments", file.name)


def _check_set(given: Given, collector: Collector) -> None:
    if not given.files:
        collector.add("no-files")
        return
    if not given.of(SOURCE):
        collector.add("no-source")
    if not given.of(SYSTEM):
        collector.add("no-system")
    for file in given.of(SYSTEMS):
        collector.add("systems-without-segments", file.name)
    for role in (SOURCE, REFERENCE, TREES, GIVEN):
        _check_once(given, role, collector)
    if given.of(GIVEN):
        for file in given.of(TREES):
            collector.add("trees-beside-given", file.name)
    _check_systems(given, collector)
    if given.of(LINKS):
        _check_whose_links(given, collector)


def _check_once(given: Given, role: str, collector: Collector) -> None:
    files = given.of(role)
    for file in files[1:]:
        collector.add(f"two-{role}", file.name, 0, first=files[0].name)


def _check_systems(given: Given, collector: Collector) -> None:
    seen: dict[str, str] = {}
    for file in given.of(SYSTEM):
        name = file.system
        if not name.strip() or len(name) > LONGEST_SYSTEM_NAME or not name.isprintable():
            collector.add("system-name", file.name, 0, most=LONGEST_SYSTEM_NAME)
        elif name == REFERENCE:
            collector.add("system-called-reference", file.name)
        elif name in seen:
            collector.add("system-twice", file.name, 0, name=name, first=seen[name])
        seen.setdefault(name, file.name)


def _check_whose_links(given: Given, collector: Collector) -> None:
    systems = {file.system for file in given.of(SYSTEM)}
    seen: dict[str, str] = {}
    for file in given.of(LINKS):
        if file.system not in systems | {REFERENCE}:
            collector.add("links-of-nobody", file.name, 0, name=file.system)
        elif file.system in seen:
            collector.add("links-twice", file.name, 0, name=file.system, first=seen[file.system])
        seen.setdefault(file.system, file.name)
    for name in sorted(systems - set(seen)):
        collector.add("no-links", "", 0, name=name)


def _check_lines(given: Given, collector: Collector) -> int:
    """Check the files line by line; return how many lines of the source have text."""
    files = given.parallel
    readers = [_Reader(file, collector) for file in files]
    source, *others = readers
    segments = [SegmentCheck(file, collector) for file in given.of(GIVEN)]
    filled = empty = first_empty = 0
    missing: dict[str, int] = {}
    for number, lines in enumerate(zip_longest(*readers), start=1):
        text = lines[0]
        if source.lines < number:
            # The source is at its end: the others are only counted.
            continue
        if text is not None and not text.strip():
            empty += 1
            first_empty = first_empty or number
        filled += bool(text and text.strip())
        for reader, line in zip(others, lines[1:], strict=True):
            is_translation = reader.file.role in {SYSTEM, REFERENCE}
            if is_translation and line is not None and not line.strip() and (text or "").strip():
                missing[reader.file.name] = missing.get(reader.file.name, 0) + 1
        _check_row(given, number, dict(zip(files, lines, strict=True)), collector)
        for each in segments:
            if text is not None and each.wants(number):
                each.compare(number, given.source_tokens(text))
    for each in segments:
        each.end(source.lines)
    for reader in others:
        if reader.lines != source.lines and reader.lines and source.lines:
            collector.add(
                "different-lengths",
                reader.file.name,
                0,
                lines=reader.lines,
                source=source.file.name,
                source_lines=source.lines,
            )
    if source.lines and not filled and not collector.has_problems(source.file.name):
        collector.add("empty-source", source.file.name)
    elif empty:
        collector.note("empty-lines", source.file.name, first_empty, count=empty)
    for name, count in missing.items():
        collector.note("missing-translations", name, 0, count=count)
    return filled


class _Reader:
    """Yields the lines of a file as `good_lines` does, and counts them."""

    def __init__(self, file: GivenFile, collector: Collector) -> None:
        self.file = file
        self.lines = 0
        self._collector = collector

    def __iter__(self) -> Iterator[str | None]:
        for line in good_lines(self.file, self._collector):
            self.lines += 1
            yield line


def _check_row(
    given: Given, number: int, row: dict[GivenFile, str | None], collector: Collector
) -> None:
    """Check the trees and links of one sentence against its tokens."""
    by_system = {f.system: text for f, text in row.items() if f.role == SYSTEM}
    if REFERENCE in (references := {f.role: text for f, text in row.items()}):
        by_system[REFERENCE] = references[REFERENCE]
    source = next(text for file, text in row.items() if file.role == SOURCE)
    tokens: list[str] | None = None
    for file, line in row.items():
        if line is None or source is None or file.role not in {TREES, LINKS}:
            continue
        if tokens is None:
            tokens = given.source_tokens(source)
        if file.role == TREES:
            check_tree(line, tokens, file, number, collector)
        elif (target := by_system.get(file.system)) is not None:
            _check_links(line, tokens, given.target_tokens(target), file, number, collector)


def _check_links(
    line: str,
    source: list[str],
    target: list[str],
    file: GivenFile,
    number: int,
    collector: Collector,
) -> None:
    try:
        links = parse_links(line, "")
    except InputError as error:
        add_said(collector, file, error, number)
        return
    for link in links:
        if link[0] >= len(source) or link[1] >= len(target):
            collector.add(
                "link-outside",
                file.name,
                number,
                link=f"{link[0]}-{link[1]}",
                source=len(source),
                target=len(target),
            )
            return


def _note_languages(given: Given, collector: Collector) -> None:
    """Say where a text seems to be in another language than it should be."""
    wanted = {SOURCE: given.source_language}
    wanted |= dict.fromkeys((REFERENCE, SYSTEM), given.target_language)
    for file in given.files:
        expected = wanted.get(file.role, "").replace("-", "_").split("_")[0].lower()
        if file.language and expected and file.language != expected:
            collector.note("language", file.name, 0, found=file.language, wanted=wanted[file.role])
