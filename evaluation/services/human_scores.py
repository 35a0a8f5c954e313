"""Scores of systems and segments by the annotators of a project, as its kind of judgement has them.

The one place that says what a project is as gold for metrics: rankings have wins, other kinds means
of scores, of grades or of answers.
"""

from dataclasses import dataclass
from typing import Final

from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.meta.mean_scores import MEAN_SCORE, StepValues, mean_scores
from evaluation.meta.project_gold import net_wins, system_gold
from evaluation.stats.estimates import Signature
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.systems import METHODS
from evaluation.stats.resampling import Floats

# The name of the annotators' scores in files; of other kinds than rankings, the kind follows.
PEOPLE: Final = "segranks"


@dataclass(frozen=True, eq=False)
class HumanScores:
    """Scores of K systems, and of K × S sentences, in the order of the judgements; NaN without one.

    Higher is better. `name` is that of the scores in files.
    """

    name: str
    of_systems: Floats
    of_sentences: Floats
    signature: Signature


def step_values(project: Project) -> StepValues | None:
    """Return what the steps of the project's kind count as in means; None for a ranking.

    Scores count as they are. Of two steps, "not sure" aside, the better one counts 1 and the other
    0. Of more steps, the worst counts 1, and the best as many as there are.
    """
    kind = kind_of(project)
    if not kind.steps:
        return None
    if kind.highest_score is not None:
        return StepValues("mean score", tuple(map(float, range(kind.highest_score, -1, -1))), True)
    decided = [step for step in range(1, kind.steps + 1) if step != kind.undecided]
    if len(decided) == 2:
        shares: dict[int, float] = dict(zip(decided, (1.0, 0.0), strict=True))
        return StepValues("share of the better answer", tuple(map(shares.get, _steps(kind.steps))))
    grades = {step: float(len(decided) - place) for place, step in enumerate(decided)}
    return StepValues("mean grade", tuple(map(grades.get, _steps(kind.steps))))


def _steps(steps: int) -> range:
    return range(1, steps + 1)


def golds_of(project: Project) -> tuple[str, ...]:
    """Return the scores by people that metrics can be compared with, the default one first."""
    return (MEAN_SCORE, *METHODS) if kind_of(project).steps else METHODS


def human_scores(project: Project, judgements: Judgements) -> HumanScores:
    """Return the scores by people in these judgements of the project.

    Of rankings, systems have ratios of wins and sentences net wins: (wins - losses) / comparisons
    of the system in the sentence.
    """
    values = step_values(project)
    if values is None:
        return HumanScores(
            PEOPLE,
            system_gold(judgements).ratio,
            net_wins(judgements),
            _signature(judgements, "wins", ("systems: ratio of wins", "segments: net wins")),
        )
    means = mean_scores(judgements, values)
    return HumanScores(
        f"{PEOPLE}-{project.kind}",
        means.of_systems,
        means.of_sentences,
        _signature(judgements, values.words[0], values.words[1:]),
    )


def _signature(judgements: Judgements, method: str, options: tuple[str, ...]) -> Signature:
    repeats = "repeats included" if judgements.repeats.any() else "no repeats"
    return Signature(method, (*options, repeats), len(judgements), judgements.sentences_judged)
