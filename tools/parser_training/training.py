"""Learning: losses of spans, tags and labels, and the loop that lowers them."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from annotation.preparation.embedded.wordpieces import Pieces, Shape, shape
from tools.parser_training.network import Batch, Network
from tools.parser_training.segment_agreement import LONGEST, SHORTEST, segments
from tools.parser_training.treebanks import Sentence, to_tree

# How much the losses weigh beside that of spans.
TAG, LABEL = 0.3, 0.3
# Spans of the lengths of segments weigh more.
SEGMENT_LENGTHS = 2.0


# What the parser tells apart; all other labels are the first.
LABELS = ("X", "S", "SBAR", "NP", "VP", "PP", "ADJP", "ADVP", "QP", "PRN")


_LABEL_OF = {"SQ": "S", "SINV": "S", "SBARQ": "SBAR", "NX": "NP", "NAC": "NP", "WHNP": "NP"} | {
    "WHPP": "PP",
    "WHADJP": "ADJP",
    "WHADVP": "ADVP",
}


Integers = NDArray[np.int64]


# Longer sentences are few, and dear: attention and spans cost their square.
LONGEST_SENTENCE = 100


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as numbers; `spans` has rows (start, end, label, is it a segment)."""

    pieces: list[tuple[int, ...]]
    shapes: list[int]
    tags: Integers
    spans: Integers


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to learn."""

    passes: int
    rate: float
    head_rate: float
    places: int = 1200
    warm: float = 0.1
    decay: float = 0.01
    average: float = 0.98
    seed: int = 1


def loss_of(network: Network, examples: Sequence[Example]) -> Tensor:
    """The loss of a batch, by word."""
    batch = together(examples)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        words, spans = network(batch)
        loss = span_loss(spans.float(), examples)
        loss = loss + LABEL * label_loss(network, words, examples)
        loss = loss + TAG * functional.cross_entropy(
            network.tags(words[:, 1:-1]).float().flatten(0, 1),
            padded([each.tags for each in examples]).flatten(),
            reduction="sum",
        )
    return loss / sum(batch.lengths)


def padded(rows: Iterable[Integers]) -> Tensor:
    """Put rows side by side; the loss leaves out what fills them up."""
    tensors = [torch.from_numpy(row) for row in rows]
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=-100)


def span_loss(scores: Tensor, examples: Sequence[Example]) -> Tensor:
    """Cross entropy of every span being a phrase, and of those of 3 to 6 tokens a segment."""
    target = torch.zeros_like(scores)
    for row, each in enumerate(examples):
        start, end, _, segment = torch.from_numpy(each.spans).unbind(1)
        target[row, 0, start, end] = 1.0
        target[row, 1, start, end] = segment.float()
    place = torch.arange(scores.shape[-1])
    length = place[None, :] - place[:, None]
    ends = torch.tensor([len(each.shapes) - 2 for each in examples])[:, None, None]
    # A whole sentence is a phrase, and of 3 to 6 tokens a segment, anyway.
    counts = (length >= 2) & (place[None, None, :] <= ends) & (length != ends)
    short = (length >= SHORTEST) & (length <= LONGEST)
    weight = torch.stack([counts * (1 + (SEGMENT_LENGTHS - 1) * short), counts & short], dim=1)
    losses = functional.binary_cross_entropy_with_logits(scores, target, reduction="none")
    return (losses * weight).sum()


def label_loss(network: Network, words: Tensor, examples: Sequence[Example]) -> Tensor:
    rows = [
        np.column_stack([np.full(len(each.spans), row), each.spans[:, :3]])
        for row, each in enumerate(examples)
    ]
    at = torch.from_numpy(np.concatenate(rows))
    scores = network.label(words, at[:, :3]).float()
    return functional.cross_entropy(scores, at[:, 3], reduction="sum")


def fit(
    network: Network,
    examples: Sequence[Example],
    plan: Plan,
    check: Callable[[Network], str],
) -> Network:
    """Train in place, and return a moving average of the weights, which is better."""
    random = Random(plan.seed)  # noqa: S311 (no secret)
    examples = [each for each in examples if 3 < len(each.shapes) <= LONGEST_SENTENCE]
    fresh = [p for n, p in network.named_parameters() if p.requires_grad and is_fresh(n)]
    known = [p for n, p in network.named_parameters() if p.requires_grad and not is_fresh(n)]
    optimizer = torch.optim.AdamW(
        [{"params": known, "lr": plan.rate}, {"params": fresh, "lr": plan.head_rate}],
        weight_decay=plan.decay,
        fused=True,
        betas=(0.9, 0.98),
    )
    steps = plan.passes * sum(1 for _ in in_batches(examples, plan.places))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (plan.warm * steps), max(0.0, 1 - step / steps))
    )
    average = deepcopy(network)
    began = time.monotonic()
    for number in range(1, plan.passes + 1):
        network.train()
        batches = list(in_batches(examples, plan.places, random))
        total = 0.0
        for batch in batches:
            loss = loss_of(network, batch)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            move_towards(average, network, 1 - plan.average)
            total += loss.item()
        print(
            f"pass {number}: loss {total / len(batches):.3f}, {check(average)} "
            f"({time.monotonic() - began:.0f} s)",
            flush=True,
        )
    return average


@torch.no_grad()
def move_towards(average: Network, network: Network, share: float) -> None:
    """Let the moving average follow the weights that are learned."""
    for kept, now in zip(average.parameters(), network.parameters(), strict=True):
        if now.requires_grad:
            kept.lerp_(now, share)


def is_fresh(name: str) -> bool:
    return not name.startswith(("pieces", "positions", "norm", "layers", "widen"))


def example(sentence: Sentence, pieces: Pieces, tags: dict[str, int]) -> Example:
    taken = segments(to_tree(sentence))
    rows = [
        (start, end, label_number(label), tuple(range(start, end)) in taken)
        for start, end, label in sentence.spans
    ]
    return Example(
        pieces=[(pieces.begin,), *map(pieces, sentence.tokens), (pieces.end,)],
        shapes=[Shape.EDGE, *map(shape, sentence.tokens), Shape.EDGE],
        tags=np.array([tags.get(tag, 0) for tag in sentence.tags], dtype=np.int64),
        spans=np.array(rows, dtype=np.int64).reshape(-1, 4),
    )


def label_number(label: str) -> int:
    label = _LABEL_OF.get(label, label)
    return LABELS.index(label) if label in LABELS else 0


def in_batches(
    examples: Sequence[Example], places: int, random: Random | None = None
) -> Iterator[list[Example]]:
    """Yield all examples in batches of like length, of about so many words with padding.

    With `random`, which sentences stand together and the order of batches is by chance.
    """

    def size(number: int) -> float:
        length = len(examples[number].pieces)
        return length * random.uniform(0.9, 1.1) if random else length

    batches: list[list[Example]] = [[]]
    for number in sorted(range(len(examples)), key=size):
        longest = len(examples[number].pieces)
        if len(batches[-1]) * longest >= places:
            batches.append([])
        batches[-1].append(examples[number])
    if random:
        random.shuffle(batches)
    yield from filter(None, batches)


def together(examples: Sequence[Example]) -> Batch:
    """Put examples side by side for the network."""
    lengths = [len(each.shapes) - 2 for each in examples]
    longest = max(lengths) + 2
    most = max(len(word) for each in examples for word in each.pieces)
    pieces = np.zeros((len(examples), longest, most), dtype=np.int64)
    shapes = np.zeros((len(examples), longest), dtype=np.int64)
    for row, each in enumerate(examples):
        shapes[row, : len(each.shapes)] = each.shapes
        for column, word in enumerate(each.pieces):
            pieces[row, column, : len(word)] = word
    mask = np.arange(longest) < np.array(lengths)[:, None] + 2
    return Batch(
        torch.from_numpy(pieces), torch.from_numpy(shapes), torch.from_numpy(mask), lengths
    )
