"""The candidates of the thesis, to compare projections with. Nothing is trained on them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.pharaoh import Links
from annotation.formats.plain_text import read_lines
from annotation.preparation.links import grow_diag_final
from annotation.preparation.projection import linked
from annotation.preparation.tokens import keys, plain_words, tokenize

Place = tuple[int, str]
REFERENCE = "reference"


@dataclass(frozen=True)
class ThesisTexts:
    """Texts in our tokens, or in those of the thesis where they are known.

    `translations` includes the reference. `candidates` are the strings of the thesis for each
    segment, by sentence (from 0) and token positions ("6 7 8").
    """

    sources: list[list[str]]
    translations: dict[str, list[list[str]]]
    candidates: dict[Place, set[str]]

    @property
    def places(self) -> list[tuple[str, int]]:
        """Every translation as (name, sentence), sentence by sentence."""
        return [(name, number) for number in range(len(self.sources)) for name in self.translations]

    def pair(self, name: str, number: int) -> tuple[list[str], list[str]]:
        """Return what the aligner compares."""
        return keys(self.sources[number]), keys(self.translations[name][number])


@dataclass(frozen=True)
class Compared:
    """Counts of non-empty projections, of those that the thesis has too, and of empty ones."""

    projected: int
    agreeing: int
    missing: int

    @property
    def agreement(self) -> float:
        return self.agreeing / self.projected

    @property
    def missing_share(self) -> float:
        return self.missing / (self.projected + self.missing)


def read_thesis(folder: Path, sentences: int | None = None) -> ThesisTexts:
    """Read the folder wmt14-en-cs, or its first sentences."""
    half = folder / "first-half"
    known = [line.split() for line in read_lines(half / "tokenised" / "source.txt")]
    raw = list(read_lines(folder / "source.txt"))
    sources = [*known, *(plain_words(tokenize(line, "en").words) for line in raw[len(known) :])][
        :sentences
    ]
    paths = {REFERENCE: folder / "reference.txt"} | {
        path.stem: path for path in sorted((folder / "systems").glob("*.txt"))
    }
    translations = {
        name: [
            plain_words(tokenize(line, "cs").words) for line in list(read_lines(path))[:sentences]
        ]
        for name, path in paths.items()
    }
    candidates: dict[Place, set[str]] = {}
    for line in read_lines(half / "segments.tsv"):
        number, _source, _reference, _segment, candidate, indices = line.split("\t")
        if int(number) <= len(sources):
            candidates.setdefault((int(number) - 1, indices), set()).add(candidate)
    return ThesisTexts(sources, translations, candidates)


def compare(
    texts: ThesisTexts, links_of: Callable[[str, int], Links], names: Iterable[str]
) -> Compared:
    """Project every segment to the translations of the systems, and compare the strings.

    The comparison is case-sensitive and without normalisation.
    """
    projected = agreeing = missing = 0
    segments: dict[int, list[tuple[list[int], set[str]]]] = {}
    for (number, stored), found in texts.candidates.items():
        segments.setdefault(number, []).append(([int(index) for index in stored.split()], found))
    for name in names:
        for number, of_sentence in segments.items():
            links = grow_diag_final(links_of(name, number))
            for indices, found in of_sentence:
                words = texts.translations[name][number]
                text = " ".join(words[at] for at in sorted(linked(indices, links)))
                projected += bool(text)
                missing += not text
                agreeing += text in found
    return Compared(projected, agreeing, missing)


def systems(texts: ThesisTexts) -> list[str]:
    return [name for name in texts.translations if name != REFERENCE]
