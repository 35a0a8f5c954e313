"""Edits of outputs by annotators, counted as TER counts those between an output and a reference."""

import numpy as np

from annotation.formats.languages import primary_language
from annotation.models import Project
from evaluation.metrics.catalogue import WITHOUT_SPACES
from evaluation.metrics.ter import shifted_edits
from evaluation.metrics.tokens import MOSES, Tokenizer
from evaluation.services.loading import EditedText
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.edit_rates import EditCounts


def count_edits(project: Project, judgements: Judgements, edited: list[EditedText]) -> EditCounts:
    """Return the edits of each candidate in each of the project's judgements, all as loaded.

    The words are those of the metric TER, but case counts, since annotators correct it. Each pair
    of texts is compared once.
    """
    language = primary_language(project.target_language)
    name = WITHOUT_SPACES.get(language, MOSES)
    tokenizer = Tokenizer(name, language if name == MOSES else "")
    pairs = list(dict.fromkeys((one.output, one.text) for one in edited))
    places = {pair: place for place, pair in enumerate(pairs)}
    texts = tokenizer.words([text for _output, text in pairs])
    edits = shifted_edits(tokenizer.words([output for output, _text in pairs]), texts)
    lengths = [len(words) for words in texts]
    counts = np.full((2, *judgements.candidate_ranks.shape), np.nan)
    for one in edited:
        place = places[one.output, one.text]
        counts[:, one.row, one.column] = edits[place], lengths[place]
    return EditCounts(judgements.ids, counts[0], counts[1], f"TER|{tokenizer.signature}")
