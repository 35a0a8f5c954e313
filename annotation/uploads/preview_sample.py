"""The sample for the preview: ten sentences with their trees, and links learned on more of them.

Of ready-made segments it is ten sentences with their candidates, and all problems of the files.

The sample is aligned by the aligner of the preparation, in one run. With eflomal, four of five
candidates are the same as in the prepared project (docs/preparation.md). Other lengths of segments
need no new sample.

Runs as a program, `python -m annotation.uploads.preview_sample REQUEST RESULT` (two JSON files), so
that no parser, aligner or file fills the memory of a worker.
"""

import signal
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from annotation.formats.conllu import pair_sentences
from annotation.formats.documents import pair_with_documents
from annotation.formats.errors import InputError
from annotation.formats.file_roles import DOCUMENTS, GIVEN, REFERENCE, SOURCE, SYSTEM, TREES
from annotation.formats.pharaoh import Links, parse_links
from annotation.formats.problems import Collector, Findings
from annotation.formats.source_segments import read_source_segments
from annotation.formats.tokens import TokenizedText
from annotation.preparation.alignment import choose_aligner
from annotation.preparation.linked_segments import are_linked
from annotation.preparation.parsers import (
    Parser,
    PhrasesParser,
    choose_parser,
    parser_of_language,
    read_tree,
)
from annotation.preparation.phrase_chunker import SAMPLE_SENTENCES, function_words
from annotation.preparation.projection import ProjectionRule, ScatterCounts
from annotation.preparation.segmenters import LINKED
from annotation.preparation.tokens import keys, plain_words
from annotation.preparation.trees import to_bracketed
from annotation.uploads.checks import (
    check_roles_beside_segments,
    conllu_tree,
    note_what_was_read,
    stage_segments,
)
from annotation.uploads.uploaded_texts import UploadedText, UploadedTexts, lines_of

SHOWN = 10
# The links are learned from as many sentences as have PAIRS translations together, at most
# MOST_SENTENCES.
PAIRS = 5000
MOST_SENTENCES = 1500
EFFORT = "fast"
# Shorter sentences are shown only if there are no others.
ENOUGH_WORDS = 6


T = TypeVar("T")
# The number of a reference, and its text.
ReferenceText = tuple[int, str]


@dataclass
class SampledText:
    """A translation with its links; that of a reference may have a tree in brackets."""

    text: TokenizedText
    links: Links = field(default_factory=Links)
    tree: str = ""


@dataclass
class SampledSentence:
    """One sentence of the preview. `tree` is in brackets, "" if it depends on the lengths.

    `systems` are translations by name; `segments` are those of an uploaded file. `references` are
    (number, text), without missing ones, and `linked` those by whose links segments are chosen, by
    name.
    """

    number: int
    source: TokenizedText
    references: list[ReferenceText]
    tree: str
    systems: dict[str, SampledText]
    segments: list[tuple[int, ...]] = field(default_factory=list)
    linked: dict[str, SampledText] = field(default_factory=dict)


@dataclass
class Sample:
    """`functions` are the kinds of function words, for the parser of phrases.

    The `aligner` has linked the words of `aligned` sentences; "" and 0 if links were uploaded. The
    whole text has `pairs` of sentences.
    """

    sentences: list[SampledSentence]
    parser: str
    aligner: str
    aligned: int
    pairs: int
    functions: dict[str, int]
    projection: ProjectionRule


@dataclass
class ReadySentence:
    """One sentence of ready-made segments, which are (token indices, candidates)."""

    number: int
    source: TokenizedText
    references: list[ReferenceText]
    segments: list[tuple[tuple[int, ...], list[str]]]


@dataclass(frozen=True)
class MediaOfLine:
    """The names of the media beside a line of the source, and its text."""

    line: int
    source: str
    names: list[str]


def media_by_line(given: UploadedTexts) -> list[MediaOfLine]:
    """Return the lines of the source that have media; files with problems are left out."""
    names: dict[int, list[str]] = {}
    for name, line in given.places_of_media(lambda _problem: None):
        names.setdefault(line, []).append(name)
    source = given.one(SOURCE)
    if not source or not names:
        return []
    texts = enumerate(islice(lines_of(source), max(names)), start=1)
    return [MediaOfLine(line, text, names[line]) for line, text in texts if line in names]


def ready_made(given: UploadedTexts) -> tuple[Findings, list[ReadySentence]]:
    """Return the problems of ready-made segments, and the sentences to show."""
    collector = Collector(given.names)
    check_roles_beside_segments(given, collector)
    note_what_was_read(given, collector)
    # Compact, because there may be a million sentences.
    numbers, counts = array("q"), array("q")
    documents = given.one(DOCUMENTS)
    with stage_segments(given, collector) as staged:
        found = staged.sentences(collector.add_error)
        if documents:
            paired = pair_with_documents(documents.path, found, collector.add_error)
            found = ((number, rows) for number, rows, _document in paired)
        for number, rows in found:
            numbers.append(number)
            counts.append(len(rows.tokens))
        shown = {numbers[place - 1] for place in choose_spread(counts, SHOWN)}
        sentences = [
            ReadySentence(
                number=number,
                source=rows.tokens,
                references=[(1, rows.reference)] if rows.reference.strip() else [],
                segments=[
                    (indices, list(segment.candidates))
                    for indices, segment in sorted(rows.segments.items())
                ],
            )
            for number, rows in staged.sentences(lambda _known: None, only=shown)
        ]
    return collector.findings(len(numbers)), sentences


def make_sample(
    given: UploadedTexts, parser: str, aligner: str, models: Path | None = None
) -> Sample:
    """Return the sample of an upload that has no problems.

    Whole sentences are neither parsed nor aligned: the names of the programs are "".
    Raises InputError if a parser or an aligner does.
    """
    source = given.of(SOURCE)[0]
    counts = array("q", (_count_words(given, line) for line in lines_of(source)))
    shown = choose_spread(counts, SHOWN)
    is_linked_here = not (given.links or given.whole_sentences)
    others = choose_spread(counts, enough(len(given.of(SYSTEM)))) if is_linked_here else []
    is_cut_by_links = (
        given.cuts_segments and not given.of(TREES) and _is_linked(given, parser, models)
    )
    wanted = sorted({*shown, *others})
    rows = _lines_by_number(given, set(wanted))
    made = [_sampled_sentence(given, rows[number], number, number in shown) for number in wanted]
    if is_cut_by_links:
        for sentence in made:
            row = rows[sentence.number]
            sentence.linked = {
                name: SampledText(given.target_tokens(row[file.name]))
                for name, file in given.references.items()
                if row[file.name].strip()
            }
    sample = Sample(
        sentences=[sentence for sentence in made if sentence.number in set(shown)],
        parser=parser,
        aligner="",
        aligned=0,
        pairs=sum(map(bool, counts)) * len(given.of(SYSTEM)),
        functions={},
        projection=ProjectionRule(),
    )
    if given.whole_sentences:
        sample.parser = ""
        return sample
    if given.links:
        _take_links(given, made, rows)
    else:
        sample.aligner, sample.projection = _align(made, aligner)
        sample.aligned = len(made)
    if is_cut_by_links:
        sample.parser = LINKED
        _parse_references(given, sample, models)
    else:
        _set_trees(given, sample, parser, models)
    return sample


def _count_words(given: UploadedTexts, line: str) -> int:
    """Return the number of tokens, or one that is ENOUGH_WORDS and not more than that.

    Only a line without so many words between spaces is tokenised: there may be a million lines.
    """
    between_spaces = len(line.split())
    return between_spaces if between_spaces >= ENOUGH_WORDS else len(given.source_tokens(line))


def enough(systems: int) -> int:
    """Return how many sentences are aligned."""
    return max(SHOWN, min(MOST_SENTENCES, PAIRS // systems))


def choose_spread(counts: Sequence[int], wanted: int) -> list[int]:
    """Return the numbers, from 1, of `wanted` lines, spread evenly over those that have words.

    From each stretch of lines, chooses the first one with enough words, starting at its middle.
    """
    filled = array("q", (number for number, count in enumerate(counts, start=1) if count))
    wanted = min(wanted, len(filled))
    chosen = []
    for part in range(wanted):
        first, stop = len(filled) * part // wanted, len(filled) * (part + 1) // wanted
        middle = (first + stop) // 2
        stretch = [*filled[middle:stop], *filled[first:middle]]
        chosen.append(next((n for n in stretch if counts[n - 1] >= ENOUGH_WORDS), stretch[0]))
    return chosen


def _lines_by_number(given: UploadedTexts, numbers: set[int]) -> dict[int, dict[str, str]]:
    """Return the wanted lines of all parallel files, by number and by the name of the file."""
    rows: dict[int, dict[str, str]] = {number: {} for number in numbers}
    for file in given.parallel:
        for number, line in enumerate(lines_of(file), start=1):
            if number in rows:
                rows[number][file.name] = line
    return rows


def _sampled_sentence(
    given: UploadedTexts, row: dict[str, str], number: int, is_shown: bool
) -> SampledSentence:
    source = given.of(SOURCE)[0]
    references = enumerate(given.of(REFERENCE) if is_shown else (), start=1)
    return SampledSentence(
        number=number,
        source=given.source_tokens(row[source.name]),
        references=[
            (reference, text) for reference, file in references if (text := row[file.name]).strip()
        ],
        tree="",
        systems={
            file.system: SampledText(given.target_tokens(row[file.name]))
            for file in given.of(SYSTEM)
        },
    )


def _take_links(
    given: UploadedTexts, sentences: list[SampledSentence], rows: dict[int, dict[str, str]]
) -> None:
    for sentence in sentences:
        for name, one in (sentence.systems | sentence.linked).items():
            if file := given.links.get(name):
                one.links = parse_links(rows[sentence.number][file.name], file.name)


def _align(sentences: list[SampledSentence], name: str) -> tuple[str, ProjectionRule]:
    """Link the words of all sentences; return the name of the aligner, and how to project."""
    aligner = choose_aligner(name, EFFORT)
    texts = [
        (sentence.source, one)
        for sentence in sentences
        for one in (*sentence.systems.values(), *sentence.linked.values())
    ]
    pairs = ((keys(source.words), keys(one.text.words)) for source, one in texts)
    counts = ScatterCounts()
    for (_source, one), links in zip(texts, counts.counting(aligner.align(pairs)), strict=True):
        one.links = links
    return aligner.name, counts.rule


def _is_linked(given: UploadedTexts, name: str, models: Path | None) -> bool:
    """Return whether segments are chosen by links instead of a parser of the source."""
    lines = islice(lines_of(given.of(SOURCE)[0]), SAMPLE_SENTENCES)
    words = (word for line in lines for word in given.source_tokens(line).words)
    has_references = bool(given.of(REFERENCE)) and (
        not given.links or bool(given.references.keys() & given.links.keys())
    )
    return are_linked(
        name,
        given.source_language,
        words,
        given.target_language,
        has_references=has_references,
        models=models,
    )


def _parse_references(given: UploadedTexts, sample: Sample, models: Path | None) -> None:
    name = parser_of_language(given.target_language, models)
    if name is None:
        return
    references = [one for sentence in sample.sentences for one in sentence.linked.values()]
    words = [plain_words(one.text.words) for one in references]
    parser = choose_parser(name, language=given.target_language, models=models)
    for one, of_text, tree in zip(references, words, parser.parse(words), strict=True):
        one.tree = to_bracketed(tree, of_text)


def _set_trees(given: UploadedTexts, sample: Sample, name: str, models: Path | None) -> None:
    sentences = sample.sentences
    tokens = [plain_words(sentence.source.words) for sentence in sentences]
    if segments := given.one(GIVEN):
        sample.parser = ""
        found = read_source_segments(segments.path)
        for sentence in sentences:
            sentence.segments = sorted(row.indices for row in found.get(sentence.number, []))
        return
    if file := given.one(TREES):
        sample.parser = "brackets" if file.kind != "conllu" else "conllu"
        trees = _trees_of_file(given, file, sentences)
    else:
        parser: Parser = choose_parser(name, language=given.source_language, models=models)
        sample.parser = parser.name
        if parser.name == PhrasesParser.name:
            # Its trees depend on the lengths: the preview parses again for each.
            lines = islice(lines_of(given.of(SOURCE)[0]), SAMPLE_SENTENCES)
            words = (plain_words(given.source_tokens(line).words) for line in lines)
            sample.functions = dict(function_words(words))
            return
        parsed = zip(parser.parse(tokens), tokens, strict=True)
        trees = [to_bracketed(tree, words) for tree, words in parsed]
    for sentence, tree in zip(sentences, trees, strict=True):
        sentence.tree = tree


def _trees_of_file(
    given: UploadedTexts, file: UploadedText, sentences: Iterable[SampledSentence]
) -> list[str]:
    wanted = {sentence.number: sentence.source.words for sentence in sentences}
    trees: list[str] = []
    if file.kind == "conllu":
        source = given.of(SOURCE)[0]
        pairs = pair_sentences(file.path, lines_of(source), source.path)
        for number, (_line, sentence) in enumerate(pairs, start=1):
            if number in wanted and sentence:
                tree = conllu_tree(sentence, wanted[number], file)
                trees.append(to_bracketed(tree, wanted[number]))
        return trees
    for number, line in enumerate(lines_of(file), start=1):
        if number in wanted:
            tree = read_tree(line, wanted[number], f"{file.path}, line {number}")
            trees.append(to_bracketed(tree, wanted[number]))
    return trees


@dataclass(frozen=True)
class Request:
    """What the program is asked for; `models` is the folder of Stanza's models."""

    given: UploadedTexts
    parser: str
    aligner: str
    models: str | None


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the program found: a sample, or ready-made sentences, or a problem.

    Without the problem it is stored as the data of the preview. It has the findings of ready-made
    segments; those of other files are known before. `problem` is InputError.to_json().
    """

    sample: Sample | None = None
    ready_made: list[ReadySentence] | None = None
    findings: Findings | None = None
    media: list[MediaOfLine] = []
    problem: dict[str, Any] | None = None


def encode(value: Request | Answer) -> bytes:
    # The paths of files are the only values that are not JSON.
    return msgspec.json.encode(value, enc_hook=str)


def decode(stored: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(stored, type=kind, dec_hook=lambda path, text: path(text))


def main(request: Path, result: Path) -> None:
    asked = decode(request.read_bytes(), Request)
    models = Path(asked.models) if asked.models else None
    try:
        if asked.given.is_ready_made:
            findings, sentences = ready_made(asked.given)
            answer = Answer(ready_made=sentences, findings=findings)
        else:
            sample = make_sample(asked.given, asked.parser, asked.aligner, models)
            answer = Answer(sample=sample, media=media_by_line(asked.given))
    except InputError as problem:
        answer = Answer(problem=problem.to_json())
    result.write_bytes(encode(answer))


if __name__ == "__main__":
    # So that the aligner's process ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main(Path(sys.argv[1]), Path(sys.argv[2]))
