"""The options of commands that compute or compare automatic metrics."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.formats.errors import InputError
from evaluation.findings.options import DEFAULT_METRICS
from evaluation.metrics.catalogue import NAMES, Resources
from evaluation.metrics.meteor_files import read_function_words, read_paraphrases, read_synonyms
from evaluation.metrics.soft_matching import load_model

# Options that only some metrics use.
METEOR_OPTIONS = ("function_words", "synonyms", "paraphrases")


def add_metric_options(parser: CommandParser) -> None:
    """Add --metric, the files of METEOR, and the folder of a model."""
    add = parser.add_argument
    add(
        "--metric",
        action="append",
        default=[],
        choices=NAMES,
        metavar="METRIC",
        help=f"one of {', '.join(NAMES)}; repeat for several ({', '.join(DEFAULT_METRICS)})",
    )
    files = parser.add_argument_group("what metrics can use").add_argument
    files("--function-words", type=Path, metavar="FILE", help="meteor: function words, one a line")
    files("--synonyms", type=Path, metavar="FILE", help="meteor: a file LANGUAGE.synsets")
    files("--paraphrases", type=Path, metavar="FILE", help="meteor: a file paraphrase-LANGUAGE.gz")
    files(
        "--model",
        type=Path,
        metavar="FOLDER",
        help="soft-precision, soft-recall, soft-f: a folder with model.onnx and tokenizer.json; "
        "needs the packages onnxruntime and tokenizers",
    )


def chosen_metrics(options: dict[str, Any]) -> tuple[str, ...]:
    """Return the metrics, each once. Raises InputError for one that is given twice."""
    chosen: list[str] = options["metric"]
    for name in chosen:
        if chosen.count(name) > 1:
            raise InputError(f"The metric {name!r} is given twice: each may stand once.")
    return tuple(chosen) or DEFAULT_METRICS


def chosen_resources(options: dict[str, Any], metrics: tuple[str, ...]) -> Resources:
    """Read the files of metrics. Raises InputError for one that none of the metrics uses."""
    if "meteor" not in metrics:
        for name in METEOR_OPTIONS:
            if options[name]:
                option = name.replace("_", "-")
                raise InputError(f"--{option} is for METEOR: add --metric meteor.")
    if options["model"] and not any(name.startswith("soft-") for name in metrics):
        raise InputError(
            "--model is for soft matching: add --metric soft-f, soft-precision or soft-recall."
        )
    words, synonyms, paraphrases, model = (options[name] for name in (*METEOR_OPTIONS, "model"))
    return Resources(
        function_words=read_function_words(words) if words else None,
        synonyms=read_synonyms(synonyms) if synonyms else None,
        paraphrases=read_paraphrases(paraphrases) if paraphrases else None,
        model=load_model(model) if model else None,
    )


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Write files of these names and contents into a folder, which is created; return their paths.

    A name may begin with a folder. A file of the same name is replaced. Raises InputError if a
    file cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, contents in files:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            new = path.with_name(f".{path.name}.new")
            new.write_bytes(contents)
            os.replace(new, path)
            written.append(path)
    except OSError as problem:
        raise InputError(
            f"{folder} cannot be written ({problem.strerror or problem}): choose another --output."
        ) from problem
    return written
