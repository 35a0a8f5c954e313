"""The ranking by ratio of wins with prediction-powered intervals, beside the plain ones."""

from typing import Final

from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.pipeline.segment_sample import sample_of
from evaluation.reuse.prediction_powered import (
    PoweredRanking,
    no_powered_ranking,
    rank_prediction_powered,
)
from evaluation.services.project_texts import load_texts
from evaluation.stats.judgements import Judgements

# A sentence with one sampled segment of six is not judged as predictions take it to be.
SAMPLED: Final = "only a sample of the segments is judged, and predictions are for whole sentences"


def powered_ranking(
    project: Project, judgements: Judgements, *, resamples: int, seed: int
) -> PoweredRanking:
    """Rank the systems of the judgements, from `loading.load`, with the help of all texts.

    Intervals are for the project's sentences. Seconds to minutes, by the number of segments. Where
    too few sentences are judged, the ranking has no systems and says why.
    """
    if sample_of(project):
        return no_powered_ranking(SAMPLED)
    try:
        return rank_prediction_powered(
            judgements, load_texts(project), resamples=resamples, seed=seed
        )
    except InputError as problem:
        return no_powered_ranking(str(problem).rstrip("."))
