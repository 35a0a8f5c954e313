"""Weights tuned to several objectives on some sentences, and judged by people on others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.preparation.embedded.blas import one_thread
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.tuning.choices import (
    CONSENSUS,
    Choice,
    Judge,
    best_system,
    bounds,
    of_system,
    untrained_choices,
)
from evaluation.reuse.tuning.hypotheses import Floats, Hypotheses
from evaluation.reuse.tuning.objectives import (
    BLEU,
    EXACT_MATCH,
    OBJECTIVES,
    PEOPLE,
    RYPT,
    SummedStatistics,
    all_objectives,
    judged_sentences,
    match_candidates,
)
from evaluation.reuse.tuning.powell import Integers, Optimum, choose, maximise
from evaluation.stats.estimates import Signature, number_of_references
from evaluation.stats.judgements import Judgements

OWN_CANDIDATES: Final = "the system's own candidates"
MATCHED_CANDIDATES: Final = "the longest ranked candidates in the hypothesis"
# A feature with less deviation within lists is the same for all hypotheses of a sentence.
CONSTANT: Final = 1e-12

# Called with the number of finished searches and that of all.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class TuningOptions:
    """Which `objectives` (all possible ones if empty), and how they are maximised.

    A search starts at `restarts` random weights and keeps the best result; there is one for each of
    `seeds` seeds, from 0. Each step looks along the axes and `directions` random lines. BLEU and
    SegRanksBLEU are of lower-cased texts unless `cased`.
    """

    objectives: tuple[str, ...] = ()
    restarts: int = 5
    seeds: int = 5
    directions: int = 10
    resamples: int = 1000
    cased: bool = False


@dataclass(frozen=True, eq=False)
class Tuned:
    """The result for one objective.

    `choice` is that of all seeds; the rest is that of the seed with the best value on the training
    sentences, of `values` by seed. `weights` F have length 1 and are for features divided by their
    standard deviation within lists; `raw_weights` F are for the features as they are, and their
    absolute values sum to 1. `chosen` S are the hypotheses of all sentences, also training ones.
    """

    objective: str
    choice: Choice
    values: tuple[float, ...]
    weights: Floats
    raw_weights: Floats
    chosen: Integers
    steps: int


@dataclass(frozen=True, eq=False)
class TuningReport:
    """Tuned choices, those without training, and `bounds`, which know the answer or nothing.

    `consensus` S are the hypotheses that are the most similar to the others. `judged_by` says what
    people's figures count. `missing` are the objectives that are not possible here.
    """

    tuned: tuple[Tuned, ...]
    untrained: tuple[Choice, ...]
    bounds: tuple[Choice, ...]
    missing: tuple[str, ...]
    feature_names: tuple[str, ...]
    consensus: Integers
    training_sentences: int
    test_sentences: int
    judged_by: str
    signature: Signature


def tune(
    hypotheses: Hypotheses,
    texts: ProjectTexts,
    judgements: Judgements,
    training: NDArray[np.bool_],
    options: TuningOptions,
    progress: Progress = lambda done, total: None,
    *,
    steps: int = 0,
    undecided: int | None = None,
) -> TuningReport:
    """Tune a linear model on the sentences for `training`, and judge it on the others.

    `steps` are those of the scale on which candidates were judged, 0 if they were ranked, and
    `undecided` the one that says neither yes nor no.
    BLEU is always among the objectives if it is possible, because the others are compared with it.
    Raises InputError for an objective that is not possible, and if no hypothesis of the training
    sentences contains a candidate that won or lost.
    """
    judged = judged_sentences(texts, judgements, steps=steps, undecided=undecided)
    matches = match_candidates(hypotheses, judged)
    possible = all_objectives(hypotheses, texts, judged, matches, cased=options.cased)
    wanted = _wanted(options.objectives, possible)
    test = ~training
    if not matches.compared[training].any():
        raise InputError(
            "No hypothesis of the training sentences contains a judged candidate that won or lost: "
            "train on sentences with judgements, and give texts with the tokens of the candidates."
        )
    people = possible[PEOPLE if hypotheses.are_outputs else EXACT_MATCH]
    with_bleu = possible.get(BLEU)
    judge = Judge(
        people.of(test),
        with_bleu and with_bleu.of(test),
        matches.of(test),
        resamples=options.resamples,
    )
    centred = hypotheses.features - hypotheses.features.mean(axis=1, keepdims=True)
    scales = centred[training].std(axis=(0, 1))
    features = centred / np.where(scales > CONSTANT, scales, np.inf)
    untrained = untrained_choices(hypotheses)
    judge.set_baseline(CONSENSUS, [untrained[CONSENSUS][test]])
    tuned = []
    for place, name in enumerate(wanted):
        runs = []
        for seed in range(options.seeds):
            progress(place * options.seeds + seed, len(wanted) * options.seeds)
            runs.append(_search(features[training], possible[name].of(training), options, seed))
        chosen = [choose(features[test], run.weights) for run in runs]
        if name == BLEU:
            judge.set_baseline(BLEU, chosen)
        tuned.append(_tuned(name, judge.judge(name, chosen), runs, features, scales))
    progress(len(wanted) * options.seeds, len(wanted) * options.seeds)
    best = best_system(hypotheses, training, people) if hypotheses.are_outputs else None
    if best is not None:
        name = f"best system in training, {texts.system_names[best]}"
        untrained[name] = of_system(hypotheses, best)
    extremes = bounds(people.of(test), with_bleu and with_bleu.of(test), hypotheses.sizes[test])
    counted = np.isin(texts.segment_sentences[texts.segments_of(judgements)], hypotheses.sentences)
    references = [len(texts.references[sentence]) for sentence in hypotheses.sentences]
    judged_by = OWN_CANDIDATES if hypotheses.are_outputs else MATCHED_CANDIDATES
    return TuningReport(
        tuned=tuple(tuned),
        untrained=tuple(judge.judge(name, [each[test]]) for name, each in untrained.items()),
        bounds=tuple(judge.judge(name, [each]) for name, each in extremes.items()),
        # Of rankings, nothing is said of objectives of a scale.
        missing=tuple(
            name
            for name in OBJECTIVES
            if name not in possible and (steps or not name.startswith(RYPT))
        ),
        feature_names=hypotheses.feature_names,
        consensus=untrained[CONSENSUS],
        training_sentences=int(np.count_nonzero(training)),
        test_sentences=int(np.count_nonzero(test)),
        judged_by=judged_by,
        signature=Signature(
            method="tuning by Powell's search",
            options=(
                *([number_of_references(references)] if any(references) else []),
                f"training sentences {np.count_nonzero(training)}",
                f"hypotheses {hypotheses.sizes.sum()}",
                f"features {len(hypotheses.feature_names)}",
                f"directions {options.directions}",
                f"restarts {options.restarts}",
                f"seeds {options.seeds}",
                "cased" if options.cased else "lower case",
                f"judged by {judged_by}",
                f"resamples {options.resamples}",
            ),
            judgements=int(np.count_nonzero(counted)),
            sentences=len(hypotheses.sentences),
        ),
    )


def _wanted(names: tuple[str, ...], possible: dict[str, SummedStatistics]) -> list[str]:
    """Return the objectives in the order of the table."""
    for name in names:
        if name not in possible:
            needed = (
                "hypotheses that are systems' outputs"
                if name == PEOPLE
                else ("a reference of each sentence")
            )
            raise InputError(
                f"Nothing can be tuned to {name} here, which needs {needed}. Possible objectives "
                f"are {', '.join(possible)}."
            )
    return [name for name in possible if not names or name in names or name == BLEU]


def _search(
    features: Floats, objective: SummedStatistics, options: TuningOptions, seed: int
) -> Optimum:
    """Return the best of all restarts; `steps` are those of all together."""
    random = np.random.default_rng(seed)
    with one_thread():
        found = [
            maximise(
                features,
                objective,
                random.normal(size=(features.shape[2],)),
                random,
                directions=options.directions,
            )
            for _ in range(options.restarts)
        ]
    best = max(found, key=lambda one: one.value)
    return replace(best, steps=sum(one.steps for one in found))


def _tuned(
    name: str, choice: Choice, runs: list[Optimum], features: Floats, scales: Floats
) -> Tuned:
    best = max(runs, key=lambda run: run.value)
    raw = np.divide(best.weights, scales, out=np.zeros_like(scales), where=scales > CONSTANT)
    return Tuned(
        objective=name,
        choice=choice,
        values=tuple(run.value for run in runs),
        weights=best.weights,
        raw_weights=raw / max(np.abs(raw).sum(), CONSTANT),
        chosen=choose(features, best.weights),
        steps=sum(run.steps for run in runs),
    )
