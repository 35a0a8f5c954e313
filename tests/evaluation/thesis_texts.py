"""Reads the thesis' judgements and texts straight into arrays, without a database."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.judgements import GARBAGE, NO_CANDIDATE, Judgements, assemble


def first_half(shared: Path) -> Path:
    return shared / "data" / "wmt14-en-cs" / "first-half"


@cache
def read_thesis(
    folder: Path, systems_file: str = "systems-improved.tsv"
) -> tuple[Judgements, ProjectTexts]:
    """Return judgements and texts of `first-half`; systems by name.

    Candidates of a segment are in the order of `segments.tsv`; all segments have a judgement or
    not. Systems that have several candidates of a segment there have the last of them.
    """
    candidates: dict[tuple[int, str], dict[str, int]] = {}
    words: dict[tuple[int, str], str] = {}
    sources: dict[int, str] = {}
    references: dict[int, str] = {}
    for line in (folder / "segments.tsv").read_text().splitlines():
        number, source, reference, segment, text, positions = line.split("\t")
        key = (int(number), positions)
        of_segment = candidates.setdefault(key, {})
        of_segment.setdefault(text, len(of_segment))
        words[key] = segment
        sources[int(number)], references[int(number)] = source, reference
    keys = sorted(candidates, key=lambda key: (key[0], [int(part) for part in key[1].split()]))
    segment_codes = {key: code for code, key in enumerate(keys)}
    numbers = sorted(sources)
    sentence_codes = {number: code for code, number in enumerate(numbers)}
    counts = [len(candidates[key]) for key in keys]
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    links = [line.split("\t") for line in (folder / systems_file).read_text().splitlines()]
    names = sorted({row[2] for row in links})
    produced = np.full((len(keys), len(names)), NO_CANDIDATE, dtype=np.int32)
    for number, _, system, text, positions in links:
        key = (int(number), positions)
        code = segment_codes[key]
        produced[code, names.index(system)] = first[code] + candidates[key][text]
    rows = [json.loads(line) for line in (folder / "annotations.jsonl").read_text().splitlines()]
    judged = [segment_codes[row["sentence"], " ".join(map(str, row["indices"]))] for row in rows]
    placed = [
        (place, first[code] + candidates[keys[code]][text], GARBAGE if rank == "garbage" else rank)
        for place, (row, code) in enumerate(zip(rows, judged, strict=True))
        for text, rank in row["ranks"].items()
    ]
    people = sorted({row["annotator"] for row in rows})
    segments, systems = np.nonzero(produced != NO_CANDIDATE)
    judgements = assemble(
        segments=judged,
        sentences=[sentence_codes[row["sentence"]] for row in rows],
        annotators=[people.index(row["annotator"]) for row in rows],
        seconds=[row["seconds"] for row in rows],
        placed_by=[row[0] for row in placed],
        placed_candidates=[row[1] for row in placed],
        placed_ranks=[row[2] for row in placed],
        candidate_segments=np.repeat(np.arange(len(keys)), counts),
        producing_systems=systems,
        produced_candidates=produced[segments, systems],
        segment_ids=np.arange(len(keys)),
        sentence_numbers=numbers,
        annotator_names=people,
        system_names=names,
    )
    tokenised = folder / "tokenised" / "systems"
    outputs = [(tokenised / f"{name}.txt").read_text().splitlines() for name in names]
    return judgements, ProjectTexts(
        sentence_numbers=np.array(numbers),
        sources=tuple(tuple(sources[number].split(" ")) for number in numbers),
        references=tuple((tuple(references[number].split(" ")),) for number in numbers),
        outputs=tuple(
            tuple(tuple(lines[number - 1].split(" ")) for number in numbers) for lines in outputs
        ),
        segment_ids=np.arange(len(keys)),
        segment_sentences=np.array([sentence_codes[number] for number, _ in keys], dtype=np.int32),
        segment_positions=tuple(tuple(int(part) for part in key[1].split()) for key in keys),
        candidate_texts=tuple(text for key in keys for text in candidates[key]),
        first_candidates=first,
        system_candidates=produced,
        system_names=tuple(names),
    )
