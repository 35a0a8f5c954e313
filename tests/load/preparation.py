"""Print the time of each stage of the preparation, compared with simple implementations.

    python -m tests.load.preparation [FOLDER]

FOLDER is like wmt14-en-cs: source.txt, reference.txt and systems/*.txt; by default, the texts of
the demo project are used.
"""

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from annotation.formats.plain_text import read_lines
from annotation.preparation.algorithm1 import extract_segments
from annotation.preparation.alignment import choose_aligner
from annotation.preparation.links import grow_diag_final
from annotation.preparation.phrase_chunker import parse_phrases
from annotation.preparation.projection import merge, project
from annotation.preparation.tokens import detokenize, highlight, tokenize
from tests.annotation.preparation.test_symmetrization import as_in_the_papers

DEMO = Path(__file__).resolve().parents[2] / "operations" / "demo"
Link = tuple[int, int]
T = TypeVar("T")


def timed(what: str, count: int, work: Callable[[], T]) -> T:
    began = time.perf_counter()
    result = work()
    took = time.perf_counter() - began
    print(f"{what:44}{count:8} in {took:7.2f} s {1e6 * took / max(count, 1):9.0f} µs each")
    return result


def texts(folder: Path) -> tuple[Path, dict[str, Path]]:
    (source,), (reference,) = folder.glob("source*.txt"), folder.glob("reference*.txt")
    systems = {path.stem: path for path in sorted((folder / "systems").glob("*.txt"))}
    return source, {"reference": reference} | systems


def stages(folder: Path) -> None:
    source_path, target_paths = texts(folder)
    lines = list(read_lines(source_path))
    target_lines = [
        (name, line) for name, path in target_paths.items() for line in read_lines(path)
    ]
    source = timed("tokens of the source", len(lines), lambda: [tokenize(x, "en") for x in lines])
    targets = timed(
        "tokens of the targets",
        len(target_lines),
        lambda: [tokenize(line, "cs") for _, line in target_lines],
    )
    trees = timed("phrases", len(source), lambda: list(parse_phrases(source)))
    segments = timed(
        "segments of sentences", len(trees), lambda: [extract_segments(x, 3, 6) for x in trees]
    )
    pairs = [(source[n % len(source)], target) for n, target in enumerate(targets)]
    for name in ("systran", "eflomal"):
        links = timed(f"alignment by {name}", len(pairs), partial(align, name, pairs))
    projected = timed(
        "projection of sentences",
        len(targets),
        lambda: [
            [project(segment, of_pair, target) for segment in segments[n % len(source)]]
            for n, (of_pair, target) in enumerate(zip(links, targets, strict=True))
        ],
    )
    merged = merge_all(projected, list(target_paths), len(source))
    print(
        f"\n{sum(map(len, segments))} segments, "
        f"{sum(map(len, merged)) / max(len(merged), 1):.2f} candidates each, "
        f"{sum(not text for texts in projected for text in texts)} missing projections\n"
    )
    show(targets[:5000])


def align(name: str, pairs: list[tuple[list[str], list[str]]]) -> list[list[Link]]:
    return list(choose_aligner(name).align(pairs))


def merge_all(
    projected: list[list[str]], names: list[str], size: int
) -> list[dict[str, list[str]]]:
    """Merge the projections of every segment, without the reference."""
    return [
        merge({name: projected[k * size + n][s] for k, name in enumerate(names) if k})
        for n in range(size)
        for s in range(len(projected[n]))
    ]


def show(sentences: list[list[str]]) -> None:
    timed("detokenising", len(sentences), lambda: [detokenize(x, "cs") for x in sentences])
    timed(
        "highlighting, first time",
        len(sentences),
        lambda: [highlight([*x, "."], [1, 2], "cs") for x in sentences],
    )
    timed(
        "highlighting, again",
        len(sentences),
        lambda: [highlight([*x, "."], [1, 3], "cs") for x in sentences],
    )


def symmetrization(count: int) -> None:
    chance = random.Random(0)
    pairs = [made_links(chance) for _ in range(count)]
    ours = timed("grow-diag-final", count, lambda: [grow_diag_final(*pair) for pair in pairs])
    plain = timed("the same, plainly", count, lambda: [as_in_the_papers(*pair) for pair in pairs])
    print("the same links" if ours == plain else "OTHER LINKS")


def made_links(chance: random.Random) -> tuple[list[Link], list[Link]]:
    """Return links of a sentence of about 25 words; three in four agree in both directions."""
    size = chance.randrange(10, 40)

    def near(position: int) -> int:
        off = chance.choice([0, 0, 0, 0, 0, 0, 1, -1, 2, -5])
        return min(max(position + off, 0), size - 1)

    forward = [(near(target), target) for target in range(size)]
    reverse = [(source, near(source)) for source in range(size)]
    return forward, reverse


if __name__ == "__main__":
    symmetrization(2000)
    stages(Path(sys.argv[1]) if len(sys.argv) > 1 else DEMO)
