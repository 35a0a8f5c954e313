"""Writing the weights that are shipped: whole numbers of eight bits, with scales."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.parser_training.network import Network

_LARGEST = 127
# Smaller matrices (biases of several spans) keep their sixteen bits.
_SMALLEST_ROUNDED = 32


def quantise(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Round each row of a matrix to 255 steps of its own scale."""
    scale = (np.abs(matrix).max(axis=1) / _LARGEST).astype(np.float16)
    # Scales too small for 16 bits: such a row is as good as nothing.
    divisor = np.where(scale > 0, scale, 1).astype(np.float32)[:, None]
    whole = np.clip(np.rint(matrix / divisor), -_LARGEST, _LARGEST)
    return whole.astype(np.int8), scale


def stored(network: Network) -> dict[str, NDArray[Any]]:
    """Return a network's weights as they are stored: matrices rounded, with a scale a row."""
    found: dict[str, NDArray[Any]] = {}
    for name, tensor in network.state_dict().items():
        weight = tensor.detach().float().numpy()
        if weight.ndim == 2 and min(weight.shape) >= _SMALLEST_ROUNDED:
            found[name], found[f"{name}.scale"] = quantise(weight)
        else:
            found[name] = weight.astype(np.float16)
    return found


def write(path: Path, network: Network, vocabulary: list[str], about: dict[str, Any]) -> None:
    """Write the weights to `path` (.npz), and what they are beside them (.json)."""
    content = stored(network)
    content["vocabulary"] = np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8)
    np.savez_compressed(path, allow_pickle=False, **content)
    text = json.dumps(about, indent=2, ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
