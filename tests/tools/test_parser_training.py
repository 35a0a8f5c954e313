"""The PyTorch network, its training, and its export to the network of numpy."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from annotation.preparation.embedded.model import Decoding, read_model
from annotation.preparation.embedded.parser import parse_all
from annotation.preparation.embedded.wordpieces import Pieces
from tools.parser_training.decoding import decoded, span_scores
from tools.parser_training.export import stored, write
from tools.parser_training.network import Network, Size, begin_with_parts
from tools.parser_training.training import (
    LABELS,
    Example,
    Plan,
    example,
    fit,
    in_batches,
    loss_of,
    together,
)
from tools.parser_training.treebanks import Sentence, read_tree

pytestmark = pytest.mark.slow

WORDS = "the old dog bark ##s at cat ."
# Enough pieces for their table to be quantised.
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS.split(), *map(str, range(40))]
PIECES = Pieces(VOCABULARY)
SENTENCE = read_tree(
    "(ROOT (S (NP (DT The) (JJ old) (NN dog)) (VP (VBZ barks) (PP (IN at) (NP (NN cats)))) (. .)))"
)
TAGS = sorted(set(SENTENCE.tags))
SIZE = Size(
    layers=2, width=64, heads=2, inner=64, factor=32, pieces=len(VOCABULARY), positions=16,
    ends=32, label_ends=32,
)  # fmt: skip
ABOUT = {
    "version": "0", "layers": 2, "heads": 2, "labels": LABELS, "tags": TAGS,
    "decoding": {"phrase": 0.5, "segment": 0.5, "weight": 0.5},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """With networks this small, threads are slower than none."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def network(size: Size = SIZE) -> Network:
    torch.manual_seed(0)
    return Network(size, len(TAGS), len(LABELS)).eval()


def as_numbers(sentence: Sentence = SENTENCE) -> Example:
    return example(sentence, PIECES, {tag: number for number, tag in enumerate(TAGS)})


def rounded(made: Network) -> Network:
    """Return the network with the quantised weights of its file."""
    kept = stored(made)
    for name, weight in made.state_dict().items():
        scale = kept.get(f"{name}.scale", np.ones(1, dtype=np.float16)).astype(np.float32)
        matrix = kept[name].astype(np.float32)
        weight.copy_(torch.from_numpy(matrix * scale[:, None] if scale.size > 1 else matrix))
    return made


def test_numpy_and_pytorch_compute_the_same(tmp_path: Path) -> None:
    made = network()
    write(tmp_path / "weights.npz", made, VOCABULARY, ABOUT)
    model = read_model(tmp_path / "weights.npz")
    rounded(made)
    with torch.no_grad():
        words, spans = made(together([as_numbers()]))
        tags = made.tags(words[:, 1:-1]).argmax(-1)
        at = torch.tensor([[0, 0, 3], [0, 3, 6]])
        labels = made.label(words, at).argmax(-1)
    scores = model.network([SENTENCE.tokens], model.pieces)
    assert scores.phrase[0] == pytest.approx(spans[0, 0].sigmoid().numpy(), abs=1e-4)
    assert scores.segment[0] == pytest.approx(spans[0, 1].sigmoid().numpy(), abs=1e-4)
    assert scores.tags.tolist() == tags.tolist()
    assert scores.labels(at.numpy()).tolist() == labels.tolist()


def test_it_learns_a_sentence_by_heart(tmp_path: Path) -> None:
    learned = fit(
        network(), [as_numbers()] * 8, Plan(30, 3e-3, 3e-3, average=0.5), lambda now: "looked at"
    )
    decoding = Decoding(0.5, 0.5, 0.5)
    (found,) = decoded(span_scores(learned, [as_numbers()]), decoding)
    assert found == {(0, 1, 2), (3, 4, 5)}
    write(tmp_path / "weights.npz", learned, VOCABULARY, ABOUT)
    model = read_model(tmp_path / "weights.npz")
    (tree,) = parse_all([SENTENCE.tokens], model)
    assert [(node.label, len(node.children)) for node in tree.children[0].children] == [
        ("NP", 3), ("VP", 2), (".", 1),
    ]  # fmt: skip


def test_padding_changes_no_loss() -> None:
    made = network()
    made.requires_grad_(False)
    short = Sentence(["Old", "dog", "barks"], ["JJ", "NN", "VBZ"], [(0, 3, "S"), (0, 2, "NP")])
    one, other = as_numbers(), as_numbers(short)
    alone = [float(loss_of(made, [each])) * len(each.tags) for each in (one, other)]
    together = float(loss_of(made, [one, other])) * (len(one.tags) + len(other.tags))
    assert together == pytest.approx(sum(alone), rel=0.02)


def test_every_example_is_in_one_batch() -> None:
    examples = [as_numbers() for _ in range(10)]
    batches = list(in_batches(examples, 30))
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert sorted(id(each) for batch in batches for each in batch) == sorted(map(id, examples))


def test_a_small_network_starts_close_to_the_large_one() -> None:
    """A table of low rank loses nothing, and layers of the same width lose little."""
    large = network(replace(SIZE, factor=0))
    with torch.no_grad():
        large.pieces.weight.copy_(torch.randn(len(VOCABULARY), 4) @ torch.randn(4, 64))
        large.pieces.weight[0] = 0
    small = network()
    batch = together([as_numbers()])
    begin_with_parts(small, large, torch.ones(len(VOCABULARY), dtype=torch.long), batch)
    with torch.no_grad():
        theirs, ours = large.encode(batch), small.encode(batch)
        assert (ours - theirs).norm() < 0.05 * theirs.norm()
