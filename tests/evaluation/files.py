"""Reads the thesis' files straight into arrays, without a database."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.stats.judgements import GARBAGE, Judgements, assemble


class Codes(dict[Any, int]):
    """Numbers keys in the order of their first appearance."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


def first_half(shared: Path) -> Path:
    return shared / "data" / "wmt14-en-cs" / "first-half"


def read_judgements(folder: Path) -> Judgements:
    segments, candidates, annotators, systems = Codes(), Codes(), Codes(), Codes()
    candidate_segments: list[int] = []
    for line in (folder / "segments.tsv").read_text().splitlines():
        sentence, _, _, _, text, indices = line.split("\t")
        segment = segments[int(sentence), indices]
        if candidates[segment, text] == len(candidate_segments):
            candidate_segments.append(segment)
    produced = []
    for line in (folder / "systems.tsv").read_text().splitlines():
        sentence, _, system, text, indices = line.split("\t")
        segment = segments[int(sentence), indices]
        produced.append((systems[system], candidates[segment, text]))
    judged: list[tuple[int, int, int, float]] = []
    placed: list[tuple[int, int, int]] = []
    for line in (folder / "annotations.jsonl").read_text().splitlines():
        row = json.loads(line)
        segment = segments[row["sentence"], " ".join(map(str, row["indices"]))]
        for text, rank in row["ranks"].items():
            rank = GARBAGE if rank == "garbage" else rank
            placed.append((len(judged), candidates[segment, text], rank))
        judged.append((segment, row["sentence"], annotators[row["annotator"]], row["seconds"]))
    segment_codes, sentences, who, seconds = zip(*judged, strict=True)
    numbers, sentence_codes = np.unique(sentences, return_inverse=True)
    assert len(candidates) == len(candidate_segments)
    return assemble(
        segments=segment_codes,
        sentences=sentence_codes,
        annotators=who,
        seconds=seconds,
        placed_by=[row[0] for row in placed],
        placed_candidates=[row[1] for row in placed],
        placed_ranks=[row[2] for row in placed],
        candidate_segments=candidate_segments,
        producing_systems=[row[0] for row in produced],
        produced_candidates=[row[1] for row in produced],
        segment_ids=np.arange(len(segments)),
        sentence_numbers=numbers,
        annotator_names=list(annotators),
        system_names=list(systems),
    )
