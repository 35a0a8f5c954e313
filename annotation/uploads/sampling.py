"""What the preview is made of: ten sentences with their trees, and links learned on a sample.

Runs as a program of its own, `python -m annotation.uploads.sampling REQUEST.json RESULT.json`, so
that no process that answers people holds a parser, and none of them stands still meanwhile.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.pharaoh import parse_links
from annotation.preparation.alignment import SystranAligner
from annotation.preparation.parsers import Parser, PhrasesParser, choose_parser
from annotation.preparation.phrases import SAMPLE as FOR_PHRASES
from annotation.preparation.phrases import function_words
from annotation.preparation.trees import to_bracketed
from annotation.uploads.columns import Given, GivenFile, good_lines
from annotation.uploads.names import REFERENCE, SOURCE, SYSTEM, TREES
from annotation.uploads.trees import blocks, tree_of_block, tree_of_line

SHOWN = 10
# Sentences from which the links are learned, those shown included.
SAMPLE = 200
# A sentence of fewer words says little.
ENOUGH_WORDS = 6


@dataclass
class SampledSentence:
    """One sentence of the preview. `tree` is in brackets, "" where it depends on the lengths.

    `systems` are (tokens, links) by name.
    """

    number: int
    tokens: list[str]
    before: list[str]
    after: list[str]
    reference: list[str]
    tree: str
    systems: dict[str, tuple[list[str], list[tuple[int, int]]]]


@dataclass
class Sample:
    """`functions` are the kinds of function words, for the parser of phrases."""

    sentences: list[SampledSentence]
    parser: str
    aligned: int
    functions: dict[str, int]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Sample":
        sentences = [SampledSentence(**row) for row in data["sentences"]]
        return cls(sentences, data["parser"], data["aligned"], data["functions"])


def make_sample(given: Given, parser: str, models: Path | None = None) -> Sample:
    """Return the sample of an upload that has no problems. Raises InputError, as parsers do."""
    source = given.of(SOURCE)[0]
    counts = [len(line.split()) for line in _texts(source)]
    shown = choose_spread(counts, SHOWN)
    has_links = bool(given.links)
    others = [] if has_links else choose_spread(counts, SAMPLE)
    wanted = sorted({*shown, *others})
    rows = _rows(given, {*wanted, *(n + step for n in shown for step in (-1, 1))})
    made = [_sentence(given, rows, number) for number in wanted]
    _set_links(given, made, rows, has_links)
    sample = Sample(
        sentences=[sentence for sentence in made if sentence.number in set(shown)],
        parser=parser,
        aligned=0 if has_links else len(made),
        functions={},
    )
    _set_trees(given, sample, parser, models)
    return sample


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


def _sentence(given: Given, rows: dict[int, dict[str, str]], number: int) -> SampledSentence:
    row = rows[number]
    source, reference = given.of(SOURCE)[0], given.one(REFERENCE)
    before, after = (rows.get(n, {}).get(source.name, "") for n in (number - 1, number + 1))
    return SampledSentence(
        number=number,
        tokens=given.source_tokens(row[source.name]),
        before=given.source_tokens(before),
        after=given.source_tokens(after),
        reference=given.target_tokens(row[reference.name]) if reference else [],
        tree="",
        systems={
            file.system: (given.target_tokens(row[file.name]), []) for file in given.of(SYSTEM)
        },
    )


def _set_links(
    given: Given,
    sentences: list[SampledSentence],
    rows: dict[int, dict[str, str]],
    has_links: bool,
) -> None:
    places = [(sentence, name) for sentence in sentences for name in sentence.systems]
    if has_links:
        for sentence, name in places:
            file = given.links[name]
            links = parse_links(rows[sentence.number][file.name], file.name)
            sentence.systems[name] = sentence.systems[name][0], links
        return
    pairs = ((sentence.tokens, sentence.systems[name][0]) for sentence, name in places)
    # The fast one, whatever aligns the whole text later: somebody waits for the preview.
    found = SystranAligner().align(pairs)
    for (sentence, name), links in zip(places, found, strict=True):
        sentence.systems[name] = sentence.systems[name][0], links


def _set_trees(given: Given, sample: Sample, name: str, models: Path | None) -> None:
    sentences = sample.sentences
    tokens = [sentence.tokens for sentence in sentences]
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
    try:
        sample = make_sample(given_from_json(asked["given"]), asked["parser"], models)
        answer: dict[str, Any] = asdict(sample)
    except InputError as problem:
        answer = {"problem": str(problem)}
    result.write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
