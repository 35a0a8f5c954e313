"""A small Transformer over words that scores spans, with numpy only.

The layers are BERT's (Devlin et al. 2019); spans are scored by their two ends, as in Stern,
Andreas and Klein 2017 and Zhang, Zhou and Li 2020. `tools.parser_training.network` is the same in
PyTorch.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.preparation.embedded.wordpieces import MOST_PIECES, Pieces, Shape, shape

Floats = NDArray[np.float32]
_TINY = 1e-5
_GELU = math.sqrt(2 / math.pi)


@dataclass(frozen=True, slots=True)
class Linear:
    weight: Floats  # [in, out]
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        y = x @ self.weight
        y += self.bias
        return np.asarray(y, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Normalise in place."""
        x -= x.mean(axis=-1, keepdims=True)
        # The mean of squares without a temporary array.
        square = np.einsum("...i,...i->...", x, x) / x.shape[-1]
        x *= (1 / np.sqrt(square + _TINY))[..., None]
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class Layer:
    heads: int
    attend: Linear
    attended: Linear
    norm_1: Norm
    wide: Linear
    narrow: Linear
    norm_2: Norm

    def __call__(self, x: Floats, sentences: int) -> Floats:
        """Transform the words [sentences * m, width] of sentences of one length."""
        y = self.attended(self._mixed(self.attend(x), sentences))
        y += x
        y = self.norm_1(y)
        z = self.narrow(_gelu(self.wide(y)))
        z += y
        return self.norm_2(z)

    def _mixed(self, attend: Floats, sentences: int) -> Floats:
        width = attend.shape[1] // 3
        parts = attend.reshape(sentences, -1, 3, self.heads, width // self.heads)
        # [sentences, heads, m, width of a head] each
        query, key, value = (parts[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
        scores = query @ key.transpose(0, 1, 3, 2)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Floats = np.matmul(scores, value).transpose(0, 2, 1, 3).reshape(len(attend), width)
        return mixed


def _gelu(x: Floats) -> Floats:
    y = x * x
    y *= 0.044715
    y += 1
    y *= x
    y *= _GELU
    np.tanh(y, out=y)
    y += 1
    y *= x
    y *= 0.5
    return y


def _sigmoid(x: Floats) -> Floats:
    """Compute 1 / (1 + exp(-x)) in place, by tanh, which never overflows."""
    x *= 0.5
    np.tanh(x, out=x)
    x *= 0.5
    x += 0.5
    return x


class Network:
    """The network of a file of weights. It is immutable, so threads may share it."""

    def __init__(self, weights: Mapping[str, Any], layers: int, heads: int) -> None:
        def linear(name: str, turned: float = 1) -> Linear:
            matrix = _floats(weights, f"{name}.weight")
            return Linear(np.ascontiguousarray(matrix.T), _floats(weights, f"{name}.bias"))

        def norm(name: str) -> Norm:
            return Norm(_floats(weights, f"{name}.weight"), _floats(weights, f"{name}.bias"))

        self._pieces = weights["pieces.weight"]
        self._piece_scale = weights["pieces.weight.scale"].astype(np.float32)
        self._widen = np.ascontiguousarray(_floats(weights, "widen.weight").T)
        self._positions = _floats(weights, "positions.weight")
        self._shapes = _floats(weights, "shapes.weight")
        self._norm = norm("norm")
        self._layers = [
            Layer(
                heads,
                _scaled_query(linear(f"layers.{i}.attend"), heads),
                linear(f"layers.{i}.attended"),
                norm(f"layers.{i}.norm_1"),
                linear(f"layers.{i}.wide"),
                linear(f"layers.{i}.narrow"),
                norm(f"layers.{i}.norm_2"),
            )
            for i in range(layers)
        ]
        self._ends = linear("ends")
        self._spans = _floats(weights, "spans")
        self._labels = linear("labels")
        self._tags = linear("tags")
        # The greatest length of a sentence.
        self.longest = len(self._positions) - 2

    def __call__(self, sentences: Sequence[Sequence[str]], pieces: Pieces) -> "Scores":
        """Score all spans of sentences of one length, from 1 to `longest` tokens."""
        x = self._words(sentences, pieces)
        for layer in self._layers:
            x = layer(x, len(sentences))
        x = x.reshape(len(sentences), -1, x.shape[1])
        ends = self._ends(np.concatenate([x[:, :-1], x[:, 1:]], axis=2))
        size = self._spans.shape[1] - 1
        left, right = np.maximum(ends[..., :size], 0), np.maximum(ends[..., size : 2 * size], 0)
        return Scores(
            phrase=_sigmoid(_between(left, self._spans[0], right)),
            segment=_sigmoid(_between(left, self._spans[1], right)),
            tags=self._tags(x[:, 1:-1]).argmax(axis=2),
            _ends=ends[..., 2 * size :],
            _labels=self._labels,
        )

    def _words(self, sentences: Sequence[Sequence[str]], pieces: Pieces) -> Floats:
        """Return the input of the first layer: words, with an edge on both sides of a sentence."""
        edges = {"\0": (pieces.begin,), "\1": (pieces.end,)}
        known: dict[str, int] = {}
        places = [
            known.setdefault(word, len(known))
            for sentence in sentences
            for word in ("\0", *sentence, "\1")
        ]
        numbers = np.full((len(known), MOST_PIECES), pieces.padding)
        counts = np.empty((len(known), 1), dtype=np.float32)
        for row, word in enumerate(known):
            found = edges.get(word) or pieces(word)
            numbers[row, : len(found)] = found
            counts[row] = len(found)
        there = (numbers != pieces.padding) * self._piece_scale[numbers] / counts
        rows = np.einsum("wpf,wp->wf", self._pieces[numbers], there, dtype=np.float32)
        shapes = [Shape.EDGE if word in edges else shape(word) for word in known]
        vectors = rows @ self._widen + self._shapes[shapes]
        x = vectors[places].reshape(len(sentences), -1, vectors.shape[1])
        x += self._positions[: x.shape[1]]
        return self._norm(x.reshape(len(places), -1))


def _between(left: Floats, spans: Floats, right: Floats) -> Floats:
    """Return biaffine scores [b, n + 1, n + 1]; the last row and column of `spans` are biases."""
    turned = left @ spans[:-1, :-1]
    turned += spans[-1, :-1]
    scores: Floats = np.matmul(turned, right.transpose(0, 2, 1))
    scores += (left @ spans[:-1, -1] + spans[-1, -1])[..., None]
    return scores


def _scaled_query(attend: Linear, heads: int) -> Linear:
    """Return weights with the scaling of attention included."""
    width = attend.weight.shape[0]
    factor = np.ones(3 * width, dtype=np.float32)
    factor[:width] = (width // heads) ** -0.5
    return Linear(attend.weight * factor, attend.bias * factor)


def _floats(weights: Mapping[str, Any], name: str) -> Floats:
    """Return weights as floats; those stored as integers have a scale for every row."""
    stored: Floats = weights[name].astype(np.float32)
    scale = weights.get(f"{name}.scale")
    if scale is not None:
        stored *= scale.astype(np.float32)[:, None]
    return stored


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of sentences of one length.

    `phrase` and `segment` [b, n + 1, n + 1]: the probability that a span is a phrase, and that it
    is a segment of 3 to 6 tokens; `tags` [b, n]: numbers of parts of speech.
    """

    phrase: Floats
    segment: Floats
    tags: NDArray[np.intp]
    _ends: Floats
    _labels: Linear

    def labels(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the numbers of the labels of spans, which are rows (sentence, start, end)."""
        size = self._ends.shape[2] // 2
        sentences, starts, ends = rows.T
        joined = self._ends[sentences, starts, :size] + self._ends[sentences, ends, size:]
        best: NDArray[np.intp] = self._labels(np.maximum(joined, 0)).argmax(axis=1)
        return best
