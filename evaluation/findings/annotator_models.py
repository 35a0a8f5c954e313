"""Models of annotators who answer about each candidate by itself: who is right, who is precise.

Of yes and no and of grades there are Dawid and Skene's model and MACE; of grades and scores the
model of standardised scores, agreement, and effects of the order; of two answers the effect of the
previous one.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np

from evaluation.findings import score_model
from evaluation.findings.answers import graded
from evaluation.findings.options import AnnotatorModelOptions
from evaluation.findings.score_model import (
    EFFECT_COLUMNS,
    INTERVALS_OF_EFFECTS,
    SETTLED,
    effects,
    missing_effects,
)
from evaluation.meta.mean_scores import StepValues, mean_scores, scales_of
from evaluation.rendering.tables import Column, Count, Name, Table, Words
from evaluation.rendering.text import ENGLISH, Listed, _
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.agreement.labels import label_candidates
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.assessment_model import (
    UNKNOWN_ORDER,
    AssessmentModel,
    ScoredItems,
    means_of_systems,
    model_scores,
)
from evaluation.stats.annotators.dawid_skene import LabelModel, fit_labels
from evaluation.stats.annotators.mace import SpammingModel, fit_spamming
from evaluation.stats.annotators.score_model import standardise
from evaluation.stats.annotators.score_sequence import ScoreSequence, score_sequence
from evaluation.stats.estimates import signed
from evaluation.stats.judgements import NO_CANDIDATE, UNIDENTIFIED, Codes, Judgements
from evaluation.stats.resampling import Floats, shares, sums_by

# Steps that are numbers; more have a model of standardised scores.
TWO_ANSWERS: Final = 2


@dataclass(frozen=True)
class LabelledItem:
    """A labelled candidate, by its `code` in the models; `systems` produced it."""

    code: int
    sentence: int
    segment: int
    text: str
    systems: tuple[str, ...]
    answers: int


@dataclass(frozen=True)
class LabelledSystem:
    """A system: mean grades by the model and of the answers about each text, over `texts`."""

    system: str
    grade: float
    mean: float
    texts: int


@dataclass(frozen=True, eq=False)
class LabelModels:
    """Which of the `steps` is right, by two models; the steps are English, from the best.

    `grades` are what the steps count as, and `answers` the numbers of the annotators' answers, by
    code. Systems are best first; the items are those with answers.
    """

    steps: tuple[str, ...]
    grades: tuple[float, ...]
    answers: tuple[int, ...]
    dawid_skene: LabelModel
    mace: SpammingModel
    systems: tuple[LabelledSystem, ...]
    items: tuple[LabelledItem, ...]


@dataclass(frozen=True, eq=False)
class AnnotatorModels:
    """The models that fit a project's kind of judgement; `annotators` are names by code.

    `labels` is None for scores, `scores` for two answers. `z` are means of standardised scores by
    system, best first. `sequence`, the effect of the previous one of two answers, is None if there
    are `scores`, or if the order is unknown. `unidentified` of the `answers` are by unidentified
    annotators. `provenance` is what the signatures of the models leave out.
    """

    project: str
    annotators: tuple[str, ...]
    answers: int
    unidentified: int
    labels: LabelModels | None
    scores: AssessmentModel | None
    z: dict[str, float]
    sequence: ScoreSequence | None
    provenance: tuple[str, ...]
    signature: str

    @property
    def scope(self) -> tuple[str, ...]:
        """Sentences about which answers the models are of."""
        of = (
            f"Project: {self.project}. Answers: {self.answers}. Annotators: {len(self.annotators)}."
        )
        if not self.unidentified:
            return (of,)
        return of, f"Left out: {self.unidentified} answers of unidentified annotators."


def compute(
    judgements: Judgements,
    values: StepValues,
    options: AnnotatorModelOptions,
    *,
    project: str,
    kind: str,
    steps: Sequence[str],
    grades: Sequence[float],
    texts: ProjectTexts | None,
    provenance: Sequence[str],
) -> AnnotatorModels:
    """Fit the models to judgements of one `kind`, whose steps count as `values`.

    `steps` are English labels, and `texts` those of the project; scores have neither. An identified
    annotator must have answered.
    """
    judged, labels = label_candidates(judgements)
    known = judged.annotators != UNIDENTIFIED
    numbers = values.numbers[labels + 1]
    scores = sequence = None
    z: dict[str, float] = {}
    if np.isfinite(values.numbers).sum() > TWO_ANSWERS:
        scores = model_scores(
            _scored(kind, judgements, judged, numbers),
            resamples=options.resamples,
            seed=options.seed,
            keep=options.keep,
        )
        means = mean_scores(judgements, values, scales_of(judgements, values)).of_systems
        order = [k for k in np.argsort(-means, kind="stable").tolist() if not np.isnan(means[k])]
        z = {judgements.system_names[k]: float(means[k]) for k in order}
    else:
        sequence = _binary_sequence(judgements, judged, numbers)
    return AnnotatorModels(
        project=project,
        annotators=judgements.annotator_names,
        answers=len(judged),
        unidentified=int((~known).sum()),
        labels=None
        if texts is None
        else _label_models(judgements, texts, judged, labels, steps, grades, options.seed),
        scores=scores,
        z=z,
        sequence=sequence,
        provenance=tuple(provenance),
        signature=signed(options.key, provenance),
    )


def _label_models(
    judgements: Judgements,
    texts: ProjectTexts,
    judged: ItemJudgements,
    labels: Codes,
    steps: Sequence[str],
    of_steps: Sequence[float],
    seed: int,
) -> LabelModels:
    model = fit_labels(judged, labels, count=len(steps))
    known = judged.annotators != UNIDENTIFIED
    grades = np.array(of_steps)
    things = len(model.posterior)
    given = sums_by(judged.items[known], grades[labels[known]], things)
    counts = np.bincount(judged.items[known], minlength=things).astype(np.float64)
    systems, items = _produced(judgements)
    seen = counts[items] > 0
    systems, items = systems[seen], items[seen]
    size = len(judgements.system_names)
    produced = np.bincount(systems, minlength=size)
    expected, means = (
        shares(sums_by(systems, of_items[items], size), produced.astype(np.float64))
        for of_items in (model.posterior @ grades, shares(given, counts))
    )
    order = [code for code in np.argsort(-expected, kind="stable").tolist() if produced[code]]
    answers = np.bincount(judged.annotators[known], minlength=len(judgements.annotator_names))
    return LabelModels(
        steps=tuple(steps),
        grades=tuple(of_steps),
        answers=tuple(answers.tolist()),
        dawid_skene=model,
        mace=fit_spamming(judged, labels, count=len(steps), seed=seed),
        systems=tuple(
            LabelledSystem(
                judgements.system_names[k], float(expected[k]), float(means[k]), int(produced[k])
            )
            for k in order
        ),
        items=_labelled(judgements, texts, counts.astype(np.int64), (systems, items)),
    )


def _labelled(
    judgements: Judgements, texts: ProjectTexts, answers: Codes, produced: tuple[Codes, Codes]
) -> tuple[LabelledItem, ...]:
    """Return the items with answers by identified annotators, by sentence, segment and text."""
    width = judgements.candidate_ranks.shape[1]
    segments = np.zeros(len(judgements.segment_ids), dtype=np.int32)
    segments[judgements.segments] = texts.segments_of(judgements)
    systems: defaultdict[int, list[str]] = defaultdict(list)
    for system, item in zip(*(codes.tolist() for codes in produced), strict=True):
        systems[item].append(judgements.system_names[system])
    found = []
    for item in np.flatnonzero(answers).tolist():
        segment, column = int(segments[item // width]), item % width
        found.append(
            LabelledItem(
                item,
                int(texts.sentence_numbers[texts.segment_sentences[segment]]),
                int(texts.segment_ids[segment]),
                texts.candidate_texts[texts.first_candidates[segment] + column],
                tuple(systems[item]),
                int(answers[item]),
            )
        )
    return tuple(sorted(found, key=attrgetter("sentence", "segment", "code")))


def _scored(
    kind: str, judgements: Judgements, judged: ItemJudgements, numbers: Floats
) -> ScoredItems:
    z = standardise(judged.annotators, numbers)
    produced = _produced(judgements)
    return ScoredItems(
        name=kind,
        annotators=judgements.annotator_names,
        system_names=judgements.system_names,
        judged=judged,
        scores=numbers,
        z=z,
        outputs=np.ones(len(judged), dtype=np.bool_),
        produced=produced,
        order=_order(judgements),
        sequences=judged.annotators,
        gold=means_of_systems(judged, z, produced),
    )


def _binary_sequence(
    judgements: Judgements, judged: ItemJudgements, numbers: Floats
) -> ScoreSequence | None:
    """Return the effect of the previous answer; None if the order is unknown."""
    order = _order(judgements)
    known = ~np.isnan(order)
    if not known.any():
        return None
    gold = means_of_systems(judged, numbers, _produced(judgements))
    return score_sequence(
        judged.select(known), numbers[known], order[known], gold=gold[known], binary=True
    )


def _produced(judgements: Judgements) -> tuple[Codes, Codes]:
    """Return codes of systems and of the items (see `label_candidates`) that they produced."""
    columns = judgements.system_candidates
    rows, systems = np.nonzero(columns != NO_CANDIDATE)
    width = judgements.candidate_ranks.shape[1]
    items = judgements.segments[rows] * width + columns[rows, systems]
    pairs = np.unique(np.stack([systems, items], axis=1), axis=0).astype(np.int32)
    return pairs[:, 0], pairs[:, 1]


def _order(judgements: Judgements) -> Floats:
    """Return places of the items in the order shown: of screens by time, then on the screen.

    NaN where the time of the judgement or the place on the screen is unknown.
    """
    rows, columns = np.nonzero(judgements.candidate_ranks)
    shown, created = judgements.shown[rows, columns], judgements.created[rows]
    places = np.empty(len(rows))
    places[np.lexsort((shown, rows, created))] = np.arange(len(rows))
    return np.where((shown > 0) & np.isfinite(created), places, np.nan)


def tables(found: AnnotatorModels) -> list[Table]:
    labels = found.labels
    of_labels = (
        [accuracy_table(found, labels), grades_table(found, labels), spamming_table(found, labels)]
        if labels
        else []
    )
    of_scores = (
        score_model.tables(found.scores, found.z, found.provenance)
        if found.scores
        else [sequence_table(found)]
    )
    return [*of_labels, *of_scores]


def long_tables(found: AnnotatorModels) -> list[Table]:
    """Return the tables that are too long for a terminal."""
    labels = found.labels
    return [confusion_table(found, labels), items_table(found, labels)] if labels else []


def _by_step(
    labels: LabelModels, name: str, of: Callable[[Any], Any], heading: str = "{}"
) -> list[Column]:
    """Return a column for each step, of what `of` returns by step."""

    def cell(place: int) -> Callable[[Any], float]:
        return lambda item: float(of(item)[place])

    return [
        Column(f"{name}-{place + 1}", heading.format(step), value=cell(place))
        for place, step in enumerate(labels.steps)
    ]


def _right_most(found: AnnotatorModels, labels: LabelModels) -> list[int]:
    """Return the codes of the annotators with answers, the most often right first."""
    accuracy = labels.dawid_skene.accuracy
    known = [code for code in range(len(found.annotators)) if not np.isnan(accuracy[code])]
    return sorted(known, key=lambda code: -accuracy[code])


def accuracy_table(found: AnnotatorModels, labels: LabelModels) -> Table:
    model = labels.dawid_skene
    accuracy = model.accuracy
    return Table.of(
        "label-annotators",
        "Annotators by how often they give the right answer",
        (
            Column("annotator", _("Annotator"), Name(), lambda code: found.annotators[code]),
            Column("answers", _("Answers"), Count(), lambda code: labels.answers[code]),
            Column("accuracy", "Right", value=lambda code: float(accuracy[code]), is_main=True),
            *_by_step(labels, "right", lambda code: np.diagonal(model.confusion[code])),
        ),
        _right_most(found, labels),
        notes=(
            "Right: the probability of the answer that the model takes for the true one (Dawid "
            "and Skene 1979), over all, and where the true answer is that of the column. It "
            "needs texts that several annotators judged.",
            *([] if model.settled else [SETTLED]),
        ),
        details=[signed(model.signature, found.provenance)],
    )


def grades_table(found: AnnotatorModels, labels: LabelModels) -> Table:
    grades = ENGLISH.value(graded(labels.grades, labels.steps))
    return Table.of(
        "label-systems",
        "Systems by the mean grade of the true answers",
        (
            Column("system", _("System"), Name()),
            Column("grade", _("Grade"), is_main=True),
            Column("mean", "Of all answers"),
            Column("texts", _("Texts"), Count()),
        ),
        labels.systems,
        notes=(
            "Grade: the mean over texts of the grade that the model expects, in which answers of "
            "annotators who are often right count more. Of all answers: the mean grade of the "
            f"answers about each text. Grades: {grades}.",
        ),
        details=[signed(labels.dawid_skene.signature, found.provenance)],
    )


def confusion_table(found: AnnotatorModels, labels: LabelModels) -> Table:
    """Return how often each annotator gives each answer, by the true one."""
    model = labels.dawid_skene
    return Table.of(
        "label-confusion",
        "The answers of each annotator by the true answer",
        (
            Column("annotator", _("Annotator"), Name(), lambda row: found.annotators[row[0]]),
            Column("true", "True answer", Words(), lambda row: labels.steps[row[1]]),
            *_by_step(labels, "given", lambda row: model.confusion[row]),
        ),
        [(code, step) for code in _right_most(found, labels) for step in range(len(labels.steps))],
        groups=lambda row: row[0],
        notes=(
            "The probability of each answer, which is in the heading, where the model of Dawid and "
            "Skene takes another, or the same, for the true one.",
        ),
        details=[signed(model.signature, found.provenance)],
    )


def spamming_table(found: AnnotatorModels, labels: LabelModels) -> Table:
    model = labels.mace
    spamming = model.spamming
    known = np.flatnonzero(~np.isnan(spamming)).tolist()
    return Table.of(
        "label-spamming",
        "Annotators by how often they answer without a look at the item",
        (
            Column("annotator", _("Annotator"), Name(), lambda code: found.annotators[code]),
            Column("answers", _("Answers"), Count(), lambda code: labels.answers[code]),
            Column("spamming", "Spamming", value=lambda code: float(spamming[code]), is_main=True),
            *_by_step(labels, "strategy", lambda code: model.strategy[code]),
        ),
        sorted(known, key=lambda code: spamming[code]),
        notes=(
            "Spamming: the probability that an answer of the annotator does not depend on the item "
            "(MACE, Hovy et al. 2013); 0.5 before anything is known. The other columns: which "
            "answers these are.",
            *([] if model.settled else [SETTLED]),
        ),
        details=[signed(model.signature, found.provenance)],
    )


def items_table(found: AnnotatorModels, labels: LabelModels) -> Table:
    """Return the probability of each answer to be the true one, by both models."""
    by_model = (labels.dawid_skene.posterior, labels.mace.posterior)

    def most_probable(posterior: Floats) -> Callable[[LabelledItem], str]:
        return lambda item: labels.steps[int(np.argmax(posterior[item.code]))]

    right, by_mace = by_model
    return Table.of(
        "label-items",
        "The probability of each answer to be the true one, by item",
        (
            Column("sentence", _("Sentence"), Count()),
            Column("segment", _("Segment"), Count()),
            Column("text", "Text", Name()),
            Column("systems", _("Systems"), Words(), lambda item: Listed(item.systems)),
            Column("answers", _("Answers"), Count()),
            Column("label", "True answer", Words(), most_probable(right)),
            *_by_step(labels, "posterior", lambda item: right[item.code]),
            Column("mace", "By MACE", Words(), most_probable(by_mace)),
            *_by_step(labels, "mace", lambda item: by_mace[item.code], "{} (MACE)"),
        ),
        labels.items,
        notes=("True answer: the most probable one, by the model of Dawid and Skene and by MACE.",),
        details=[
            signed(each.signature, found.provenance) for each in (labels.dawid_skene, labels.mace)
        ],
    )


def sequence_table(found: AnnotatorModels) -> Table:
    """Return the effect of the previous answer on one of two answers, by thirds."""
    sequence = found.sequence
    rows = effects(sequence) if sequence else []
    return Table.of(
        "answer-sequence",
        "Effect of the previous answer on an answer",
        (Column("part", "Part", Words()), *EFFECT_COLUMNS),
        rows,
        notes=(
            "Effect: β of the annotator's previous answer in a logistic regression, in log odds, "
            "with the share of the better answer among the annotator's others, and the mean of the "
            "item's systems in other sentences; above 0, answers resemble the previous one.",
            INTERVALS_OF_EFFECTS,
            *([] if sequence else [f"Undefined: {UNKNOWN_ORDER}."]),
            *missing_effects(rows),
        ),
        details=[signed(sequence.signature, found.provenance)] if sequence else found.provenance,
    )
