"""Edits of outputs by annotators, counted as TER counts those between an output and a reference."""

import numpy as np

from annotation.models import Project
from annotation.projects.tokens import target_tokenizer, target_tokens
from evaluation.metrics.ter import shifted_edits
from evaluation.services.loading import EditedText
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.edit_rates import EditCounts


def count_edits(project: Project, judgements: Judgements, edited: list[EditedText]) -> EditCounts:
    """Return the edits of each candidate in each of the project's judgements, all as loaded.

    The words are the project's tokens, and case counts, since annotators correct it. Each pair of
    texts is compared once.
    """
    tokenize = target_tokenizer(project)
    pairs = list(dict.fromkeys((one.output, one.text) for one in edited))
    places = {pair: place for place, pair in enumerate(pairs)}
    words = {text: tuple(tokenize(text).words) for pair in pairs for text in pair}
    edits = shifted_edits(
        [words[output] for output, _text in pairs], [words[text] for _output, text in pairs]
    )
    counts = np.full((2, *judgements.candidate_ranks.shape), np.nan)
    for one in edited:
        edits_of_pair = edits[places[one.output, one.text]]
        counts[:, one.row, one.column] = edits_of_pair, len(words[one.text])
    signature = f"TER|case:mixed|tok:{target_tokens(project)}"
    return EditCounts(judgements.ids, counts[0], counts[1], signature)
