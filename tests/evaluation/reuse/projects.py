"""A small simulated project with texts, in which the good systems use the words of the others."""

from dataclasses import replace

import numpy as np

from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import NO_CANDIDATE, Judgements, assemble

SYSTEMS = ("a", "b", "c", "d", "e", "f")
# Share of a system's words that are not those of the reference.
WRONG = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
WORDS = 4


def simulated_project(
    *, seed: int, sentences: int = 60, judged: float = 1.0
) -> tuple[Judgements, ProjectTexts]:
    """Return judgements and texts: two segments a sentence; fewer wrong words rank better."""
    random = np.random.default_rng(seed)
    segments = 2 * sentences
    reference = random.integers(0, 50, (segments, WORDS))
    wrong = random.random((segments, len(SYSTEMS), WORDS)) < np.array(WRONG)[:, None]
    said = np.where(wrong, 100 + random.integers(0, 8, wrong.shape), reference[:, None])
    texts = [[" ".join(f"word{word}" for word in row) for row in rows] for rows in said]
    quality = -wrong.sum(axis=2) + random.normal(0, 0.7, wrong.shape[:2])
    all_texts: list[str] = []
    first, produced = [0], np.full((segments, len(SYSTEMS)), NO_CANDIDATE, dtype=np.int32)
    placed = []
    rows = np.flatnonzero(np.repeat(random.random(sentences) < judged, 2))
    row_of = {int(segment): row for row, segment in enumerate(rows)}
    for segment, of_segment in enumerate(texts):
        unique = list(dict.fromkeys(of_segment))
        produced[segment] = [len(all_texts) + unique.index(text) for text in of_segment]
        means = [
            quality[segment][[text == other for other in of_segment]].mean() for text in unique
        ]
        for place, mean in enumerate(means):
            rank = 1 + sum(other > mean + 0.3 for other in means)
            if segment in row_of:
                placed.append((row_of[segment], len(all_texts) + place, rank))
        all_texts += unique
        first.append(len(all_texts))
    codes = np.arange(segments) // 2
    where = np.indices(produced.shape).reshape(2, -1)
    judgements = assemble(
        segments=rows,
        sentences=codes[rows],
        annotators=np.zeros(len(rows), dtype=int),
        seconds=np.full(len(rows), 30.0),
        placed_by=[row for row, _, _ in placed],
        placed_candidates=[candidate for _, candidate, _ in placed],
        placed_ranks=[rank for _, _, rank in placed],
        candidate_segments=np.repeat(np.arange(segments), np.diff(first)),
        producing_systems=where[1],
        produced_candidates=produced.ravel(),
        segment_ids=np.arange(segments),
        sentence_numbers=np.arange(sentences) + 1,
        annotator_names=["annotator1"],
        system_names=SYSTEMS,
    )
    tokens = [tuple(f"word{word}" for word in row) for row in reference]
    return judgements, ProjectTexts(
        sentence_numbers=np.arange(sentences) + 1,
        sources=tuple(tuple(f"source{n}" for n in range(2 * WORDS)) for _ in range(sentences)),
        references=tuple((tokens[2 * n] + tokens[2 * n + 1],) for n in range(sentences)),
        outputs=tuple(
            tuple(
                tuple(f"{texts[2 * n][k]} {texts[2 * n + 1][k]}".split()) for n in range(sentences)
            )
            for k in range(len(SYSTEMS))
        ),
        segment_ids=np.arange(segments),
        segment_sentences=codes.astype(np.int32),
        segment_positions=tuple(
            tuple(range(WORDS * (n % 2), WORDS * (n % 2) + WORDS)) for n in range(segments)
        ),
        candidate_texts=tuple(all_texts),
        first_candidates=np.array(first, dtype=np.int32),
        system_candidates=produced,
        system_names=SYSTEMS,
    )


def rank_again(judgements: Judgements, texts: ProjectTexts, system: int) -> Judgements:
    """Return judgements with other ranks of the candidates that the system alone has."""
    rows = texts.segments_of(judgements)
    own = texts.system_candidates[rows, system]
    alone = ~(np.delete(texts.system_candidates, system, axis=1)[rows] == own[:, None]).any(axis=1)
    ranks, of_candidates = judgements.system_ranks.copy(), judgements.candidate_ranks.copy()
    ranks[alone, system] = 1
    of_candidates[np.flatnonzero(alone), own[alone] - texts.first_candidates[rows[alone]]] = 1
    return replace(judgements, system_ranks=ranks, candidate_ranks=of_candidates)


def bounds(estimate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval that must be there."""
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


def width(estimate: Estimate) -> float:
    low, high = bounds(estimate)
    return high - low
