"""How close previews of a new project come to the prepared project, and how long they take.

    python -m tests.load.preview FOLDER [ALIGNER:SENTENCES …]

FOLDER has source.txt and systems/*.txt, in English and Czech. Aligns the whole text first, by
eflomal with its default effort, then samples of so many sentences in one run, as the preview does,
and compares the candidates of all segments of the samples. Not a test.
"""

import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from annotation.formats.file_roles import SOURCE, SYSTEM
from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.alignment import Aligner, Pair, choose_aligner
from annotation.preparation.parsers import choose_parser
from annotation.preparation.projection import AlignedPair, ScatterCounts
from annotation.preparation.tokens import keys, plain_words, tokenize
from annotation.uploads.preview_sample import EFFORT, choose_spread, make_sample
from annotation.uploads.uploaded_texts import UploadedText, UploadedTexts

SAMPLES = ("systran:200", "systran:500", "eflomal:200", "eflomal:500", "eflomal:1000")
Candidates = dict[tuple[int, int, tuple[int, ...]], str]


class Texts:
    """The tokens of the source and of each system, and the segments of the source."""

    def __init__(self, folder: Path) -> None:
        self.paths = [folder / "source.txt", *sorted((folder / "systems").iterdir())]
        source, *systems = (path.read_text(encoding="utf-8").splitlines() for path in self.paths)
        self.source = [tokenize(line, "en") for line in source]
        self.systems = [[tokenize(line, "cs") for line in lines] for lines in systems]
        words = (plain_words(sentence.words) for sentence in self.source)
        trees = choose_parser("embedded", language="en").parse(words)
        self.segments = [extract_segments(tree, 3, 6) for tree in trees]

    def pairs(self, numbers: Sequence[int]) -> Iterator[Pair]:
        for number in numbers:
            source = keys(self.source[number].words)
            yield from ((source, keys(system[number].words)) for system in self.systems)

    def candidates(self, numbers: Sequence[int], aligner: Aligner) -> Candidates:
        counts = ScatterCounts()
        links = iter(list(counts.counting(aligner.align(self.pairs(numbers)))))
        return {
            (number, place, segment): counts.rule.project(
                segment, AlignedPair(self.source[number].words, system[number], of_pair)
            ).text
            for number in numbers
            for place, (system, of_pair) in enumerate(zip(self.systems, links, strict=False))
            for segment in self.segments[number]
        }


def cpu() -> float:
    """Return the seconds that this process and the programs it ran have worked."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main(folder: Path, samples: Sequence[str]) -> None:
    texts = Texts(folder)
    whole = texts.candidates(range(len(texts.source)), choose_aligner("eflomal"))
    counts = [len(tokens) for tokens in texts.source]
    for sample in samples:
        name, sentences = sample.split(":")
        numbers = [number - 1 for number in choose_spread(counts, int(sentences))]
        began, worked = time.monotonic(), cpu()
        found = texts.candidates(numbers, choose_aligner(name, EFFORT))
        seconds, of_cpu = time.monotonic() - began, cpu() - worked
        same = sum(whole[key] == text for key, text in found.items()) / len(found)
        print(
            f"{name:8} {len(numbers):5} sentences: {same:.1%} the same, "
            f"{seconds:.1f} s, {of_cpu:.1f} s of CPU"
        )
    files = [UploadedText(path.stem, path, SYSTEM, path.stem) for path in texts.paths[1:]]
    given = UploadedTexts([UploadedText("source", texts.paths[0], SOURCE), *files], "en", "cs")
    for aligner in ("systran", "eflomal"):
        began, worked = time.monotonic(), cpu()
        aligned = make_sample(given, "embedded", aligner).aligned
        print(
            f"all of the first preview by {aligner}, {aligned} sentences: "
            f"{time.monotonic() - began:.1f} s, {cpu() - worked:.1f} s of CPU"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or SAMPLES)
