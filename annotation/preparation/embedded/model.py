"""The file of weights that is shipped: `english.npz`, with what it is in `english.json`."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from annotation.preparation.embedded.network import Network
from annotation.preparation.embedded.wordpieces import Pieces

WEIGHTS = Path(__file__).with_name("english.npz")
_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class Decoding:
    """How likely a phrase or a segment must be to be taken, and what a segment weighs."""

    phrase: float
    segment: float
    weight: float


@dataclass(frozen=True, slots=True)
class Model:
    version: str
    network: Network
    pieces: Pieces
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    decoding: Decoding


def shipped_model() -> Model:
    """Return the model of this package, which a process reads once, when it first needs it."""
    # Threads that begin together wait, instead of each reading it.
    with _one_at_a_time:
        return _shipped_model()


@lru_cache(maxsize=1)
def _shipped_model() -> Model:
    return read_model(WEIGHTS)


def read_model(path: Path) -> Model:
    """Read the weights at `path` (.npz) and their description beside them (.json)."""
    about = description(path)
    with np.load(path, allow_pickle=False) as archive:
        weights = {name: archive[name] for name in archive.files}
    vocabulary = weights.pop("vocabulary").tobytes().decode("utf-8").split("\n")
    return Model(
        version=about["version"],
        network=Network(weights, about["layers"], about["heads"]),
        pieces=Pieces(vocabulary),
        tags=tuple(about["tags"]),
        labels=tuple(about["labels"]),
        decoding=Decoding(**about["decoding"]),
    )


def description(path: Path = WEIGHTS) -> dict[str, Any]:
    """Return what is known of a file of weights: its version, sources, licences and scores."""
    found: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return found
