"""The ranking of a project by the present judgements, with all that the API says of it."""

from dataclasses import dataclass

from annotation.models import Project
from annotation.projects.added_systems import sampled_systems
from annotation.projects.undecided_systems import decisions
from annotation.selectors.judgements import narrowed_judgements
from evaluation.findings.estimated import EstimatedSystem
from evaluation.findings.options import ReportOptions
from evaluation.findings.own_ranking import OwnRanking
from evaluation.findings.undecided import UndecidedRanking
from evaluation.models import default_options
from evaluation.services.estimated_systems import estimated_systems
from evaluation.services.findings import provenance, ranking_now
from evaluation.services.own_ranking import own_ranking
from evaluation.services.reports import StoredEstimates, stored_estimates
from evaluation.services.undecided_systems import undecided_ranking
from evaluation.stats.ranking.systems import EstimatedRanking, RankedSystem


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


@dataclass(frozen=True)
class ProjectRankings:
    """The systems by one method, with intervals, and all other rankings that the project has.

    `means` is the ranking by scores, grades or answers, `estimated` are systems that are judged in
    a sample, and `undecided` ranks those that annotators still see.
    """

    ranking: EstimatedRanking
    means: OwnRanking | None
    estimated: tuple[EstimatedSystem, ...]
    undecided: UndecidedRanking | None


def rankings_of_project(project: Project, method: str) -> ProjectRankings:
    """Rank the systems with the options of reports. Raises KeyError for an unknown method."""
    options, rules = default_options(project), provenance(project)
    return ProjectRankings(
        ranking_now(project, method, options, resamples=options.resamples),
        own_ranking(project, options),
        tuple(estimated_systems(project, rules)),
        undecided_ranking(project, rules, unit=options.sampled),
    )


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
