"""The ranking by ratio of wins with prediction-powered intervals, beside the plain ones."""

from collections.abc import Sequence
from typing import Final

from annotation.formats.errors import InputError
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.pipeline.segment_sample import sample_of
from evaluation.report.plain import powered_part
from evaluation.report.shape import PoweredPart
from evaluation.reuse.prediction_powered import rank_prediction_powered
from evaluation.services.project_texts import load_texts
from evaluation.stats.judgements import Judgements

# A sentence with one sampled segment of six is not judged as predictions take it to be.
SINGLE: Final = "single translations are not compared with others of their sentence"
SAMPLED: Final = "only a sample of the segments is judged, and predictions are for whole sentences"


def powered_ranking(
    project: Project, judgements: Judgements, *, resamples: int, seed: int, rules: Sequence[str]
) -> PoweredPart:
    """Rank the systems of the judgements, from `loading.load`, with the help of all texts.

    Intervals are for the project's sentences. Seconds to minutes, by the number of segments. Where
    too few sentences are judged, the part has no systems and says why. `rules` end the signature.
    """
    if kind_of(project).single_translations:
        return powered_part(None, SINGLE, rules)
    if sample_of(project):
        return powered_part(None, SAMPLED, rules)
    try:
        ranking = rank_prediction_powered(
            judgements, load_texts(project), resamples=resamples, seed=seed
        )
    except InputError as problem:
        return powered_part(None, str(problem).rstrip("."), rules)
    return powered_part(ranking, "", rules)
