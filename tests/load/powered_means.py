"""Print how much scores of metrics help the means of systems, by replay of real judgements.

    python -m tests.load.powered_means [--repeats N] [--seed N] [--people NAME …] [--shares S …]
        [--sheets N] FOLDER

FOLDER has texts, documents, scores of people and of metrics by segment, as `wmt23-en-de` of the
shared data. A share of the segments, or of the documents, is sampled as if only they were judged,
and compared with the means of all. Printed for each choice of metrics, as parts of what
the mean without metrics has: the variance of the error of a system's mean, and of differences
between systems; the largest bias of a system in its standard errors; the share of 95 % intervals
of means with the truth (and of plain ones), and their width; how often metrics were switched off.
"noise" is a metric of random numbers, "length" no metric. `--sheets N` has only N random systems
judged of each document. Not a test: it takes minutes.
"""

import argparse
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.powered_means import AllTexts, PoweredMeans, estimate_powered_means
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit
from tests.load.figures import machine

CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "length": (),
    "noise": ("noise",),
    "chrF": ("chrF",),
    "BLEU": ("BLEU",),
    "MetricX-23": ("MetricX-23",),
    "GEMBA-MQM": ("GEMBA-MQM",),
    "chrF, BLEU": ("chrF", "BLEU"),
    "MetricX-23, chrF": ("MetricX-23", "chrF"),
    "MetricX-23, GEMBA-MQM": ("MetricX-23", "GEMBA-MQM"),
    "all": (),
}


@dataclass(frozen=True, eq=False)
class Campaign:
    """Scores of people (I × K) of lines that are judged completely, and those of metrics."""

    systems: tuple[str, ...]
    people: Floats
    metrics: dict[str, Floats]
    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    documents: NDArray[np.int64]
    domains: tuple[str, ...]


def read_scores(path: Path) -> dict[str, list[float]]:
    """Return the scores of each system of a file of mt-metrics-eval; NaN for None."""
    scores: dict[str, list[float]] = {}
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in text.decode().splitlines():
        system, score = line.split()
        scores.setdefault(system, []).append(float("nan" if score == "None" else score))
    return scores


def read_campaign(folder: Path, people: str) -> Campaign:
    systems = tuple(sorted(path.stem for path in (folder / "systems").glob("*.txt")))
    human = read_scores(folder / "human" / f"{people}.seg.score")
    scores = np.array([human[system] for system in systems]).T
    judged = np.isfinite(scores).all(axis=1)
    rows = [line.split("\t") for line in (folder / "documents.tsv").read_text().splitlines()]
    source = (folder / "source.txt").read_text().splitlines()
    kept = [row for row, is_judged in zip(rows, judged, strict=True) if is_judged]
    lines = [line for line, is_judged in zip(source, judged, strict=True) if is_judged]
    metrics = {}
    for path in sorted((folder / "metrics").glob("*.seg.score.gz")):
        found = read_scores(path)
        name = path.name.removesuffix(".seg.score.gz").removesuffix("-refA").removesuffix("-src")
        metrics[name] = np.array([found[system] for system in systems]).T[judged]
    metrics["noise"] = np.random.default_rng(0).standard_normal(scores[judged].shape)
    return Campaign(
        systems,
        scores[judged],
        metrics,
        np.array([len(line.split()) for line in lines]),
        np.array([len(line) for line in lines]),
        np.unique([document for _domain, document in kept], return_inverse=True)[1],
        tuple(domain for domain, _document in kept),
    )


def sample(
    random: np.random.Generator, campaign: Campaign, unit: Unit, share: float, sheets: int
) -> SystemScores:
    """Return the scores of a random share of the segments, or of the documents."""
    lines, systems = campaign.people.shape
    units = campaign.documents if unit.name == "document" else np.arange(lines)
    order = random.permutation(int(units.max()) + 1)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    judged = np.repeat((place < round(share * len(order)))[units][:, None], systems, axis=1)
    if sheets < systems:
        ranks = random.random((len(order), systems)).argsort(axis=1).argsort(axis=1)
        judged &= (ranks < sheets)[units]
    rows, columns = np.nonzero(judged)
    return SystemScores(
        campaign.people[rows, columns],
        systems=columns.astype(np.int32),
        segments=rows.astype(np.int32),
        annotators=np.zeros(len(rows), dtype=np.int32),
        units=units[rows].astype(np.int32),
        names=systems,
        unit=unit,
    )


def replay(
    campaign: Campaign,
    metrics: Sequence[str],
    unit: Unit,
    share: float,
    *,
    repeats: int,
    sheets: int,
    seed: int,
) -> str:
    texts = AllTexts(
        tuple(metrics),
        np.array([campaign.metrics[name] for name in metrics]).reshape(
            len(metrics), *campaign.people.shape
        ),
        campaign.characters,
        np.ones(campaign.people.shape, dtype=np.bool_),
    )
    truth = campaign.people.mean(axis=0)
    random = np.random.default_rng(seed)
    found: list[PoweredMeans] = []
    for repeat in range(repeats):
        scores = sample(random, campaign, unit, share, sheets)
        found.append(
            estimate_powered_means(
                scores, texts, system_names=campaign.systems, resamples=100, seed=repeat
            )
        )
    known = [each for each in found if not each.undefined]
    if not known:
        return found[0].undefined
    order = {name: place for place, name in enumerate(campaign.systems)}
    errors, plain, holds, plain_holds, widths, pair_holds = [], [], [], [], [], []
    for each in known:
        rows = sorted(each.systems, key=lambda row: order[row.system])
        errors.append([(row.score.value or 0.0) - truth[order[row.system]] for row in rows])
        plain.append([(row.plain.value or 0.0) - truth[order[row.system]] for row in rows])
        for row in rows:
            low, high = row.score.low or 0.0, row.score.high or 0.0
            plain_low, plain_high = row.plain.low or 0.0, row.plain.high or 0.0
            holds.append(low <= truth[order[row.system]] <= high)
            plain_holds.append(plain_low <= truth[order[row.system]] <= plain_high)
            widths.append((high - low) / (plain_high - plain_low))
        for pair in each.pairs:
            apart = truth[order[pair.system]] - truth[order[pair.other]]
            pair_holds.append(
                (pair.difference.low or 0.0) <= apart <= (pair.difference.high or 0.0)
            )
    by_metrics, by_people = np.array(errors), np.array(plain)
    parts = [
        float((by_metrics**2).mean() / (by_people**2).mean()),
        float((_apart(by_metrics) ** 2).mean() / (_apart(by_people) ** 2).mean()),
    ]
    biases = [
        float(np.max(np.abs(each.mean(axis=0)) / each.std(axis=0, ddof=1)) * np.sqrt(len(known)))
        for each in (by_metrics, by_people)
    ]
    off = np.mean([not each.helps for each in known])
    return (
        f"mean {parts[0]:.3f}  differences {parts[1]:.3f}  "
        f"bias {biases[0]:.1f} SE (plain {biases[1]:.1f})  "
        f"holds {np.mean(holds):.3f} (plain {np.mean(plain_holds):.3f}), "
        f"differences {np.mean(pair_holds):.3f}  width {np.mean(widths):.3f}  off {off:.2f}"
    )


def _apart(errors: Floats) -> Floats:
    """Return errors of means of systems less that of their mean."""
    return np.asarray(errors - errors.mean(axis=1, keepdims=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=330)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--people", nargs="+", default=["mqm", "da-sqm"])
    parser.add_argument("--shares", nargs="+", type=float, default=[0.1, 0.2, 0.4])
    parser.add_argument("--choices", nargs="+", choices=CHOICES, default=list(CHOICES))
    parser.add_argument("--sheets", type=int, default=99, help="systems judged of each document")
    options = parser.parse_args()
    print(f"{options.repeats} repeats, seed {options.seed}")
    for people in options.people:
        campaign = read_campaign(options.folder, people)
        lines, systems = campaign.people.shape
        print(f"\n{people}: {lines} lines, {systems} systems")
        for unit in (Unit("sentence"), Unit("document")):
            for share in options.shares:
                for name in options.choices:
                    metrics = CHOICES[name]
                    if name == "all":
                        metrics = [each for each in campaign.metrics if each != "noise"]
                    print(
                        f"{share:4.0%} of {unit.plural:9} {name:22}",
                        replay(
                            campaign,
                            metrics,
                            unit,
                            share,
                            repeats=options.repeats,
                            sheets=options.sheets,
                            seed=options.seed,
                        ),
                        flush=True,
                    )
    print(f"\n{machine()}")


if __name__ == "__main__":
    main()
