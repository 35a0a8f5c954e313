"""Means of a project's scores with the help of metrics, beside the plain ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.common.transactions import snapshot
from annotation.models import Project
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from evaluation.findings.metric_scores import ScoredMetric
from evaluation.metrics.names import written_name, written_tokenizer
from evaluation.reuse.powered_means import (
    AllTexts,
    LinearMeans,
    PoweredMeans,
    estimate_powered_means,
    no_powered_means,
)
from evaluation.services.metric_scores import load_whole_texts, score_texts
from evaluation.services.score_files import scores_of_texts
from evaluation.stats.document_model import DocumentModel
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import SENTENCES

# Of the metrics that need no file, those whose scores of sentences help most.
METRICS: Final = ("chrf", "sentbleu")
NO_SCORES: Final = "no score is left after the filters"
NO_OUTPUTS: Final = "the whole outputs of the systems are unknown"


def powered_means(
    project: Project,
    scores: SystemScores,
    lines: NDArray[np.int64],
    system_names: Sequence[str],
    *,
    lower_is_better: bool = False,
    provenance: Sequence[str] = (),
    resamples: int,
    seed: int,
) -> PoweredMeans:
    """Estimate the means of systems from scores with the numbers of their lines (N).

    Metrics are those of the project's score files and, for texts with references, METRICS; one that
    lacks a score of a translation is left out. Where documents are sampled, means are by the model
    of documents. Intervals are for the project's texts. Seconds, by the number of translations.
    """
    if not len(scores):
        return no_powered_means(NO_SCORES)
    with snapshot():
        systems = {
            pk: system_names.index(name)
            for pk, name in judgement_rows.systems(project)
            if name in system_names
        }
        sentences = list(rows.sentences(project))
        translated = np.zeros((len(sentences), len(system_names)), dtype=np.bool_)
        places = {pk: place for place, (pk, *_text) in enumerate(sentences)}
        excluded = rows.excluded_outputs(project)
        for sentence, system, text, _tokens in rows.outputs(project):
            place = places[sentence]
            kept = (sentences[place][1], system) not in excluded
            if system in systems and text.strip() and kept:
                translated[place, systems[system]] = True
    numbers = np.array([number for _pk, number, *_text in sentences], dtype=np.int64)
    known = np.isin(lines, numbers)
    scores, lines = scores.select(known), lines[known]
    if not len(scores):
        return no_powered_means(NO_SCORES)
    scores = replace(scores, segments=np.searchsorted(numbers, lines).astype(np.int32))
    if not translated.any():
        return no_powered_means(NO_OUTPUTS)
    translated[scores.segments, scores.systems] = True
    metrics, left_out = _complete(_metrics(project, system_names, numbers.tolist()), translated)
    means: LinearMeans | None = None
    if scores.unit != SENTENCES:
        means = DocumentModel(scores.systems, scores.units, scores.segments, scores.names)
    return estimate_powered_means(
        scores,
        AllTexts(
            tuple(metrics),
            np.array(list(metrics.values())).reshape(len(metrics), *translated.shape),
            np.array([len(text) for _pk, _number, text, _tokens in sentences], dtype=np.int64),
            translated,
        ),
        system_names=system_names,
        means=means,
        lower_is_better=lower_is_better,
        left_out=left_out,
        provenance=provenance,
        resamples=resamples,
        seed=seed,
    )


def _metrics(
    project: Project, systems: Sequence[str], numbers: Sequence[int]
) -> list[ScoredMetric]:
    """Return the scores of all sentences by metrics of files and, with references, by METRICS."""
    found = scores_of_texts(project, systems=systems, sentence_numbers=numbers)
    has_reference, has_outputs = rows.whole_translations_exist(project)
    if has_reference and has_outputs:
        whole = load_whole_texts(project)
        present = [name for name in systems if name in whole.systems]
        for metric in score_texts(
            whole, project.target_language, METRICS, systems=present, sentence_numbers=numbers
        ):
            assert metric.of_sentences is not None
            of_sentences = np.full((len(systems), len(numbers)), np.nan)
            of_sentences[[systems.index(name) for name in present]] = metric.of_sentences
            name, tokenizer = written_name(metric.name), written_tokenizer(metric.signature)
            named = f"{name} ({tokenizer})" if tokenizer else name
            found.append(replace(metric, name=named, of_sentences=of_sentences))
    return found


def _complete(
    metrics: Sequence[ScoredMetric], translated: NDArray[np.bool_]
) -> tuple[dict[str, Floats], list[str]]:
    """Return the scores (I × K) of the metrics that have all, by name, and the other names."""
    kept: dict[str, Floats] = {}
    left_out = []
    for metric in metrics:
        of_lines = None if metric.of_sentences is None else metric.of_sentences.T
        if of_lines is not None and np.isfinite(of_lines[translated]).all():
            kept[metric.name] = np.where(translated, of_lines, 0.0)
        else:
            left_out.append(metric.name)
    return kept, left_out
