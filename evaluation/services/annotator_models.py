"""Models of annotators who put each candidate on a step by itself: who is right, who is precise.

Of yes and no and of grades there are Dawid and Skene's model, MACE, and the effect of the previous
answer; of grades and scores the model of standardised scores, agreement, and effects of the order.
Scores of single translations are in `project_assessments`, because control items tell of their
annotators.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
from django.utils.translation import override

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.findings.options import AnnotatorModelOptions
from evaluation.findings.scoped_tables import ScopedTables
from evaluation.meta.mean_scores import StepValues, mean_scores, scales_of
from evaluation.rendering.formats import as_object
from evaluation.rendering.tables import Table
from evaluation.report.assessment_model_tables import (
    LabelledItem,
    binary_sequence_table,
    label_tables,
    model_tables,
)
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.services.findings import provenance
from evaluation.services.human_scores import step_values
from evaluation.services.loading import load
from evaluation.services.project_assessments import has_assessments
from evaluation.services.project_texts import load_texts
from evaluation.stats.agreement.labels import label_candidates
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.annotators.assessment_model import (
    ScoredItems,
    means_of_systems,
    model_scores,
)
from evaluation.stats.annotators.dawid_skene import fit_labels
from evaluation.stats.annotators.mace import fit_spamming
from evaluation.stats.annotators.score_model import standardise
from evaluation.stats.annotators.score_sequence import ScoreSequence, score_sequence
from evaluation.stats.judgements import NO_CANDIDATE, UNIDENTIFIED, Codes, Judgements
from evaluation.stats.resampling import Floats, shares, sums_by


class AnnotatorModelsData(TypedDict):
    """The tables as objects (`as_object`), and sentences about which answers they are of."""

    signature: str
    scope: list[str]
    tables: list[dict[str, Any]]


def annotator_models_data(project: Project, options: AnnotatorModelOptions) -> AnnotatorModelsData:
    """Return what `annotator_models` finds as plain JSON, in which undefined figures are None."""
    found = annotator_models(
        project, resamples=options.resamples, seed=options.seed, keep=options.keep
    )
    return {
        "signature": "|".join((options.key, *provenance(project))),
        "scope": list(found.scope),
        "tables": [as_object(table) for table in found.all],
    }


def check_modelled(project: Project) -> StepValues:
    """Return what the steps of the project's kind count as. Cheap.

    Raises InputError for rankings and for scores of single translations: no model is for them.
    """
    values = step_values(project)
    if values is None:
        raise InputError(
            _(
                "Annotators of %(project)r rank candidates: such models need answers about each "
                "candidate by itself."
            ),
            project=project.name,
        )
    if has_assessments(project):
        raise InputError(
            _(
                "Annotators of %(project)r score single translations: the model of their scores is "
                "computed on the server, by `manage.py score_assessments --project … --model`."
            ),
            project=project.name,
        )
    return values


def annotator_models(
    project: Project, *, resamples: int, seed: int, keep: int | None = None
) -> ScopedTables:
    """Return the tables of all models that fit the project's kind of judgement.

    With `keep`, systems are also scored by so many annotators, the most precise. Raises InputError
    as `check_modelled` does, and without answers of identified annotators.
    """
    kind, values = kind_of(project), check_modelled(project)
    with snapshot():
        judgements = load(project)
        texts = load_texts(project) if kind.scale else None
    rules = provenance(project)
    judged, labels = label_candidates(judgements)
    known = judged.annotators != UNIDENTIFIED
    if not known.any():
        raise InputError(
            _("No answers of identified annotators count in %(project)r yet."), project=project.name
        )
    scope = [
        f"Project: {project.name}. Answers: {len(judged)}. Annotators: "
        f"{len(judgements.annotator_names)}."
    ]
    if not known.all():
        scope.append(f"Left out: {int((~known).sum())} answers of unidentified annotators.")
    tables: list[Table] = []
    numbers = values.numbers[labels + 1]
    if texts is not None:
        with override(None):
            steps = [str(label) for label in kind.scale]
        tables += _of_labels(judgements, texts, judged, labels, steps, kind.grades, rules, seed)
    if np.isfinite(values.numbers).sum() > 2:
        found = model_scores(
            _scored(project, judgements, judged, numbers),
            resamples=resamples,
            seed=seed,
            keep=keep,
        )
        means = mean_scores(judgements, values, scales_of(judgements, values)).of_systems
        order = [k for k in np.argsort(-means, kind="stable").tolist() if not np.isnan(means[k])]
        z = {judgements.system_names[k]: float(means[k]) for k in order}
        tables += model_tables(found, z, rules)
    else:
        tables.append(binary_sequence_table(_binary_sequence(judgements, judged, numbers), rules))
    long = ("label-items", "label-confusion")
    return ScopedTables(
        tuple(scope),
        tuple(table for table in tables if table.name not in long),
        tuple(table for table in tables if table.name in long),
    )


def _of_labels(
    judgements: Judgements,
    texts: ProjectTexts,
    judged: ItemJudgements,
    labels: Codes,
    steps: Sequence[str],
    of_steps: Sequence[float],
    rules: Sequence[str],
    seed: int,
) -> list[Table]:
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
    return label_tables(
        model,
        fit_spamming(judged, labels, count=len(steps), seed=seed),
        items=_labelled(judgements, texts, counts.astype(np.int64), (systems, items)),
        annotators=judgements.annotator_names,
        answers=answers.tolist(),
        steps=steps,
        best=of_steps[0],
        systems=[
            (judgements.system_names[k], float(expected[k]), float(means[k]), int(produced[k]))
            for k in order
        ],
        provenance=rules,
    )


def _labelled(
    judgements: Judgements, texts: ProjectTexts, answers: Codes, produced: tuple[Codes, Codes]
) -> list[LabelledItem]:
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
    return sorted(found, key=lambda one: (one.sentence, one.segment, one.code))


def _scored(
    project: Project, judgements: Judgements, judged: ItemJudgements, numbers: Floats
) -> ScoredItems:
    z = standardise(judged.annotators, numbers)
    produced = _produced(judgements)
    return ScoredItems(
        name=project.kind,
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
