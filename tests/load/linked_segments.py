"""Print how well segments that are chosen by links agree with gold trees, Czech and English.

    python -m tests.load.linked_segments DATA

DATA has the folder `treebanks`, like ../shared/data. PUD's 1000 sentences are parallel: they are
aligned with nothing but each other, and each language is the other's reference. The gold standard
is the segments of Algorithm 1 in converted gold dependencies. Not a test.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from annotation.formats.pharaoh import Links
from annotation.formats.tokens import TokenizedText
from annotation.preparation.alignment import choose_aligner
from annotation.preparation.dependencies import to_constituents
from annotation.preparation.linked_segments import LinkedSegments, Reference
from annotation.preparation.parsers import choose_parser
from annotation.preparation.segmenters import Cutter, ParsedSegments
from annotation.preparation.tokens import keys, plain_words, tokenize
from annotation.preparation.trees import Node
from tests.load.coverage import sentences, texts
from tools.parser_training.segment_agreement import LONGEST, SHORTEST, compare, segments

# A sentence of fewer tokens may have no room for two segments.
LONG = 8


def turned(links: Links) -> Links:
    """Return the links from the translation to the source."""
    return Links(
        *(
            tuple(sorted((target, source) for source, target in direction))
            for direction in (links.reverse, links.forward)
        )
    )


def measure(
    title: str, cutter: Cutter, source: list[TokenizedText], gold: list[set[tuple[int, ...]]]
) -> None:
    found = [set(cut) for _tree, cut in cutter.cut(source)]
    long = [len(cut) for cut, tokens in zip(found, source, strict=True) if len(tokens) >= LONG]
    print(
        f"{title:44} {compare(found, gold)}; {sum(long) / len(long):.2f} a sentence of {LONG} "
        f"tokens and more; {sum(not cut for cut in found) / len(found):.1%} without",
        flush=True,
    )


def main(data: Path) -> None:
    paths = {code: data / "treebanks" / "pud" / f"{code}.conllu.gz" for code in ("cs", "en")}
    tokens = {code: [tokenize(text, code) for text in texts(path)] for code, path in paths.items()}
    trees = {
        code: [to_constituents(words) for _tokens, words in sentences(path)]
        for code, path in paths.items()
    }
    words = {code: [plain_words(text.words) for text in tokens[code]] for code in tokens}
    pairs = [
        (keys(czech.words), keys(english.words))
        for czech, english in zip(tokens["cs"], tokens["en"], strict=True)
    ]
    aligned = list(choose_aligner("auto").align(pairs))
    links = {"cs": aligned, "en": [turned(each) for each in aligned]}
    parsed = list(choose_parser("embedded", language="en").parse(words["en"]))

    def linked(code: str, of_reference: Iterable[Node | None]) -> LinkedSegments:
        references = [[Reference(*each)] for each in zip(links[code], of_reference, strict=True)]
        return LinkedSegments(code, SHORTEST, LONGEST, references)

    for code, other in (("cs", "en"), ("en", "cs")):
        gold = [segments(tree) for tree in trees[code]]
        phrases = choose_parser("phrases", language=code)
        cutters: dict[str, Cutter] = {
            "phrases": ParsedSegments(phrases, SHORTEST, LONGEST, "algorithm1"),
            "links": linked(code, [None] * len(gold)),
            "links, gold trees of the reference": linked(code, trees[other]),
        }
        if code == "cs":
            cutters["links, embedded's trees of the reference"] = linked(code, parsed)
        else:
            embedded = choose_parser("embedded", language="en")
            cutters["embedded"] = ParsedSegments(embedded, SHORTEST, LONGEST, "algorithm1")
        for title, cutter in cutters.items():
            measure(f"{code}: {title}", cutter, tokens[code], gold)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
