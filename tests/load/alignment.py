"""Measure the agreement, time and memory of each aligner and effort.

    python -m tests.load.alignment FOLDER [--sentences N] [--only NAME] [--seed N]

FOLDER is like wmt14-en-cs, with the candidates of the thesis in first-half. All sentences of all
systems and of the reference are aligned together, in our tokens. Agreement is the share of the
strings projected for the segments of the thesis (sentences 1 to 1500) that are among its candidates
for the same segment. With other seeds it varies by 0.3 points. The baseline is eflomal with its
defaults. CPU seconds are of all processes together; ratios depend least on the machine. Each line
is measured in its own process; memory is the peak of that process and its children, sampled every
50 ms.

Lines "in parts" align as very long texts are aligned: words are learned from every third sentence,
and each third of the text is aligned with these priors. The last lines leave one system out and
align it alone, with the priors of the others; it takes the links of equal translations.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import time
from math import sqrt
from pathlib import Path

from annotation.formats.pharaoh import Links
from annotation.preparation.alignment import EFFORTS, Aligner, EflomalAligner, SystranAligner
from annotation.preparation.eflomal import Run
from tests.load.create_project import memory, tree
from tests.thesis_candidates import Compared, ThesisTexts, compare, read_thesis, systems

BASELINE = "eflomal alone"
# eflomal's defaults: whole words, null prior, three samplers.
ITS_OWN = (Run(letters=0, null_prior=0.2, samplers=3),)
ADDED = "by priors"
LEFT_OUT = "onlineA"
IN_PARTS = "in parts"
PARTS = 3
VARIANTS = [
    BASELINE,
    "systran",
    *EFFORTS,
    *(f"{effort} {IN_PARTS}" for effort in EFFORTS),
    *(f"{effort} {ADDED}" for effort in EFFORTS),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--only", choices=VARIANTS, action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--measure", choices=VARIANTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        texts = read_thesis(options.folder, options.sentences)
        print(json.dumps(measure(options.measure, texts, options.seed)))
        return
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    heads = (("agreement", 10), ("missing", 9), ("wall s", 8), ("CPU s", 8), ("ratio", 7))
    print(" " * 18 + "".join(f"{head:>{width}}" for head, width in (*heads, ("MiB", 7))))
    baseline = 0.0
    for name in options.only or VARIANTS:
        figures, peak = in_a_process(name)
        baseline = baseline or figures["cpu"]
        print(
            f"{name:18}{figures['agreement']:10.2%}{figures['missing']:9.2%}"
            f"{figures['wall']:8.1f}{figures['cpu']:8.1f}{figures['cpu'] / baseline:7.2f}"
            f"{peak / 2**20:7.0f}  {figures['note']}",
            flush=True,
        )


def in_a_process(name: str) -> tuple[dict[str, float], int]:
    """Return the result of `measure` in a new process, and its peak memory in bytes."""
    command = [sys.executable, "-m", "tests.load.alignment", *sys.argv[1:], "--measure", name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(memory, tree(process.pid))))
        time.sleep(0.05)
    out = process.stdout.read() if process.stdout else ""
    if process.returncode:
        sys.exit(f"{name} failed with status {process.returncode}")
    return json.loads(out), peak


def measure(name: str, texts: ThesisTexts, seed: int) -> dict[str, float | str]:
    if name.endswith(ADDED):
        return one_added(texts, EflomalAligner(name.removesuffix(ADDED).strip(), seed))
    if name.endswith(IN_PARTS):
        return in_parts(texts, EflomalAligner(name.removesuffix(IN_PARTS).strip(), seed))
    watch = Watch()
    links = aligned(aligner_of(name, seed), texts, texts.places)
    return watch.figures() | shares(compare(texts, lambda *place: links[place], systems(texts)))


def in_parts(texts: ThesisTexts, aligner: Aligner) -> dict[str, float | str]:
    """Learn priors from a third of the sentences, and align each third with them."""
    watch, learned = Watch(), io.BytesIO()
    last = max(number for _system, number in texts.places) + 1
    aligned(
        aligner, texts, [place for place in texts.places if place[1] % PARTS == 0], learned=learned
    )
    links: dict[tuple[str, int], Links] = {}
    for part in range(PARTS):
        places = [place for place in texts.places if place[1] * PARTS // last == part]
        passes = sqrt(len(places) / len(texts.places))
        links |= aligned(aligner, texts, places, priors=learned.getvalue(), passes=passes)
    found = compare(texts, lambda *place: links[place], systems(texts))
    return watch.figures() | shares(found)


def one_added(texts: ThesisTexts, aligner: Aligner) -> dict[str, float | str]:
    """Align one system alone, and compare this with aligning all together."""
    everything = aligned(aligner, texts, texts.places)
    together = compare(texts, lambda *place: everything[place], [LEFT_OUT])
    learned = io.BytesIO()
    others = [place for place in texts.places if place[0] != LEFT_OUT]
    known = aligned(aligner, texts, others, learned=learned)
    watch = Watch()
    links = {
        (LEFT_OUT, number): known[other, number]
        for other, number in others
        if texts.pair(other, number) == texts.pair(LEFT_OUT, number)
    }
    taken = len(links)
    alone = [place for place in texts.places if place[0] == LEFT_OUT and place not in links]
    links |= aligned(aligner, texts, alone, priors=learned.getvalue())
    note = (
        f"{LEFT_OUT} alone; together {together.agreement:.2%}; {taken} taken; "
        f"priors {len(learned.getvalue()) / 2**20:.2f} MiB"
    )
    found = compare(texts, lambda *place: links[place], [LEFT_OUT])
    return watch.figures() | shares(found) | {"note": note}


def aligner_of(name: str, seed: int) -> Aligner:
    if name == "systran":
        return SystranAligner()
    aligner = EflomalAligner("normal" if name == BASELINE else name, seed)
    if name == BASELINE:
        aligner.runs = ITS_OWN
    return aligner


def aligned(
    aligner: Aligner,
    texts: ThesisTexts,
    places: list[tuple[str, int]],
    *,
    priors: bytes = b"",
    learned: io.BytesIO | None = None,
    passes: float = 1.0,
) -> dict[tuple[str, int], Links]:
    pairs = (texts.pair(*place) for place in places)
    links = aligner.align(pairs, priors=priors, learned=learned, passes=passes)
    return dict(zip(places, links, strict=True))


class Watch:
    """Wall and CPU seconds of all processes since its creation."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), self._cpu()

    def _cpu(self) -> float:
        return sum(os.times()[:4])

    def figures(self) -> dict[str, float | str]:
        return {"wall": time.perf_counter() - self.wall, "cpu": self._cpu() - self.cpu, "note": ""}


def shares(found: Compared) -> dict[str, float | str]:
    return {"agreement": found.agreement, "missing": found.missing_share}


if __name__ == "__main__":
    main()
