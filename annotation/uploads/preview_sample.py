"""What the preview is made of: ten sentences with their trees, and links learned on a sample.

The sample is aligned by what will align the whole text, in one run of it: sliders only cut and
project anew. Where that is eflomal, four of five candidates are those that the preparation makes
(docs/preparation.md).

Runs as a program of its own, `python -m annotation.uploads.preview_sample REQUEST RESULT` (two JSON
files), so that no web process loads a parser or waits for one.
"""

import json
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.file_roles import GIVEN, REFERENCE, SOURCE, SYSTEM, TREES
from annotation.formats.pharaoh import parse_links
from annotation.preparation.alignment import choose_aligner
from annotation.preparation.parsers import Parser, PhrasesParser, choose_parser
from annotation.preparation.phrase_chunker import SAMPLE as FOR_PHRASES
from annotation.preparation.phrase_chunker import function_words
from annotation.preparation.trees import to_bracketed
from annotation.uploads import segment_rows
from annotation.uploads.text_files import Given, GivenFile, good_lines
from annotation.uploads.tree_files import blocks, tree_of_block, tree_of_line

SHOWN = 10
# Sentences from which the links are learned, those shown included: as many as have so many
# translations together, and no more than that.
PAIRS = 5000
MOST_SENTENCES = 1500
EFFORT = "fast"
# A sentence of fewer words says little.
ENOUGH_WORDS = 6


@dataclass
class SampledSentence:
    """One sentence of the preview. `tree` is in brackets, "" where it depends on the lengths.

    `systems` are (tokens, links) by name. `segments` are there where a file has them.
    """

    number: int
    tokens: list[str]
    reference: list[str]
    tree: str
    systems: dict[str, tuple[list[str], list[tuple[int, int]]]]
    segments: list[tuple[int, ...]] = field(default_factory=list)


@dataclass
class Sample:
    """`functions` are the kinds of function words, for the parser of phrases.

    The `aligner` has linked the words of `aligned` sentences; "" and 0 where links came as files.
    """

    sentences: list[SampledSentence]
    parser: str
    aligner: str
    aligned: int
    functions: dict[str, int]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Sample":
        sentences = [SampledSentence(**row) for row in data["sentences"]]
        return cls(**data | {"sentences": sentences})


def make_sample(given: Given, parser: str, aligner: str, models: Path | None = None) -> Sample:
    """Return the sample of an upload that has no problems.

    Raises InputError, as parsers and aligners do.
    """
    source = given.of(SOURCE)[0]
    counts = [len(line.split()) for line in _texts(source)]
    shown = choose_spread(counts, SHOWN)
    others = [] if given.links else choose_spread(counts, enough(len(given.of(SYSTEM))))
    wanted = sorted({*shown, *others})
    rows = _rows(given, set(wanted))
    made = [_sentence(given, rows[number], number, number in shown) for number in wanted]
    sample = Sample(
        sentences=[sentence for sentence in made if sentence.number in set(shown)],
        parser=parser,
        aligner="",
        aligned=0,
        functions={},
    )
    if given.links:
        _take_links(given, made, rows)
    else:
        sample.aligner, sample.aligned = _align(made, aligner), len(made)
    _set_trees(given, sample, parser, models)
    return sample


def enough(systems: int) -> int:
    """Return how many sentences are aligned."""
    return max(SHOWN, min(MOST_SENTENCES, PAIRS // systems))


def choose_spread(counts: Sequence[int], wanted: int) -> list[int]:
    """Return the numbers, from 1, of so many lines, spread evenly over those that have words.

    Of each stretch it is the first line with enough words, beginning at the middle.
    """
    filled = [number for number, count in enumerate(counts, start=1) if count]
    wanted = min(wanted, len(filled))
    chosen = []
    for part in range(wanted):
        first, stop = len(filled) * part // wanted, len(filled) * (part + 1) // wanted
        middle = (first + stop) // 2
        stretch = [*filled[middle:stop], *filled[first:middle]]
        chosen.append(next((n for n in stretch if counts[n - 1] >= ENOUGH_WORDS), stretch[0]))
    return chosen


def _texts(file: GivenFile) -> Iterator[str]:
    return (line or "" for line in good_lines(file))


def _rows(given: Given, numbers: set[int]) -> dict[int, dict[str, str]]:
    """Return the wanted lines of all parallel files, by number and by the name of the file."""
    rows: dict[int, dict[str, str]] = {number: {} for number in numbers}
    for file in given.parallel:
        for number, line in enumerate(_texts(file), start=1):
            if number in rows:
                rows[number][file.name] = line.strip()
    return rows


def _sentence(given: Given, row: dict[str, str], number: int, is_shown: bool) -> SampledSentence:
    source, reference = given.of(SOURCE)[0], given.one(REFERENCE)
    return SampledSentence(
        number=number,
        tokens=given.source_tokens(row[source.name]),
        reference=given.target_tokens(row[reference.name]) if reference and is_shown else [],
        tree="",
        systems={
            file.system: (given.target_tokens(row[file.name]), []) for file in given.of(SYSTEM)
        },
    )


def _take_links(
    given: Given, sentences: list[SampledSentence], rows: dict[int, dict[str, str]]
) -> None:
    for sentence in sentences:
        for name, (tokens, _links) in sentence.systems.items():
            file = given.links[name]
            links = parse_links(rows[sentence.number][file.name], file.name)
            sentence.systems[name] = tokens, links


def _align(sentences: list[SampledSentence], name: str) -> str:
    """Link the words of all sentences; return what did it."""
    aligner = choose_aligner(name, EFFORT)
    places = [(sentence, system) for sentence in sentences for system in sentence.systems]
    pairs = ((sentence.tokens, sentence.systems[system][0]) for sentence, system in places)
    for (sentence, system), links in zip(places, aligner.align(pairs), strict=True):
        sentence.systems[system] = sentence.systems[system][0], links
    return aligner.name


def _set_trees(given: Given, sample: Sample, name: str, models: Path | None) -> None:
    sentences = sample.sentences
    tokens = [sentence.tokens for sentence in sentences]
    if segments := given.one(GIVEN):
        sample.parser = ""
        found = segment_rows.read(segments)
        for sentence in sentences:
            sentence.segments = sorted(found.get(sentence.number, {}))
        return
    if file := given.one(TREES):
        sample.parser = "brackets" if file.kind != "conllu" else "conllu"
        trees = _trees_of_file(given, file, sentences)
    else:
        parser: Parser = choose_parser(name, language=given.source_language, models=models)
        sample.parser = parser.name
        if parser.name == PhrasesParser.name:
            # Its trees depend on the lengths, and are made anew for each.
            lines = islice(_texts(given.of(SOURCE)[0]), FOR_PHRASES)
            sample.functions = dict(function_words(given.source_tokens(line) for line in lines))
            return
        parsed = zip(parser.parse(tokens), tokens, strict=True)
        trees = [to_bracketed(tree, words) for tree, words in parsed]
    for sentence, tree in zip(sentences, trees, strict=True):
        sentence.tree = tree


def _trees_of_file(
    given: Given, file: GivenFile, sentences: Iterable[SampledSentence]
) -> list[str]:
    if file.kind == "conllu":
        filled = [n for n, text in enumerate(_texts(given.of(SOURCE)[0]), start=1) if text.strip()]
        by_number = dict(zip(filled, blocks(file), strict=False))
        return [
            to_bracketed(tree_of_block(by_number[one.number], one.tokens), one.tokens)
            for one in sentences
        ]
    wanted = {sentence.number: sentence for sentence in sentences}
    return [
        to_bracketed(tree_of_line(line, wanted[number].tokens), wanted[number].tokens)
        for number, line in enumerate(_texts(file), start=1)
        if number in wanted
    ]


def given_to_json(given: Given) -> dict[str, Any]:
    return {
        **{name: value for name, value in asdict(given).items() if name != "files"},
        "files": [asdict(file) | {"path": str(file.path)} for file in given.files],
    }


def given_from_json(data: dict[str, Any]) -> Given:
    files = [GivenFile(**file | {"path": Path(file["path"])}) for file in data["files"]]
    return Given(**data | {"files": files})


def main(request: Path, result: Path) -> None:
    asked = json.loads(request.read_text(encoding="utf-8"))
    models = Path(asked["models"]) if asked["models"] else None
    given = given_from_json(asked["given"])
    try:
        answer = asdict(make_sample(given, asked["parser"], asked["aligner"], models))
    except InputError as problem:
        answer = {"problem": problem.to_json()}
    result.write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    # So that the aligner, which it waits for, is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main(Path(sys.argv[1]), Path(sys.argv[2]))
