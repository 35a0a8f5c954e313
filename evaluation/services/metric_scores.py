"""Automatic metrics of the systems of a project, from its stored texts."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from unicodedata import is_normalized

import numpy as np

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Project
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from evaluation.findings.metric_scores import ScoredMetric
from evaluation.findings.metrics import ScoredCandidates
from evaluation.findings.options import DEFAULT_METRICS
from evaluation.meta.resampled_metrics import SentenceStatistics
from evaluation.metrics.candidate_scores import score_candidates
from evaluation.metrics.catalogue import Resources, find_metrics
from evaluation.metrics.metric import MeanMetric
from evaluation.metrics.references import References
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.services.loading import load
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import Floats

# Called with what is done, and with all there is to do.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class WholeTexts:
    """Outputs of K systems as they were given, and references, of S sentences.

    `sentence_numbers` S are those of the sentences that have a reference, of `all_sentences`.
    `without_outputs` are the systems that have no whole outputs; they are not among `systems`.
    """

    systems: tuple[str, ...]
    outputs: tuple[tuple[str, ...], ...]
    references: References
    sentence_numbers: tuple[int, ...]
    all_sentences: int
    without_outputs: tuple[str, ...]

    @property
    def problems(self) -> list[InputError]:
        """A sentence for each text with letters in decomposed form, which are others to metrics."""
        named = [
            *zip(self.systems, self.outputs, strict=True),
            ("reference", self.references.lines),
        ]
        return [
            InputError(
                _(
                    "%(name)s: lines with letters in decomposed form, which metrics compare as "
                    "other letters than composed ones: %(count)d. Give all texts in Unicode's form "
                    "NFC."
                ),
                name=name,
                count=count,
            )
            for name, lines in named
            if (count := sum(not is_normalized("NFC", line) for line in lines))
        ]


def load_whole_texts(project: Project) -> WholeTexts:
    """Return the texts that metrics compare, with all references; five queries.

    Raises InputError if no sentence has a reference, or no system has outputs.
    """
    with snapshot():
        systems = judgement_rows.systems(project)
        numbers = {pk: number for pk, number, *_text in rows.sentences(project)}
        references: dict[int, list[str]] = {}
        outputs: dict[int, dict[int, str]] = {pk: {} for pk, _name in systems}
        for sentence, _number, text, _tokens in rows.references(project):
            if text.strip():
                references.setdefault(sentence, []).append(text)
        for sentence, system, text, _tokens in rows.outputs(project):
            if system in outputs:
                outputs[system][sentence] = text
    scored = sorted(references, key=lambda pk: numbers[pk])
    named = [(name, outputs[pk]) for pk, name in systems]
    present = [(name, of_system) for name, of_system in named if of_system]
    if not scored:
        raise InputError(
            _("The project %(project)r has no reference: metrics compare outputs with one."),
            project=project.name,
        )
    if not present:
        raise InputError(
            _(
                "The project %(project)r has no whole outputs of systems: add them with "
                "`manage.py set_outputs`."
            ),
            project=project.name,
        )
    return WholeTexts(
        systems=tuple(name for name, _outputs in present),
        outputs=tuple(
            tuple(of_system.get(pk, "") for pk in scored) for _name, of_system in present
        ),
        references=References.by_sentence(references[pk] for pk in scored),
        sentence_numbers=tuple(numbers[pk] for pk in scored),
        all_sentences=len(numbers),
        without_outputs=tuple(name for name, of_system in named if not of_system),
    )


def load_scored_judgements(project: Project, texts: WholeTexts) -> Judgements:
    """Return the judgements of systems with outputs, in sentences with a reference.

    Metrics cannot score the others, and both are to say something of the same ones.
    """
    judgements = load(project).without_systems(texts.without_outputs)
    numbers = judgements.sentence_numbers[judgements.sentences]
    return judgements.select(np.isin(numbers, texts.sentence_numbers))


def score_texts(
    texts: WholeTexts,
    language: str,
    metrics: Collection[str] = DEFAULT_METRICS,
    *,
    systems: Sequence[str],
    sentence_numbers: Sequence[int],
    resources: Resources | None = None,
    with_statistics: bool = False,
    progress: Progress = lambda done, total: None,
) -> list[ScoredMetric]:
    """Return the scores of `systems` (all sentences), and of `sentence_numbers` (NaN if unscored).

    Statistics, for resamples, take 100 to 200 bytes for each sentence of each system and metric.
    `progress` gets the number of scored systems, by all metrics together, and that of all.
    Raises InputError for an unknown metric, and KeyError for a system without outputs.
    """
    place = {number: column for column, number in enumerate(texts.sentence_numbers)}
    columns = np.array([place.get(number, -1) for number in sentence_numbers], dtype=np.int64)
    outputs = {name: texts.outputs[texts.systems.index(name)] for name in systems}
    scored = []
    found = find_metrics(metrics, language, resources)
    for number, metric in enumerate(found):
        of_systems: list[float] = []
        of_sentences: list[Floats] = []
        kept: list[Floats] = []
        for row, name in enumerate(systems):
            progress(number * len(systems) + row, len(found) * len(systems))
            statistics = metric.statistics(outputs[name], texts.references)
            of_systems.append(float(metric.score(statistics.sum(axis=0))))
            values = metric.sentence_scores(statistics)
            of_sentences.append(np.where(columns >= 0, values[columns], np.nan))
            if with_statistics:
                kept.append(statistics)
        scored.append(
            ScoredMetric(
                metric.name,
                metric.signature_with(texts.references),
                np.array(of_systems),
                np.array(of_sentences),
                statistics=SentenceStatistics(
                    np.array(kept),
                    metric.score,
                    texts.sentence_numbers,
                    isinstance(metric, MeanMetric),
                )
                if with_statistics
                else None,
            )
        )
    progress(len(found) * len(systems), len(found) * len(systems))
    return scored


def score_project_candidates(judgements: Judgements, texts: ProjectTexts) -> ScoredCandidates:
    """Return the scores of all candidates of the project against the whole reference sentences."""
    systems = np.zeros(len(texts.candidate_texts), dtype=np.int64)
    np.add.at(systems, texts.system_candidates[texts.system_candidates >= 0], 1)
    scores = score_candidates(
        texts.candidate_texts,
        texts.first_candidates,
        systems,
        texts.references,
        texts.segment_sentences,
    )
    names = ("words", "bleu", "characters", "consensus", "combined")
    return ScoredCandidates(
        scores={name: getattr(scores, name) for name in names},
        signatures=scores.signatures,
        first_candidates=texts.first_candidates[texts.segments_of(judgements)],
        count=len(texts.candidate_texts),
    )
