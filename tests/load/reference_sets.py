"""Metrics with many references: `python -m tests.load.reference_sets [SENTENCES REFERENCES]`.

The references of a sentence are combinations of alternatives of its phrases, as a compact set has
them. By default, 3,000 sentences have four references each, and then 100 sentences 5,000, each in a
process of its own. Prints the seconds of each metric for the first of two systems, those for the
second, and the largest memory of the process so far; then those of sacrebleu for the first system
and the same texts.
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import sacrebleu

from evaluation.metrics.catalogue import NAMES, find_metrics
from evaluation.metrics.references import References

SIZES: Final = ((3000, 4), (100, 5000))
PHRASES, ALTERNATIVES, WORDS = 7, 5, 4
VOCABULARY: Final = 20_000
TER_PAIRS: Final = 12_000


def make_sentence(rng: random.Random, references: int) -> tuple[list[str], list[str]]:
    """Return two outputs and the references of a sentence of about 20 words."""

    def phrase() -> str:
        words = [int(VOCABULARY ** rng.random()) for _ in range(rng.randint(2, WORDS))]
        return " ".join(f"word{word}" for word in words)

    slots = [[phrase() for _ in range(ALTERNATIVES)] for _ in range(PHRASES)]
    texts = [" ".join(map(rng.choice, slots)) + "." for _ in range(references)]
    outputs = []
    for _ in range(2):
        phrases = [rng.choice(slot) if rng.random() < 0.7 else phrase() for slot in slots]
        # Two phrases change places.
        here = rng.randrange(PHRASES - 1)
        phrases[here], phrases[here + 1] = phrases[here + 1], phrases[here]
        outputs.append(" ".join(phrases) + ".")
    return outputs, texts


def report(name: str, *calls: Callable[[], Any]) -> None:
    spent = []
    for call in calls:
        start = time.process_time()
        call()
        spent.append(f"{time.process_time() - start:8.1f}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name:26}", f"{''.join(spent):16}", f"{memory:6} MB", flush=True)


def measure(sentences: int, count: int) -> None:
    rng = random.Random(0)
    made = [make_sentence(rng, count) for _ in range(sentences)]
    first, second = ([outputs[system] for outputs, _lines in made] for system in range(2))
    references = References.by_sentence(lines for _outputs, lines in made)
    report(f"{sentences} sentences, {references.signature}")
    for metric in find_metrics(NAMES, "en"):
        report(
            metric.name,
            *(lambda m=metric, s=lines: m.statistics(s, references) for lines in (first, second)),
        )
    texts = [list(text) for text in zip(*references, strict=True)]
    report("sacrebleu BLEU", lambda: sacrebleu.BLEU().corpus_score(first, texts))
    report("sacrebleu chrF", lambda: sacrebleu.CHRF().corpus_score(first, texts))
    # Of all pairs, it would take hours.
    some = min(sentences, max(1, TER_PAIRS // count))
    report(
        f"sacrebleu TER of {some}",
        lambda: sacrebleu.TER().corpus_score(first[:some], [text[:some] for text in texts]),
    )


def main() -> None:
    if len(sys.argv) > 1:
        measure(*map(int, sys.argv[1:3]))
        return
    for size in SIZES:
        command = [sys.executable, "-m", "tests.load.reference_sets", *map(str, size)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
