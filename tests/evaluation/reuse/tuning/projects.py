"""A tiny project: two sentences, three systems, one judged segment each."""

import numpy as np

from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.tuning.hypotheses import Hypotheses
from evaluation.stats.judgements import GARBAGE, Judgements, assemble

CANDIDATES = ("bílý pes", "pes", "malá kočka", "kočka")
# Candidates of systems a, b and c.
PRODUCED = np.array([[0, 1, 1], [2, 3, -1]])
OUTPUTS = (
    ("ten bílý pes běží", "malá kočka spí"),
    ("ten pes běží", "kočka leží"),
    ("ten pes běží rychle", ""),
)
REFERENCES = ("ten bílý pes utíká", "malá kočka spí")


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def tiny_texts(references=REFERENCES) -> ProjectTexts:
    return ProjectTexts(
        sentence_numbers=np.array([1, 2]),
        sources=(words("the white dog runs"), words("the small cat sleeps")),
        references=tuple((words(text),) if text else () for text in references),
        outputs=tuple(tuple(map(words, of_system)) for of_system in OUTPUTS),
        segment_ids=np.array([10, 20]),
        segment_sentences=np.array([0, 1], dtype=np.int32),
        segment_positions=((1, 2), (1, 2)),
        candidate_texts=CANDIDATES,
        first_candidates=np.array([0, 2, 4], dtype=np.int32),
        system_candidates=PRODUCED.astype(np.int32),
        system_names=("a", "b", "c"),
    )


def tiny_judgements() -> Judgements:
    """Sentence 1 twice: "bílý pes" wins, then both are equal; sentence 2 once: all garbage."""
    systems, candidates = [0, 1, 2, 0, 1], [0, 1, 1, 2, 3]
    return assemble(
        segments=[0, 0, 1],
        sentences=[0, 0, 1],
        annotators=[0, 1, 0],
        seconds=[10, 10, 10],
        placed_by=[0, 0, 1, 1, 2, 2],
        placed_candidates=[0, 1, 0, 1, 2, 3],
        placed_ranks=[1, 2, 1, 1, GARBAGE, GARBAGE],
        candidate_segments=[0, 0, 1, 1],
        producing_systems=systems,
        produced_candidates=candidates,
        segment_ids=[10, 20],
        sentence_numbers=[1, 2],
        annotator_names=["jana", "petr"],
        system_names=["a", "b", "c"],
    )


def hypotheses_of(*of_sentences: tuple[str, ...]) -> Hypotheses:
    """N-best lists of sentence 1, 2, …, all with as many texts, and one feature."""
    shape = (len(of_sentences), len(of_sentences[0]))
    return Hypotheses(
        sentences=np.arange(shape[0], dtype=np.int32),
        texts=tuple(tuple(map(words, texts)) for texts in of_sentences),
        systems=np.full(shape, -1, dtype=np.int32),
        features=np.arange(shape[0] * shape[1], dtype=float).reshape(*shape, 1),
        feature_names=("position",),
    )
