"""The ranking of a project by the present judgements, with all that the API says of it."""

from dataclasses import dataclass

from annotation.models import Project
from annotation.projects.added_systems import sampled_systems
from annotation.projects.undecided_systems import decisions
from annotation.selectors.judgements import narrowed_judgements
from evaluation.findings.options import ReportOptions
from evaluation.services.findings import ranking_now
from evaluation.services.own_ranking import OwnRanking, own_ranking
from evaluation.services.reports import StoredEstimates, stored_estimates
from evaluation.stats.ranking.systems import RankedSystem


@dataclass(frozen=True)
class RankingNow:
    """The systems by one method, the best first; those without a score last.

    `means` is the ranking by scores, grades or answers; null where annotators rank.
    `sampled_systems` are judged in a sample of segments, and not ranked here; `estimates` are those
    in the project's report, null if it has none. `narrowed` judgements of undecided systems only do
    not count here: reports rank these systems apart. The signature tells how to reproduce it.
    """

    method: str
    systems: tuple[RankedSystem, ...]
    signature: str
    means: OwnRanking | None
    sampled_systems: tuple[str, ...]
    estimates: StoredEstimates | None
    narrowed: int


def ranking_of_project(project: Project, method: str, options: ReportOptions) -> RankingNow:
    """Rank the systems, without intervals. Raises KeyError for an unknown method."""
    ranking = ranking_now(project, method, options)
    sampled = sampled_systems(project)
    return RankingNow(
        method=method,
        systems=ranking.systems,
        signature=ranking.signature,
        means=own_ranking(project, options),
        sampled_systems=tuple(sampled),
        estimates=stored_estimates(project) if sampled else None,
        narrowed=narrowed_judgements(project) if decisions(project) else 0,
    )
