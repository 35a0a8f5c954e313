"""The weights of the parser, `english.npz`, and their description, `english.json`."""

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
    """Thresholds for the probabilities of phrases and segments, and the weight of segments."""

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
    """Return the model of this package; a process loads it once, when it first needs it."""
    # So that threads that start together do not all load it.
    with _one_at_a_time:
        return _shipped_model()


@lru_cache(maxsize=1)
def _shipped_model() -> Model:
    return read_model(WEIGHTS)


def read_model(path: Path) -> Model:
    """Load the weights at `path` (.npz) and their description (.json)."""
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
    """Return the description of the weights: version, sources, licences and scores."""
    found: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return found
