"""Print what plans promise beside what comes, and the published figures that plans assume.

    python -m tests.load.plans DATA [--repetitions N] [--seed N]

DATA has `wmt23-en-de`, `direct-assessment`, `mqm` and `wmt14-en-cs`. First the variances and times
in `annotation.kinds.experience`. Then promises: of the documents of WMT23 some are an earlier
project, from whose judgements a campaign over some of the others is planned. For systems' means and
for differences of two systems, it prints the median of the promised width of intervals divided by
the width of those that the others' real judgements give, how many promises are within 15 % of them,
and how many would be if the width were known but for the choice of documents. Not a test: it takes
minutes.
"""

import argparse
import csv
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from annotation.formats.error_points import WEIGHTS
from evaluation.stats.campaign_plan import Campaign, expected_precision
from evaluation.stats.document_model import DocumentModel
from evaluation.stats.score_means import SystemScores
from evaluation.stats.two_way import t_quantile
from evaluation.stats.variance_components import EFFECTS, variance_components

# Documents of the earlier project, and of the campaign.
SIZES = ((95, 95), (95, 60), (95, 30), (60, 60), (40, 90), (25, 90))
WITHIN = 0.15
REFERENCE = "refA"
LONGEST = 600

# System, segment, annotator, document, value.
Score = tuple[str, Any, str, Any, float]


def scores_of(rows: Iterable[Score]) -> SystemScores:
    """Return the scores as arrays; an annotator "" is unknown."""
    known = list(rows)
    systems, segments, annotators, documents = (
        np.unique([str(row[column]) for row in known], return_inverse=True)[1].astype(np.int32)
        for column in range(4)
    )
    if not any(row[2] for row in known):
        annotators = np.full(len(known), -1, dtype=np.int32)
    values = np.array([row[4] for row in known])
    return SystemScores(values, systems, segments, annotators, documents, int(systems.max()) + 1)


def documents_of(data: Path) -> list[str]:
    lines = (data / "wmt23-en-de" / "documents.tsv").read_text().splitlines()
    return [line.split("\t")[-1] for line in lines]


def by_segment(data: Path, name: str) -> Iterator[Score]:
    """Yield the published scores of segments of WMT23, without the reference's."""
    documents, places = documents_of(data), defaultdict[str, int](int)
    for line in (data / "wmt23-en-de" / "human" / f"{name}.seg.score").read_text().splitlines():
        system, score = line.split()
        place = places[system]
        places[system] += 1
        if system != REFERENCE and score != "None":
            yield system, place, "", documents[place], float(score)


def esa(data: Path) -> tuple[list[Score], float, float]:
    """Return the scores of the ESA campaign, and the seconds of a text and of each word."""
    folder = data / "wmt23-en-de"
    first: dict[str, int] = {}
    for place, document in enumerate(documents_of(data)):
        first.setdefault(document, place)
    source = (folder / "source.txt").read_text().splitlines()
    with gzip.open(folder / "esa" / "esa-1.csv.gz", "rt", newline="") as file:
        rows = sorted(csv.reader(file), key=lambda row: (row[0], float(row[-1])))
    seconds: dict[tuple[str, str, str], float] = {}
    sheets: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    before: dict[str, float] = {}
    for row in rows:
        user, document = row[0], row[7]
        seconds[user, document, row[2]] = float(row[-1]) - before.get(user, float("inf"))
        before[user] = float(row[-1])
        if row[3] == "TGT" and not re.search("#bad|#dup|tutorial", document):
            sheets[user, document][int(row[2])] = float(row[6])
    found: list[Score] = []
    times: list[tuple[float, float]] = []
    for (user, document), items in sheets.items():
        name, system = document.split("#")
        for place, (item, score) in enumerate(sorted(items.items()), start=first[name]):
            found.append((system, place, user, name, score))
            took = seconds[user, document, str(item)]
            if 0 < took < LONGEST:
                times.append((len(source[place].split()), took))
    words, took_all = np.array(times).T
    slope, constant = np.polyfit(words, took_all, 1)
    return found, float(constant), float(slope)


def ted(data: Path) -> Iterator[Score]:
    """Yield the error points of the talks of TED."""
    points: dict[tuple[str, str, str, str], float] = defaultdict(float)
    weights = next(iter(WEIGHTS.values()))
    with (data / "mqm" / "mqm_ted_ende.tsv").open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            known = row["severity"].lower() in ("major", "minor", "critical", "neutral")
            points[row["system"], f"{row['doc']} {row['seg_id']}", row["rater"], row["doc"]] += (
                weights.of(row["category"], row["severity"]) if known else 0.0
            )
    for (system, segment, rater, document), sum_of_points in points.items():
        yield system, segment, rater, document, sum_of_points


def direct(data: Path) -> Iterator[Score]:
    """Yield standardised scores of WMT21, whose sentences stand for documents."""
    path = data / "direct-assessment" / "wmt21-cs-en" / "ad-csen-good-stnd.csv"
    for line in path.read_text().splitlines()[1:]:
        columns = line.split()
        if columns[8] in ("SYSTEM", "REPEAT"):
            yield columns[6], columns[9], columns[1], columns[9], float(columns[10])


def rankings(data: Path) -> Iterator[Score]:
    """Yield the shares of wins of systems in segments; sentences stand for documents."""
    folder = data / "wmt14-en-cs" / "first-half"
    produced: dict[tuple[int, str, str], list[str]] = defaultdict(list)
    for line in (folder / "systems-improved.tsv").read_text().splitlines():
        number, segment, system, candidate, _places = line.split("\t")
        produced[int(number), segment, candidate].append(system)
    for line in (folder / "annotations.jsonl").read_text().splitlines():
        row = json.loads(line)
        key = row["sentence"], row["segment"]
        ranks = {
            (system, text): 99 if rank == "garbage" else rank
            for text, rank in row["ranks"].items()
            if rank != -1
            for system in produced[*key, text]
        }
        for (system, text), rank in ranks.items():
            others = [other for (_name, another), other in ranks.items() if another != text]
            if others:
                beaten = np.mean([(rank < other) + 0.5 * (rank == other) for other in others])
                yield system, key, row["annotator"], row["sentence"], float(beaten)


def print_variances(data: Path) -> None:
    scores, constant, slope = esa(data)
    print(f"ESA: {constant:.1f} s a text and {slope:.3f} s a word")
    for name, rows in (
        ("ESA", scores),
        ("MQM, WMT23", by_segment(data, "mqm")),
        ("MQM, TED", ted(data)),
        ("DA+SQM", by_segment(data, "da-sqm")),
        ("DA", direct(data)),
        ("segments", rankings(data)),
    ):
        found = variance_components(scores_of(rows)).variances
        print(name, {effect: found[effect] and float(f"{found[effect]:.2g}") for effect in EFFECTS})


def print_promises(name: str, scores: SystemScores, repetitions: int, seed: int) -> None:
    documents = np.unique(scores.units)
    for before, planned in SIZES:
        random = np.random.default_rng(seed)
        promised, came = [], []
        for repetition in range(repetitions):
            order = random.permutation(documents)
            earlier = scores.select(np.isin(scores.units, order[:before]))
            campaign = scores.select(np.isin(scores.units, order[before : before + planned]))
            lines = np.unique(np.stack([campaign.units, campaign.segments]), axis=1)[0]
            lengths = tuple(np.unique(lines, return_counts=True)[1].tolist())
            expected = expected_precision(
                Campaign(lengths, scores.names, annotators=1),
                variance_components(earlier),
                repetition,
            )
            promised.append((expected.mean, expected.difference))
            came.append(widths(campaign, planned))
        ratios = np.array(promised) / np.array(came)
        ideal = np.median(came, axis=0) / np.array(came)
        figures = zip(
            ("means", "differences"),
            np.median(ratios, axis=0),
            *((abs(each - 1) <= WITHIN).mean(axis=0) for each in (ratios, ideal)),
            strict=True,
        )
        print(
            f"{name}: {before} documents before, {planned} planned: "
            + "; ".join(
                f"{figure} {median:.2f}, within 15 % {held:.2f} of {could:.2f}"
                for figure, median, held, could in figures
            )
        )


def widths(scores: SystemScores, documents: int) -> tuple[float, ...]:
    """Return half the widths of intervals of means and of differences, over documents."""
    model = DocumentModel(scores.systems, scores.units, scores.segments, scores.names)
    covariance = model.two_way(scores.values, scores.annotators).sentences
    variances = np.diagonal(covariance)
    rows, columns = np.triu_indices(len(covariance), 1)
    differences = variances[rows] + variances[columns] - 2 * covariance[rows, columns]
    quantile = t_quantile(documents - 1)
    return float(quantile * np.sqrt(variances).mean()), float(
        quantile * np.sqrt(differences).mean()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print_variances(given.data)
    points = list(by_segment(given.data, "mqm"))
    # As shared tasks have them: the points of a segment end at 25.
    scaled = [(*row[:4], max(0.0, 100 + 4 * row[4])) for row in points]
    for name, rows in (
        ("DA+SQM", list(by_segment(given.data, "da-sqm"))),
        ("MQM from 0 to 100", scaled),
        ("MQM points", points),
    ):
        print_promises(name, scores_of(rows), given.repetitions, given.seed)


if __name__ == "__main__":
    main()
