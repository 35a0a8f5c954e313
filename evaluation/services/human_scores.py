"""Scores of systems and segments by the annotators of a project, as its kind of judgement has them.

Rankings have wins, other kinds means of scores, of grades or of answers, raw or standardised by
annotator, and post-editing edit rates: which, and the default one, is said by `services.kinds`.
"""

from dataclasses import dataclass
from typing import Final

from annotation.common.transactions import snapshot
from annotation.formats.file_names import name_for_files
from annotation.models import Project
from evaluation.findings.scales import values_of
from evaluation.meta.mean_scores import (
    MEAN_SCORE,
    MEAN_Z,
    MINUS_HTER,
    AnnotatorScales,
    MeanScores,
    StepValues,
    mean_scores,
    minus_edit_rates,
    scales_of,
)
from evaluation.meta.project_gold import net_wins, system_gold
from evaluation.services.edit_counts import count_edits
from evaluation.services.kinds import answer_of
from evaluation.services.loading import load
from evaluation.services.project_assessments import assessments_of
from evaluation.stats.assessment.standardisation import standardise
from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.edit_rates import EditCounts
from evaluation.stats.resampling import Floats
from evaluation.stats.scales import JudgedScales

# The name of the annotators' scores in files; of other kinds than rankings, the kind follows, and
# what the score is unless it is the mean of the answers.
PEOPLE: Final = "segranks"
SUFFIXES: Final = {MEAN_SCORE: "", MEAN_Z: "-z", MINUS_HTER: "-hter"}


@dataclass(frozen=True, eq=False)
class HumanScores:
    """Scores of K systems, and of K × S sentences, in the order of the judgements; NaN without one.

    Higher is better. `name` is that of the scores in files.
    """

    name: str
    of_systems: Floats
    of_sentences: Floats
    signature: Signature


@dataclass(frozen=True, eq=False)
class Besides:
    """What some golds need besides judgements: scales of annotators, and edits."""

    scales: AnnotatorScales | None = None
    edits: EditCounts | None = None


def step_values(project: Project) -> StepValues | None:
    """Return what the steps of the project's kind count as in means; None for a ranking."""
    return answer_of(project).values


def golds_of(project: Project) -> tuple[str, ...]:
    """Return the scores by people that metrics can be compared with, the default one first."""
    return answer_of(project).golds


def load_besides(project: Project, gold: str) -> Besides:
    """Return what `mean_scores_of` needs for this gold, in a snapshot with the judgements.

    Edits are counted, which takes seconds for thousands of them.
    """
    if gold == MEAN_Z and (assessed := assessments_of(project)):
        # Control items tell of the annotator's scale, too.
        found = standardise(assessed.items).scales
        return Besides(
            scales=AnnotatorScales(
                {scale.annotator: scale.mean for scale in found},
                {scale.annotator: scale.deviation or None for scale in found},
                "all scores of the annotator, control items included",
            )
        )
    if gold == MINUS_HTER and gold in golds_of(project):
        with snapshot():
            judgements, edited = load(project), answer_of(project).load_edits(project)
        return Besides(edits=count_edits(project, judgements, edited or []))
    return Besides()


def mean_scores_of(
    project: Project, gold: str, judgements: Judgements, besides: Besides
) -> MeanScores | None:
    """Return the scores of one of MEANS in these judgements; None if the project has no such gold.

    Annotators' scales are of all judgements given here, unless `besides` has them.
    """
    values = step_values(project)
    if values is None or gold not in golds_of(project):
        return None
    if gold == MEAN_SCORE:
        return mean_scores(judgements, values)
    if gold == MEAN_Z:
        return mean_scores(judgements, values, besides.scales or scales_of(judgements, values))
    if besides.edits is None:
        return None
    return minus_edit_rates(judgements, besides.edits)


def human_scores(project: Project, judgements: Judgements) -> list[HumanScores]:
    """Return the scores by people in these judgements of the project, the default gold first.

    Of rankings, systems have ratios of wins and sentences net wins: (wins - losses) / comparisons
    of the system in the sentence. A project with scales of its own has scores on each of them.
    """
    if scales := answer_of(project).load_scales(project):
        return _scores_by_scale(project, scales, judgements)
    if step_values(project) is None:
        return [
            HumanScores(
                PEOPLE,
                system_gold(judgements).ratio,
                net_wins(judgements),
                _signature(judgements, "wins", ("systems: ratio of wins", "segments: net wins")),
            )
        ]
    found = []
    for gold in golds_of(project):
        if gold in SUFFIXES:
            besides = load_besides(project, gold)
            means = mean_scores_of(project, gold, judgements, besides)
            assert means is not None, "a gold of the project"
            found.append(
                HumanScores(
                    f"{PEOPLE}-{project.kind}{SUFFIXES[gold]}",
                    means.of_systems,
                    means.of_sentences,
                    _signature(judgements, means.words[0], means.words[1:]),
                )
            )
    return found


def _scores_by_scale(
    project: Project, scales: JudgedScales, judgements: Judgements
) -> list[HumanScores]:
    """Return the scores on each scale, raw and standardised by annotator."""
    found = []
    for place, scale in enumerate(scales.scales):
        on_scale, values = scales.on(place, judgements), values_of(scale)
        name = f"{PEOPLE}-{project.kind}-{name_for_files(scale.name)}"
        for gold, of_annotators in ((MEAN_SCORE, None), (MEAN_Z, scales_of(on_scale, values))):
            means = mean_scores(on_scale, values, of_annotators)
            signature = _signature(on_scale, means.words[0], means.words[1:])
            found.append(
                HumanScores(name + SUFFIXES[gold], means.of_systems, means.of_sentences, signature)
            )
    return found


def _signature(judgements: Judgements, method: str, options: tuple[str, ...]) -> Signature:
    repeats = "repeats included" if judgements.repeats.any() else "no repeats"
    return Signature(method, (*options, repeats), len(judgements), judgements.sentences_judged)
