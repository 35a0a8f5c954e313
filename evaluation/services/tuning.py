"""Tuning with the judgements of a project: on N-best lists, or on the outputs of its systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_lines
from annotation.models import Project
from annotation.preparation.tokens import tokenizer
from evaluation.formats.nbest import read_nbest_lists
from evaluation.formats.system_names import listed
from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.reuse.tuning.experiment import (
    Progress,
    TuningOptions,
    TuningReport,
    tune,
)
from evaluation.reuse.tuning.features import outputs_as_hypotheses
from evaluation.reuse.tuning.hypotheses import NO_SYSTEM, Hypotheses, padded
from evaluation.services.kinds import answer_of
from evaluation.services.loading import load
from evaluation.services.project_texts import load_texts

# A share of an interval of fewer sentences says little, and weights are fitted to chance.
FEWEST_SENTENCES: Final = 10

# The first and the last number of some sentences.
Numbers = tuple[int, int]


@dataclass(frozen=True)
class TuningInput:
    """What to choose from: `nbest` files, or the outputs of the project's systems without any.

    `output_files` by name of a system, a line for each sentence, are used instead of the stored
    outputs; their lines are tokens if `tokenized`. Without `training` or `test`, all other
    sentences are meant, and without both, halves. `indicators` makes each system a feature.
    """

    nbest: Sequence[Path] = ()
    output_files: Mapping[str, Path] = field(default_factory=dict)
    tokenized: bool = False
    training: Numbers | None = None
    test: Numbers | None = None
    indicators: bool = False


@dataclass(frozen=True, eq=False)
class ProjectTuning:
    """The report of a project, its hypotheses, and the numbers of their sentences."""

    project: Project
    report: TuningReport
    hypotheses: Hypotheses
    numbers: NDArray[np.int64]
    system_names: tuple[str, ...]


def tune_project(
    project: Project, given: TuningInput, options: TuningOptions, progress: Progress
) -> ProjectTuning:
    """Tune on the project's judgements and texts. Raises InputError."""
    if given.nbest and (given.output_files or given.indicators):
        raise InputError("Give either N-best lists or outputs of systems, not both.")
    with snapshot():
        judgements = load(project)
        texts = load_texts(project)
    if not len(judgements):
        raise InputError(f"The project {project.name!r} has no judgements to tune to.")
    if given.output_files:
        texts = _with_outputs(texts, given, project.target_language)
    sentences, training = _divided(texts.sentence_numbers, given.training, given.test)
    if given.nbest:
        hypotheses = _read_hypotheses(given.nbest, texts, sentences)
    else:
        _check_outputs(project, texts, sentences)
        hypotheses = outputs_as_hypotheses(texts, sentences, training, indicators=given.indicators)
    scale = answer_of(project).scale
    report = tune(
        hypotheses,
        texts,
        judgements,
        training,
        options,
        progress,
        steps=len(scale.steps),
        undecided=scale.undecided,
    )
    numbers = texts.sentence_numbers[sentences]
    return ProjectTuning(project, report, hypotheses, numbers, texts.system_names)


def chosen_texts(tuning: ProjectTuning) -> dict[str, list[str]]:
    """Return the chosen tokens by objective, and those of the consensus, as lines.

    Line n is sentence n, empty if the sentence was not among those for training and test.
    """
    report = tuning.report
    chosen = {one.objective: one.chosen for one in report.tuned} | {"consensus": report.consensus}
    lines = {}
    for name, places in chosen.items():
        lines[name] = [""] * int(tuning.numbers.max())
        for number, texts, place in zip(
            tuning.numbers.tolist(), tuning.hypotheses.texts, places.tolist(), strict=True
        ):
            lines[name][number - 1] = " ".join(texts[place])
    return lines


def _with_outputs(texts: ProjectTexts, given: TuningInput, language: str) -> ProjectTexts:
    """Return the texts with the outputs in the files."""
    unknown = given.output_files.keys() - set(texts.system_names)
    if unknown:
        raise InputError(
            f"The project has no system {listed(unknown)}, so that there are no judgements of it; "
            f"it has {listed(texts.system_names)}."
        )
    tokenize = tokenizer(language, given=given.tokenized)
    outputs = list(texts.outputs)
    last = int(texts.sentence_numbers.max())
    for name, path in given.output_files.items():
        lines = list(read_lines(path))
        if len(lines) < last:
            raise InputError(
                f"{path} ends with line {len(lines)}, but the project's last sentence is {last}: "
                "line n must be the output of sentence n."
            )
        outputs[texts.system_names.index(name)] = tuple(
            tuple(tokenize(lines[number - 1]).words) for number in texts.sentence_numbers.tolist()
        )
    return replace(texts, outputs=tuple(outputs))


def _divided(
    numbers: NDArray[np.int64], training: Numbers | None, test: Numbers | None
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return the codes of all sentences that are needed, and which of them are for training."""
    if training or not test:
        middle = int(numbers[(len(numbers) - 1) // 2])
        in_training = _within(numbers, training or (1, middle))
        in_test = _within(numbers, test) if test else ~in_training
    else:
        in_test = _within(numbers, test)
        in_training = ~in_test
    if np.any(in_training & in_test):
        both = int(numbers[in_training & in_test][0])
        raise InputError(
            f"Sentence {both} is for training and for the test: give ranges that do not overlap."
        )
    for name, chosen in (("training", in_training), ("the test", in_test)):
        if np.count_nonzero(chosen) < FEWEST_SENTENCES:
            raise InputError(
                f"The project has {np.count_nonzero(chosen)} sentences for {name}; at least "
                f"{FEWEST_SENTENCES} are needed. Its sentences are {numbers[0]} to {numbers[-1]}."
            )
    needed = np.flatnonzero(in_training | in_test).astype(np.int32)
    return needed, in_training[needed]


def _within(numbers: NDArray[np.int64], ends: Numbers) -> NDArray[np.bool_]:
    return (ends[0] <= numbers) & (numbers <= ends[1])


def _check_outputs(project: Project, texts: ProjectTexts, sentences: NDArray[np.int32]) -> None:
    known = [
        [bool(of_system[sentence]) for of_system in texts.outputs]
        for sentence in sentences.tolist()
    ]
    if np.count_nonzero(np.any(known, axis=0)) < 2:
        raise InputError(
            f"The project {project.name!r} has no outputs of two systems to choose from: give "
            "them with --output-of NAME=FILE for each system, or N-best lists with --nbest FILE."
        )
    if not all(map(any, known)):
        first = sentences[[any(each) for each in known].index(False)]
        raise InputError(
            f"Sentence {texts.sentence_numbers[first]} has no output of any system: leave it out "
            "of --train and --test."
        )


def _read_hypotheses(
    paths: Sequence[Path], texts: ProjectTexts, sentences: NDArray[np.int32]
) -> Hypotheses:
    """Return the hypotheses of N-best lists, whose sentence 0 has the number 1."""
    lists = read_nbest_lists(paths)
    found = []
    for number in texts.sentence_numbers[sentences].tolist():
        if number - 1 not in lists.hypotheses:
            raise InputError(
                f"{listed(list(map(str, paths)))}: there is no hypothesis of sentence {number}, "
                f"which has the id {number - 1}: give lists of all sentences for training and test."
            )
        found.append(lists.hypotheses[number - 1])
    width = max(map(len, found))
    outputs: list[tuple[Tokens, ...]] = [tuple(one.tokens for one in each) for each in found]
    return Hypotheses(
        sentences=sentences,
        texts=tuple(outputs),
        systems=np.full((len(found), width), NO_SYSTEM, dtype=np.int32),
        features=padded([np.array([one.features for one in each]) for each in found], width),
        feature_names=lists.feature_names,
    )
