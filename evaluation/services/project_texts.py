"""Loads the texts of a project into arrays."""

import numpy as np

from annotation.common.transactions import snapshot
from annotation.formats.tokens import TokenizedText
from annotation.models import Project
from annotation.projects.added_systems import sampled_systems
from annotation.projects.tokens import candidate_words
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.stats.judgements import NO_CANDIDATE


def load_texts(project: Project, *, with_sampled_systems: bool = False) -> ProjectTexts:
    """Return the texts of the project, read from one snapshot; seven queries.

    The systems, their order and that of the candidates of a segment are those of `loading.load`.
    """
    without = () if with_sampled_systems else sampled_systems(project)
    with snapshot():
        systems = [row for row in judgement_rows.systems(project) if row[1] not in without]
        sentences = list(rows.sentences(project))
        segments = list(rows.segments(project))
        candidates = list(rows.candidates(project))
        sentence_codes = {pk: code for code, (pk, *_text) in enumerate(sentences)}
        system_codes = {pk: code for code, (pk, _) in enumerate(systems)}
        references: list[list[Tokens]] = [[] for _ in sentences]
        outputs: list[list[Tokens]] = [[()] * len(sentences) for _ in systems]
        for sentence, _number, *stored in rows.references(project):
            if words := _words(*stored):
                references[sentence_codes[sentence]].append(words)
        for sentence, system, *stored in rows.outputs(project):
            if system in system_codes:
                outputs[system_codes[system]][sentence_codes[sentence]] = _words(*stored)
        segment_codes = {pk: code for code, (pk, _, _) in enumerate(segments)}
        segment_of = np.array([segment_codes[row[1]] for row in candidates], dtype=np.int32)
        # By segment, and by id within a segment.
        order = np.argsort(segment_of, kind="stable")
        places = {candidates[row][0]: place for place, row in enumerate(order.tolist())}
        produced = np.full((len(segments), len(systems)), NO_CANDIDATE, dtype=np.int32)
        for segment, system_id, candidate in rows.projections(project):
            if system_id in system_codes:
                produced[segment_codes[segment], system_codes[system_id]] = places[candidate]
    counts = np.bincount(segment_of, minlength=len(segments))
    words_of = candidate_words(project)
    return ProjectTexts(
        sentence_numbers=np.array([number for _, number, *_text in sentences], dtype=np.int64),
        sources=tuple(_words(*stored) for _, _, *stored in sentences),
        references=tuple(map(tuple, references)),
        outputs=tuple(tuple(texts) for texts in outputs),
        segment_ids=np.array([pk for pk, _, _ in segments], dtype=np.int64),
        segment_sentences=np.array([sentence_codes[row[1]] for row in segments], dtype=np.int32),
        segment_positions=tuple(
            tuple(int(position) for position in positions.split()) for _, _, positions in segments
        ),
        candidate_texts=tuple(words_of(candidates[row][2]) for row in order.tolist()),
        first_candidates=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        system_candidates=produced,
        system_names=tuple(name for _, name in systems),
    )


def _words(text: str, places: str) -> Tokens:
    return tuple(TokenizedText.stored(text, places).words)
