"""Tiny models of stanza, trained for a few steps on our own sentences (CC0).

They parse badly, but have all parts of a real model: a folder with resources.json, vectors, a
tagger, and a constituency and a dependency parser, written by stanza's trainers.
"""

import json
from collections.abc import Sequence
from pathlib import Path

# Word, part of speech (UD and Penn), head, relation.
SENTENCES = (
    "the/DET/DT/2/det dog/NOUN/NN/3/nsubj barks/VERB/VBZ/0/root ././PUNCT/./3/punct",
    "a/DET/DT/2/det cat/NOUN/NN/3/nsubj sees/VERB/VBZ/0/root the/DET/DT/5/det dog/NOUN/NN/3/obj "
    "././PUNCT/./3/punct",
    "she/PRON/PRP/3/nsubj has/AUX/VBZ/3/aux seen/VERB/VBN/0/root it/PRON/PRP/3/obj "
    "././PUNCT/./3/punct",
    "the/DET/DT/3/det old/ADJ/JJ/3/amod house/NOUN/NN/4/nsubj stands/VERB/VBZ/0/root "
    "near/ADP/IN/7/case the/DET/DT/7/det river/NOUN/NN/4/obl ././PUNCT/./4/punct",
)
TREES = (
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))",
    "(ROOT (S (NP (DT a) (NN cat)) (VP (VBZ sees) (NP (DT the) (NN dog))) (. .)))",
    "(ROOT (S (NP (PRP she)) (VP (VBZ has) (VP (VBN seen) (NP (PRP it)))) (. .)))",
    "(ROOT (S (NP (DT the) (JJ old) (NN house)) (VP (VBZ stands) (PP (IN near) (NP (DT the) "
    "(NN river)))) (. .)))",
)
_PACKAGE = "tiny"
_STEPS = "4"


def make_models(folder: Path, work: Path, processors: Sequence[str], language: str = "en") -> Path:
    """Train and save models for the processors ("constituency", "depparse"); return the folder.

    `work` is a folder for temporary files.
    """
    import torch

    # With models this small, threads are slower than none.
    torch.set_num_threads(1)
    home = folder / language
    for each in ("pretrain", "pos", *processors):
        (home / each).mkdir(parents=True)
    treebank = work / "treebank.conllu"
    treebank.write_text("".join(map(_conllu, SENTENCES)))
    vectors = home / "pretrain" / f"{_PACKAGE}.pt"
    _save_vectors(vectors)
    common = [
        *("--wordvec_pretrain_file", str(vectors), "--train_file", str(treebank)),
        *("--eval_file", str(treebank), "--output_file", str(work / "predicted.conllu")),
        *("--max_steps", _STEPS, "--eval_interval", _STEPS, "--log_step", _STEPS),
        *("--shorthand", f"{language}_{_PACKAGE}", "--lang", language),
        *("--save_name", f"{_PACKAGE}.pt", "--augment_nopunct", "0.0", "--hidden_dim", "16"),
        *("--char_hidden_dim", "8", "--transformed_dim", "8", "--num_layers", "1", "--cpu"),
    ]
    _train_tagger([*common, "--save_dir", str(home / "pos")])
    if "depparse" in processors:
        _train_dependencies([*common, "--save_dir", str(home / "depparse")])
    if "constituency" in processors:
        _train_constituents(home / "constituency", vectors, work, language)
    for checkpoint in home.glob("*/*_checkpoint.pt"):
        checkpoint.unlink()
    (folder / "resources.json").write_text(json.dumps({language: _resources(processors)}))
    return folder


def _conllu(sentence: str) -> str:
    lines = []
    for number, word in enumerate(sentence.split(), start=1):
        form, upos, xpos, head, relation = word.rsplit("/", 4)
        form = form.removesuffix("/.") or "."
        columns = (str(number), form, form, upos, xpos, "_", head, relation, "_", "_")
        lines.append("\t".join(columns) + "\n")
    return "".join(lines) + "\n"


def _save_vectors(path: Path) -> None:
    from stanza.models.common.pretrain import Pretrain

    words = sorted({word.split("/")[0] for sentence in SENTENCES for word in sentence.split()})
    text = path.with_suffix(".csv")
    rows = [
        f"{word},{','.join(str((n + 1) % (d + 2) / 10) for d in range(8))}"
        for n, word in enumerate(words)
    ]
    text.write_text("\n".join(rows) + "\n")
    Pretrain(str(path), csv_filename=str(text)).load()
    text.unlink()


def _train_tagger(arguments: Sequence[str]) -> None:
    from stanza.models import tagger

    tagger.main([*arguments, "--tag_emb_dim", "8"])


def _train_dependencies(arguments: Sequence[str]) -> None:
    from stanza.models import parser

    parser.main([*arguments, "--deep_biaff_hidden_dim", "16"])


def _train_constituents(folder: Path, vectors: Path, work: Path, language: str) -> None:
    """Train as stanza does, but without scores of a development set, which need Java."""
    import torch
    from stanza.models import constituency_parser
    from stanza.models.common.foundation_cache import FoundationCache
    from stanza.models.constituency import parser_training, tree_reader

    trees = tree_reader.read_trees("\n".join(TREES))
    arguments = constituency_parser.parse_args(
        [
            *("--pattn_num_layers", "0", "--lattn_d_proj", "0", "--hidden_size", "16"),
            *("--delta_embedding_dim", "8", "--wordvec_pretrain_file", str(vectors)),
            *("--save_dir", str(work), "--train_batch_size", "2", "--no_retag", "--cpu"),
            *("--shorthand", f"{language}_{_PACKAGE}", "--lang", language),
        ]
    )
    trainer, sequences, _silver, _transitions = parser_training.build_trainer(
        arguments, trees, trees, [], FoundationCache(), None
    )
    numbers = {each: torch.tensor([n]) for n, each in enumerate(trainer.transitions)}
    data = parser_training.compose_train_data(trees, sequences)
    loss = torch.nn.CrossEntropyLoss(reduction="sum")
    for epoch in range(int(_STEPS)):
        parser_training.train_model_one_epoch(
            epoch + 1, trainer, numbers, lambda outputs: outputs, loss, data, None, arguments
        )
    trainer.save(str(folder / f"{_PACKAGE}.pt"), save_optimizer=False)


def _resources(processors: Sequence[str]) -> dict[str, object]:
    with_vectors = {_PACKAGE: {"dependencies": [{"model": "pretrain", "package": _PACKAGE}]}}
    package = {"tokenize": _PACKAGE, "pos": _PACKAGE, "lemma": "identity"}
    package |= dict.fromkeys(processors, _PACKAGE)
    return {
        "packages": {"default": package},
        "pretrain": {_PACKAGE: {}},
        "tokenize": {_PACKAGE: {}},
        **dict.fromkeys(("pos", *processors), with_vectors),
    }
