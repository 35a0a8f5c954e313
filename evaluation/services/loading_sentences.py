"""Reads the judgements of whole sentences, as those of segments are laid out."""

import numpy as np

from annotation.common.snapshot import snapshot
from annotation.models import Project
from annotation.selectors import judgements
from evaluation.models import SentenceJudgement, SentencePlacement
from evaluation.services.loading import load
from evaluation.stats.judgements import Judgements, assemble

CHUNK = 10_000


def load_levels(project: Project) -> tuple[Judgements, Judgements]:
    """Read the judgements of whole sentences, then those of segments, of one moment."""
    with snapshot():
        return load_sentence_judgements(project), load(project)


def load_sentence_judgements(project: Project) -> Judgements:
    """Read what was imported of whole sentences, in order of their ids, by a few queries.

    What is a segment elsewhere is a whole sentence here, and what is a candidate is a system's
    translation; two that are equal are two. Systems are in the order of `load`.
    """
    with snapshot():
        systems = judgements.systems(project)
        rows = SentenceJudgement.objects.filter(project=project).order_by("pk")
        judged = list(rows.values_list("pk", "sentence__number", "judge").iterator(CHUNK))
        placed = np.array(
            list(
                SentencePlacement.objects.filter(judgement__project=project)
                .values_list("judgement_id", "system_id", "rank")
                .iterator(CHUNK)
            ),
            dtype=np.int64,
        ).reshape(-1, 3)
    numbers, sentences = np.unique(
        np.array([number for _, number, _ in judged], dtype=np.int64), return_inverse=True
    )
    names = list(dict.fromkeys(judge for _, _, judge in judged))
    codes = {name: code for code, name in enumerate(names)}
    by = np.searchsorted([pk for pk, _, _ in judged], placed[:, 0])
    who = np.searchsorted([pk for pk, _ in systems], placed[:, 1])
    # A candidate for each system of each sentence, whether it was ranked or not.
    candidates = sentences[by] * len(systems) + who
    all_candidates = np.arange(len(numbers) * len(systems))
    return assemble(
        segments=sentences,
        sentences=sentences,
        annotators=[codes[judge] for _, _, judge in judged],
        seconds=np.full(len(judged), np.nan),
        placed_by=by,
        placed_candidates=candidates,
        placed_ranks=placed[:, 2],
        candidate_segments=all_candidates // max(1, len(systems)),
        producing_systems=all_candidates % max(1, len(systems)),
        produced_candidates=all_candidates,
        segment_ids=numbers,
        sentence_numbers=numbers,
        annotator_names=names,
        system_names=[name for _, name in systems],
    )
