"""Scores of systems and segments by the annotators of a project, as its kind of judgement has them.

The one place that says what a project is as gold for metrics: rankings have wins, other kinds means
of scores, of grades or of answers, raw or standardised by annotator, and post-editing edit rates.
"""

from dataclasses import dataclass
from typing import Final

from annotation.common.transactions import snapshot
from annotation.kinds import kind_of
from annotation.models import Project
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
from evaluation.services.loading import load, load_assessments, load_edits
from evaluation.services.project_assessments import has_assessments
from evaluation.stats.assessment.standardisation import standardise
from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.edit_rates import EditCounts
from evaluation.stats.ranking.systems import METHODS
from evaluation.stats.resampling import Floats

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
    """Return what the steps of the project's kind count as in means; None for a ranking.

    Scores count as they are, and steps as `Kind.grades` says. Of two steps that are no numbers,
    "not sure" aside, the better one counts 1 and the other 0.
    """
    kind = kind_of(project)
    if not kind.steps:
        return None
    if kind.highest_score is not None:
        return StepValues("mean score", tuple(map(float, range(kind.highest_score, -1, -1))), True)
    decided = [step for step in range(1, kind.steps + 1) if step != kind.undecided]
    are_numbers = kind.grades != tuple(map(float, range(kind.steps, 0, -1)))
    if len(decided) == 2 and not are_numbers:
        shares: dict[int, float] = dict(zip(decided, (1.0, 0.0), strict=True))
        return StepValues("share of the better answer", tuple(map(shares.get, _steps(kind.steps))))
    grades = {step: kind.grades[step - 1] for step in decided}
    return StepValues("mean grade", tuple(map(grades.get, _steps(kind.steps))))


def _steps(steps: int) -> range:
    return range(1, steps + 1)


def golds_of(project: Project) -> tuple[str, ...]:
    """Return the scores by people that metrics can be compared with, the default one first.

    Direct assessments are standardised by annotator, as WMT published them; scores beside marked
    errors (ESA) and grades are not, unless it is chosen. Of yes and no there is nothing to
    standardise.
    """
    kind = kind_of(project)
    if not kind.steps:
        return METHODS
    if kind.edits_texts:
        return (MINUS_HTER, MEAN_SCORE, *METHODS)
    if has_assessments(project):
        return (MEAN_Z, MEAN_SCORE, *METHODS)
    decided = kind.steps - (kind.undecided is not None)
    return (MEAN_SCORE, MEAN_Z, *METHODS) if decided > 2 else (MEAN_SCORE, *METHODS)


def load_besides(project: Project, gold: str) -> Besides:
    """Return what `mean_scores_of` needs for this gold, in a snapshot with the judgements.

    Edits are counted, which takes seconds for thousands of them.
    """
    if gold == MEAN_Z and has_assessments(project):
        # Control items tell of the annotator's scale, too.
        found = standardise(load_assessments(project).items).scales
        return Besides(
            scales=AnnotatorScales(
                {scale.annotator: scale.mean for scale in found},
                {scale.annotator: scale.deviation or None for scale in found},
                "all scores of the annotator, control items included",
            )
        )
    if gold == MINUS_HTER and kind_of(project).edits_texts:
        with snapshot():
            judgements, edited = load(project), load_edits(project)
        return Besides(edits=count_edits(project, judgements, edited))
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
    of the system in the sentence.
    """
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


def _signature(judgements: Judgements, method: str, options: tuple[str, ...]) -> Signature:
    repeats = "repeats included" if judgements.repeats.any() else "no repeats"
    return Signature(method, (*options, repeats), len(judgements), judgements.sentences_judged)
