"""Print what judging chosen texts instead of random ones gives in the same hours, by replay.

    python -m tests.load.choosing [--repeats N] [--seed N] [--people NAME] FOLDER

FOLDER is as in `tests.load.powered_means`, with the file `esa/esa-1.csv.gz`, by whose times a text
takes so many seconds and so many a word. Segments, or whole documents, are judged with all systems
until 10, 20 and 40 % of the hours of all are used. They are chosen

- at random, also by domain (in each as large a share of the documents);
- with a probability as a guess of their standard deviation, divided by the square root of their
  hours (Neyman 1934, with costs): of words, or of the variance of a metric over the systems; each
  then weighs 1 / its probability (Hájek's mean). Systematic samples of an order by domain;
- the first by the variance, or the consistency, of a metric over the systems, as subset2evaluate
  (Zouhar, Cui & Sachan 2025, TACL 13) chooses. Its formulas are here, because the package needs
  torch: consistency is Kendall's τ-c of the item's scores with the means of all items.

Printed: Kendall's τ with the order by all judgements, the RMSE of means of systems and of their
differences from the mean of all systems, clusters (all systems above differ from all below by
Student's t of documents, p < .05), and the largest bias of a system's difference in points. "with
MetricX-23" adds predictions from it as `evaluation.reuse.powered_means` does. Not a test.
"""

import argparse
import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr
from scipy.stats import kendalltau

from evaluation.reuse.powered_means import AllTexts, predict_scores
from evaluation.stats.domain_means import clusters_by_tests
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit
from tests.load.figures import machine
from tests.load.powered_means import Campaign, read_campaign

SHARES: Final = (0.1, 0.2, 0.4)
# Of a document: what takes longer has a pause.
LONGEST: Final = 1200.0
Mask = NDArray[np.bool_]


# Returns the weight of each line, 0 where it is not judged.
Choose = Callable[[np.random.Generator, float], Floats]


def seconds_of_texts(folder: Path, campaign: Campaign) -> Floats:
    """Return the seconds of each line and system: so many, and so many a word.

    By least squares of the times of whole documents in ESA: single texts are submitted together.
    """
    text = gzip.decompress((folder / "esa" / "esa-1.csv.gz").read_bytes()).decode()
    source = (folder / "source.txt").read_text().splitlines()
    words_of: dict[str, list[int]] = {}
    for row, line in zip((folder / "documents.tsv").read_text().splitlines(), source, strict=True):
        words_of.setdefault(row.split("\t")[1], []).append(len(line.split()))
    times: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for user, _system, _item, kind, *_languages, name, _whole, _spans, start, end in csv.reader(
        text.splitlines()
    ):
        if kind == "TGT":
            times.setdefault((user, name), []).append((float(start), float(end)))
    rows = []
    for (_user, name), found in times.items():
        words = words_of.get(name.rpartition("#")[0], [])
        seconds = max(end for _start, end in found) - min(start for start, _end in found)
        if len(words) == len(found) and 0 < seconds < LONGEST:
            rows.append((len(words), sum(words), seconds))
    design = np.array(rows, dtype=np.float64)
    a_text, a_word = np.linalg.lstsq(design[:, :2], design[:, 2], rcond=None)[0]
    print(f"{len(rows)} documents of ESA: {a_text:.1f} s a text and {a_word:.2f} s a word")
    return np.asarray(a_text + a_word * campaign.words)


def inclusion(sizes: Floats, hours: Floats, share: float) -> Floats:
    """Return probabilities as the sizes, at most 1, with the expected share of the hours."""
    certain: Mask = np.zeros(len(sizes), dtype=np.bool_)
    budget = share * hours.sum()
    while True:
        left = budget - hours[certain].sum()
        found = np.where(certain, 1.0, sizes * left / (sizes * hours)[~certain].sum())
        if not (found > 1).any():
            return np.asarray(found)
        certain |= found >= 1


def systematic(random: np.random.Generator, probabilities: Floats, groups: Floats) -> Mask:
    """Return a sample with these probabilities, of units in order of groups, at random in them."""
    order = np.lexsort((random.random(len(groups)), groups))
    ends = np.cumsum(probabilities[order]) + random.random()
    taken = np.floor(ends) > np.floor(ends - probabilities[order])
    chosen = np.zeros(len(groups), dtype=np.bool_)
    chosen[order[taken]] = True
    return chosen


def first_until(order: NDArray[np.intp], hours: Floats, share: float) -> Mask:
    """Return the units in this order that come nearest to the share of the hours."""
    used = np.cumsum(hours[order])
    chosen = np.zeros(len(order), dtype=np.bool_)
    chosen[order[: int(np.argmin(np.abs(used - share * hours.sum()))) + 1]] = True
    return chosen


def measure(
    campaign: Campaign, choose: Choose, share: float, repeats: int, seed: int, metric: str = ""
) -> str:
    people, documents = campaign.people, campaign.documents
    truth = people.mean(axis=0)
    count = int(documents.max()) + 1
    random = np.random.default_rng(seed)
    taus, errors, clusters = [], [], []
    for repeat in range(repeats):
        weights = choose(random, share)
        judged, predicted = weights > 0, np.zeros(people.shape)
        if metric:
            predicted = _predicted(campaign, judged, metric, repeat)
        rest = people - predicted
        means = weights @ rest / weights.sum()
        influence = np.zeros((count, len(truth)))
        np.add.at(influence, documents, weights[:, None] * (rest - means) / weights.sum())
        means = means + predicted.mean(axis=0)
        taus.append(kendalltau(means, truth).statistic)
        errors.append(means - truth)
        clusters.append(_clusters(means, influence, len(np.unique(documents[judged]))))
    found = np.array(errors)
    apart = found - found.mean(axis=1, keepdims=True)
    return (
        f"τ {np.mean(taus):.3f}  RMSE {np.sqrt((found**2).mean()):.3f}, differences "
        f"{np.sqrt((apart**2).mean()):.3f}  clusters {np.mean(clusters):.2f}  bias "
        f"{np.abs(apart.mean(axis=0)).max():.2f}"
    )


def _predicted(campaign: Campaign, judged: Mask, metric: str, seed: int) -> Floats:
    rows, columns = np.nonzero(np.repeat(judged[:, None], campaign.people.shape[1], axis=1))
    scores = SystemScores(
        campaign.people[rows, columns],
        systems=columns.astype(np.int32),
        segments=rows.astype(np.int32),
        annotators=np.zeros(len(rows), dtype=np.int32),
        units=campaign.documents[rows].astype(np.int32),
        names=len(campaign.systems),
        unit=Unit("document"),
    )
    texts = AllTexts(
        (metric,),
        campaign.metrics[metric][None],
        campaign.characters,
        np.ones(campaign.people.shape, dtype=np.bool_),
    )
    return predict_scores(scores, texts, standing=scores.total, seed=seed).values


def _clusters(means: Floats, influence: Floats, documents: int) -> int:
    order = np.argsort(-means)
    covariance = influence.T @ influence
    own = np.diagonal(covariance)
    errors = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 1e-12))
    p = 2 * stdtr(max(1, documents - 1), -np.abs(means[:, None] - means) / errors)
    np.fill_diagonal(p, np.nan)
    return clusters_by_tests(p[np.ix_(order, order)], 0.05)[-1]


def designs(campaign: Campaign, seconds: Floats) -> dict[str, Choose]:
    """Return the ways of choosing, by name: each returns the weights of lines."""
    documents, lines = campaign.documents, np.arange(len(seconds))
    domains = np.unique(campaign.domains, return_inverse=True)[1].astype(np.float64)
    found: dict[str, Choose] = {}

    def add(name: str, units: NDArray[np.integer], size: Floats | None, by_domain: bool) -> None:
        number = int(units.max()) + 1
        hours: Floats = np.bincount(units, seconds, number).astype(np.float64)
        groups = np.zeros(number)
        if by_domain:
            groups[units] = domains

        def choose(random: np.random.Generator, share: float) -> Floats:
            if size is None and not by_domain:
                chosen = first_until(random.permutation(number), hours, share)
                return np.asarray(chosen[units], dtype=np.float64)
            sizes = np.ones(number) if size is None else size
            probabilities = inclusion(sizes, hours, share)
            chosen = systematic(random, probabilities, groups)
            return np.asarray(np.where(chosen, 1 / probabilities, 0.0)[units])

        found[name] = choose

    for what, units in (("segments", lines), ("documents", documents)):
        hours = np.bincount(units, seconds)
        # Of independent segments whose standard deviations are as their words.
        words = np.sqrt(np.bincount(units, campaign.words.astype(np.float64) ** 2))
        add(f"random {what}", units, None, by_domain=False)
        add(f"{what}, by domain", units, None, by_domain=True)
        equal = 1 / np.sqrt(hours)
        add(f"{what}, by domain, ∝ 1 / √hours", units, equal, by_domain=True)
        # A small guess would be a weight without a bound.
        add(
            f"{what}, by domain, ∝ words / √hours",
            units,
            (words + words.mean() / 4) / np.sqrt(hours),
            by_domain=True,
        )
        for metric in ("MetricX-23", "chrF"):
            variance = campaign.metrics[metric].var(axis=1)
            # Errors grow with the length.
            guess = np.sqrt(np.bincount(units, variance * campaign.words.astype(np.float64) ** 2))
            guess = guess + guess.mean() / 4
            add(
                f"{what}, by domain, ∝ words · sd({metric}) / √hours",
                units,
                guess / np.sqrt(hours),
                by_domain=True,
            )
    for metric in ("MetricX-23", "chrF"):
        scores = campaign.metrics[metric]
        overall = scores.mean(axis=0)
        consistency = [kendalltau(row, overall, variant="c").statistic for row in scores]
        for name, value in (
            ("variance", scores.var(axis=1)),
            ("consistency", np.nan_to_num(np.array(consistency))),
        ):
            order = np.argsort(-value, kind="stable")

            def choose(
                _random: np.random.Generator, share: float, order: NDArray[np.intp] = order
            ) -> Floats:
                return first_until(order, seconds, share).astype(np.float64)

            found[f"subset2evaluate, {name} of {metric}"] = choose
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=330)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--people", default="mqm")
    parser.add_argument("--metrics", nargs="*", default=["MetricX-23"], help="for predictions")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of the designs")
    options = parser.parse_args()
    campaign = read_campaign(options.folder, options.people)
    seconds = seconds_of_texts(options.folder, campaign)
    print(f"{options.people}, {options.repeats} repeats, seed {options.seed}")
    for share in SHARES:
        print(f"\n{share:.0%} of the hours")
        for name, choose in designs(campaign, seconds).items():
            if options.only and name not in options.only:
                continue
            fixed = name.startswith("subset2evaluate")
            repeats = 1 if fixed else options.repeats
            for metric in ("",) if fixed else ("", *options.metrics):
                print(
                    f"{name + (f', with {metric}' if metric else ''):62}",
                    measure(campaign, choose, share, repeats, options.seed, metric),
                    flush=True,
                )
    print(f"\n{machine()}")


if __name__ == "__main__":
    main()
