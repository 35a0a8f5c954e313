"""Loads the texts of a project into arrays."""

import numpy as np

from annotation.common.transactions import snapshot
from annotation.formats.tokens import split_tokens
from annotation.models import Project
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.stats.judgements import NO_CANDIDATE


def load_texts(project: Project) -> ProjectTexts:
    """Return the texts of the project, read from one snapshot; six queries.

    The order of systems and of the candidates of a segment is that of `loading.load`.
    """
    with snapshot():
        systems = judgement_rows.systems(project)
        sentences = list(rows.sentences(project))
        segments = list(rows.segments(project))
        candidates = list(rows.candidates(project))
        sentence_codes = {pk: code for code, (pk, _, _) in enumerate(sentences)}
        system_codes = {pk: code for code, (pk, _) in enumerate(systems)}
        references: list[Tokens] = [()] * len(sentences)
        outputs: list[list[Tokens]] = [[()] * len(sentences) for _ in systems]
        for sentence, system, tokens in rows.translations(project):
            texts = references if system is None else outputs[system_codes[system]]
            texts[sentence_codes[sentence]] = tuple(split_tokens(tokens))
        segment_codes = {pk: code for code, (pk, _, _) in enumerate(segments)}
        segment_of = np.array([segment_codes[row[1]] for row in candidates], dtype=np.int32)
        # By segment, and by id within a segment.
        order = np.argsort(segment_of, kind="stable")
        places = {candidates[row][0]: place for place, row in enumerate(order.tolist())}
        produced = np.full((len(segments), len(systems)), NO_CANDIDATE, dtype=np.int32)
        for segment, system_id, candidate in rows.projections(project):
            produced[segment_codes[segment], system_codes[system_id]] = places[candidate]
    counts = np.bincount(segment_of, minlength=len(segments))
    return ProjectTexts(
        sentence_numbers=np.array([number for _, number, _ in sentences], dtype=np.int64),
        sources=tuple(tuple(split_tokens(tokens)) for _, _, tokens in sentences),
        references=tuple(references),
        outputs=tuple(tuple(texts) for texts in outputs),
        segment_ids=np.array([pk for pk, _, _ in segments], dtype=np.int64),
        segment_sentences=np.array([sentence_codes[row[1]] for row in segments], dtype=np.int32),
        segment_positions=tuple(
            tuple(int(position) for position in positions.split()) for _, _, positions in segments
        ),
        candidate_texts=tuple(candidates[row][2] for row in order.tolist()),
        first_candidates=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        system_candidates=produced,
        system_names=tuple(name for _, name in systems),
    )
