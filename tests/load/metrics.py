"""Times of the automatic metrics: `python -m tests.load.metrics [FOLDER] [LANGUAGE]`.

FOLDER has reference.txt and systems/NAME.txt; it is ../shared/data/wmt14-en-cs by default, and
LANGUAGE, that of these texts, cs. Prints the processor time of each metric for all systems, the
first metric of each tokeniser including that of splitting the texts, and below it the time of
sacrebleu for the same texts, for TER that of one system.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sacrebleu

from annotation.formats.plain_text import read_lines
from evaluation.metrics.catalogue import NAMES, find_metrics
from evaluation.metrics.references import References
from evaluation.rendering.formats import text_table
from tests.conftest import SHARED


def seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    arguments = sys.argv[1:]
    folder = Path(arguments[0]) if arguments else SHARED / "data" / "wmt14-en-cs"
    language = arguments[1] if len(arguments) > 1 else "cs"
    reference = list(read_lines(folder / "reference.txt"))
    systems = {
        path.stem: list(read_lines(path)) for path in sorted((folder / "systems").glob("*.txt"))
    }
    print(f"{len(systems)} systems of {len(reference)} sentences, {language}")
    rows, lexical = [], 0.0
    for metric in find_metrics(NAMES, language):
        start = time.process_time()
        counted = [
            metric.statistics(lines, References.of_texts([reference])) for lines in systems.values()
        ]
        spent = time.process_time() - start
        scores = [float(metric.score(each.sum(axis=0))) for each in counted]
        rows.append([metric.name, f"{spent:.2f}", f"{min(scores):.4f} to {max(scores):.4f}"])
        lexical += spent * (not metric.name.startswith("soft-"))
    rows.append(["all but soft-*", f"{lexical:.2f}", ""])
    first = next(iter(systems.values()))
    baselines: dict[str, Callable[[], Any]] = {
        "sacrebleu corpus BLEU": lambda: [
            sacrebleu.corpus_bleu(lines, [reference]) for lines in systems.values()
        ],
        "sacrebleu corpus chrF": lambda: [
            sacrebleu.corpus_chrf(lines, [reference]) for lines in systems.values()
        ],
        "sacrebleu corpus chrF++": lambda: [
            sacrebleu.corpus_chrf(lines, [reference], word_order=2) for lines in systems.values()
        ],
        "sacrebleu corpus TER, one system": lambda: sacrebleu.corpus_ter(first, [reference]),
    }
    rows += [[name, f"{seconds(call):.2f}", ""] for name, call in baselines.items()]
    print(text_table(["", "seconds", "scores"], rows))


if __name__ == "__main__":
    main()
