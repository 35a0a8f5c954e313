"""Metrics with many references: `python -m tests.load.reference_sets [SENTENCES REFERENCES [METRIC…]]`.

The references of a sentence are combinations of alternatives of its phrases, as a compact set has
them. By default, 100 sentences have 5,000 references each, and then 3,000 sentences four. Prints
the seconds of each metric for two systems, those of the second one and the largest memory of the
process so far, and below it those of sacrebleu for one system and the same texts.
"""

import random
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import sacrebleu

from evaluation.metrics.catalogue import NAMES, find_metrics
from evaluation.metrics.references import References
from evaluation.report.formats import text_table

SIZES: Final = ((100, 5000), (3000, 4))
PHRASES, ALTERNATIVES, WORDS = 7, 5, 4
VOCABULARY: Final = 20_000


def make_sentence(rng: random.Random, references: int) -> tuple[list[str], list[str]]:
    """Return two outputs and the references of a sentence of about 20 words."""

    def phrase() -> str:
        words = [int(VOCABULARY ** rng.random()) for _ in range(rng.randint(2, WORDS))]
        return " ".join(f"word{word}" for word in words)

    slots = [[phrase() for _ in range(ALTERNATIVES)] for _ in range(PHRASES)]
    texts = [" ".join(map(rng.choice, slots)) + "." for _ in range(references + 2)]
    outputs = [" ".join(rng.sample(text.split(), k=len(text.split()) - 2)) for text in texts[:2]]
    return outputs, texts[2:]


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def measure(sentences: int, count: int, names: tuple[str, ...]) -> None:
    rng = random.Random(0)
    made = [make_sentence(rng, count) for _ in range(sentences)]
    systems = [[outputs[system] for outputs, _references in made] for system in range(2)]
    references = References.by_sentence(lines for _outputs, lines in made)
    print(f"{sentences} sentences, {references.signature}, {megabytes()} MB of texts", flush=True)
    rows = []
    for metric in find_metrics(names, "en"):
        spent = [
            seconds(lambda m=metric, s=lines: m.statistics(s, references))  # type: ignore[misc]
            for lines in systems
        ]
        score = float(metric.score(metric.statistics(systems[0][:2], References.by_sentence(list(references)[:2])).sum(axis=0)))
        rows.append([metric.name, f"{sum(spent):.1f}", f"{spent[1]:.1f}", str(megabytes()), f"{score:.4f}"])
        print(*rows[-1], flush=True)
    columns = [list(column) for column in zip(*references, strict=True)]
    baselines = {
        "sacrebleu BLEU": sacrebleu.BLEU(),
        "sacrebleu chrF": sacrebleu.CHRF(),
        "sacrebleu TER": sacrebleu.TER(),
    }
    for name, baseline in baselines.items():
        spent_here = seconds(lambda b=baseline: b.corpus_score(systems[0], columns))  # type: ignore[misc]
        rows.append([name, f"{spent_here:.1f}", "", str(megabytes()), ""])
        print(*rows[-1], flush=True)


def main() -> None:
    arguments = sys.argv[1:]
    sizes = ((int(arguments[0]), int(arguments[1])),) if arguments else SIZES
    for size in sizes:
        measure(*size, tuple(arguments[2:]) or NAMES)


if __name__ == "__main__":
    main()
