"""Systems that were added to a project and are judged by sampled segments only: their estimates.

Where answers are steps of a scale, those about other systems' texts are used again as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.projects.added_systems import entry_of, sampled_systems
from evaluation.findings.estimated import EstimatedSystem, OtherSystem
from evaluation.findings.reused_answers import ReusedAnswersReport, report_reused_answers
from evaluation.reuse.correction import (
    FEWEST_JUDGED,
    Corrected,
    correct,
    observe,
    split_judgements,
)
from evaluation.reuse.prediction import Prediction, predict_system
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.stored_answers import (
    ExtrapolationErrors,
    leave_systems_out,
    measure_extrapolation,
    reuse_answers,
    stored_answers,
)
from evaluation.services.kinds import answer_of
from evaluation.services.loading import load, load_controls
from evaluation.services.project_texts import load_texts
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.annotators.statistics import describe
from evaluation.stats.estimates import Estimate, signed
from evaluation.stats.judgements import NO_CANDIDATE, Judgements

# The report says how many more segments an interval of ± this much takes.
HALF_WIDTH: Final = 0.01


def estimated_systems(
    project: Project, provenance: Sequence[str], filters: Mapping[str, Any] | None = None
) -> list[EstimatedSystem]:
    """Estimate each system of the project that is judged by sampled segments only.

    Seconds to minutes, by the number of segments; no time where there is no such system. A system
    that cannot be predicted has no score and the reason. `filters` are the arguments of `leave_out`
    that exclude judgements; `provenance` ends the signatures.
    """
    names = sampled_systems(project)
    if not names:
        return []
    with snapshot():
        judgements = load(project, with_sampled_systems=True)
        texts = load_texts(project, with_sampled_systems=True)
        controls = load_controls(project)
    judgements = replace(judgements, provenance=tuple(provenance))
    judgements, _left_out = leave_out(judgements, controls, **(filters or {}))
    errors = _extrapolation_errors(project, judgements, texts, names)
    rows = []
    for name in names:
        others = [each for each in names if each != name]
        sampled = _codes(texts, entry_of(project, name).sampled)
        of_one, texts_of_one = judgements.without_systems(others), texts.without_systems(others)
        row = _estimate(name, of_one, texts_of_one, sampled, project.judges_per_sentence)
        if errors is not None:
            row = replace(row, reused=_reused(project, name, of_one, texts_of_one, errors))
        rows.append(row)
    return rows


def _extrapolation_errors(
    project: Project, judgements: Judgements, texts: ProjectTexts, sampled: Sequence[str]
) -> ExtrapolationErrors | None:
    """Return how far the grades of the ranked systems are off, each left out; None of rankings."""
    grades = answer_of(project).scale.grades
    if not grades:
        return None
    ranked = judgements.without_systems(sampled), texts.without_systems(sampled)
    return measure_extrapolation(leave_systems_out(stored_answers(*ranked, grades)))


def _reused(
    project: Project,
    name: str,
    judgements: Judgements,
    texts: ProjectTexts,
    errors: ExtrapolationErrors,
) -> ReusedAnswersReport:
    scale = answer_of(project).scale
    stored = stored_answers(judgements, texts, scale.grades)
    candidates = texts.system_candidates[:, texts.system_names.index(name)].tolist()
    given = [
        "" if candidate == NO_CANDIDATE else texts.candidate_texts[candidate]
        for candidate in candidates
    ]
    return report_reused_answers(
        [reuse_answers(stored, name, given, without=name)],
        errors,
        scale=scale.steps,
        left_out=False,
        judgements=len(judgements),
        sentences=judgements.sentences_judged,
        undecided=scale.undecided,
        provenance=judgements.provenance,
    )


def _estimate(
    name: str, judgements: Judgements, texts: ProjectTexts, sampled: Sequence[int], judges: int
) -> EstimatedSystem:
    to_predict, to_correct = split_judgements(judgements, texts, name)
    observed = observe(to_correct, texts, name)
    observed = observed.select(np.isin(observed.segments, sampled))
    unknown = Estimate(None)
    row = EstimatedSystem(name, len(sampled), len(observed.segments), unknown, unknown)
    try:
        prediction = predict_system(to_predict, texts, name)
    except InputError as problem:
        return replace(row, undefined=str(problem).rstrip("."))
    per_segment = describe(judgements).together.seconds_per_segment
    judged = int(np.isin(observed.segments, prediction.misses.segments).sum())
    row = replace(
        row,
        judged=judged,
        undefined=prediction.score.undefined,
        predicted=prediction.score,
        others=tuple(OtherSystem(*other) for other in prediction.other_scores),
    )
    found: Prediction | Corrected = prediction
    if judged >= FEWEST_JUDGED and prediction.score.value is not None:
        try:
            found = correct(prediction, observed)
        except InputError as problem:
            return replace(row, undefined=str(problem).rstrip("."))
        row = replace(row, weight=found.weight)
    needed = found.needed(HALF_WIDTH)
    return replace(
        row,
        score=found.score,
        rank=found.rank,
        best_rank=found.best_rank,
        worst_rank=found.worst_rank,
        needed=needed,
        seconds=None if needed is None or per_segment is None else needed * per_segment * judges,
        signature=signed(found.signature, judgements.provenance),
    )


def _codes(texts: ProjectTexts, sampled: Sequence[tuple[int, str]]) -> list[int]:
    """Return the codes of the sampled segments; those that are gone are left out."""
    known = {
        (int(texts.sentence_numbers[sentence]), " ".join(map(str, positions))): code
        for code, (sentence, positions) in enumerate(
            zip(texts.segment_sentences.tolist(), texts.segment_positions, strict=True)
        )
    }
    return [known[segment] for segment in sampled if segment in known]
