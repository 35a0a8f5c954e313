"""What a network finds, and at which likelihoods it finds most of what it should."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray

from annotation.preparation.embedded.model import Decoding
from annotation.preparation.embedded.parser import LabelledSpan, spans_of, tree_of
from tools.parser_training.network import Network
from tools.parser_training.segment_agreement import Segments, compare, segments
from tools.parser_training.training import Example, in_batches, together

Scores = NDArray[np.float16]
# Words that are scored together.
_PLACES = 4000
# What is tried, in the order of `Decoding`.
_TRIED = ((0.4, 0.45, 0.5, 0.55), (0.3, 0.4, 0.5), (0.0, 0.25, 0.5, 1.0))


@torch.no_grad()
def span_scores(network: Network, examples: Sequence[Example]) -> list[Scores]:
    """Return the scores [2, n + 1, n + 1] of every example, in order, as logits."""
    network.eval()
    found: dict[int, Scores] = {}
    for batch in in_batches(examples, _PLACES):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            _, scores = network(together(batch))
        for each, score in zip(batch, scores.float().numpy(), strict=True):
            size = len(each.shapes) - 1
            found[id(each)] = score[:, :size, :size].clip(-30, 30).astype(np.float16)
    return [found[id(each)] for each in examples]


def decoded(scores: Sequence[Scores], decoding: Decoding) -> list[Segments]:
    """Return the segments of the best tree of each sentence."""
    found: list[Segments] = [set() for _ in scores]
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(scores):
        by_length[each.shape[1] - 1].append(number)
    for length, numbers in by_length.items():
        logits = np.stack([scores[number] for number in numbers]).astype(np.float32)
        phrase, segment = 1 / (1 + np.exp(-logits)).swapaxes(0, 1)
        spans: list[list[LabelledSpan]] = [[] for _ in numbers]
        for row, start, end in spans_of(phrase, segment, decoding).tolist():
            spans[row].append((start, end, ""))
        for number, its_spans in zip(numbers, spans, strict=True):
            found[number] = segments(tree_of(its_spans, [""] * length))
    return found


def best_decoding(scores: Sequence[Scores], gold: Sequence[Segments]) -> Decoding:
    """Choose the thresholds under which the segments agree most with the gold standard."""
    tried = [Decoding(*values) for values in product(*_TRIED)]
    return max(tried, key=lambda decoding: compare(decoded(scores, decoding), gold).f1)
