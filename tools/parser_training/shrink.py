"""Beginning a small network with what fits into it of a large one."""

import torch
from torch import Tensor

from tools.parser_training.network import Batch, Layer, Network

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
