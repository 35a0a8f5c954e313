"""The parser as PyTorch trains it: a small Transformer over words, and scores of spans.

`annotation.preparation.embedded.network` computes the same by numpy alone. The layers are those
of BERT (Devlin et al. 2019), so that they can begin as a part of a trained one; spans are scored
by their ends as in Stern, Andreas and Klein 2017 and Zhang, Zhou and Li 2020.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from annotation.preparation.embedded.wordpieces import Shape


@dataclass(frozen=True, slots=True)
class Size:
    """How large a network is; `factor` is the width of the table of pieces where it is factored."""

    layers: int = 4
    width: int = 384
    heads: int = 12
    inner: int = 1536
    factor: int = 0
    pieces: int = 30522
    positions: int = 512
    ends: int = 128
    label_ends: int = 64


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences side by side: pieces [b, n + 2, p], shapes and mask [b, n + 2]."""

    pieces: Tensor
    shapes: Tensor
    mask: Tensor
    lengths: list[int]


class Layer(nn.Module):
    """One layer of BERT: attention and a wider layer, each added and normalised."""

    def __init__(self, size: Size, dropout: float) -> None:
        super().__init__()
        width = size.width
        self.heads = size.heads
        self.scale = (width // size.heads) ** -0.5
        self.attend = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.norm_1 = nn.LayerNorm(width)
        self.wide = nn.Linear(width, size.inner)
        self.narrow = nn.Linear(size.inner, width)
        self.norm_2 = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return self.narrowed(self.mix(x, mask))

    def mix(self, x: Tensor, mask: Tensor) -> Tensor:
        """Attention: mix words [b, m, width] with the others of their sentence."""
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.attend(x).chunk(3, dim=-1)
        )
        scores = (q * self.scale) @ k.transpose(2, 3)
        mixed = scores.masked_fill(~mask, -1e4).softmax(-1, dtype=v.dtype) @ v
        mixed = self.attended(mixed.transpose(1, 2).reshape(batch, length, width))
        y: Tensor = self.norm_1(x + self.dropout(mixed))
        return y

    def widen(self, x: Tensor) -> Tensor:
        return functional.gelu(self.wide(x), approximate="tanh")

    def narrowed(self, x: Tensor) -> Tensor:
        y: Tensor = self.norm_2(x + self.dropout(self.narrow(self.widen(x))))
        return y


class Network(nn.Module):
    """Scores of all spans of a sentence, of tags and of labels.

    A sentence has a place more before and after its n words; the span [i, j) is scored at [i, j]
    of a matrix [n + 1, n + 1].
    """

    def __init__(self, size: Size, tags: int, labels: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.size = size
        width = size.width
        table = size.factor or width
        self.pieces = nn.EmbeddingBag(size.pieces, table, mode="mean", padding_idx=0)
        self.widen = nn.Linear(table, width, bias=False) if size.factor else nn.Identity()
        self.positions = nn.Embedding(size.positions, width)
        self.shapes = nn.Embedding(len(Shape), width)
        nn.init.zeros_(self.shapes.weight)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(size, dropout) for _ in range(size.layers))
        self.dropout = nn.Dropout(dropout)
        self.ends = nn.Linear(2 * width, 2 * size.ends + 2 * size.label_ends)
        # Is it a phrase; is it a segment.
        self.spans = nn.Parameter(torch.randn(2, size.ends + 1, size.ends + 1) * 0.02)
        self.labels = nn.Linear(size.label_ends, labels)
        self.tags = nn.Linear(width, tags)

    def embed(self, batch: Batch) -> Tensor:
        """Return the words before the first layer: [b, n + 2, width]."""
        x = self.pieces(batch.pieces.flatten(0, 1)).unflatten(0, batch.pieces.shape[:2])
        x = self.widen(x)
        x = x + self.positions.weight[: x.shape[1]] + self.shapes(batch.shapes)
        embedded: Tensor = self.dropout(self.norm(x))
        return embedded

    def encode(self, batch: Batch) -> Tensor:
        x = self.embed(batch)
        for layer in self.layers:
            x = layer(x, batch.mask[:, None, None, :])
        return x

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the words' vectors [b, n + 2, width] and the spans' [b, 2, n + 1, n + 1]."""
        x = self.encode(batch)
        left, right, _, _ = self.fences(x)
        one = left.new_ones(*left.shape[:2], 1)
        left, right = torch.cat([left, one], -1), torch.cat([right, one], -1)
        # [b, n + 1, 2, ends] against [b, n + 1, ends]
        turned = torch.einsum("bid,kde->bkie", left, self.spans)
        return x, turned @ right[:, None].transpose(2, 3)

    def fences(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What the places between words are as beginnings and ends: for spans, for labels."""
        size = self.size
        between = self.dropout(torch.cat([x[:, :-1], x[:, 1:]], -1))
        left, right, first, last = self.ends(between).split(
            [size.ends, size.ends, size.label_ends, size.label_ends], dim=-1
        )
        return left.relu(), right.relu(), first, last

    def label(self, x: Tensor, at: Tensor) -> Tensor:
        """Scores of labels for spans; `at` holds rows of (sentence, start, end)."""
        _, _, first, last = self.fences(x)
        joined = first[at[:, 0], at[:, 1]] + last[at[:, 0], at[:, 2]]
        scores: Tensor = self.labels(joined.relu())
        return scores


_LAYER = {
    "attended": "attention.output.dense",
    "norm_1": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm_2": "output.LayerNorm",
}


def read_vocabulary(folder: Path) -> list[str]:
    return (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Read a file of safetensors: the length of a header, the header in JSON, the numbers."""
    content = bytearray((folder / "model.safetensors").read_bytes())
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            numbers = torch.frombuffer(content[start:end], dtype=torch.float32)
            found[name] = numbers.reshape(entry["shape"])
    return found


def begin_with(network: Network, weights: dict[str, Tensor]) -> None:
    """Give a network of the same width the encoder's embeddings and layers."""
    own = {
        "pieces.weight": weights["embeddings.word_embeddings.weight"],
        "positions.weight": weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0],
    }
    for part in ("weight", "bias"):
        own[f"norm.{part}"] = weights[f"embeddings.LayerNorm.{part}"]
        for number in range(network.size.layers):
            theirs = f"encoder.layer.{number}."
            for name, their_name in _LAYER.items():
                own[f"layers.{number}.{name}.{part}"] = weights[f"{theirs}{their_name}.{part}"]
            own[f"layers.{number}.attend.{part}"] = torch.cat(
                [weights[f"{theirs}attention.self.{x}.{part}"] for x in ("query", "key", "value")]
            )
    missing = network.load_state_dict(own, strict=False)
    if missing.unexpected_keys:
        raise ValueError(f"The encoder is another one: {missing.unexpected_keys[:3]}.")


# The share of the weight that pieces have by how often they occur; the rest they have alike.
_BY_COUNT = 0.5
# Keeps the least squares from following chance.
_RIDGE = 0.01


@torch.no_grad()
def begin_with_parts(small: Network, large: Network, counts: Tensor, sample: Batch) -> None:
    """Give `small` a table of fewer dimensions than `large` has, and narrower first layers.

    `counts` [pieces] tells how often each piece occurs: the dimensions that are kept are those
    in which frequent pieces differ. Of the inner units of a layer those are kept that do most
    on the sentences of `sample`; by least squares they do what they can of the others' work.
    """
    large.eval()
    ours, theirs = small.state_dict(), large.state_dict()
    for name in ours:
        if not name.startswith(("layers.", "pieces.", "widen.")):
            ours[name].copy_(theirs[name][: len(ours[name])])
    _fewer_dimensions(small, theirs["pieces.weight"], counts)
    x = large.embed(sample)
    mask = sample.mask[:, None, None, :]
    for mine, its in zip(small.layers, large.layers, strict=True):
        if not isinstance(mine, Layer) or not isinstance(its, Layer):
            raise TypeError
        x = its.mix(x, mask)
        _fewer_units(mine, its, its.widen(x)[sample.mask])
        x = its.narrowed(x)


def _fewer_dimensions(small: Network, table: Tensor, counts: Tensor) -> None:
    """Factor the table by its principal components; the pieces' mean goes to the shapes."""
    share = counts / counts.sum()
    weight = (_BY_COUNT * share + (1 - _BY_COUNT) / len(counts))[:, None]
    mean = (table * weight).sum(0)
    _, _, directions = torch.linalg.svd((table - mean) * weight.sqrt(), full_matrices=False)
    kept = directions[: small.size.factor]
    ours = small.state_dict()
    ours["pieces.weight"].copy_((table - mean) @ kept.T)
    ours["pieces.weight"][0] = 0
    ours["widen.weight"].copy_(kept.T)
    ours["shapes.weight"].add_(mean)


def _fewer_units(mine: Layer, its: Layer, wide: Tensor) -> None:
    """Keep the strongest inner units; `wide` [words, units] is what they all did."""
    mean = wide.mean(0)
    wide = wide - mean
    narrow = its.narrow.weight
    strength = wide.pow(2).mean(0).sqrt() * narrow.norm(dim=0)
    kept = strength.topk(mine.wide.out_features).indices
    some = wide[:, kept]
    square = some.T @ some
    square += _RIDGE * square.diagonal().mean() * torch.eye(len(kept))
    refitted = torch.linalg.solve(square, some.T @ (wide @ narrow.T)).T
    state = {name: weight.clone() for name, weight in its.state_dict().items()}
    state["wide.weight"] = state["wide.weight"][kept]
    state["wide.bias"] = state["wide.bias"][kept]
    state["narrow.weight"] = refitted
    state["narrow.bias"] += narrow @ mean - refitted @ mean[kept]
    mine.load_state_dict(state)
