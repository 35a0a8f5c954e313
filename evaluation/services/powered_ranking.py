"""The ranking by ratio of wins with prediction-powered intervals, beside the plain ones."""

from collections.abc import Sequence

from annotation.formats.errors import InputError
from annotation.models import Project
from evaluation.report.plain import powered_part
from evaluation.report.shape import PoweredPart
from evaluation.reuse.prediction_powered import rank_prediction_powered
from evaluation.services.project_texts import load_texts
from evaluation.stats.judgements import Judgements


def powered_ranking(
    project: Project, judgements: Judgements, *, resamples: int, seed: int, rules: Sequence[str]
) -> PoweredPart:
    """Rank the systems of the judgements, from `loading.load`, with the help of all texts.

    Intervals are for the project's sentences. Seconds to minutes, by the number of segments. Where
    too few sentences are judged, the part has no systems and says why. `rules` end the signature.
    """
    try:
        ranking = rank_prediction_powered(
            judgements, load_texts(project), resamples=resamples, seed=seed
        )
    except InputError as problem:
        return powered_part(None, str(problem).rstrip("."), rules)
    return powered_part(ranking, "", rules)
