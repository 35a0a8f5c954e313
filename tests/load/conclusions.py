"""Print how often the rules for systems are wrong, by replay of judgements of whole documents.

    python -m tests.load.conclusions DATA [--scores NAME] [--repetitions N] [--seed N]

DATA has `documents.tsv` (domain and document of each line) and `human/NAME.seg.score` (system and
score a line, None where not judged; `mqm` by default, on the scale max(0, 100 + 4 · score)). Three
designs are replayed: *dynamic* as at WMT26 with Pearmut (three systems a sheet, in the first 20
documents until each system has 20; then by rank of the mean so far, with weights 1 / (rank + 1)
from rank 0, the first one ½; the first document in which most of them were not judged; twice as
many sheets as that first part takes), *uniform* (as many sheets of three random systems) and
*complete* (all on all). The order of documents is random. Printed for each, with its standard error
by repetition:

- equal: the share of pairs called different (p < .05, one test) if two neighbouring systems were
  made equal, by swapping their scores in a random half of the documents;
- any: the share of repetitions with any pair called different, if all systems were made equal: by
  the model after Holm, by the rule of WMT26 without a correction, as it is;
- RMSE: of the systems' means less the mean of all systems, against those of all judgements;
- cover: the share of 95 % intervals, of systems and of differences of neighbours, that hold the
  mean of all judgements, if documents are sampled with replacement.

Not a test: it takes minutes.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import UNIDENTIFIED
from evaluation.stats.ranking.conclusions import (
    LEVEL,
    Conclusions,
    Sheets,
    conclude,
    fit,
    wmt_rule,
)
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit

REFERENCE: Final = "refA"
DOCUMENTS: Final = Unit("document")
SHOWN: Final = 3
COLD_START: Final = 20

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Judged:
    """Scores of K systems (K × S segments), and the segments of each document."""

    scores: Floats
    documents: Sequence[NDArray[np.intp]]

    def means(self) -> Floats:
        return np.asarray(self.scores[:, np.concatenate(self.documents)].mean(axis=1))


def read(folder: Path, name: str) -> Judged:
    """Return the judgements of all lines that were judged for every system."""
    by_system: dict[str, list[float]] = defaultdict(list)
    for line in (folder / "human" / f"{name}.seg.score").read_text().splitlines():
        system, score = line.split()
        by_system[system].append(np.nan if score == "None" else float(score))
    scores = np.array([own for system, own in by_system.items() if system != REFERENCE])
    if name == "mqm":
        scores = np.where(np.isnan(scores), np.nan, np.maximum(0, 100 + 4 * scores))
    judged = ~np.isnan(scores).any(axis=0)
    lines = (folder / "documents.tsv").read_text().splitlines()
    _names, codes = np.unique(np.array(lines)[judged], return_inverse=True)
    return Judged(
        scores[:, judged], [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    )


def dynamic(random: np.random.Generator, judged: Judged) -> list[tuple[int, Sequence[int]]]:
    """Return the sheets, each a document and its systems, in the order of judging."""
    systems, documents = len(judged.scores), len(judged.documents)
    there = np.zeros((documents, systems), dtype=np.bool_)
    sums, counts = np.zeros(systems), np.zeros(systems)
    sheets: list[tuple[int, Sequence[int]]] = []
    for _ in range(2 * systems * COLD_START // SHOWN):
        fewer = np.flatnonzero(there.sum(axis=0) < COLD_START)
        if len(fewer):
            others = np.setdiff1d(np.arange(systems), fewer)
            filled = random.permutation(others)[: max(0, SHOWN - len(fewer))]
            shown = random.choice(np.concatenate([fewer, filled]), SHOWN, replace=False)
        else:
            weights = np.empty(systems)
            weights[np.argsort(-sums / counts)] = [0.5, *1 / np.arange(2, systems + 1)]
            shown = random.choice(systems, SHOWN, replace=False, p=weights / weights.sum())
        pool = there[: COLD_START if len(fewer) else None, shown]
        document = int(np.argmin(pool.sum(axis=1)))
        there[document, shown] = True
        of_document = judged.scores[np.ix_(shown, judged.documents[document])]
        sums[shown] += of_document.sum(axis=1)
        counts[shown] += of_document.shape[1]
        sheets.append((document, shown.tolist()))
    return sheets


def uniform(random: np.random.Generator, judged: Judged) -> list[tuple[int, Sequence[int]]]:
    systems = len(judged.scores)
    there = np.zeros((len(judged.documents), systems), dtype=np.bool_)
    sheets = []
    for _ in range(2 * systems * COLD_START // SHOWN):
        shown = random.choice(systems, SHOWN, replace=False)
        document = int(np.argmin(there[:, shown].sum(axis=1)))
        there[document, shown] = True
        sheets.append((document, shown.tolist()))
    return sheets


def complete(_random: np.random.Generator, judged: Judged) -> list[tuple[int, Sequence[int]]]:
    return [(document, range(len(judged.scores))) for document in range(len(judged.documents))]


DESIGNS: Final[dict[str, Callable[..., list[tuple[int, Sequence[int]]]]]] = {
    "dynamic": dynamic,
    "uniform": uniform,
    "complete": complete,
}


def scores_of(
    judged: Judged, sheets: Sequence[tuple[int, Sequence[int]]]
) -> tuple[SystemScores, Sheets]:
    """Return the scores of all sheets, which are each by one annotator who judges like all."""
    lengths = [len(segments) for segments in judged.documents]
    first = np.cumsum(lengths) - lengths
    rows = [
        (system, document, first[document] + place, sheet, column)
        for sheet, (document, systems) in enumerate(sheets)
        for column, system in enumerate(systems, start=1)
        for place in range(lengths[document])
    ]
    systems, documents, segments, numbers, columns = np.array(rows).T
    lines = np.concatenate(judged.documents)[segments]
    scores = SystemScores(
        judged.scores[systems, lines],
        systems=systems.astype(np.int32),
        segments=segments.astype(np.int32),
        annotators=np.full(len(rows), UNIDENTIFIED, dtype=np.int32),
        units=documents.astype(np.int32),
        names=len(judged.scores),
        unit=DOCUMENTS,
    )
    return scores, Sheets(numbers, columns.astype(np.int32))


def shuffled(random: np.random.Generator, judged: Judged, *, again: bool = False) -> Judged:
    """Return the documents in random order, or as many that are sampled with replacement."""
    count = len(judged.documents)
    places = random.integers(0, count, count) if again else random.permutation(count)
    return Judged(judged.scores, [judged.documents[place] for place in places])


def swapped(random: np.random.Generator, judged: Judged, systems: NDArray[np.intp]) -> Judged:
    """Return the judgements with the scores of these systems in random order in each document."""
    scores = judged.scores.copy()
    for segments in judged.documents:
        given = random.permutation(systems)
        scores[np.ix_(systems, segments)] = judged.scores[np.ix_(given, segments)]
    return Judged(scores, judged.documents)


class Counted:
    """Shares and means with their standard errors, one number a repetition."""

    def __init__(self) -> None:
        self.numbers: dict[str, list[float]] = defaultdict(list)

    def add(self, name: str, number: float) -> None:
        self.numbers[name].append(number)

    def line(self, name: str) -> str:
        numbers = np.array(self.numbers[name])
        mean, error = numbers.mean(), numbers.std(ddof=1) / np.sqrt(len(numbers))
        if name.startswith("RMSE"):
            root = np.sqrt(mean)
            return f"{name} {root:.2f} ± {error / 2 / root:.2f}"
        return f"{name} {mean:.3f} ± {error:.3f}"


def measure(random: np.random.Generator, judged: Judged, design: str, repetitions: int) -> Counted:
    counted = Counted()
    truth = judged.means()
    order = np.argsort(-truth)
    systems = len(truth)

    def concluded(given: Judged, *, beside: bool = False) -> tuple[Conclusions, SystemScores]:
        scores, sheets = scores_of(given, DESIGNS[design](random, given))
        fitted = fit(scores, sheets if beside else None)
        return conclude(fitted, [str(code) for code in range(systems)]), scores

    for repetition in range(repetitions):
        place = repetition % (systems - 1)
        pair = order[place : place + 2]
        for beside in (False, True) if design != "complete" else (False,):
            more = " with neighbours" if beside else ""
            found, scores = concluded(
                shuffled(random, swapped(random, judged, pair)), beside=beside
            )
            names = set(map(str, pair))
            of_pair = next(row for row in found.pairs if {row.system, row.other} == names)
            counted.add(f"equal, model{more}", float((of_pair.p or 1) < LEVEL))
            if not beside:
                counted.add("equal, WMT26", float((of_pair.wmt_p or 1) < LEVEL))

            found, _ = concluded(
                shuffled(random, swapped(random, judged, np.arange(systems))), beside=beside
            )
            holm = [row.p_holm for row in found.pairs if row.p_holm is not None]
            counted.add(f"any, model{more}", float(min(holm) < LEVEL))
            if not beside:
                every = [row.wmt_p for row in found.pairs if row.wmt_p is not None]
                counted.add("any, WMT26", float(min(every) < LEVEL))

            found, scores = concluded(shuffled(random, judged), beside=beside)
            means = np.full(systems, np.nan)
            for row in found.systems:
                means[int(row.system)] = row.score.value
            counted.add(f"RMSE model{more}", _squared(means, truth))
            if not beside:
                counted.add("RMSE mean", _squared(wmt_rule(scores).means, truth))

            found, _ = concluded(shuffled(random, judged, again=True), beside=beside)
            held = [
                row.score.low <= truth[int(row.system)] <= row.score.high
                for row in found.systems
                if row.score.low is not None and row.score.high is not None
            ]
            counted.add(f"cover systems{more}", float(np.mean(held)))
            held = [
                row.difference.low <= truth[one] - truth[other] <= row.difference.high
                for row in found.pairs
                if row.difference.low is not None and row.difference.high is not None
                for one, other in [(int(row.system), int(row.other))]
                if abs(int(np.flatnonzero(order == one)[0]) - np.flatnonzero(order == other)[0]) < 2
            ]
            counted.add(f"cover pairs{more}", float(np.mean(held)))
    return counted


def _squared(means: Floats, truth: Floats) -> float:
    errors = means - means.mean() - truth + truth.mean()
    return float((errors**2).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scores", default="mqm")
    parser.add_argument("--repetitions", type=int, default=330)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    judged = read(options.folder, options.scores)
    print(
        f"{options.scores}: {len(judged.scores)} systems, {len(judged.documents)} documents, "
        f"{judged.scores.shape[1]} segments, {options.repetitions} repetitions"
    )
    for design in DESIGNS:
        random = np.random.default_rng(options.seed)
        counted = measure(random, judged, design, options.repetitions)
        for name in sorted(counted.numbers):
            print(f"{design:8} {counted.line(name)}", flush=True)


if __name__ == "__main__":
    main()
