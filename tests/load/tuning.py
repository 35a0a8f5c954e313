"""Figures of tuning on the thesis' data: `python -m tests.load.tuning [FOLDER] [--old-links]`.

FOLDER is ../shared/data/wmt14-en-cs/first-half by default. Trains on sentences 1 to 750, prints the
shares of wins on 751 to 1500, and then the time of a step of Powell's search (1500 sentences × 10
hypotheses × 21 directions) beside the same step in plain Python. `--old-links` takes the links
between candidates and systems of systems.tsv instead of those of systems-improved.tsv,
`--without-language-model` leaves out that feature, `--cased` is that of `manage.py tune`, and
`--step` prints the time only.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluation.rendering.formats import decimal, text_table
from evaluation.rendering.text import UNDEFINED
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.tuning.experiment import TuningOptions, TuningReport, tune
from evaluation.reuse.tuning.features import outputs_as_hypotheses
from evaluation.reuse.tuning.hypotheses import Floats, Hypotheses
from evaluation.reuse.tuning.objectives import BLEU, SummedStatistics, bleu, bleu_statistics
from evaluation.reuse.tuning.powell import search_lines
from tests.conftest import SHARED
from tests.evaluation.thesis_texts import first_half, read_thesis

TRAINING: Final = 750
DIRECTIONS: Final = 10
REPETITIONS: Final = 5
GOAL: Final = 0.2


def outputs(texts: ProjectTexts, arguments: list[str]) -> tuple[Hypotheses, NDArray[np.bool_]]:
    """Return the outputs of all systems, and which sentences are for training."""
    training = texts.sentence_numbers <= TRAINING
    sentences = np.arange(len(training), dtype=np.int32)
    hypotheses = outputs_as_hypotheses(texts, sentences, training)
    if "--without-language-model" in arguments:
        names = [name for name in hypotheses.feature_names if name != "language model"]
        kept = [hypotheses.feature_names.index(name) for name in names]
        features = hypotheses.features[..., kept]
        hypotheses = replace(hypotheses, features=features, feature_names=tuple(names))
    return hypotheses, training


def print_table(report: TuningReport) -> None:
    header = [
        "",
        "people",
        "95 %",
        "minus BLEU's",
        "95 %",
        "minus consensus",
        "95 %",
        "± seeds",
        "BLEU",
        "hits",
    ]
    rows = []
    for choice in (*(one.choice for one in report.tuned), *report.untrained, *report.bounds):
        row = [choice.name]
        for estimate in (choice.people, choice.minus_bleu, choice.minus_consensus):
            if estimate is None:
                row += [UNDEFINED, UNDEFINED]
            else:
                ends = f"{decimal(estimate.low, 4)} to {decimal(estimate.high, 4)}"
                row += [decimal(estimate.value, 4), ends]
        rows.append([*row, *(decimal(x, 4) for x in (choice.spread, choice.bleu, choice.hit_rate))])
    print(text_table(header, rows))
    print(report.signature)


def plain_search(
    features: Floats, objective: SummedStatistics, weights: Floats, directions: Floats
) -> list[tuple[float, float]]:
    """Return what `search_lines` does, with loops over directions, sentences and hypotheses."""
    found = []
    statistics = objective.statistics.tolist()
    intercepts = (features @ weights).tolist()
    for direction in directions:
        slopes = (features @ direction).tolist()
        corners, sums = [], [0.0] * len(statistics[0][0])
        for sentence, (high, steep) in enumerate(zip(intercepts, slopes, strict=True)):
            current = max(range(len(high)), key=lambda n: (-steep[n], high[n]))
            sums = [a + b for a, b in zip(sums, statistics[sentence][current], strict=True)]
            while True:
                meets = [
                    ((high[current] - high[n]) / (steep[n] - steep[current]), -steep[n], n)
                    for n in range(len(high))
                    if steep[n] > steep[current]
                ]
                if not meets:
                    break
                place, _, after = min(meets)
                corners.append((place, sentence, current, after))
                current = after
        corners.sort()
        best = (float(objective.score(np.array([sums]))[0]), corners[0][0] - 1)
        for number, (place, sentence, before, after) in enumerate(corners):
            old, new = statistics[sentence][before], statistics[sentence][after]
            sums = [a - b + c for a, b, c in zip(sums, old, new, strict=True)]
            following = corners[number + 1][0] if number + 1 < len(corners) else place + 2
            if following > place:
                value = float(objective.score(np.array([sums]))[0])
                best = max(best, (value, (place + following) / 2))
        found.append((best[1], best[0]))
    return found


def measure_step(hypotheses: Hypotheses, references: tuple[Any, ...]) -> None:
    """Print the seconds of a step on 1500 sentences: some stand twice if there are fewer."""
    rows = np.arange(1500) % len(hypotheses.texts)
    statistics = bleu_statistics(hypotheses, references, cased=False)[rows]
    objective = SummedStatistics(statistics, bleu)
    features = hypotheses.features[rows] / hypotheses.features.std(axis=(0, 1))
    random = np.random.default_rng(0)
    count = features.shape[2]
    weights = random.normal(size=count)
    lines = np.concatenate([np.eye(count), random.normal(size=(DIRECTIONS, count))])
    print(f"A step over {features.shape[0]} × {features.shape[1]} × {len(lines)} directions")
    fast = timed(
        "vectorised", lambda: search_lines(features, objective, weights, lines), REPETITIONS
    )
    slow = timed("plain Python", lambda: plain_search(features, objective, weights, lines), 1)
    worst = max(abs(a - b) for a, (_, b) in zip(fast[1].tolist(), slow, strict=True))
    print(f"  largest difference of the best {BLEU} on a line: {worst:.1e}; goal {GOAL} s")


def timed(name: str, call: Callable[[], Any], repetitions: int) -> Any:
    """Call, and print the least wall-clock and processor time of some repetitions."""
    walls, processors = [], []
    for _ in range(repetitions):
        wall, processor = time.perf_counter(), time.process_time()
        result = call()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    print(f"  {name:16}{min(walls):8.3f} s, {min(processors):8.3f} s of processor", flush=True)
    return result


def main() -> None:
    options = [each for each in sys.argv[1:] if each.startswith("--")]
    folders = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    folder = folders[0] if folders else first_half(SHARED)
    systems_file = "systems.tsv" if "--old-links" in options else "systems-improved.tsv"
    start, processor = time.perf_counter(), time.process_time()
    judgements, texts = read_thesis(folder, systems_file)
    hypotheses, training = outputs(texts, options)
    if "--step" not in options:
        chosen = TuningOptions(cased="--cased" in options)
        report = tune(hypotheses, texts, judgements, training, chosen)
        print(
            f"Trained on {report.training_sentences} sentences, tested on {report.test_sentences}"
        )
        print_table(report)
        seconds, used = time.perf_counter() - start, time.process_time() - processor
        searches = sum(one.steps for one in report.tuned)
        print(f"{systems_file}: {seconds:.0f} s, {used:.0f} s of processor, {searches} steps\n")
    measure_step(hypotheses, texts.references)


if __name__ == "__main__":
    main()
