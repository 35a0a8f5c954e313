"""Write judgements of SIMULATED annotators, for the notebooks of this folder's parent.

    python simulate.py rankings < systems.tsv > sentences/judgements.jsonl
    python simulate.py marks < systems.tsv > documents/judgements.jsonl

`systems.tsv` is what a project exports as `systems`: a line for each translation, with the number
of its sentence, the segment, the system, the translation and the tokens. The lines that are written
are those that a project imports.

No person has judged anything here. How good the systems are and how strict the annotators is
written below, and chance does the rest: figures of these judgements say nothing about people, and
nothing about translation.
"""

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, TextIO

import numpy as np

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SEED = 45

# How good the systems of annotation/uploads/sample_texts are; better translations have more.
QUALITY = {"Alfa": 1.6, "Bravo": 1.3, "Cyril": 0.0, "Dana": -0.9, "Eliska": -1.2}
# What annotators find this bad is garbage.
UNUSABLE = -2
RANKERS = ("simulated-1", "simulated-2", "simulated-3")

# The mean score of the systems of documents/, and how many errors are marked in a translation.
SCORES = {"Amsel": (84, 0.5), "Buche": (81, 0.7), "Cello": (50, 2.5), "Dohle": (61, 1.2)}
# Points that each annotator adds to a score.
STRICTNESS = {"simulated-1": 4, "simulated-2": 0, "simulated-3": -2, "simulated-4": -6}


def read(lines: TextIO) -> dict[int, list[dict[str, str]]]:
    """Return the translations of each sentence by its number."""
    columns = ("sentence", "segment", "system", "text", "indices")
    rows = csv.DictReader(lines, columns, delimiter="\t", quoting=csv.QUOTE_NONE)
    sentences = defaultdict(list)
    for row in rows:
        sentences[int(row["sentence"])].append(row)
    return sentences


def line(
    sentence: int, rows: list[dict[str, str]], annotator: str, created: datetime, **answers: Any
) -> str:
    """Return a judgement as a line of JSON."""
    judged = {
        "sentence": sentence,
        "segment": rows[0]["segment"],
        "indices": [int(index) for index in rows[0]["indices"].split()],
        "annotator": annotator,
        "created": created.isoformat(sep=" "),
        "seconds": 10 * len(rows),
    }
    return json.dumps(judged | answers, ensure_ascii=False)


def rankings(sentences: dict[int, list[dict[str, str]]]) -> Iterator[str]:
    """Yield rankings: all sentences once, half of them by a second annotator, a fifth again.

    A translation is as good as its system, and more or less so by chance, which all annotators see;
    each of them errs besides. Those that seem about equal get the same rank.
    """
    random = np.random.default_rng(SEED)
    for place, (number, rows) in enumerate(sentences.items()):
        good = {row["text"]: QUALITY[row["system"]] + random.normal(0, 0.6) for row in rows}
        judges = [RANKERS[place % 3]]
        if place % 2:
            judges.append(RANKERS[(place + 1) % 3])
        if place % 5 == 0:
            judges.append(judges[0])
        for again, annotator in enumerate(judges):
            seems = {text: round(quality + random.normal(0, 0.5)) for text, quality in good.items()}
            steps = sorted({seem for seem in seems.values() if seem > UNUSABLE}, reverse=True)
            ranks = {
                text: 1 + steps.index(seem) if seem in steps else "garbage"
                for text, seem in seems.items()
            }
            created = START + timedelta(days=again, minutes=3 * place)
            yield line(number, rows, annotator, created, ranks=ranks)


def marks(sentences: dict[int, list[dict[str, str]]]) -> Iterator[str]:
    """Yield scores and marked errors: each sheet by two annotators, in the order of time.

    A sheet is a document of two paragraphs, as some systems translated it.
    """
    random = np.random.default_rng(SEED)
    sheets = [
        dict(pair) for _sheet, pair in groupby(sentences.items(), lambda one: (one[0] - 1) // 2)
    ]
    annotators = list(STRICTNESS)
    judged = []
    for place, sheet in enumerate(sheets):
        for turn in range(2):
            annotator = annotators[(place + turn * (1 + place % 3)) % 4]
            created = START + timedelta(days=2 * turn + place * 2 // len(sheets), minutes=9 * place)
            judged.append((created, annotator, sheet))
    difficulty = random.normal(0, 5, len(sheets) // 2)
    liking = {system: random.normal(0, 5, len(sheets) // 2) for system in SCORES}
    for created, annotator, sheet in sorted(judged, key=lambda one: one[0]):
        document = sheets.index(sheet) % (len(sheets) // 2)
        for number, rows in sheet.items():
            scores, details = {}, {}
            for row in rows:
                mean, errors = SCORES[row["system"]]
                mean += difficulty[document] + liking[row["system"]][document]
                score = mean + STRICTNESS[annotator] + random.normal(0, 10)
                scores[row["text"]] = int(np.clip(round(score), 0, 100))
                details[row["text"]] = errors_at_random(row["text"], random.poisson(errors), random)
            details = {text: detail for text, detail in details.items() if detail}
            yield line(number, rows, annotator, created, scores=scores, details=details)


def errors_at_random(text: str, count: int, random: np.random.Generator) -> str:
    """Return the notation of as many marked words of the text, a quarter of them major errors."""
    words = text.split()
    chosen = sorted(random.choice(len(words), min(count, len(words)), replace=False))
    starts = [len(" ".join(words[:place])) + (place > 0) for place in chosen]
    return ", ".join(
        f"{start}-{start + len(words[place])} {'major' if random.random() < 0.25 else 'minor'}"
        for start, place in zip(starts, chosen, strict=True)
    )


if __name__ == "__main__":
    make = {"rankings": rankings, "marks": marks}[sys.argv[1]]
    print(*make(read(sys.stdin)), sep="\n")
