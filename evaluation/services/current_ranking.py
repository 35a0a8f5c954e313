"""A ranking of systems as the judgements are now, without a report: no intervals, quickly made."""

from annotation.models import Project
from evaluation.report.options import ReportOptions
from evaluation.report.plain import ranking_part
from evaluation.report.shape import RankingPart
from evaluation.services.findings import provenance
from evaluation.services.loading import load, load_controls
from evaluation.stats.agreement.agreement import measure_agreement
from evaluation.stats.ranking.leaving_out import leave_out
from evaluation.stats.ranking.ranking import rank_all


def ranking_now(project: Project, method: str, options: ReportOptions) -> RankingPart:
    """Rank the systems by one of METHODS, from the judgements that the options leave in.

    Nothing is resampled, whatever the options say. Raises KeyError for an unknown method.
    """
    judgements = load(project)
    kept, left_out = leave_out(
        judgements,
        measure_agreement(judgements),
        load_controls(project),
        minimum_kappa=options.minimum_kappa,
        minimum_controls=options.minimum_controls,
        repeats=options.repeats,
    )
    ranking = rank_all(kept, resamples=0, methods=(method,))[method]
    part = ranking_part(ranking, left_out.options)
    return {**part, "signature": "|".join((part["signature"], *provenance(project)))}
